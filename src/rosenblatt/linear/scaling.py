"""Columns scaled, of rows that come as dense or as sparse ones."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from sklearn.preprocessing import StandardScaler

from rosenblatt.types import Array


class DenseScaler(StandardScaler):  # type: ignore[misc]  # untyped base
    """scikit-learn's StandardScaler, which takes sparse rows too and makes them dense.

    For files of sparse rows in which most numbers are there: columns of mean 0 and deviation 1 have
    no zeros to leave out.

    Parameters
    ----------
    copy, with_mean, with_std : bool, default=True
        As in scikit-learn's StandardScaler.

    Examples
    --------
    >>> DenseScaler().fit([[1.0], [3.0]]).transform(sparse.csr_array([[1.0], [5.0]]))
    array([[-1.],
           [ 3.]])
    """

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Go on with the means and deviations of more rows."""
        return super().partial_fit(as_dense(X), y, sample_weight)

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return dense rows, scaled."""
        return super().transform(as_dense(X), copy)


def as_dense(X: Any) -> Array | Any:
    """Return sparse rows as dense ones, and others as they are.

    Examples
    --------
    >>> as_dense(sparse.csr_array([[0.0, 2.0]]))
    array([[0., 2.]])
    """
    return X.toarray() if sparse.issparse(X) else X
