"""Probabilities from scores: the softmax of a s_k + b_k, as likely as can be.

For two classes that is Platt's sigmoid of a s + b. The targets are those of Platt, not 0 and 1: of
a class with n rows, a row is of it with (n + 1) / (n + 2), and all others share 1 / (n + 2), so
that scores that separate the classes do not ask for infinite slopes. Newton's steps are cut in half
until they go down (Lin, Lin, Weng: A note on Platt's probabilistic outputs, 2007).

The offsets b_k are there if they make the labels clearly likelier, each by a factor of e^2 in the
mean, which is two standard errors of an offset. Without them the most probable class is the one
with the highest score: noise should not make a model say one class and find another more probable.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from rosenblatt.types import Array, Floats

FARTHEST = 100.0  # from the middle of the scores, in median distances; farther ones count as this
LARGEST = 1e300
SMALLEST = 2.0**-52  # probability, so that none is 0 or 1
# Offsets are learned for so many classes; of more, a class has few rows to learn one from
MOST_OFFSETS = 100
GAIN_OF_OFFSET = 2.0  # in the logarithm of the likelihood; two standard errors are that
MOST_CELLS = 1 << 23  # numbers to learn from; of more rows some are taken, evenly
# of Newton
MOST_STEPS = 100
SHORTEST_STEP = 1e-10
ENOUGH_DOWN = 1e-4  # of what the slope promises
RIDGE = 1e-12
ROUNDED = 1e-14  # of a loss: less of it is rounding
FLAT = 1e-10
# of scores that tell nothing: the higher one still is a little more probable
LEAST_SLOPE = 1e-6


class Calibration(NamedTuple):
    """How scores become probabilities.

    Examples
    --------
    >>> Calibration(2.0, np.array([0.0, -1.0])).probabilities(np.array([0.5, 3.0])).round(4)
    array([[0.5   , 0.5   ],
           [0.0067, 0.9933]])
    """

    slope: float  # a, above 0: a higher score never means a lower probability
    offsets: Floats  # b, one for each class; the first is 0

    def probabilities(self, scores: Array) -> Floats:
        """Return a column for each class; `scores` has one column, or one for each class."""
        with np.errstate(over="ignore"):  # what is too large becomes the largest
            logs = self.slope * np.clip(_columns(scores), -LARGEST, LARGEST)
        logs = np.clip(logs, -LARGEST, LARGEST) + self.offsets
        exact = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        inside: Floats = (1.0 - logs.shape[1] * SMALLEST) * exact + SMALLEST
        return inside


def plain_odds(n_classes: int) -> Calibration:
    """Return the calibration of scores that are log odds, or logarithms of probabilities.

    Examples
    --------
    >>> plain_odds(2).probabilities(np.array([0.0]))
    array([[0.5, 0.5]])
    """
    return Calibration(1.0, np.zeros(n_classes))


def fit_calibration(
    scores: Array, labels: Array, n_classes: int, weights: Array | None = None
) -> Calibration:
    """Return the calibration for scores of rows that the weights have not seen.

    Parameters
    ----------
    scores : ndarray of shape (n,) or (n, n_classes)
        For two classes one score, which is high for the second of them.
    labels : ndarray of shape (n,)
        The places of the labels among the classes.
    n_classes : int
        How many there are.
    weights : ndarray of shape (n,) or None, default=None
        A weight of 2 is the same as the row twice.

    Examples
    --------
    >>> scores, labels = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 1, 0, 1])
    >>> a, b = fit_calibration(scores, labels, 2)
    >>> round(a, 4), b
    (0.2023, array([0., 0.]))
    """
    weights = np.ones(len(labels)) if weights is None else weights
    scores = _columns(scores)
    most = max(1, MOST_CELLS // n_classes)
    if len(labels) > most:
        some = np.linspace(0, len(labels) - 1, most).astype(np.int64)
        scores, labels, weights = scores[some], labels[some], weights[some]
    counts = np.bincount(labels, weights, minlength=n_classes)
    targets = _targets(counts)
    middle, scale = _middle_and_scale(scores)
    z = np.clip(scores / scale, -FARTHEST, FARTHEST)
    plain = _newton(z, targets[labels], weights, None)
    if n_classes <= MOST_OFFSETS:
        z = np.clip(scores / scale - middle / scale, -FARTHEST, FARTHEST)
        start = np.log((counts + 1.0) / (counts[0] + 1.0))
        shifted = _newton(z, targets[labels], weights, start)
        if shifted.slope < LEAST_SLOPE:
            # the likelihood has one hill: with slopes from 0 on, its top is at 0
            shifted = _level(counts, targets)
        if plain.loss - shifted.loss > GAIN_OF_OFFSET * (n_classes - 1):
            return _in_units(shifted, middle, scale)
    return _in_units(plain, np.zeros(n_classes), scale)


class _Fitted(NamedTuple):
    """Slope and offsets for scores in other units, and minus the logarithm of the likelihood."""

    slope: float
    offsets: Array
    loss: float


def _level(counts: Array, targets: Array) -> _Fitted:
    """Return the calibration of scores that tell nothing: how often each class comes."""
    mean = counts @ targets
    logs = np.log(mean / mean.sum())
    return _Fitted(0.0, logs - logs[0], -float(mean @ logs))


def _in_units(fitted: _Fitted, middle: Array, scale: float) -> Calibration:
    slope = float(np.clip(max(fitted.slope, LEAST_SLOPE) / scale, 1.0 / LARGEST, LARGEST))
    offsets = np.clip(fitted.offsets - slope * middle, -LARGEST, LARGEST)
    return Calibration(slope, offsets - offsets[0])


def _columns(scores: Array) -> Array:
    """Return a column for each class; of two, the first has the score 0."""
    if scores.ndim == 2:
        return scores
    return np.column_stack([np.zeros(len(scores)), scores])


def _targets(counts: Array) -> Array:
    """Return the probabilities that rows of each class should get, a row for each class."""
    k = len(counts)
    others = 1.0 / ((counts + 2.0) * (k - 1))
    targets = np.repeat(others[:, np.newaxis], k, axis=1)
    np.fill_diagonal(targets, (counts + 1.0) / (counts + 2.0))
    return targets


def _middle_and_scale(scores: Array) -> tuple[Array, float]:
    """Return the median score of each class, and the median distance from it of those not there."""
    finite = np.clip(scores, -LARGEST, LARGEST)
    middle = np.median(finite, axis=0)
    distances = np.abs(finite / 4.0 - middle / 4.0)  # quarters: a difference may be too large
    there = distances[distances > 0.0]
    scale = 4.0 * float(np.median(there)) if len(there) else 1.0
    return middle, float(np.clip(scale, 1.0 / LARGEST, LARGEST))


def _newton(z: Array, targets: Array, weights: Array, offsets: Array | None) -> _Fitted:
    """Return the likeliest slope, and offsets if there is something to start them from."""
    n_classes, total = z.shape[1], weights.sum()
    free = np.arange(1 if offsets is None else n_classes)  # of (slope, offsets but the first)
    x = np.zeros(n_classes)
    x[1:] = 0.0 if offsets is None else offsets[1:]
    loss, P = _loss(x, z, targets, weights)
    for _ in range(MOST_STEPS):
        gradient, hessian = _derivatives(P, z, targets, weights)
        gradient, hessian = gradient[free], hessian[np.ix_(free, free)]
        if np.abs(gradient).max() <= FLAT * total:
            break
        hessian += RIDGE * max(1.0, total) * np.eye(len(free))
        direction, length = np.zeros(n_classes), 1.0
        direction[free] = -np.linalg.solve(hessian, gradient)
        promised = float(gradient @ direction[free])
        if -promised <= ROUNDED * loss:
            # nobody can see anymore whether it goes down: the last step
            x += direction
            loss, _ = _loss(x, z, targets, weights)
            break
        while length >= SHORTEST_STEP:
            new_loss, new_P = _loss(x + length * direction, z, targets, weights)
            if new_loss <= loss + ENOUGH_DOWN * length * promised:
                break
            length /= 2.0
        else:
            break  # as low as rounding lets it be
        x, loss, P = x + length * direction, new_loss, new_P
    return _Fitted(float(x[0]), np.append(0.0, x[1:]), loss)


def _loss(x: Array, z: Array, targets: Array, weights: Array) -> tuple[float, Array]:
    logs = x[0] * z
    logs[:, 1:] += x[1:]
    logs -= logsumexp(logs, axis=1, keepdims=True)
    return -float(weights @ (targets * logs).sum(axis=1)), np.exp(logs)


def _derivatives(P: Array, z: Array, targets: Array, weights: Array) -> tuple[Array, Array]:
    """Return the gradient and the second derivatives by the slope and all offsets but the first."""
    w = weights[:, np.newaxis]
    rest, weighted = w * (P - targets), w * P
    mean = (P * z).sum(axis=1, keepdims=True)
    gradient = np.append((rest * z).sum(), rest[:, 1:].sum(axis=0))
    hessian = np.empty((P.shape[1], P.shape[1]))
    hessian[0, 0] = (weighted * (z - mean) ** 2).sum()
    hessian[0, 1:] = hessian[1:, 0] = (weighted[:, 1:] * (z - mean)[:, 1:]).sum(axis=0)
    hessian[1:, 1:] = np.diag(weighted[:, 1:].sum(axis=0)) - weighted[:, 1:].T @ P[:, 1:]
    return gradient, hessian
