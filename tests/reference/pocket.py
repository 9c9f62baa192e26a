"""The pocket algorithm, naively: count the errors of all examples after each update."""

from fractions import Fraction

from tests.reference.perceptron import is_mistake, perceptron


def pocket(X, y, picks, tie="mistake", start=None, weights=None):
    """Run PLA with the given picks; return (the pocket, [(t, E_in) at each improvement])."""
    s = [1] * len(X) if weights is None else weights

    def error(w):
        wrong = [Fraction(s[i]) for i in range(len(X)) if is_mistake(w, X[i], y[i], tie)]
        return sum(wrong, Fraction(0)) / sum(map(Fraction, s))

    _, _, path = perceptron(X, y, "random", tie, start, picks=picks, weights=weights)
    return keep_best(path, error)


def keep_best(path, error):
    """Go through all weights; put those into the pocket that err less than what is there."""
    best = path[0]
    errors = [(0, error(best))]
    for t, w in enumerate(path[1:], start=1):
        e = error(w)
        if e < errors[-1][1]:
            best = w
            errors.append((t, e))
    return best, errors
