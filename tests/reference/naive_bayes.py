"""Bayes classifiers as the lecture writes them, in exact fractions.

    p(class)      the share of the class
    p(x|class)    the product of p(x_j|class); the shares of the values of x_j in the class

Labels are 0 ... k-1. `weights` are repetitions.
"""

from fractions import Fraction
from math import inf, log


def priors(y, k, weights=None):
    s = weights or [1] * len(y)
    return [
        Fraction(sum(s_i for s_i, c in zip(s, y, strict=True) if c == label), sum(s))
        for label in range(k)
    ]


def share(count, total, alpha, n_values):
    below = total + alpha * n_values
    return (count + alpha) / Fraction(below) if below else Fraction(1, n_values)


def bernoulli(X, y, k, alpha, weights=None):
    """Return p(x_j = 1|class), a row for each class."""
    s = weights or [1] * len(y)
    table = []
    for label in range(k):
        total = sum(s_i for s_i, c in zip(s, y, strict=True) if c == label)
        row = []
        for j in range(len(X[0])):
            ones = sum(s_i for s_i, x, c in zip(s, X, y, strict=True) if c == label and x[j] == 1)
            row.append(share(ones, total, Fraction(alpha), 2))
        table.append(row)
    return table


def multinomial(X, y, k, alpha):
    """Return p(word|class), a row for each class."""
    table = []
    for label in range(k):
        rows = [x for x, c in zip(X, y, strict=True) if c == label]
        counts = [sum(x[j] for x in rows) for j in range(len(X[0]))]
        table.append([share(n, sum(counts), Fraction(alpha), len(counts)) for n in counts])
    return table


def complement(X, y, k, alpha):
    """Return p(word|other classes), a row for each class: as if all others were one class."""
    return [multinomial(X, [int(c != label) for c in y], 2, alpha)[1] for label in range(k)]


def categorical(X, y, k, alpha):
    """Return [{(class, value): p}] for each column."""
    tables = []
    for j in range(len(X[0])):
        values = sorted({x[j] for x in X})
        table = {}
        for label in range(k):
            column = [x[j] for x, c in zip(X, y, strict=True) if c == label]
            for value in values:
                n = column.count(value)
                table[label, value] = share(n, len(column), Fraction(alpha), len(values))
        tables.append(table)
    return tables


def gaussian(X, y, k):
    """Return the means and the variances, a row of each for each class."""
    means, variances = [], []
    for label in range(k):
        rows = [[Fraction(v) for v in x] for x, c in zip(X, y, strict=True) if c == label]
        n = len(rows)
        mean = [sum(x[j] for x in rows) / n for j in range(len(X[0]))]
        means.append(mean)
        variances.append([sum((x[j] - mean[j]) ** 2 for x in rows) / n for j in range(len(mean))])
    return means, variances


def joint_bernoulli(x, prior, p):
    return [
        product([pi, *[h if v else 1 - h for v, h in zip(x, row, strict=True)]])
        for pi, row in zip(prior, p, strict=True)
    ]


def joint_multinomial(x, prior, p):
    return [
        product([pi, *[h**v for v, h in zip(x, row, strict=True)]])
        for pi, row in zip(prior, p, strict=True)
    ]


def joint_categorical(x, prior, tables):
    """A value that no row had says nothing."""
    return [
        product([pi, *[table.get((c, v), 1) for v, table in zip(x, tables, strict=True)]])
        for c, pi in enumerate(prior)
    ]


def joint_empirical(x, X, y, k):
    return [
        Fraction(sum(1 for r, c in zip(X, y, strict=True) if r == x and c == label), len(X))
        for label in range(k)
    ]


def posterior(joint, prior):
    """Impossible in every class: the prior decides."""
    if sum(joint) == 0:
        return prior
    return [p / sum(joint) for p in joint]


def product(factors):
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result


def log_likelihood(joints, y):
    """The joint one, of rows whose p(x, class) are given."""
    return sum(log(joint[c]) if joint[c] else -inf for joint, c in zip(joints, y, strict=True))
