"""Models as fitted estimators of scikit-learn.

Its rooms are loaded when they are asked for: every learner imports this file, and few leave.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from rosenblatt.export.rule import VALUE, VOTES, ModelRule
from rosenblatt.types import Array

Classifier = Any


def learner_in_sklearn(rule: ModelRule, names: Any = None) -> Any:
    """Return an estimator of scikit-learn with the same predictions as a rule.

    Examples
    --------
    >>> rule = ModelRule(name="unit", answer="sign", classes=np.array(["no", "yes"]),
    ...             coef=np.array([[1.0]]), intercept=np.array([-4.0]))
    >>> learner_in_sklearn(rule).predict([[3.0], [5.0]])
    array(['no', 'yes'], dtype='<U3')
    """
    if rule.variance is not None:
        model = _normal(rule)
    elif rule.answer == VALUE:
        from sklearn.linear_model import LinearRegression

        one = len(rule.intercept) == 1
        model = LinearRegression()
        model.coef_ = rule.coef[0].copy() if one else rule.coef.copy()
        model.intercept_ = float(rule.intercept[0]) if one else rule.intercept.copy()
    elif rule.answer == VOTES:
        model = _of_pairs(rule)
    else:
        intercept = rule.intercept - rule.threshold if len(rule.intercept) == 1 else rule.intercept
        model = _linear(rule.coef, intercept, rule.classes, rule.tie)
    model.n_features_in_ = rule.coef.shape[1]
    if rule.binarize is not None:
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import Binarizer

        ones = Binarizer(threshold=rule.binarize).fit(np.zeros((1, rule.coef.shape[1])))
        return Pipeline([("ones", ones), ("learner", model)])
    if names is not None:
        model.feature_names_in_ = np.asarray(names, dtype=object)
    return model


def _linear(coef: Array, intercept: Array, classes: Any, tie: str) -> Classifier:
    from sklearn.linear_model import Perceptron

    model = Perceptron()
    # scikit-learn asks for a score above 0. Where 0 means the second class, the next larger
    # intercept makes such scores the smallest positive number, and moves no other across 0.
    moved = np.nextafter(intercept, np.inf) if tie == "+1" else intercept.copy()
    model.coef_, model.intercept_, model.classes_ = coef.copy(), moved, classes
    model.n_features_in_, model.n_iter_, model.t_ = coef.shape[1], 1, 1.0
    return model


def _of_pairs(rule: ModelRule) -> Classifier:
    from sklearn.linear_model import Perceptron
    from sklearn.multiclass import OneVsOneClassifier

    classes: Any = rule.classes
    model = OneVsOneClassifier(Perceptron())
    model.estimators_ = [
        _linear(rule.coef[[p]], rule.intercept[[p]], np.array([0, 1]), "mistake")
        for p, _ in enumerate(combinations(range(len(classes)), 2))
    ]
    model.classes_, model.pairwise_indices_ = classes, None
    return model


def _normal(rule: ModelRule) -> Classifier:
    from sklearn.naive_bayes import GaussianNB

    model = GaussianNB()
    assert rule.variance is not None  # noqa: S101 - for mypy; asked by the caller
    model.theta_, model.var_, model.classes_ = rule.coef.copy(), rule.variance.copy(), rule.classes
    # a threshold takes off what the second of two classes is ahead by
    logs = rule.intercept - rule.threshold * (np.arange(len(rule.intercept)) > 0)
    model.class_prior_, model.epsilon_ = np.exp(logs), 0.0
    return model
