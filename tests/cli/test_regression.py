"""`fit --regression` learns amounts, and its model gives them."""

import json

import numpy as np
import pyarrow.parquet as parquet
import pytest
from sklearn.linear_model import LinearRegression

import rosenblatt
from tests.cli.running import run


@pytest.fixture(scope="module")
def cars(tmp_path_factory):
    """Write a table of whole amounts, most of which come once, and a model of them."""
    folder = tmp_path_factory.mktemp("cars")
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(1, 3, 60), rng.uniform(50, 200, 60)])
    y = np.round(1000 * (5 + X @ [3, 0.1] + rng.normal(size=60))).astype(int)
    lines = [f"{a!r},{b!r},{c}" for (a, b), c in zip(X.tolist(), y.tolist(), strict=True)]
    (folder / "cars.csv").write_text("\n".join(["weight,power,price", *lines]) + "\n")
    answer = run("fit", folder / "cars.csv", "--regression", "-o", folder / "m", "--json")
    assert answer.code == 0
    return folder, X, y, json.loads(answer.out)


def test_the_numbers_of_the_notes():
    # the notes: w = (-216/148, 48/148), and w . x = -1.1351, -0.8108, 0.8108, 1.1351
    facts = json.loads(run("fit", "lecture", "--regression", "--json").out)
    assert facts["weights"] == pytest.approx([-216 / 148, 48 / 148])
    said = np.array([-168, -120, 120, 168]) / 148
    residuals = np.array([-1, -1, 1, 1]) - said
    np.testing.assert_allclose(facts["residuals"], residuals)
    assert facts["squared_error"] == pytest.approx(np.mean(residuals**2))
    assert facts["squared_error_baseline"] == 1
    out = run("fit", "lecture", "--regression").out
    assert "w, w0 first      (-1.45946, 0.324324)" in out
    assert "residuals, the largest:" in out


def test_it_is_the_regression_of_scikit_learn(cars):
    _, X, y, facts = cars
    peer = LinearRegression().fit(X, y)
    assert facts["weights"] == pytest.approx([peer.intercept_, *peer.coef_])
    assert facts["r2"] == pytest.approx(peer.score(X, y))
    assert facts["squared_error"] < facts["squared_error_validated"]
    largest = np.abs(y - peer.predict(X)).argsort()[::-1][:5]
    assert facts["largest_residuals"] == largest.tolist()


def test_a_saved_model_gives_amounts(cars, tmp_path):
    folder, X, y, facts = cars
    expected = LinearRegression().fit(X, y).predict(X)
    lines = run("predict", folder / "m", folder / "cars.csv").out.splitlines()
    np.testing.assert_allclose([float(line) for line in lines], expected)
    objects = run("predict", folder / "m", folder / "cars.csv", "--json").out.splitlines()
    np.testing.assert_allclose([json.loads(line)["label"] for line in objects], expected)
    for ending in (".csv", ".parquet"):
        path = tmp_path / f"said{ending}"
        assert run("predict", folder / "m", folder / "cars.csv", "-o", path).code == 0
    np.testing.assert_allclose(parquet.read_table(path)["label"].to_numpy(), expected)
    score = json.loads(run("score", folder / "m", folder / "cars.csv", "--json").out)
    assert score["squared_error"] == pytest.approx(facts["squared_error"])
    assert "R^2" in run("score", folder / "m", folder / "cars.csv").out
    picture = run("plot", folder / "cars.csv", "--model", folder / "m", "-o", tmp_path / "p.png")
    assert "60 examples and their residuals" in picture.out


def test_in_python_it_is_the_same(cars):
    folder, _, _, facts = cars
    found = rosenblatt.fit_amounts(folder / "cars.csv")
    assert json.loads(found.to_json()) == facts | {"model": None, "source": found.examples.source}
    ridge = rosenblatt.fit_amounts(folder / "cars.csv", alpha=10.0).estimator
    assert ridge.alpha == 10
    assert abs(ridge.coef_[0, 0]) < abs(found.estimator.coef_[0, 0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("fit iris --regression", "the labels of iris are no numbers, 'setosa' for example"),
        ("fit x.csv --regression --rule first", "--rule is not for a regression of amounts; it ta"),
        ("fit x.csv --regression -a pocket", "-a is not for --regression"),
        ("fit x.csv --regression --report p.html", "--report is not for --regression"),
        ("fit x.csv --regression --alpha -1", "--alpha must be a number from 0 on or 'loo'"),
    ],
)
def test_what_a_regression_does_not_have_is_refused(options, words):
    answer = run(*options.split())
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_commands_about_classes_say_that_there_are_none(cars):
    folder, _, _, _ = cars
    for command, words in [
        (("explain", folder / "m"), "predicts amounts"),
        (("fit", folder / "cars.csv", "--learn-more", folder / "m"), "the model is of amounts"),
        (("predict", folder / "m", folder / "cars.csv", "--probability"), "has no probabilities"),
        (("fit", folder / "cars.csv"), "--regression of `fit` learns amounts"),
    ]:
        answer = run(*command)
        assert answer.code == 2
        assert words in answer.err
