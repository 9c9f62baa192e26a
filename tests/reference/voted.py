"""The voted perceptron of the lecture (first_vote=0) and of the paper (first_vote=1).

for each (x, y):  if w_k is wrong:  w_(k+1) <- w_k + y x ;  c_(k+1) <- first vote
                  else:             c_k <- c_k + 1
predict           sign of sum c_k sign(w_k . x)

The zero vector is the first hypothesis; its count starts at 0 in both.
"""

from tests.reference.perceptron import dot


def voted(steps, start, first_vote=0, weights=None):
    """Return (hypotheses, survival counts, examples erred on) of an online run.

    `steps` is what `online` returns, here or in `joint`; `start` is the first hypothesis.
    """
    hypotheses, survival, mistakes = [start], [0], []
    for i, wrong, w in steps:
        if wrong:
            hypotheses.append(w)
            survival.append(first_vote)
            mistakes.append(i)
        else:
            survival[-1] += 1 if weights is None else weights[i]
    return hypotheses, survival, mistakes


def sign(u):
    return (u > 0) - (u < 0)


def vote(hypotheses, survival, x):
    """Return the sum of the votes; sign(0) = 0 inside it, and a sum above 0 means +1."""
    return sum(c * sign(dot(w, x)) for w, c in zip(hypotheses, survival, strict=True))
