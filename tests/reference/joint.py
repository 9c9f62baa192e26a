"""The joint perceptron for k classes: one weight vector for each, the highest score wins.

    on a mistake:  add x to the right class's vector, subtract it from the chosen one's

Ties go to the lowest class. A tie with the right class is a mistake only under tie="mistake",
when another class was chosen. Labels are 0 ... k-1.
"""

from itertools import islice

from tests.reference.perceptron import dot, moved, selection


def chosen(W, x):
    scores = [dot(w, x) for w in W]
    return scores.index(max(scores))


def margin_of(W, x, right):
    """Return how far the right class is ahead of the best other one."""
    scores = [dot(w, x) for w in W]
    own = scores.pop(right)
    return own - max(scores)


def is_mistake(W, x, right, tie="mistake"):
    if chosen(W, x) == right:
        return False
    return tie == "mistake" or margin_of(W, x, right) != 0


def corrected(W, s, x, right):
    other = chosen(W, x)
    W = list(W)
    W[right], W[other] = moved(W[right], s, x), moved(W[other], -s, x)
    return W


def joint(X, y, k, rule="cyclic", tie="mistake", max_updates=None, weights=None, **how):
    """Return (W, the picked examples, all W from the start on); `how` as in `selection`."""
    W = [[0] * len(X[0]) for _ in range(k)]
    s = [1] * len(X) if weights is None else weights
    picked, path = [], [W]

    def wrong(i):
        return is_mistake(W, X[i], y[i], tie)

    def margin(i):
        return margin_of(W, X[i], y[i])

    for i in islice(selection(rule, len(X), wrong, margin, **how), max_updates):
        W = corrected(W, s[i], X[i], y[i])
        picked.append(i)
        path.append(W)
    return W, picked, path


def online(X, y, k, orders, weights=None, start=None):
    """Visit the examples one by one; return [(example, was it a mistake, W after it)]."""
    W = [[0] * len(X[0]) for _ in range(k)] if start is None else start
    s = [1] * len(X) if weights is None else weights
    steps = []
    for order in orders:
        for i in order:
            wrong = is_mistake(W, X[i], y[i])
            if wrong:
                W = corrected(W, s[i], X[i], y[i])
            steps.append((i, wrong, W))
    return steps


def votes(hypotheses, survival, x):
    """Return the votes for each class: every hypothesis gives its count to the one it chooses."""
    k = len(hypotheses[0])
    total = [0] * k
    for W, c in zip(hypotheses, survival, strict=True):
        total[chosen(W, x)] += c
    return total
