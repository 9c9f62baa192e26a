"""The ways out that every model has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rosenblatt.errors import ModelFileError
from rosenblatt.export.json_form import json_of
from rosenblatt.export.onnx_form import onnx_of
from rosenblatt.export.rule import Exported, ModelRule
from rosenblatt.export.sklearn_form import learner_in_sklearn

if TYPE_CHECKING:
    import onnx

    from rosenblatt.sklearn_base import Predictor


class Leaving:
    """A fitted model that can go where this library is not."""

    def to_sklearn(self) -> Predictor:
        """Return a fitted estimator of scikit-learn alone, with the same predictions.

        Returns
        -------
        estimator
            One of scikit-learn's own classes.
        """
        names = getattr(self, "feature_names_in_", None)
        model: Predictor = learner_in_sklearn(self._rule("scikit-learn"), names)
        return model

    def to_json(self) -> str:
        """Return the rule as JSON (docs/leaving.md); a page of JavaScript predicts from it.

        Returns
        -------
        str
            On one line.
        """
        return json_of(self._exported("JSON"))

    def to_onnx(self) -> onnx.ModelProto:
        """Return the model for ONNX (docs/leaving.md); `pip install 'rosenblatt[onnx]'` first.

        Returns
        -------
        onnx.ModelProto
            With an input for the rows, and an output for the labels.
        """
        return onnx_of(self._exported("ONNX"))

    def _exported(self, form: str) -> Exported:
        return Exported(rule=self._rule(form))

    def _rule(self, form: str) -> ModelRule:
        """Return the rule of a fitted model; refuse one that a format has no place for."""
        raise cannot_leave(self, form)


def cannot_leave(model: Any, form: str, why: str = "", instead: str = "") -> ModelFileError:
    """Return the error for a model that a format cannot hold, with what to use instead."""
    name = type(model).__name__
    return ModelFileError(
        f"{form} has no place for a {name}" + (f": {why}" if why else ""),
        do=instead or "keep it with rosenblatt.save, or use a linear learner",
        in_shell="",
    )
