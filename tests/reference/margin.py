"""The largest margin in exact fractions: every small support is tried.

At the optimum w is a positive combination of independent examples that all stand at margin 1, and
no example stands below (Karush, Kuhn and Tucker). Whichever support passes is the optimum.
"""

from fractions import Fraction
from itertools import combinations


def exact_margin(X, y, intercept="canonical"):
    """Return (w0, w1, ...) and |w|^2 of the shortest w with every margin >= 1; None if none has.

    `intercept` is "canonical" (w0 counts in the norm), "free" (it does not) or "none".
    """
    X = [[Fraction(v) for v in row] for row in X]
    first = [Fraction(int(intercept == "canonical"))]
    Z = [[label * v for v in first + row] for row, label in zip(X, y, strict=True)]
    free = intercept == "free"
    for size in range(1, min(len(X), len(X[0]) + 1) + 1):
        for support in combinations(range(len(X)), size):
            rule = _rule_of(support, Z, y, free)
            if rule is not None:
                return rule
    return None


def _rule_of(support, Z, y, free):
    A = [[dot(Z[i], Z[j]) for j in support] + [Fraction(y[i])] * free for i in support]
    right = [Fraction(1)] * len(support)
    if free:
        A.append([Fraction(y[j]) for j in support] + [Fraction(0)])
        right.append(Fraction(0))
    solution = solve(A, right)
    if solution is None or min(solution[: len(support)]) < 0:
        return None
    a, b = solution[: len(support)], solution[-1] if free else Fraction(0)
    w = [sum(c * Z[i][k] for c, i in zip(a, support, strict=True)) for k in range(len(Z[0]))]
    if any(dot(z, w) + b * label < 1 for z, label in zip(Z, y, strict=True)):
        return None
    return [w[0] + b, *w[1:]], dot(w, w)


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def solve(A, right):
    """Solve by elimination; None when A is singular."""
    n = len(A)
    rows = [[*row, value] for row, value in zip(A, right, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]
