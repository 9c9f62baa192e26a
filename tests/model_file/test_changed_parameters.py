"""How a model was learned is saved with it, and files that do not say so are read as before."""

import json

import numpy as np
import pytest

import rosenblatt as r
from rosenblatt import ModelFileError, load, save
from rosenblatt.model_file.arrays import read_arrays
from tests.model_file.samples import fitted, joined, parts, rows

X, Y = rows()
CASES = [
    (r.Perceptron(multiclass="one-vs-one", max_epochs=2), {"multiclass": "joint"}),
    (r.AveragedPerceptron(epochs=2, random_state=0), {"multiclass": "one-vs-one"}),
    (
        r.VotedPerceptron(epochs=2, shuffle=False),
        {"multiclass": "one-vs-rest", "fit_intercept": False},
    ),
    (r.VotedPerceptron(epochs=2, shuffle=False, fit_intercept=False), {"fit_intercept": True}),
    (r.BernoulliNaiveBayes(binarize=1.0), {"binarize": None}),
]


def learned_in(path):
    """Return the names of what a file says of how a model was learned."""
    attributes = json.loads(read_arrays(path)[0]["model"])["attributes"]
    return {name for name in attributes if name.startswith("_learned_")}


@pytest.mark.parametrize(("model", "changes"), CASES, ids=str)
def test_a_model_with_other_parameters_than_it_was_learned_with_comes_back(
    tmp_path, model, changes
):
    scores = fitted(model, X, Y).decision_function(X)
    save(model.set_params(**changes), tmp_path / "m")
    assert learned_in(tmp_path / "m") == {f"_learned_{name}" for name in changes}
    back = load(tmp_path / "m")
    assert back.get_params() == model.get_params()
    np.testing.assert_array_equal(back.decision_function(X), scores)
    for name in changes:
        old = getattr(model, f"_learned_{name}")
        assert getattr(back, f"_learned_{name}") == old


@pytest.mark.parametrize(("model", "changes"), CASES, ids=str)
def test_a_file_that_does_not_say_how_a_model_was_learned_is_read_as_its_parameters(
    tmp_path, model, changes
):
    # such are the files of earlier versions, and of all models whose parameters were not changed
    model = type(model)(**{**model.get_params(), **changes})
    if model.get_params().get("binarize", 0) is None:
        model.set_params(binarize=0.5)
    scores = fitted(model, X, Y).decision_function(X)
    save(model, tmp_path / "m")
    assert learned_in(tmp_path / "m") == set()
    back = load(tmp_path / "m")
    assert vars(back).keys() == vars(model).keys()
    others = {"multiclass": "joint", "fit_intercept": True, "binarize": 9.0}
    back.set_params(**{name: others[name] for name in changes})
    np.testing.assert_array_equal(back.decision_function(X), scores)


def test_a_way_to_learn_that_does_not_exist_is_refused(tmp_path):
    model = fitted(r.Perceptron(multiclass="one-vs-one", max_epochs=2), X, Y)
    save(model.set_params(multiclass="joint"), tmp_path / "m")
    header, data = parts((tmp_path / "m").read_bytes())
    changed = header.replace(b"one-vs-one", b"one-vs-two")
    assert changed != header
    (tmp_path / "m").write_bytes(joined(changed, data))
    with pytest.raises(ModelFileError, match="multiclass"):
        load(tmp_path / "m")
