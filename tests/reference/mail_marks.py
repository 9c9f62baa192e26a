"""The marks of the mail filter in plain Python: a logistic that knows that labels may be wrong."""

from math import exp, log
from statistics import median

HAM, SPAM, UNTOLD = 0, 1, 2
RIDGE, LONGEST = 0.3, 2.0


def sigmoid(z):
    return 1 / (1 + exp(-z)) if z >= 0 else exp(z) / (1 + exp(z))


def newton(s, r, a, b):
    """One step towards the targets r, in both coordinates at most 2 long."""
    p = [sigmoid(a * x + b) for x in s]
    down_a = sum((t - q) * x for x, t, q in zip(s, r, p, strict=True)) - RIDGE * a
    down_b = sum(t - q for t, q in zip(r, p, strict=True))
    aa = sum(q * (1 - q) * x * x for x, q in zip(s, p, strict=True)) + RIDGE
    ab = sum(q * (1 - q) * x for x, q in zip(s, p, strict=True))
    bb = sum(q * (1 - q) for q in p) + 1e-9
    determinant = aa * bb - ab * ab
    step_a = (bb * down_a - ab * down_b) / determinant
    step_b = (aa * down_b - ab * down_a) / determinant
    scale = min(1.0, LONGEST / max(1e-300, abs(step_a), abs(step_b)))
    return a + scale * step_a, b + scale * step_b


def noisy_logistic(scores, labels, n_before=0, rounds=500):
    """Return a, b, eh, es and the probability of each message that it is truly spam."""
    unit = median(abs(x) for x in scores)
    unit = unit if unit > 1e-3 else 1.0
    s = [x / unit for x in scores]
    r = [{HAM: 0.0, SPAM: 1.0, UNTOLD: 0.5}[label] for label in labels]
    a, b, eh, es = 0.0, 0.0, 0.01, 0.01
    for _ in range(rounds):
        a, b = newton(s, r, *newton(s, r, a, b))
        old = eh, es
        r = [truth(sigmoid(a * x + b), label, eh, es) for x, label in zip(s, labels, strict=True)]
        told = [(t, label) for t, label in zip(r, labels, strict=True) if label != UNTOLD]
        # 1 % of the labels that are thought to be there beforehand are wrong
        as_ham = [t for t, label in told if label == HAM] + [0.01] * n_before
        as_spam = [1 - t for t, label in told if label == SPAM] + [0.01] * n_before
        eh = sum(as_ham) / (sum(t for t, _ in told) + n_before + 2)
        es = sum(as_spam) / (sum(1 - t for t, _ in told) + n_before + 2)
        if abs(eh - old[0]) < 1e-5 and abs(es - old[1]) < 1e-5:
            break
    return a / unit, b, eh, es, r


def truth(p, label, eh, es):
    if label == SPAM:
        return (1 - eh) * p / ((1 - eh) * p + es * (1 - p))
    if label == HAM:
        return eh * p / (eh * p + (1 - es) * (1 - p))
    return p


def edge(scores, weights, alpha):
    """Return the conformal quantile, with an exponential tail where there are too few."""
    rows = sorted(zip(scores, weights, strict=True), reverse=True)
    n = sum(weights)
    mark = reached(rows, max(0.0, alpha * (n + 1) - 1) + 0.5)
    if alpha * (n + 1) < 1:
        start = reached(rows, n / 10)
        tail = [(x - start, w) for x, w in rows if x > start]
        if tail:
            excess = sum(x * w for x, w in tail) / sum(w for _, w in tail)
            mark += log(1 / (alpha * (n + 1))) * excess
    return mark


def reached(rows, weight):
    """Return the highest score whose weight from above exceeds some weight."""
    above = 0.0
    for score, w in rows:
        above += w
        if above > weight:
            return score
    return rows[-1][0]


def marks(scores, labels, alpha, odds):
    """Return (spam from, ham below)."""
    a, b, _, _, r = noisy_logistic(scores, labels, 100)
    rows = list(zip(scores, labels, r, strict=True))
    hams = [(x, 1 - t) for x, y, t in rows if y == UNTOLD or (y == HAM and t <= 0.5)]
    spams = [(-x, t) for x, y, t in rows if y == UNTOLD or (y == SPAM and t >= 0.5)]
    spam_from, ham_below = [30 / max(1, sum(w for _, w in hams)) ** 0.5], [0.0]
    if a > 1e-6:
        spam_from.append((log(odds) - b) / a)
        ham_below = [-b / a]
    if hams:
        spam_from.append(edge(*zip(*hams, strict=True), alpha))
    if spams:
        ham_below.append(-edge(*zip(*spams, strict=True), 0.01))
    return max(spam_from), min(ham_below) - 30 / max(1, sum(w for _, w in spams))
