"""Points of any number of features in a plane on which the boundary is exact.

With two classes one axis runs along w and the other along the direction of the largest spread
among those orthogonal to w. With three classes the scores differ by linear functions that span two
directions, and these are the axes. In both cases the decision depends on the drawn coordinates
alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array


class Projection(NamedTuple):
    """Two directions, as columns, and the names of the axes."""

    axes: Array  # (d, 2)
    names: tuple[str, str]

    def points(self, X: Array) -> Array:
        """Return the coordinates of the points in the plane, shape (N, 2)."""
        return np.asarray(X @ self.axes)

    def weights(self, w: Array) -> Array:
        """Return the weights of the same rule in the plane, w0 first."""
        return np.concatenate([w[:1], w[1:] @ self.axes])


def project(X: Array, w: Array | None, model: Any = None) -> Projection:
    """Choose the plane to draw X on, for the rule w (w0 first) or a model of three classes.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.plot.projection import project
    >>> X = np.array([[1.0, 0.0, 5.0], [2.0, 1.0, -5.0], [3.0, 0.0, 2.0]])
    >>> project(X, np.array([-2.0, 2.0, 0.0, 0.0])).weights(np.array([-2.0, 2.0, 0.0, 0.0]))
    array([-2.,  2.,  0.])
    """
    n_features = X.shape[1]
    if n_features == 1:
        return Projection(np.array([[1.0, 0.0]]), ("x", ""))
    if n_features == 2:
        return Projection(np.eye(2), ("x1", "x2"))
    if w is not None:
        return _along(X, w[1:])
    coef = np.asarray(getattr(model, "coef_", np.empty((0, 0))))
    way = getattr(model, "_learned_multiclass", "joint")
    if coef.shape == (3, n_features) and way != "one-vs-one":
        return _among_three(coef)
    raise ParameterError(
        f"of {n_features} features a plane shows the boundary of two classes or of three (not "
        "one-vs-one) only",
        do="pass g or such a model, or draw two columns of X",
        in_shell="--classes A,B takes the rows of two classes, --columns A,B two columns",
    )


def _along(X: Array, w: Array) -> Projection:
    length = np.linalg.norm(w)
    if not length > 0:
        raise DataError("the weights of g are all 0 beside w0: there is no boundary to draw along")
    unit = w / length
    rest = X - X.mean(axis=0)
    rest = rest - np.outer(rest @ unit, unit)
    across = np.linalg.svd(rest, full_matrices=False)[2][0]
    # again orthogonal: when all points lie along w, what is left of the spread is rounding
    across = across - (across @ unit) * unit
    size = np.linalg.norm(across)
    if size < 0.5:
        across = np.eye(len(w))[np.abs(unit).argmin()]
        across = across - (across @ unit) * unit
        size = np.linalg.norm(across)
    names = ("along w", "largest spread orthogonal to w")
    return Projection(np.column_stack([unit, across / size]), names)


def _among_three(coef: Array) -> Projection:
    directions = np.linalg.svd(coef - coef.mean(axis=0), full_matrices=False)[2]
    names = ("first direction of the weights", "second direction of the weights")
    return Projection(directions[:2].T, names)
