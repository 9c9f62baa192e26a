"""Every estimator keeps scikit-learn's contract, in full."""

import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import rosenblatt

# These need to be told something first: weights, distributions
NEED_ARGUMENTS = {rosenblatt.ThresholdUnit, rosenblatt.BayesClassifier, rosenblatt.OnlinePipeline}
# Takes texts, for which there are few checks: tests/text/test_pipeline.py runs them
TEXTS = {rosenblatt.BagOfWords}
# The checks' data is not binary, which this one refuses unless told where to cut
PARAMETERS = {rosenblatt.BernoulliNaiveBayes: {"binarize": 0.0}}


def estimators():
    """Make one of each class that can do without arguments."""
    public = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
    classes = [c for c in public if inspect.isclass(c) and issubclass(c, BaseEstimator)]
    return [c(**PARAMETERS.get(c, {})) for c in classes if c not in NEED_ARGUMENTS | TEXTS]


@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
@parametrize_with_checks(estimators())
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_there_are_estimators_to_check():
    assert len(estimators()) >= 12
