"""More than two classes from rules for two: one against the rest, one against one.

`learn(X, y)` is any learner of a rule for y = -1, +1; it returns what the caller wants to keep of
each problem. Labels are 0 ... k-1.
"""

from itertools import combinations


def one_vs_rest(X, y, k, learn):
    """Return what `learn` makes of each class against the rest."""
    return [learn(X, [1 if label == c else -1 for label in y]) for c in range(k)]


def one_vs_one(X, y, k, learn):
    """Return what `learn` makes of each pair of classes; the higher class is +1."""
    answers = []
    for low, high in combinations(range(k), 2):
        pair = [i for i in range(len(X)) if y[i] in (low, high)]
        labels = [1 if y[i] == high else -1 for i in pair]
        answers.append(learn([X[i] for i in pair], labels))
    return answers


def predict_one_vs_rest(scores):
    """Return the class with the highest score, the lowest of equals."""
    return scores.index(max(scores))


def predict_one_vs_one(scores, k):
    """Return the class that wins most pairs; then the highest sum of scores; then the lowest."""
    wins, total = [0] * k, [0] * k
    for score, (low, high) in zip(scores, combinations(range(k), 2), strict=True):
        wins[high if score > 0 else low] += 1
        total[high] += score
        total[low] -= score
    return max(range(k), key=lambda c: (wins[c], total[c], -c))
