"""The voted perceptron (Freund and Schapire 1998).

    for each (x, y):  if w_k is wrong:  w_(k+1) <- w_k + y x ;  c_(k+1) <- first vote
                      else:             c_k <- c_k + 1
    predict           sign of sum c_k sign(w_k . x)

A hypothesis is the sum of the examples it erred on, so only their numbers are written down. The
scores of all hypotheses on x are running sums of the products of x with those examples.
"""

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.hypothesis import correct, judge, weight_of
from rosenblatt.kernels.prefetch import fetch_ahead


@kernel
def voted_pass(D, order, h, vote, first_vote, record):
    """Visit the examples in `order`; write down the mistakes; return how many.

    vote[0] is the survival count of the current hypothesis, record = (mistaken examples, their
    rivals, survival counts of the hypotheses they ended).
    """
    n_mistakes = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        i = order[p]
        wrong, _, rival = judge(D, i, h, 0)
        if wrong:
            correct(D, i, rival, h, 1.0)
            record[0][n_mistakes], record[1][n_mistakes] = i, rival
            record[2][n_mistakes] = vote[0]
            vote[0] = first_vote
            n_mistakes += 1
        else:
            vote[0] += weight_of(D.s, i)
    return n_mistakes


def add_votes(products, which, step, sides, survival, scores, votes):
    """Add the votes of all hypotheses on a block of rows to `votes`.

    products[r, m] is the product of row r with the m-th kept example; update k added step[k]
    times example which[k]; sides = (the classes it was added to, those it was taken from).
    """
    add = _add_votes_two if votes.ndim == 1 else _add_votes_many
    return add(products, which, step, sides, survival, scores, votes)


def _add_votes_two(products, which, step, sides, survival, scores, votes):
    for r in range(products.shape[0]):
        score, total = 0.0, 0.0
        for k in range(which.shape[0]):
            score += step[k] * products[r, which[k]]
            # sign(0) = 0: a hypothesis with x on its boundary does not vote
            total += survival[k + 1] * ((score > 0.0) - np.float64(score < 0.0))
        votes[r] += total


def _add_votes_many(products, which, step, sides, survival, scores, votes):
    right, wrong = sides
    for r in range(products.shape[0]):
        for c in range(scores.shape[0]):
            scores[c] = 0.0
        votes[r, 0] += survival[0]
        best = 0
        for k in range(which.shape[0]):
            move = step[k] * products[r, which[k]]
            scores[right[k]] += move
            scores[wrong[k]] -= move
            up, down = (right[k], wrong[k]) if move > 0.0 else (wrong[k], right[k])
            # only these two have moved: the others matter where the best has come down
            if best == down:
                best = highest(scores)
            elif scores[up] > scores[best] or (scores[up] == scores[best] and up < best):
                best = up
            votes[r, best] += survival[k + 1]


@inlined
def highest(scores):
    """Return the place of the highest score, the lowest of equals."""
    best = 0
    for c in range(1, scores.shape[0]):
        if scores[c] > scores[best]:
            best = c
    return best


@overload(add_votes)
def _(products, which, step, sides, survival, scores, votes):
    return _add_votes_two if votes.ndim == 1 else _add_votes_many


@kernel
def count_votes(products, which, step, sides, survival, scores, votes):
    """Add the votes of all hypotheses on a block of rows to `votes`; see `add_votes`."""
    add_votes(products, which, step, sides, survival, scores, votes)
