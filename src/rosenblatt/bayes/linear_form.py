"""The linear form of a naive Bayes model: u0 + u . x >= 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes.base import CountingBayes
from rosenblatt.checks import check_rows
from rosenblatt.decision.calibration import plain_odds
from rosenblatt.decision.deciding import threshold_of
from rosenblatt.errors import DataError
from rosenblatt.export.leaving import cannot_leave
from rosenblatt.export.rule import ARGMAX, SIGN, ModelRule
from rosenblatt.rows import scores_of
from rosenblatt.types import Array, Floats


class LinearBayes(CountingBayes):
    """A model whose log p(x, class) is linear in x, for as long as no probability is 0."""

    def linear_form(self) -> tuple[float, Floats]:
        """Return (u0, u): the log odds of `classes_[1]` are u0 + u . x.

        There are two classes, and no probability is 0 or 1 (that takes alpha=0).

        Returns
        -------
        float, ndarray of shape (n_features,)
            The odds where x is 0, and what each feature adds to them.
        """
        if len(getattr(self, "classes_", ())) > 2:
            raise DataError(f"a linear form needs two classes, got {len(self.classes_)}")
        if not hasattr(self, "coef_"):
            raise DataError(
                "there is no linear form: the model has not learned two classes yet, or some "
                "probability is 0 or 1, which an alpha above 0 prevents"
            )
        return float(self.intercept_[0]), self.coef_[0]

    @property
    def coef_(self) -> Floats:
        """The weights of the linear form."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Floats:
        """The constants of the linear form."""
        return self._linear()[1]

    def _rule(self, form: str) -> ModelRule:
        check_is_fitted(self)
        if not hasattr(self, "coef_"):
            why = "it knows one class alone, or some probability is 0 or 1"
            raise cannot_leave(self, form, why, "learn with an alpha above 0")
        n_classes = len(self.classes_)
        return ModelRule(
            name=type(self).__name__,
            answer=SIGN if n_classes == 2 else ARGMAX,
            classes=self.classes_,
            coef=self.coef_,
            intercept=self.intercept_,
            threshold=threshold_of(self),
            binarize=getattr(self, "_learned_binarize", None),
            are_logs=True,
            calibration=vars(self).get("calibration_", plain_odds(n_classes)),
        )

    def _odds(self, X: Any) -> Array | None:
        if len(self.classes_) != 2 or not hasattr(self, "coef_"):
            return None
        rows, n_rows, _ = check_rows(self, X)
        rows = self._check_values(rows)
        w, b = self._linear()
        return scores_of(rows, n_rows, w[0], b)

    def _linear(self) -> tuple[Array, Array]:
        weights = self._weights() if hasattr(self, "classes_") else None
        prior = self._prior_in_use() if weights is not None else np.zeros(1)
        if weights is None or len(self.classes_) < 2 or not (prior > 0).all():
            raise AttributeError("the model has no linear form")
        w, b = weights
        b = b + np.log(prior)
        return (w[1:] - w[:1], b[1:] - b[:1]) if len(b) == 2 else (w, b)

    def _prior_in_use(self) -> Array:
        """Return what p(x|class) is multiplied with."""
        return self.class_prior_

    def _weights(self) -> tuple[Array, Array] | None:
        """Return log p(x|class) as (w, b), a row for each class; None if some are infinite.

        Each model has its own.
        """
        raise NotImplementedError
