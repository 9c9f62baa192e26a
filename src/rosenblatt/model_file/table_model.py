"""A model that knows how tables become its rows: what `rosenblatt fit -o` wrote, in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data.examples import Examples
from rosenblatt.data.formats.svmlight import IndexedRecipe
from rosenblatt.data.frames import is_frame
from rosenblatt.data.recipe import Recipe
from rosenblatt.errors import DataError
from rosenblatt.export.json_form import json_of
from rosenblatt.export.leaving import Leaving, cannot_leave
from rosenblatt.export.onnx_form import onnx_of
from rosenblatt.export.rule import Exported, Scaling, UnitLength
from rosenblatt.model_file.table_rows import TableRows, frame_examples
from rosenblatt.sklearn_base import BaseEstimator
from rosenblatt.text.pipeline import words_of
from rosenblatt.types import Floats, Labels

if TYPE_CHECKING:
    import onnx

    from rosenblatt.sklearn_base import Pipeline
else:
    from sklearn.pipeline import Pipeline


Method = TypeVar("Method", bound=Callable[..., Any])


def inputs(model: Any, examples: Examples) -> Any:
    """Return what a model is fed with: the texts if it makes words of them, else the rows."""
    if words_of(model) is None:
        return examples.X
    if examples.texts is None:
        raise DataError(f"the model learned from texts, but {examples.source} has no such column")
    return examples.texts


def _inner_has(name: str) -> Callable[[Method], Method]:
    found: Callable[[Method], Method] = available_if(lambda model: hasattr(model.fitted, name))
    return found


class TableModel(BaseEstimator):
    """A model that takes frames: by their names, as the file was read that it learned from.

    A frame of pandas or polars, an Arrow table, or whatever else has `__arrow_c_stream__`, becomes
    rows by the recipe: numbers, categories, texts and missing values are what they were in
    training. It may have more columns, in any order. All else (arrays, sparse rows, lists of texts)
    goes to the model as it is, and so does all that a model of an svmlight file gets, whose columns
    have no names. What else the model has, its `coef_` or its steps, is here, too.

    Parameters
    ----------
    model : estimator
        A fitted one, or, for `fit`, one that is not.
    recipe : Recipe, IndexedRecipe or None
        How columns become rows; `Examples.recipe`. None: nobody knows, and rows are given.

    Attributes
    ----------
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The columns that it takes, if they have names.
    n_features_in_ : int
        How many these are.
    classes_ : ndarray
        The labels.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from rosenblatt import Perceptron, read
    >>> table = pa.table({"x": [1.0, 2, 7, 8], "side": ["l", "l", "r", "r"], "y": [0, 0, 1, 1]})
    >>> examples = read(table)
    >>> model = TableModel(Perceptron().fit(examples.X, examples.y), examples.recipe)
    >>> model.feature_names_in_, model.predict(table)
    (array(['x', 'side'], dtype=object), array([0, 0, 1, 1]))
    """

    classes_: Labels

    def __init__(self, model: Any, recipe: Recipe | IndexedRecipe | None) -> None:
        self.model = model
        self.recipe = recipe

    @property
    def fitted(self) -> Any:
        """The model inside that has learned: the one given, or that of `fit`."""
        return vars(self).get("model_", self.model)

    def fit(self, X: Any, y: Any, **options: Any) -> Self:
        """Learn anew, with the same columns and categories, from X and y; return self.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.
        y : array-like
            Their labels.
        **options
            For the model inside.

        Returns
        -------
        self
            The same object.
        """
        self.model_ = clone(self.model).fit(self._rows(X), y, **options)
        return self

    @_inner_has("partial_fit")
    def partial_fit(self, X: Any, y: Any, **options: Any) -> Self:
        """Go on learning from X and y; return self.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.
        y : array-like
            Their labels.
        **options
            For the model inside.

        Returns
        -------
        self
            The same object.
        """
        self.fitted.partial_fit(self._rows(X), y, **options)
        return self

    def predict(self, X: Any) -> Labels:
        """Return the label of each row.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.

        Returns
        -------
        ndarray of shape (n_rows,)
            One of `classes_` each.
        """
        labels: Labels = self.fitted.predict(self._rows(X))
        return labels

    @_inner_has("predict_proba")
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, a column each.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Each row adds up to 1.
        """
        found: Floats = self.fitted.predict_proba(self._rows(X))
        return found

    @_inner_has("predict_log_proba")
    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of `predict_proba`.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Logarithms of probabilities.
        """
        found: Floats = self.fitted.predict_log_proba(self._rows(X))
        return found

    @_inner_has("decision_function")
    def decision_function(self, X: Any) -> Floats:
        """Return the score of each row: above 0 for the second of two classes, else one each.

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            The scores.
        """
        scores: Floats = self.fitted.decision_function(self._rows(X))
        return scores

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of right answers (of a regression R squared).

        Parameters
        ----------
        X : frame or array-like
            Rows: a frame with the columns of training, or what the model inside takes.
        y : array-like
            Their true labels.
        sample_weight : array-like or None, default=None
            How much each row counts; None counts all alike.

        Returns
        -------
        float
            At most 1.
        """
        return float(self.fitted.score(self._rows(X), y, sample_weight))

    def to_sklearn(self) -> Pipeline:
        """Return a pipeline of scikit-learn: our columns, then estimators of its own.

        Returns
        -------
        Pipeline
            Fitted, with the same predictions; of rows without names it has no step of columns.
        """
        steps = self._steps("scikit-learn")
        learner = steps.pop()[1].to_sklearn()
        if isinstance(self.recipe, Recipe):
            columns = TableRows(self.recipe, as_texts=words_of(self.fitted) is not None)
            steps.insert(0, ("columns", columns))
        return Pipeline([*steps, ("learner", learner)])

    def to_json(self) -> str:
        """Return the columns and the rule as JSON (docs/leaving.md).

        Returns
        -------
        str
            On one line.
        """
        return json_of(self._exported("JSON"))

    def to_onnx(self) -> onnx.ModelProto:
        """Return the model for ONNX, with an input for each column (docs/leaving.md).

        Returns
        -------
        onnx.ModelProto
            With an output for the labels; rows without names are one input.
        """
        return onnx_of(self._exported("ONNX"))

    def _steps(self, form: str) -> list[tuple[str, Any]]:
        inner = self.fitted
        steps = list(inner.steps) if isinstance(inner, Pipeline) else [("learner", inner)]
        if not isinstance(steps[-1][1], Leaving):
            raise cannot_leave(steps[-1][1], form)
        return steps

    def _exported(self, form: str) -> Exported:
        steps, recipe = self._steps(form), self.recipe
        if isinstance(recipe, Recipe) and any(column.kind == "text" for column in recipe.columns):
            raise cannot_leave(
                self,
                form,
                "its texts become hashed words, which others do not know",
                "use to_sklearn, or keep it with rosenblatt.save",
            )
        before = tuple(_step(step, form) for _, step in steps[:-1])
        rows = Exported(rule=steps[-1][1]._rule(form), before=before)
        if not isinstance(recipe, Recipe):
            return rows
        return replace(rows, columns=recipe.columns, missing=recipe.missing, dtype=recipe.dtype)

    @property
    def feature_names_in_(self) -> Labels:
        """The columns that it takes, if they have names."""
        if not isinstance(self.recipe, Recipe):
            raise AttributeError("the columns have no names")
        return np.array([column.name for column in self.recipe.columns], dtype=object)

    @property
    def n_features_in_(self) -> int:
        """How many columns it takes."""
        named = isinstance(self.recipe, Recipe)
        return len(self.feature_names_in_) if named else int(self.fitted.n_features_in_)

    def _rows(self, X: Any) -> Any:
        """Return what the model inside takes, of a frame; other X as it is."""
        if isinstance(self.recipe, Recipe) and is_frame(X):
            return inputs(self.fitted, frame_examples(X, self.recipe))
        return X

    if not TYPE_CHECKING:  # to a type checker every attribute would be there

        def __getattr__(self, name: str) -> Any:
            """Give what the model inside has."""
            if name.startswith("__") or "model" not in vars(self):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return getattr(self.fitted, name)

    def __getitem__(self, key: Any) -> Any:
        """Return a step of the pipeline inside."""
        return self.fitted[key]

    def __sklearn_is_fitted__(self) -> bool:
        check_is_fitted(self.fitted)
        return True

    def __sklearn_tags__(self) -> Tags:
        """Be to scikit-learn what the model inside is; columns may be strings, and missing."""
        tags = get_tags(self.model)
        if isinstance(self.recipe, Recipe):
            tags.input_tags.string = tags.input_tags.categorical = True
            tags.input_tags.allow_nan = self.recipe.missing == "mean"
        return tags


def _step(step: Any, form: str) -> Scaling | UnitLength:
    """Return what a step does to rows; refuse one that a format has no place for."""
    if isinstance(step, StandardScaler):
        n_features = step.n_features_in_
        return Scaling(
            mean=step.mean_ if step.with_mean else np.zeros(n_features),
            scale=step.scale_ if step.with_std else np.ones(n_features),
        )
    if isinstance(step, Normalizer) and step.norm == "l2":
        return UnitLength()
    raise cannot_leave(step, form)
