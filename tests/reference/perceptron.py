"""The perceptron learning algorithm as the lecture writes it.

    w <- any start
    while some example is misclassified:  pick one, (x, y);  w <- w + y x

An example is in canonical form, x = (1, x1, ... xd), and y is -1 or +1.
"""

from itertools import islice, repeat


def canonical(X, fit_intercept=True):
    """Put the constant coordinate in front of every row; 0 takes the threshold away."""
    return [[1 if fit_intercept else 0, *row] for row in X]


def dot(w, x):
    total = 0
    for w_j, x_j in zip(w, x, strict=True):
        total += w_j * x_j
    return total


def moved(w, c, x):
    return [w_j + c * x_j for w_j, x_j in zip(w, x, strict=True)]


def is_mistake(w, x, y, tie="mistake"):
    u = dot(w, x)
    if u == 0:
        return tie == "mistake" or y != int(tie)
    return (u > 0) != (y > 0)


def selection(rule, n, wrong, margin, max_epochs=None, picks=None, orders=None):
    """Yield the example to correct next, for as long as there is one.

    `wrong(i)` and `margin(i)` tell about example i under the weights of the moment.
    """
    if rule in ("cyclic", "shuffled"):
        passes = repeat(range(n)) if rule == "cyclic" else orders
        for order in islice(passes, max_epochs):
            n_mistakes = 0
            for i in order:
                if wrong(i):
                    n_mistakes += 1
                    yield i
            if n_mistakes == 0:
                return
        return
    n_updates = 0
    while mistakes := [i for i in range(n) if wrong(i)]:
        # these rules look at everything before each update, so N updates are an epoch
        if max_epochs is not None and n_updates == max_epochs * n:
            return
        if rule == "first":
            i = mistakes[0]
        elif rule == "worst":
            i = min(mistakes, key=margin)
        else:
            if n_updates == len(picks):
                return
            i = picks[n_updates]
            assert i in mistakes, f"pick {n_updates} is example {i}, which is no mistake"
        n_updates += 1
        yield i


def perceptron(
    X,
    y,
    rule="first",
    tie="mistake",
    start=None,
    max_updates=None,
    max_epochs=None,
    picks=None,
    orders=None,
    weights=None,
):
    """Return (w, the picked examples, all weight vectors from the start on).

    The rule "random" takes its picks from outside, "shuffled" an order for each epoch.
    """
    w = [0] * len(X[0]) if start is None else list(start)
    s = [1] * len(X) if weights is None else weights
    picked, path = [], [w]

    def wrong(i):
        return is_mistake(w, X[i], y[i], tie)

    def margin(i):
        return y[i] * dot(w, X[i])

    for i in islice(selection(rule, len(X), wrong, margin, max_epochs, picks, orders), max_updates):
        w = moved(w, s[i] * y[i], X[i])
        picked.append(i)
        path.append(w)
    return w, picked, path


def online(X, y, orders, tie="mistake", start=None, weights=None):
    """Visit the examples one by one; return [(example, was it a mistake, weights after it)]."""
    w = [0] * len(X[0]) if start is None else list(start)
    s = [1] * len(X) if weights is None else weights
    steps = []
    for order in orders:
        for i in order:
            wrong = is_mistake(w, X[i], y[i], tie)
            if wrong:
                w = moved(w, s[i] * y[i], X[i])
            steps.append((i, wrong, w))
    return steps
