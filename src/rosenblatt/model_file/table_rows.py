"""Rows of frames, as a model learned to read tables."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import Tags

from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.frames import frame_table
from rosenblatt.data.read import read
from rosenblatt.data.recipe import Recipe
from rosenblatt.errors import DataError
from rosenblatt.logs import log_notes
from rosenblatt.sklearn_base import BaseEstimator, TransformerMixin
from rosenblatt.types import Array, Labels


class TableRows(TransformerMixin, BaseEstimator):
    """Frames become rows as a recipe says: the first step of a pipeline of scikit-learn.

    Parameters
    ----------
    recipe : Recipe
        How columns become rows.
    as_texts : bool, default=False
        Give the column of texts, for a learner of words, in place of rows.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"x": [1.0, 2], "side": ["l", "l"], "y": [0, 1]})
    >>> rows = TableRows(read(table).recipe)
    >>> rows.fit_transform(table), rows.get_feature_names_out()
    (array([[1., 1.],
           [2., 1.]]), array(['x', 'side=l'], dtype=object))
    """

    def __init__(self, recipe: Recipe, *, as_texts: bool = False) -> None:
        self.recipe = recipe
        self.as_texts = as_texts

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing: the recipe is known; return self."""
        return self

    def transform(self, X: Any) -> Any:
        """Return the rows of a frame."""
        examples = frame_examples(X, self.recipe)
        return examples.texts if self.as_texts else examples.X

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns of the rows; those of texts have none."""
        columns = sorted(self.recipe.columns, key=lambda column: column.kind == "category")
        return np.array([name for c in columns for name in c.feature_names], dtype=object)

    @property
    def feature_names_in_(self) -> Labels:
        """The columns that it takes."""
        return np.array([column.name for column in self.recipe.columns], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that it needs no fit, and takes strings."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def frame_examples(X: Any, recipe: Recipe) -> Examples:
    """Return the examples of a frame, all of its rows; what was new in it is logged."""
    table = frame_table(X).whole().columns
    examples = read(table, recipe=recipe)
    log_notes(examples.notes)
    n, n_kept = table.num_rows, examples.X.shape[0]
    if n_kept < n:
        raise DataError(
            f"{n - n_kept} of {counted(n, 'row')} have missing values, and the model learned "
            "to drop such rows, but each row is to get an answer",
            do="leave them out of the frame first, or learn with {missing:mean}",
        )
    return examples
