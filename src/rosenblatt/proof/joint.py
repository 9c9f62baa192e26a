"""Many classes at once: a vector for each class, so that the right one always wins, or none.

Kesler's construction makes it a question about two classes without a threshold. With all k vectors
in one row, W = (w_1, ..., w_k), example i of class y beats its rival c if W . z > 0, where z holds
(1, x_i) in the place of y and -(1, x_i) in that of c. Every second z is turned round and called -1,
for a proof wants two classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.errors import ProofError
from rosenblatt.proof.certificate import Contradiction, Separable
from rosenblatt.proof.margin import MaxMargin, max_margin
from rosenblatt.proof.separable import prove


class Duels(NamedTuple):
    """A row for each example and each other class."""

    Z: Array  # (N (k - 1), k (d + 1))
    signs: Array  # whether a row was turned round
    example: Array
    rival: Array


class JointVerdict(NamedTuple):
    """A proof about all classes at once, and whom its rows are about."""

    proof: Separable | Contradiction
    margin: MaxMargin | None  # of separable classes: w has k (d + 1) numbers
    example: Array
    rival: Array

    def weights(self, n_classes: int) -> Array:
        """Return the vectors of the largest margin, (k, d+1), w0 first."""
        if self.margin is None:
            raise ProofError("there is no margin")
        # without an intercept w0 = 0 comes first; the thresholds are among the others
        return np.asarray(self.margin.w[1:].reshape(n_classes, -1))


def duels(X: Array, labels: Array, n_classes: int) -> Duels:
    """Write down every example against each class that it is not of.

    Examples
    --------
    >>> duels(np.array([[2.0]]), np.array([1]), 3).Z
    array([[-1., -2.,  1.,  2.,  0.,  0.],
           [-0., -0., -1., -2.,  1.,  2.]])
    """
    n, width = len(X), X.shape[1] + 1
    example = np.repeat(np.arange(n), n_classes - 1)
    rival = np.concatenate([np.arange(n_classes)] * n).reshape(n, n_classes)
    rival = rival[rival != labels[:, np.newaxis]]
    ones = np.column_stack([np.ones(n), X])[example]
    Z = np.zeros((len(example), n_classes, width))
    each = np.arange(len(example))
    Z[each, labels[example]] = ones
    Z[each, rival] = -ones
    signs = np.where(each % 2 == 0, 1, -1)
    Z = Z.reshape(len(each), -1) * signs[:, np.newaxis]
    return Duels(Z, signs, example, rival)


def prove_joint(
    X: Array,
    labels: Array,
    n_classes: int,
    *,
    time_limit: float | None = None,
    callback: Any = None,
) -> JointVerdict:
    """Prove that some k vectors get every example right by arg max, or that none do.

    Examples
    --------
    Three intervals on a line: the one between the others is not separable from the rest, but three
    lines over the axis have each class on top somewhere.

    >>> X, labels = np.array([[0.0], [1.0], [4.0], [5.0], [8.0]]), np.array([0, 0, 1, 1, 2])
    >>> prove_joint(X, labels, 3).proof.separable
    True
    """
    Z, signs, example, rival = duels(np.asarray(X, dtype=np.float64), labels, n_classes)
    how: dict[str, Any] = {"fit_intercept": False, "time_limit": time_limit}
    proof = prove(Z, signs, callback=callback, **how)
    margin = max_margin(Z, signs, **how) if proof.separable else None
    return JointVerdict(proof, margin, example, rival)
