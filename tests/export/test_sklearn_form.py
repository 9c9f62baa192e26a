"""to_sklearn gives estimators of scikit-learn with equal predictions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

import rosenblatt as r
from tests.export.models import MODELS, rows, rows_for


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_scikit_learn_predicts_the_same(name):
    model, X = MODELS[name](), rows_for(name)
    leaves = model.to_sklearn()
    assert type(leaves).__module__.startswith("sklearn.")
    np.testing.assert_array_equal(leaves.predict(X), model.predict(X))


def test_a_regression_foretells_the_same():
    X, _ = rows()
    for y in (X @ [1.0, -2, 0, 3] + 0.5, np.column_stack([X[:, 0], X[:, 1] - X[:, 2]])):
        model = r.LeastSquares().fit(X, y)
        np.testing.assert_allclose(model.to_sklearn().predict(X), model.predict(X), atol=1e-12)


def test_points_on_the_line_are_what_the_tie_says():
    X = [[1.0], [2.0], [3.0]]  # the line is at 2: w = 1, b = -2
    for tie, wanted in (("+1", [-1, 1, 1]), ("-1", [-1, -1, 1])):
        unit = r.ThresholdUnit([-2, 1], tie=tie)
        assert unit.predict(X).tolist() == unit.to_sklearn().predict(X).tolist() == wanted


def test_names_of_columns_go_along():
    frame = pd.DataFrame({"a": [1.0, 2, 7, 8], "b": [0.0, 1, 0, 1]})
    leaves = r.Perceptron().fit(frame, [0, 0, 1, 1]).to_sklearn()
    assert leaves.feature_names_in_.tolist() == ["a", "b"]
    assert leaves.predict(frame).tolist() == [0, 0, 1, 1]


def test_a_model_of_a_table_becomes_a_pipeline():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"n": random.normal(size=1000), "kind": random.choice(list("abc"), 1000)})
    frame["label"] = np.where(frame["n"] + (frame["kind"] == "a") > 0.4, "yes", "no")
    found = r.fit(frame, prove_seconds=0)
    leaves = found.estimator.to_sklearn()
    assert isinstance(leaves, Pipeline)
    assert [type(step).__name__ for step in leaves][1:] == ["StandardScaler", "Perceptron"]
    np.testing.assert_array_equal(leaves.predict(frame), found.estimator.predict(frame))
    names = leaves[0].set_output(transform="pandas").transform(frame).columns
    assert names.tolist() == ["n", "kind=a", "kind=b", "kind=c"]


def test_a_model_of_texts_keeps_its_words():
    frame = pd.DataFrame({"text": ["win a prize", "see you at noon"] * 8, "label": ["s", "h"] * 8})
    found = r.fit(frame, text=["text"], prove_seconds=0)
    leaves = found.estimator.to_sklearn()
    assert isinstance(leaves[-1], BaseEstimator)
    assert leaves.predict(frame).tolist() == found.estimator.predict(frame).tolist()


@pytest.mark.parametrize("form", ["to_sklearn", "to_json", "to_onnx"])
def test_what_cannot_leave_says_what_to_use_instead(form):
    X, y = rows(n_classes=2)
    with pytest.raises(r.ModelFileError, match=r"VotedPerceptron.*use AveragedPerceptron"):
        getattr(r.VotedPerceptron(random_state=0).fit(X, y), form)()
    with pytest.raises(r.ModelFileError, match=r"EmpiricalBayes.*rosenblatt.save"):
        getattr(r.EmpiricalBayes().fit(X > 0, y), form)()
    certain = r.GaussianNaiveBayes(var_smoothing=0).fit([[1.0], [1.0], [2.0], [2.0]], [0, 0, 1, 1])
    with pytest.raises(r.ModelFileError, match="no variance; learn with a larger var_smoothing"):
        getattr(certain, form)()
    with pytest.raises(ValueError, match="not fitted"):
        getattr(r.Perceptron(), form)()
