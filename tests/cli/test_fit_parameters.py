"""Parameters of learners in `fit`, in the shell and in Python."""

import json

import numpy as np
import pytest

import rosenblatt
from rosenblatt import read
from rosenblatt.errors import OPTIONS, ParameterError
from rosenblatt.workflows.algorithms import ALGORITHMS
from rosenblatt.workflows.parameters import PARAMETERS, options_of
from tests.cli.running import run

QUICK = ("--prove-seconds", "0", "--json")
VALUES = {
    "rule": "cyclic",
    "tie": "+1",
    "init": "regression",
    "eta": 0.5,
    "epsilon": 0.01,
    "max_epochs": 3,
    "max_updates": 7,
    "first_vote": 1,
    "multiclass": "one-vs-rest",
    "alpha": 0.25,
    "C": 0.125,
    "variant": "I",
    "r": 3.0,
    "solver": "iterative",
    "binarize": 0.5,
    "var_smoothing": 0.001,
    "class_weight": "balanced",
    "shuffle": False,
    "average": False,
    "fit_intercept": False,
}


def words_of(name, value):
    return [OPTIONS[name]] if value is False else [OPTIONS[name], str(value)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("algorithm", ["perceptron", "pocket", "batch", "voted", "arow"])
def test_the_options_of_an_algorithm_are_the_parameters_of_its_learner(algorithm, tmp_path):
    model, given = tmp_path / "m.rosenblatt", {name: VALUES[name] for name in options_of(algorithm)}
    options = [word for name, value in given.items() for word in words_of(name, value)]
    answer = run("fit", "and", "-a", algorithm, "--no-scale", *options, "-o", model, *QUICK)
    assert answer.code == 0
    learner = rosenblatt.load(model).fitted
    named = {"max_epochs": "epochs" if hasattr(learner, "epochs") else "max_epochs"}
    for name, value in given.items():
        assert getattr(learner, named.get(name, name)) == value
    alike = type(learner)(**learner.get_params()).fit(read("and").X, read("and").y)
    if algorithm != "voted":  # whose weights are many
        np.testing.assert_array_equal(learner.coef_, alike.coef_)


@pytest.mark.parametrize(
    ("algorithm", "name"),
    [
        *(("passive-aggressive", name) for name in ("C", "variant", "average")),
        *(("regression", name) for name in ("alpha", "solver")),
        *(("bernoulli", name) for name in ("alpha", "binarize")),
        ("gaussian", "var_smoothing"),
        ("averaged", "max_epochs"),
    ],
)
def test_an_option_reaches_the_learner(algorithm, name, tmp_path):
    model = tmp_path / "m.rosenblatt"
    options = words_of(name, VALUES[name])
    answer = run("fit", "and", "-a", algorithm, "--no-scale", *options, "-o", model, *QUICK)
    assert answer.code == 0
    learner = rosenblatt.load(model).fitted
    assert getattr(learner, "epochs" if name == "max_epochs" else name) == VALUES[name]


def test_every_parameter_is_of_some_algorithm_and_has_a_value_here():
    assert {name for one in ALGORITHMS for name in options_of(one)} == set(PARAMETERS)
    assert set(VALUES) == set(PARAMETERS)
    assert set(PARAMETERS) <= set(OPTIONS)


def test_in_python_they_are_keywords_and_give_the_same():
    shell = json.loads(
        run(
            "fit", "iris", "-a", "averaged", "--epochs", "3", "--multiclass", "one-vs-one", *QUICK
        ).out
    )
    found = rosenblatt.fit(
        "iris", "averaged", epochs=3, multiclass="one-vs-one", prove_seconds=0, target=None
    )
    assert json.loads(found.to_json()) == shell
    assert found.learner.epochs == 3
    assert rosenblatt.fit("and", "perceptron", epochs=4).learner.max_epochs == 4


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_an_algorithm_does_not_have_is_refused_before_anything_is_read(algorithm):
    for name in set(PARAMETERS) - set(options_of(algorithm)):
        answer = run("fit", "no-such-file.csv", "-a", algorithm, *words_of(name, VALUES[name]))
        assert (answer.code, answer.out) == (2, "")
        assert f"{OPTIONS[name]} is not for {algorithm}; it takes --" in answer.err
        with pytest.raises(ParameterError, match=f"{name} is not for {algorithm}; it takes "):
            rosenblatt.fit("no-such-file.csv", algorithm, **{name: VALUES[name]})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--rule first", "--rule is not for passive-aggressive, the default; it takes --epochs"),
        ("-a auto --epochs 3", "--epochs is a parameter of one learner, and 'auto' chooses among"),
        ("-a perceptron --rule next", "--rule must be one of 'first', 'cyclic'"),
        ("-a regression --alpha much", "--alpha must be a number or loo, got 'much'"),
        ("-a regression --alpha -1", "--alpha must be a number from 0 on or 'loo', got -1.0"),
        ("-a batch --eta 0", "--eta must be a number above 0"),
        ("-a perceptron --rule first --memory 100M", "use --rule cyclic or --rule shuffled"),
    ],
)
def test_a_value_that_cannot_be_is_refused_before_anything_is_read(options, words):
    answer = run("fit", "no-such-file.csv", *options.split())
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_weights_to_start_from_are_counted_in_words():
    for data, words in (
        ("and", "--init must hold finite weights, 3 of them with w0 first, got 2\n"),
        ("iris", "weights, 3 rows of 5 with w0 first, got 2; use --init regression\n"),
    ):
        answer = run("fit", data, "-a", "perceptron", "--init", "1,2", *QUICK)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("rosenblatt: --init must hold")
        assert answer.err.endswith(words)


def test_a_saved_model_has_its_own_parameters(tmp_path):
    model = tmp_path / "m.rosenblatt"
    assert run("fit", "and", "-a", "perceptron", "-o", model, *QUICK).code == 0
    answer = run("fit", "and", "--learn-more", model, "--rule", "first")
    assert answer.code == 2
    assert "--rule is known to the saved model; leave it out" in answer.err


def test_a_step_that_is_asked_for_stays():
    given = rosenblatt.fit("iris", C=0.25, prove_seconds=0).learner
    assert given.C == 0.25
    assert rosenblatt.fit("iris", prove_seconds=0).learner.C != 0.25


def test_w_of_small_data_is_printed_as_the_notes_have_it():
    # the notes: PLA by the rule "first" ends with (-7, 3)
    options = ("-a", "perceptron", "--rule", "first", "--no-scale")
    assert "w, w0 first      (-7, 3)\n" in run("fit", "lecture", *options).out
    assert json.loads(run("fit", "lecture", *options, *QUICK).out)["weights"] == {"1": [-7, 3]}


def test_w_is_that_of_the_numbers_as_they_are():
    # the notes: w = (-216/148, 48/148), scaled columns or not
    out = run("fit", "lecture", "-a", "regression").out
    assert "w, w0 first      (-1.45946, 0.324324)\n" in out
    squared = np.mean((np.array([-168, -120, 120, 168]) / 148 - [-1, -1, 1, 1]) ** 2)
    assert "in-sample error  E_in   0.0000\n" in out
    assert f"squared error    E_in   {squared:.4f}, the mean of" in out
    facts = json.loads(run("fit", "lecture", "-a", "regression", *QUICK).out)
    assert facts["squared_error"] == pytest.approx(squared)
    iris = json.loads(run("fit", "iris", *QUICK).out)["weights"]
    model = rosenblatt.fit("iris", prove_seconds=0)
    X = read("iris").X
    scores = np.column_stack([w[0] + X @ w[1:] for w in map(np.array, iris.values())])
    np.testing.assert_array_equal(np.array([*iris])[scores.argmax(axis=1)], model.model.predict(X))
    assert json.loads(run("fit", "breast-cancer", *QUICK).out)["weights"] is None
