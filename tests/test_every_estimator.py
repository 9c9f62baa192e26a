"""Every estimator keeps scikit-learn's contract, in full."""

import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

import rosenblatt
from rosenblatt.linear.perceptron import SortedLabelsWarning

# These need to be told something first: weights, distributions, models
NEED_ARGUMENTS = {
    rosenblatt.BayesClassifier,
    rosenblatt.OnlinePipeline,
    rosenblatt.TableModel,
    rosenblatt.ThresholdUnit,
}
# Takes texts, for which there are few checks: tests/text/test_pipeline.py runs them
TEXTS = {rosenblatt.BagOfWords}


def estimators():
    """Make one of each class that can do without arguments."""
    public = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
    classes = [c for c in public if inspect.isclass(c) and issubclass(c, BaseEstimator)]
    return [c() for c in classes if c not in NEED_ARGUMENTS | TEXTS]


def expected_failures(estimator):
    """Return the checks that an estimator cannot pass, with the reasons that its class gives."""
    return getattr(estimator, "_expected_failed_checks", {})


@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
# the rows of one check come sorted by class
@pytest.mark.filterwarnings(f"ignore::{SortedLabelsWarning.__module__}.SortedLabelsWarning")
@parametrize_with_checks(estimators())
def test_scikit_learn_check(estimator, check):
    if check.func.__name__ not in expected_failures(estimator):
        check(estimator)
        return
    with pytest.raises(AssertionError):  # a reason that is no longer true has to go
        check(estimator)


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_a_failure_that_is_expected_is_of_a_check_that_runs(estimator):
    names = {check.func.__name__ for _, check in estimator_checks_generator(estimator)}
    assert set(expected_failures(estimator)) <= names
    assert all(len(reason) > 20 for reason in expected_failures(estimator).values())


def test_learners_that_take_sums_need_no_excuse():
    with_reasons = {type(e).__name__ for e in estimators() if expected_failures(e)}
    assert with_reasons.isdisjoint({"BatchPerceptron", "LeastSquares", "LeastSquaresClassifier"})
    assert not any("Bayes" in name for name in with_reasons)


def test_there_are_estimators_to_check():
    assert len(estimators()) >= 12
