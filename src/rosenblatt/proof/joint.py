"""Many classes at once: the joint proof and, where there is one, the largest joint margin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.errors import ProofError
from rosenblatt.proof.duels import all_duels, problem_of
from rosenblatt.proof.margin import MaxMargin, max_margin
from rosenblatt.proof.prove import prove
from rosenblatt.proof.question import JOINT, JointProblem
from rosenblatt.types import Array


class JointVerdict(NamedTuple):
    """A proof about all classes at once, and the largest margin of separable ones."""

    proof: Any  # JointSeparable or JointContradiction
    margin: MaxMargin | None  # of the duels: w has k (d + 1) numbers
    support: Array | None  # the examples that it rests on

    def weights(self, n_classes: int) -> Array:
        """Return the vectors of the largest margin, (k, d+1), w0 first."""
        if self.margin is None:
            raise ProofError("there is no margin")
        # without an intercept w0 = 0 comes first; the thresholds are among the others
        return np.asarray(self.margin.w[1:].reshape(n_classes, -1))


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
    >>> found = prove_joint(X, labels, 3)
    >>> found.proof.separable, found.weights(3).shape
    (True, (3, 2))
    """
    proof = prove(X, labels, multiclass=JOINT, time_limit=time_limit, callback=callback)
    if not proof.separable:
        return JointVerdict(proof, None, None)
    joint = JointProblem(np.asarray(X, dtype=np.float64), labels, n_classes, 1.0, X.shape[1])
    duels = all_duels(labels, n_classes)
    Z, turned = _in_two_classes(problem_of(joint, duels).rows, n_classes * (X.shape[1] + 1))
    margin = max_margin(Z, turned, fit_intercept=False, time_limit=time_limit)
    return JointVerdict(proof, margin, np.unique(duels.example[margin.support]))


def _in_two_classes(rows: Any, n_features: int) -> tuple[Array, Array]:
    """Turn every second duel round and call it -1: a margin lies between two classes."""
    shape = (len(rows.indptr) - 1, n_features)
    Z = sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=shape).toarray()
    turned = np.where(np.arange(len(Z)) % 2 == 0, 1, -1)
    return Z * turned[:, np.newaxis], turned
