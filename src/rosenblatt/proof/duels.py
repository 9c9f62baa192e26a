"""Kesler's construction: many classes at once as a question about two, without a threshold.

With all k vectors in one row, W = (w_1, ..., w_k), example i of class y is ahead of its rival c if
W . z > 0, where z holds (x0, x_i) in the place of y and -(x0, x_i) in that of c. There are
N (k - 1) such duels, each with twice the numbers of a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.kernels.rows import CSR
from rosenblatt.proof.question import JointProblem, SignedRows
from rosenblatt.rows import matrix, take
from rosenblatt.types import Array


class Duels(NamedTuple):
    """Examples, and the number of the class that each is compared with."""

    example: Array
    rival: Array


def all_duels(labels: Array, n_classes: int) -> Duels:
    """Return every example with each class that it is not of, in ascending order.

    Examples
    --------
    >>> all_duels(np.array([0, 2]), 3)
    Duels(example=array([0, 0, 1, 1]), rival=array([1, 2, 0, 1]))
    """
    other = np.ones((len(labels), n_classes), dtype=bool)
    other[np.arange(len(labels)), labels] = False
    return Duels(*np.nonzero(other))


def problem_of(problem: JointProblem, duels: Duels) -> SignedRows:
    """Write down some of the duels as the examples of one class, +1.

    Examples
    --------
    >>> joint = JointProblem(np.array([[2.0]]), np.array([1]), 3, 1.0, 1)
    >>> rows = problem_of(joint, all_duels(joint.labels, 3)).rows
    >>> sparse.csr_array(tuple(rows), shape=(2, 6)).toarray()
    array([[-1., -2.,  1.,  2.,  0.,  0.],
           [ 0.,  0.,  1.,  2., -1., -2.]])
    """
    rows = _with_constant(problem, duels.example)
    width = rows.shape[1]
    first = width * np.stack([problem.labels[duels.example], duels.rival]).astype(np.int64)
    each = np.repeat(np.arange(len(duels.example)), np.diff(rows.indptr))
    place = np.concatenate([rows.indices + first[0][each], rows.indices + first[1][each]])
    data = np.concatenate([rows.data, -rows.data])
    shape = (len(duels.example), problem.n_classes * width)
    Z = sparse.csr_array((data, (np.concatenate([each, each]), place)), shape=shape)
    Z.sort_indices()
    signs = np.ones(len(duels.example), dtype=np.int8)
    return SignedRows(CSR(Z.data, Z.indices, Z.indptr), signs, 0.0, shape[1])


def _with_constant(problem: JointProblem, chosen: Array) -> Any:
    """Return (x0, x_i) of the chosen rows in float64, as a CSR matrix."""
    rows = matrix(take(problem.rows, chosen), problem.n_features, float)
    found = sparse.csr_array(rows.astype(np.float64))
    if not problem.x0:
        return found
    return sparse.hstack([np.ones((len(chosen), 1)), found], format="csr")


def vectors_of(problem: JointProblem, rule: Sequence[Any] | Array) -> list[list[Any]]:
    """Return the rule of a problem of duels as a vector for each class, w0 first."""
    numbers = list(rule)[1:]  # the duels have no threshold of their own
    width = len(numbers) // problem.n_classes
    w0 = [] if problem.x0 else [Fraction(0)]
    return [w0 + numbers[c * width : (c + 1) * width] for c in range(problem.n_classes)]
