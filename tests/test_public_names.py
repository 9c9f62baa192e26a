"""The public names are those of the design, each loads, and each is where it says."""

import pytest

import rosenblatt


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_public_name_loads_and_knows_its_name(name):
    value = getattr(rosenblatt, name)
    assert value.__name__ == name
    assert value.__module__.startswith("rosenblatt.")


def test_the_names_of_the_design_are_public():
    assert set(rosenblatt.__all__) >= {
        "AveragedPerceptron",
        "BagOfWords",
        "BatchPerceptron",
        "BayesClassifier",
        "BernoulliNaiveBayes",
        "CategoricalNaiveBayes",
        "EmpiricalBayes",
        "GaussianNaiveBayes",
        "LeastSquares",
        "LeastSquaresClassifier",
        "MultinomialNaiveBayes",
        "Perceptron",
        "PocketPerceptron",
        "ThresholdUnit",
        "VotedPerceptron",
        "fewest_mistakes",
        "load",
        "max_margin",
        "prove",
        "read",
        "save",
        "trace",
    }


def test_dir_lists_the_public_names():
    assert set(rosenblatt.__all__) <= set(dir(rosenblatt))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Perceptor'"):
        _ = rosenblatt.Perceptor


def test_homes_and_all_agree():
    assert sorted(rosenblatt.__all__) == rosenblatt.__all__ == sorted(rosenblatt._HOMES)
