"""Every estimator keeps scikit-learn's contract, in full."""

import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import rosenblatt


def estimators():
    """Make one of each class that needs no arguments; a ThresholdUnit needs its weights."""
    public = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
    classes = [c for c in public if inspect.isclass(c) and issubclass(c, BaseEstimator)]
    return [c() for c in classes if c is not rosenblatt.ThresholdUnit]


@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
@parametrize_with_checks(estimators())
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_there_are_estimators_to_check():
    assert len(estimators()) >= 5
