"""Passive-aggressive learning (Crammer et al. 2006), row by row, in plain Python.

    loss = max(0, 1 - y w.x) ;  w <- w + tau y x
    tau  = loss / |x|^2 (plain), min(C, loss / |x|^2) (I), loss / (|x|^2 + 1 / (2 C)) (II)

For k classes x is added to the vector of the right one and taken from the best other one's: the
margin is the difference of their scores, and |x|^2 counts twice. A sample weight multiplies C.
"""

from tests.reference.perceptron import dot, moved


def step_length(variant, C, loss, square):
    if square == 0:
        return 0.0
    if variant == "plain":
        return loss / square
    return min(C, loss / square) if variant == "I" else loss / (square + 1 / (2 * C))


def best_other(scores, right):
    """Return the class with the highest score but for the right one; the lowest of equals."""
    others = [c for c in range(len(scores)) if c != right]
    return max(others, key=lambda c: (scores[c], -c))


def passive_aggressive(X, y, orders, variant="I", C=1.0, weights=None):
    """Two classes, -1 and +1; return [(example, was w moved, w after it)]."""
    w, steps = [0.0] * len(X[0]), []
    for order in orders:
        for i in order:
            cost = C if weights is None else C * weights[i]
            loss = max(0.0, 1.0 - y[i] * dot(w, X[i]))
            tau = step_length(variant, cost, loss, dot(X[i], X[i]))
            w = moved(w, tau * y[i], X[i])
            steps.append((i, tau > 0, w))
    return steps


def joint(X, y, k, orders, variant="I", C=1.0, weights=None):
    """Classes 0 ... k-1; return [(example, was W moved, W after it)]."""
    W, steps = [[0.0] * len(X[0]) for _ in range(k)], []
    for order in orders:
        for i in order:
            cost = C if weights is None else C * weights[i]
            scores, right = [dot(w, X[i]) for w in W], y[i]
            rival = best_other(scores, right)
            loss = max(0.0, 1.0 - (scores[right] - scores[rival]))
            tau = step_length(variant, cost, loss, 2 * dot(X[i], X[i]))
            W = list(W)
            W[right], W[rival] = moved(W[right], tau, X[i]), moved(W[rival], -tau, X[i])
            steps.append((i, tau > 0, W))
    return steps
