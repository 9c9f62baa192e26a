"""Platt's sigmoid as Lin, Lin and Weng (2007) print it, and a softmax in plain Python."""

from math import exp, log


def platt(scores, positive):
    """Return (a, b) of p = 1 / (1 + exp(-(a s + b))), by Newton's method with backtracking."""
    n_plus = sum(positive)
    n_minus = len(positive) - n_plus
    t = [(n_plus + 1) / (n_plus + 2) if yes else 1 / (n_minus + 2) for yes in positive]
    # they write p = 1 / (1 + exp(A s + B))
    A, B = 0.0, log((n_minus + 1) / (n_plus + 1))
    value = _value(scores, t, A, B)
    for _ in range(100):
        h11 = h22 = 1e-12
        h21 = g1 = g2 = 0.0
        for s, target in zip(scores, t, strict=True):
            f = s * A + B
            p = exp(-f) / (1 + exp(-f)) if f >= 0 else 1 / (1 + exp(f))
            d2 = p * (1 - p)
            h11, h22, h21 = h11 + s * s * d2, h22 + d2, h21 + s * d2
            d1 = target - p
            g1, g2 = g1 + s * d1, g2 + d1
        if abs(g1) < 1e-10 and abs(g2) < 1e-10:
            break
        det = h11 * h22 - h21 * h21
        dA, dB = -(h22 * g1 - h21 * g2) / det, -(-h21 * g1 + h11 * g2) / det
        gd, step = g1 * dA + g2 * dB, 1.0
        while step >= 1e-10:
            new = _value(scores, t, A + step * dA, B + step * dB)
            if new < value + 0.0001 * step * gd:
                break
            step /= 2
        else:
            break
        A, B, value = A + step * dA, B + step * dB, new
    return -A, -B


def _value(scores, t, A, B):
    total = 0.0
    for s, target in zip(scores, t, strict=True):
        f = s * A + B
        total += target * f + log(1 + exp(-f)) if f >= 0 else (target - 1) * f + log(1 + exp(f))
    return total


def softmax_loss(a, b, scores, labels):
    """Return minus the log-likelihood of the smoothed targets, for any number of classes."""
    k, total = len(b), 0.0
    counts = [list(labels).count(c) for c in range(k)]
    for row, label in zip(scores, labels, strict=True):
        f = [a * s + offset for s, offset in zip(row, b, strict=True)]
        top = max(f)
        norm = top + log(sum(exp(value - top) for value in f))
        n = counts[label]
        for c in range(k):
            target = (n + 1) / (n + 2) if c == label else 1 / (n + 2) / (k - 1)
            total -= target * (f[c] - norm)
    return total


def best_threshold(way, scores, positive):
    """Return the merit of the best cut between scores, by trying all of them."""
    cuts = [min(scores) - 1, *scores]
    return max(merit(way, cut, scores, positive) for cut in cuts)


def merit(way, threshold, scores, positive):
    """Return how good it is to say yes above the threshold: F1, or the balanced accuracy."""
    said = [s > threshold for s in scores]
    pairs = list(zip(said, positive, strict=True))
    hits, alarms = pairs.count((True, True)), pairs.count((True, False))
    n_plus, n_minus = sum(positive), len(positive) - sum(positive)
    if way == "f1":
        return 2 * hits / (n_plus + hits + alarms) if n_plus + hits + alarms else 0.0
    if way == "balanced":
        return (hits / n_plus + (n_minus - alarms) / n_minus) / 2
    return -(n_plus - hits + alarms)
