"""Every model keeps scikit-learn's contract; what is documented is there."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import (
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    GaussianNaiveBayes,
    MultinomialNaiveBayes,
)
from tests.bayes.models import COUNTING
from tests.test_docstrings import ON_REQUEST, section

# Without smoothing; as they come they are checked with all other classes.
WITHOUT_SMOOTHING = [
    BernoulliNaiveBayes(alpha=0.0),
    CategoricalNaiveBayes(alpha=0.0),
    GaussianNaiveBayes(var_smoothing=0.0),
    MultinomialNaiveBayes(alpha=0.0),
]


@parametrize_with_checks(WITHOUT_SMOOTHING)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", COUNTING)
def test_documented_attributes_are_there_after_fit(cls):
    model = cls().fit([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 0, 1])
    documented = set(section(cls, "Attributes")) - ON_REQUEST
    assert documented == {n for n in dir(model) if n.endswith("_") and not n.startswith("_")}
