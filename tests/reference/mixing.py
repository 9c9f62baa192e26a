"""Iterative parameter mixing as McDonald, Hall and Mann write it (NAACL 2010), in fractions.

    w <- 0
    for each epoch:  each part makes one pass of the perceptron from w: k_i mistakes, weights w_i
                     w <- sum_i (k_i / k) w_i

AROW has variances instead of counts: what the parts gain in precision adds up, and the weights are
those of the product of all beliefs.
"""

from fractions import Fraction

from tests.reference.arow import narrowed, shifted, spread
from tests.reference.perceptron import canonical, dot, is_mistake, moved


def exact(X):
    return [[Fraction(float(x)) for x in row] for row in X]


def one_pass(w, examples):
    """Return the weights after a pass, its mistakes, and the sum of the weights after each row."""
    n_mistakes, total = 0, [Fraction(0)] * len(w)
    for x, y in examples:
        if is_mistake(w, x, y):
            w = moved(w, y, x)
            n_mistakes += 1
        total = moved(total, 1, w)
    return w, n_mistakes, total


def mixed_perceptron(parts, max_epochs):
    """Return (weights, the mean of all weights gone through, mistakes of each part and epoch).

    `parts` is a list of (X, y) with y of -1 and +1.
    """
    parts = [list(zip(canonical(exact(X)), y, strict=True)) for X, y in parts]
    w = [Fraction(0)] * len(parts[0][0][0])
    history, total, n_seen = [], w, 0
    for _ in range(max_epochs):
        ends = [one_pass(w, examples) for examples in parts]
        mistakes = [n for _, n, _ in ends]
        history.append(mistakes)
        for (_, _, gone_through), examples in zip(ends, parts, strict=True):
            total, n_seen = moved(total, 1, gone_through), n_seen + len(examples)
        if sum(mistakes) == 0:
            break
        mixed = [Fraction(0)] * len(w)
        for last, n, _ in ends:
            mixed = moved(mixed, Fraction(n, sum(mistakes)), last)
        w = mixed
    return w, [t / n_seen for t in total], history


def weighted_mistakes(history):
    """Return the mistakes of all epochs, those of each part weighed by its share of them."""
    return sum(
        sum(Fraction(n * n, sum(mistakes)) for n in mistakes)
        for mistakes in history
        if sum(mistakes)
    )


def mixed_arow(parts, r, epochs):
    """Return (weights, variances) of AROW, mixed after each epoch, in floats."""
    parts = [(canonical(X), list(y)) for X, y in parts]
    d = len(parts[0][0][0])
    w, s = [0.0] * d, [1.0] * d
    for _ in range(epochs):
        before = list(zip(w, s, strict=True))
        precision, weighed = [1 / v for v in s], [a / v for a, v in before]
        for X, y in parts:
            mine, variances = w, s
            for x, label in zip(X, y, strict=True):
                margin = label * dot(mine, x)
                if margin < 1:
                    beta = 1 / (spread(variances, x) + r)
                    mine = shifted(mine, variances, (1 - margin) * beta * label, x)
                    variances = narrowed(variances, beta, x)
            for j, (a, v) in enumerate(before):
                precision[j] += 1 / variances[j] - 1 / v
                weighed[j] += mine[j] / variances[j] - a / v
        s = [1 / p for p in precision]
        w = [m / p for m, p in zip(weighed, precision, strict=True)]
    return w, s
