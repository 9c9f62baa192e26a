"""Vowpal Wabbit and river as scikit-learn's kind of classifier, for rows of numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin


class VowpalWabbit(ClassifierMixin, BaseEstimator):
    """One pass with its defaults; one against all for more than two classes."""

    def fit(self, X: Any, y: np.ndarray) -> Self:
        from vowpalwabbit import Workspace

        self.classes_, codes = np.unique(y, return_inverse=True)
        many = len(self.classes_) > 2
        kind = f"--oaa {len(self.classes_)}" if many else "--loss_function logistic --binary"
        self._model = Workspace(f"{kind} -b 22 --quiet")
        labels = codes + 1 if many else 2 * codes - 1
        for i in np.random.RandomState(0).permutation(len(y)):
            self._model.learn(f"{labels[i]} {_features(X, i)}")
        return self

    def predict(self, X: Any) -> np.ndarray:
        said = np.array([self._model.predict(_features(X, i)) for i in range(X.shape[0])])
        codes = said.astype(int) - 1 if len(self.classes_) > 2 else said > 0
        return self.classes_[codes.astype(int)]


class OneRowAtATime(ClassifierMixin, BaseEstimator):
    """River's logistic regression, one pass with its defaults; of two classes."""

    def fit(self, X: Any, y: np.ndarray) -> Self:
        from river.linear_model import LogisticRegression

        self.classes_ = np.unique(y)
        self._model = LogisticRegression()
        for i in np.random.RandomState(0).permutation(len(y)):
            self._model.learn_one(_named(X, i), bool(y[i] == self.classes_[1]))
        return self

    def predict(self, X: Any) -> np.ndarray:
        said = [bool(self._model.predict_one(_named(X, i))) for i in range(X.shape[0])]
        return self.classes_[np.array(said).astype(int)]


def _features(X: Any, i: int) -> str:
    return "| " + " ".join(f"{j}:{value:.6g}" for j, value in _named(X, i).items())


def _named(X: Any, i: int) -> dict[int, float]:
    if sparse.issparse(X):
        places = slice(X.indptr[i], X.indptr[i + 1])
        return dict(zip(X.indices[places].tolist(), X.data[places].tolist(), strict=True))
    return dict(enumerate(X[i].tolist()))
