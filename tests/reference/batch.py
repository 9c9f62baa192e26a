"""The batch perceptron of the lecture.

w <- 0
repeat:  delta <- (1/N) sum of y_i x_i over all i with y_i w . x_i <= 0 ;  w <- w + eta delta
until |delta| < epsilon
"""

from math import sqrt

from tests.reference.perceptron import dot, moved


def batch(X, y, eta=1.0, epsilon=1e-6, max_epochs=1000, weights=None):
    """Return (w, epochs made, whether the last delta was shorter than epsilon)."""
    s = [1] * len(X) if weights is None else weights
    w = [0.0] * len(X[0])
    for epoch in range(1, max_epochs + 1):
        delta = [0.0] * len(w)
        for i in range(len(X)):
            if y[i] * dot(w, X[i]) <= 0:
                delta = moved(delta, s[i] * y[i], X[i])
        delta = [delta_j / sum(s) for delta_j in delta]
        w = moved(w, eta, delta)
        if sqrt(dot(delta, delta)) < epsilon:
            return w, epoch, True
    return w, max_epochs, False
