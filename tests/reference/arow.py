"""AROW with a diagonal (Crammer, Kulesza, Dredze 2009), row by row, in plain Python.

    m = y w.x ;  v = sum s_j x_j^2 ;  if m < 1:  beta = 1 / (v + r) ;  a = (1 - m) beta
    w_j <- w_j + a y s_j x_j ;  s_j <- s_j - beta (s_j x_j)^2

All s_j begin at 1. For k classes the right one and the best other one move, and v sums both. A
sample weight divides r.
"""

from tests.reference.passive_aggressive import best_other
from tests.reference.perceptron import dot


def spread(s, x):
    return sum(s_j * x_j * x_j for s_j, x_j in zip(s, x, strict=True))


def shifted(w, s, a, x):
    return [w_j + a * s_j * x_j for w_j, s_j, x_j in zip(w, s, x, strict=True)]


def narrowed(s, beta, x):
    return [s_j - beta * (s_j * x_j) ** 2 for s_j, x_j in zip(s, x, strict=True)]


def arow(X, y, orders, r=1.0, weights=None):
    """Two classes, -1 and +1; return [(example, was w moved, w, s after it)]."""
    w, s, steps = [0.0] * len(X[0]), [1.0] * len(X[0]), []
    for order in orders:
        for i in order:
            m, v = y[i] * dot(w, X[i]), spread(s, X[i])
            moves = m < 1 and v > 0
            if moves:
                beta = 1.0 / (v + (r if weights is None else r / weights[i]))
                w = shifted(w, s, (1.0 - m) * beta * y[i], X[i])
                s = narrowed(s, beta, X[i])
            steps.append((i, moves, w, s))
    return steps


def joint(X, y, k, orders, r=1.0, weights=None):
    """Classes 0 ... k-1; return [(example, was W moved, W, S after it)]."""
    W = [[0.0] * len(X[0]) for _ in range(k)]
    S = [[1.0] * len(X[0]) for _ in range(k)]
    steps = []
    for order in orders:
        for i in order:
            scores, right = [dot(w, X[i]) for w in W], y[i]
            rival = best_other(scores, right)
            m = scores[right] - scores[rival]
            v = spread(S[right], X[i]) + spread(S[rival], X[i])
            moves = m < 1 and v > 0
            if moves:
                beta = 1.0 / (v + (r if weights is None else r / weights[i]))
                a = (1.0 - m) * beta
                W, S = list(W), list(S)
                W[right] = shifted(W[right], S[right], a, X[i])
                W[rival] = shifted(W[rival], S[rival], -a, X[i])
                S[right] = narrowed(S[right], beta, X[i])
                S[rival] = narrowed(S[rival], beta, X[i])
            steps.append((i, moves, W, S))
    return steps
