"""The fewest mistakes of any linear rule, naively and in exact arithmetic.

By Gordan's theorem examples z_i = y_i (1, x_i) are separable unless some of them contradict each
other: sum a_i z_i = 0 with positive a_i. A smallest such set has one a up to a factor, and at most
one example more than z has numbers. A rule must fail on at least one example of each such set.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np


def fewest_mistakes(X, y, fit_intercept=True):
    """Return the size of the smallest set of examples without which the rest is separable."""
    first = [1] if fit_intercept else []
    examples = zip(X, y, strict=True)
    Z = [[Fraction(label) * Fraction(v) for v in (*first, *x)] for x, label in examples]
    conflicts = contradictions(Z)
    everyone = range(len(Z))
    for n in range(len(Z) + 1):
        for dropped in combinations(everyone, n):
            if all(conflict & set(dropped) for conflict in conflicts):
                return n
    return None


def contradictions(Z):
    """Return all smallest sets of rows that contradict each other."""
    sizes = range(1, len(Z[0]) + 2)
    sets = (chosen for n in sizes for chosen in combinations(range(len(Z)), n))
    return [set(chosen) for chosen in sets if is_contradiction([Z[i] for i in chosen])]


def is_contradiction(rows):
    """Tell whether sum a_i rows_i = 0 has a single solution up to a factor, a positive one."""
    columns = [list(equation) for equation in zip(*rows, strict=True)]
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(columns)) if columns[r][k] != 0), None)
        if pivot is None:
            # The first unknown without a pivot is free; it has to be the last one
            is_last = k == len(rows) - 1
            return is_last and all(columns[r][k] / columns[r][r] < 0 for r in range(k))
        columns[k], columns[pivot] = columns[pivot], columns[k]
        for r in range(len(columns)):
            if r != k:
                factor = columns[r][k] / columns[k][k]
                columns[r] = [a - factor * b for a, b in zip(columns[r], columns[k], strict=True)]
    return False


def fewest_by_pairs(X, y):
    """Try the lines through all pairs of points, no three on a line, the two on either side."""
    fewest = min((y > 0).sum(), (y < 0).sum())
    for i, j in combinations(range(len(X)), 2):
        dx, dy = X[j] - X[i]
        score = dx * (X[:, 1] - X[i, 1]) - dy * (X[:, 0] - X[i, 0])
        others = np.delete(np.arange(len(X)), [i, j])
        wrong = (y[others] * score[others] < 0).sum()
        fewest = min(fewest, wrong, len(others) - wrong)
    return int(fewest)
