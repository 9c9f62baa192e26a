"""Separable or not, on paper: Fourier and Motzkin's elimination, and sums in fractions.

    z_i = y_i (x0, x_i) ;  the data is separable if some w has z_i . w > 0 for every i

To eliminate a coordinate of w, add every row in which it is negative to every row in which it is
positive, each scaled so that the coordinate cancels. A row of zeros says 0 > 0: there is no w.
"""

import math
from fractions import Fraction


def canonical(X, signs, intercept=True):
    """Return the examples z_i in fractions; a sign 0 marks a row that is no example."""
    constant = [1] if intercept else []
    return [[Fraction(s * x) for x in [*constant, *row]] for row, s in zip(X, signs, strict=True)]


def separable(Z):
    """Tell whether some w has z . w > 0 for every z."""
    rows = {_shortest(z) for z in Z}
    while rows and all(any(row) for row in rows):
        if not len(next(iter(rows))):
            return True
        rows = _without_a_coordinate(rows)
    return not rows


def _without_a_coordinate(rows):
    """Eliminate the coordinate that leaves the fewest rows."""
    d = len(next(iter(rows)))
    signs = [[(row[j] > 0) - (row[j] < 0) for row in rows] for j in range(d)]
    j = min(range(d), key=lambda j: signs[j].count(1) * signs[j].count(-1))
    plus, minus = [r for r in rows if r[j] > 0], [r for r in rows if r[j] < 0]
    left = {_without(r, j) for r in rows if not r[j]}
    for p in plus:
        for m in minus:
            left.add(_without([p[j] * b - m[j] * a for a, b in zip(p, m, strict=True)], j))
    return left


def _without(row, j):
    return _shortest([*row[:j], *row[j + 1 :]])


def _shortest(row):
    """Return the row as whole numbers without a common factor: few of them are then different."""
    denominator = math.lcm(*(Fraction(x).denominator for x in row))
    whole = [int(x * denominator) for x in row]
    common = math.gcd(*whole)
    return tuple(x // common for x in whole) if common else tuple(whole)


def dot(z, w):
    """Return z . w in fractions."""
    return sum((a * Fraction(b) for a, b in zip(z, w, strict=True)), start=Fraction(0))


def total(Z, indices, weights):
    """Return sum a_i z_i."""
    chosen = [[a * x for x in Z[i]] for i, a in zip(indices, weights, strict=True)]
    return [sum(column) for column in zip(*chosen, strict=True)]


def is_irreducible(Z, indices):
    """Tell whether the examples can be separated when any one of them is left out."""
    return all(separable([Z[i] for i in indices if i != left_out]) for left_out in indices)


def rank(Z):
    """Return how many of the rows are independent, by Gauss's elimination."""
    rows, found = [list(z) for z in Z], 0
    for j in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows if row[j]), None)
        if pivot is not None:
            rows.remove(pivot)
            found += 1
            rows = [
                [a - row[j] / pivot[j] * b for a, b in zip(row, pivot, strict=True)] for row in rows
            ]
    return found
