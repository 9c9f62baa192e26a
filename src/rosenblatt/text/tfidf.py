"""Words weighed by how few documents have them: tf-idf, in rows of length 1.

idf_j = log((1 + N) / (1 + n_j)) + 1        N documents, n_j of which have column j
x_j   = idf_j, or (1 + log count_j) idf_j   then x / |x|

A word that no document has (n_j = 0) weighs nothing, as if it were not there: its weight in a model
is 0 anyway, and in the length of a row it would make the words that are known look small.
"""

from __future__ import annotations

from functools import cache
from math import log
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError

from rosenblatt.counting import counted
from rosenblatt.kernels.tfidf import count_columns, weigh_rows
from rosenblatt.types import Array, Integers

N_LOGS = 1 << 16  # half a megabyte
PRESENCES = np.empty(0)


class DocumentCounts(NamedTuple):
    """How many documents there were, and how many of them had each column.

    Examples
    --------
    >>> documents = DocumentCounts.none(3).with_rows(np.array([0, 2, 0], dtype=np.int32), 2)
    >>> documents.n, documents.of_columns
    (2, array([2, 0, 1]))
    """

    n: int
    of_columns: Integers

    @classmethod
    def none(cls, n_columns: int) -> DocumentCounts:
        """Return the counts of no documents."""
        return cls(0, np.zeros(n_columns, dtype=np.int64))

    def of_width(self, n_columns: int) -> DocumentCounts:
        """Return a copy, with room for columns that are new."""
        grown = DocumentCounts.none(n_columns).of_columns
        grown[: len(self.of_columns)] = self.of_columns
        return DocumentCounts(self.n, grown)

    def with_rows(self, indices: Array, n_rows: int) -> DocumentCounts:
        """Count the columns of more rows, in place; return how many documents there are now."""
        count_columns(indices, self.of_columns)
        return self._replace(n=self.n + n_rows)

    def check_width(self, n_columns: int) -> None:
        """Refuse to count at columns that are not there."""
        n = len(self.of_columns)
        if n != n_columns:
            raise NotFittedError(
                f"this BagOfWords has counted texts for {counted(n, 'column')}, and has "
                f"{n_columns} by now; call fit with texts again"
            )


def weigh(documents: DocumentCounts, indices: Array, values: Array | None, starts: Array) -> Array:
    """Return the weights of sparse rows of words, each row brought to length 1.

    Examples
    --------
    >>> documents = DocumentCounts(1, np.array([1, 0]))
    >>> weigh(documents, np.array([0], dtype=np.int32), None, np.array([0, 1, 1]))
    array([1.])
    """
    found = np.empty(len(indices))
    counts = PRESENCES if values is None else np.asarray(values, dtype=np.float64)
    starts = np.asarray(starts, dtype=np.int64)
    top = 1.0 + log(1 + documents.n)
    weigh_rows(indices, counts, starts, documents.of_columns, top, _logs(), found)
    return found


@cache
def _logs() -> Array:
    """Return log(1), log(2), ...: most words are in few documents."""
    return np.log(np.arange(1, N_LOGS + 1))


class WordWeights(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """Weigh rows of words that are made already; `BagOfWords` does the same with texts.

    Parameters
    ----------
    documents : DocumentCounts
        What the weights come from.

    Examples
    --------
    >>> X = sparse.csr_array(np.array([[True, True], [True, False]]))
    >>> WordWeights(documents=DocumentCounts(2, np.array([2, 1]))).transform(X).toarray().round(3)
    array([[0.58 , 0.815],
           [1.   , 0.   ]])
    """

    def __init__(self, *, documents: DocumentCounts) -> None:
        self.documents = documents

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing: the documents are counted already."""
        return self

    def transform(self, X: Any) -> Any:
        """Return CSR rows of presences or counts as weighed ones."""
        values = None if X.dtype == bool else X.data
        found = weigh(self.documents, X.indices, values, X.indptr)
        return sparse.csr_array((found, X.indices, X.indptr), shape=X.shape)

    def __sklearn_is_fitted__(self) -> bool:
        return True


class Presences(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """Say of each word that it is there, where rows count how often.

    Examples
    --------
    >>> Presences().transform(sparse.csr_array(np.array([[2.0, 0.0, 1.0]]))).toarray()
    array([[ True, False,  True]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing."""
        return self

    def transform(self, X: Any) -> Any:
        """Return CSR rows of counts as rows of bool."""
        ones = np.ones(len(X.indices), dtype=bool)
        return sparse.csr_array((ones, X.indices, X.indptr), shape=X.shape)

    def __sklearn_is_fitted__(self) -> bool:
        return True
