"""The empirical Bayes classifier: the joint table of the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.bayes.base import CountingBayes, Decisive
from rosenblatt.bayes.probability import log, shares
from rosenblatt.bayes.tally import KeyedCounts, find, nonzeros
from rosenblatt.types import Array, Block, Floats, Rows


class EmpiricalBayes(Decisive, CountingBayes):
    """Remember how often every row came with every class, and nothing else.

    p(x|class) is the share of the row x among the rows of the class; nothing is assumed of the
    columns, so nothing is known of rows that were not learned. For few discrete columns and much
    data, and to see what independence costs naive Bayes.

    A new row, and so a row with a new category, is impossible in every class: the prior decides. A
    missing value (NaN) is refused, as everywhere; give it a number of its own to make it a value.

    Parameters
    ----------
    alpha : float, default=0.0
        Copies of each row of the table added to every class in thought. 0 is the
        maximum-likelihood answer: the posterior is the share of each class among equal rows.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes; None takes their shares in the data.

    Attributes
    ----------
    n_cells_ : int
        Distinct rows learned.
    class_prior_, class_count_ : ndarray of shape (n_classes,)
        p(class), and the weight of its rows.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import EmpiricalBayes
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [0, 1, 1, 0, 1]
    >>> model = EmpiricalBayes().fit(X, y)
    >>> model.predict_proba([[0, 1], [1, 1]])
    array([[0. , 1. ],
           [0.5, 0.5]])
    """

    n_cells_: int
    _cell_prob: Floats

    def __init__(self, *, alpha: float = 0.0, priors: Any = None) -> None:
        self.alpha = alpha
        self.priors = priors

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that rows never seen are not predicted well."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.classifier_tags.poor_score = True
        return tags

    def _add(self, tally: KeyedCounts | None, block: Block) -> KeyedCounts:
        keys, codes = np.unique(_keys(block.rows), return_inverse=True)
        here = KeyedCounts.of(keys, codes, np.arange(block.n_rows + 1), block)
        return here if tally is None else tally.plus(here)

    def _estimate(self, tally: KeyedCounts, n_features: int) -> dict[str, Any]:
        n_cells = len(tally.keys)
        p = shares(tally.weighted.cells, tally.weight, self.alpha, n_cells)
        return {"n_cells_": n_cells, "_cell_prob": p}

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        cells = find(self._tally.keys, _keys(rows))
        joint = np.full((n_rows, len(self.classes_)), -np.inf)
        known = cells >= 0
        joint[known] = log(self._cell_prob.T[cells[known]]) + log(self.class_prior_)
        return joint


def _keys(rows: Rows) -> Array:
    """Return each row as bytes: the columns that are not 0, and their values."""
    values = nonzeros(rows)
    columns = values.indices.astype(np.int64)
    keys = np.empty(len(values.indptr) - 1, dtype=object)
    for i in range(len(keys)):
        part = slice(values.indptr[i], values.indptr[i + 1])
        keys[i] = columns[part].tobytes() + values.data[part].tobytes()
    return keys
