"""Linear regression by the pseudoinverse, as the lecture writes it, in exact fractions."""

from fractions import Fraction


def least_squares(X, y):
    """Return w with (A'A) w = A'y for A = (1, X) of full column rank, by Gauss elimination."""
    A = [[Fraction(1), *map(Fraction, x)] for x in X]
    n = len(A[0])
    rows = [
        [sum(a[i] * a[j] for a in A) for j in range(n)]
        + [sum(a[i] * Fraction(b) for a, b in zip(A, y, strict=True))]
        for i in range(n)
    ]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]
