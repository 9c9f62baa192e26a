"""What a scene says is true: checked by the lecture's own arithmetic on the numbers sent."""

import numpy as np
import pytest

from rosenblatt.studio.scenes.choices import PRESETS
from rosenblatt.workflows.algorithms import IN_STUDIO

RULES = ["first", "cyclic", "random", "shuffled", "worst"]
WAYS = ["joint", "one-vs-rest", "one-vs-one"]
FAMILY = ["perceptron", "pocket", "batch", "voted", "averaged", "regression-perceptron"]
FAMILY += ["passive-aggressive", "arow"]
AND = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 0, 0, 1]}


def arrays(answer):
    data = answer["data"]
    X = np.array(data["points"], dtype=float).reshape(-1, 2)
    return np.column_stack([np.ones(len(X)), X]), np.array(data["labels"], dtype=int)


def wrong_by_votes(W, Z, labels, pairs, n_classes):
    votes = np.zeros((len(Z), n_classes))
    confidence = np.zeros((len(Z), n_classes))
    for (low, high), w in zip(pairs, W, strict=True):
        u = Z @ w
        votes[np.arange(len(Z)), np.where(u > 0, high, low)] += 1
        confidence[:, high] += u
        confidence[:, low] -= u
    best = votes == votes.max(axis=1, keepdims=True)
    return (np.where(best, confidence, -np.inf).argmax(axis=1) != labels).mean()


def error_of(run, row, Z, labels):
    """E_in by the page's own rules: a point on the boundary is a mistake, low classes win ties."""
    W = np.array(run["weights"][row])
    if run["rows"] == "sign":
        return (np.where(labels == run["present"][1], 1, -1) * (Z @ W[0]) <= 0).mean()
    if run["rows"] == "argmax":
        return (np.array(run["present"])[(Z @ W.T).argmax(axis=1)] != labels).mean()
    return wrong_by_votes(W, Z, labels, run["pairs"], labels.max() + 1)


def check_shape(run):
    T = len(run["picked"])
    for name in ("weights", "steps", "errors", "pocket_errors", "pocket_rows"):
        assert len(run[name]) == T + 1, name
    for name in ("e_out", "cosine", "cosine_bound", "survival"):
        assert run[name] is None or len(run[name]) == T + 1, name
    assert T + 1 <= 2000
    assert run["sentence"].endswith(".")
    assert run["pocket_errors"] == list(np.minimum.accumulate(run["errors"]))
    assert [run["errors"][row] for row in run["pocket_rows"]] == run["pocket_errors"]
    assert all(row <= t for t, row in enumerate(run["pocket_rows"]))


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_is_answered_with_its_errors(studio, preset):
    answer = studio.scene({"preset": preset}, {"algorithm": "perceptron", "max_updates": 200})
    Z, labels = arrays(answer)
    assert len(Z) == PRESETS[preset].n
    (run,) = answer["runs"]
    check_shape(run)
    for row in range(0, len(run["errors"]), 17):
        assert run["errors"][row] == pytest.approx(error_of(run, row, Z, labels))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_each_algorithm_tells_three_classes_apart_in_each_way(studio, algorithm, way):
    data = {"preset": "three-classes", "noise": 0.1}
    asked = {"algorithm": algorithm, "multiclass": way, "max_updates": 60, "epochs": 2}
    answer = studio.scene(data, asked)
    Z, labels = arrays(answer)
    (run,) = answer["runs"]
    check_shape(run)
    for row in range(len(run["errors"])):
        assert run["errors"][row] == pytest.approx(error_of(run, row, Z, labels))


@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_each_algorithm_on_two_classes(studio, algorithm):
    answer = studio.scene({"preset": "outlier", "n": 40}, {"algorithm": algorithm})
    Z, labels = arrays(answer)
    (run,) = answer["runs"]
    check_shape(run)
    assert (run["algorithm"], run["rows"]) == (algorithm, "sign")
    if run["final"]["weights"] is not None and algorithm != "max-margin":
        u = Z @ np.array(run["final"]["weights"][0])
        if algorithm not in ("regression", "naive-bayes"):
            assert run["final"]["error"] == (np.where(labels, 1, -1) * u <= 0).mean()
        assert run["final"]["error"] == pytest.approx(((u > 0) != labels).mean())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("algorithm", ["perceptron", "pocket", "regression-perceptron"])
def test_every_update_adds_y_x_of_a_mistake(studio, algorithm, rule):
    asked = {"algorithm": algorithm, "rule": rule, "max_updates": 80, "seed": 2}
    answer = studio.scene({"preset": "circles", "n": 40}, asked)
    Z, labels = arrays(answer)
    y = np.where(labels == 1, 1, -1)
    (run,) = answer["runs"]
    W = np.array(run["weights"])[:, 0]
    for t, i in enumerate(run["picked"]):
        margins = y * (Z @ W[t])
        assert margins[i] <= 0
        np.testing.assert_allclose(W[t + 1], W[t] + y[i] * Z[i], atol=1e-12)
        if rule == "first":
            assert not (margins[:i] <= 0).any()
        if rule == "worst":
            assert margins[i] == pytest.approx(margins.min())


def test_the_joint_form_adds_to_one_class_and_takes_from_another(studio):
    asked = {"algorithm": "perceptron", "rule": "cyclic", "max_updates": 50}
    answer = studio.scene({"preset": "iris"}, asked)
    Z, labels = arrays(answer)
    (run,) = answer["runs"]
    W = np.array(run["weights"])
    assert np.abs(W[0]).max() == 0
    for t, i in enumerate(run["picked"]):
        gain, lose = run["gains"][t], run["loses"][t]
        assert gain == labels[i] != lose
        change = np.zeros((3, 3))
        change[gain], change[lose] = Z[i], -Z[i]
        np.testing.assert_allclose(W[t + 1], W[t] + change, atol=1e-9)


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_one_vector_moves_at_a_time(studio, way):
    asked = {"algorithm": "perceptron", "multiclass": way, "max_updates": 30}
    (run,) = studio.scene({"preset": "three-classes", "noise": 0.2}, asked)["runs"]
    W = np.array(run["weights"])
    for t in range(len(run["picked"])):
        (moved,) = np.flatnonzero(np.abs(W[t + 1] - W[t]).max(axis=1))
        sides = {run["gains"][t], run["loses"][t]}
        if way == "one-vs-one":
            assert sides == set(run["pairs"][moved])
        else:
            assert sides == {None, moved}


def test_a_tie_of_two_classes_is_no_matter_of_three(studio):
    # the page does not offer it there; a choice left from two classes is not used
    runs = [{"algorithm": "perceptron", "tie": tie} for tie in ("mistake", "+1")]
    said = {"points": [[0, 0], [1, 0], [2, 2]], "labels": [0, 1, 2], "classes": ["a", "b", "c"]}
    one, two = (studio.scene(said, run)["runs"][0]["weights"] for run in runs)
    assert one == two


@pytest.mark.parametrize("tie", ["mistake", "+1", "-1"])
def test_ties_are_settled_as_asked(studio, tie):
    data = {"points": [[1, 0], [-1, 0]], "labels": [1, 0]}
    asked = {"algorithm": "perceptron", "tie": tie, "rule": "first"}
    (run,) = studio.scene(data, asked)["runs"]
    # w = 0 has every point on its boundary: who is a mistake there is what the tie says
    assert run["picked"][0] == {"mistake": 0, "+1": 1, "-1": 0}[tie]
    assert run["errors"][0] == {"mistake": 1.0, "+1": 0.5, "-1": 0.5}[tie]


def test_a_start_vector_is_the_first_row(studio):
    asked = {"algorithm": "perceptron", "init": [0.5, -1, 2]}
    (run,) = studio.scene({"preset": "separable"}, asked)["runs"]
    assert run["weights"][0] == [[0.5, -1.0, 2.0]]
    assert run["bound"] is None
    assert run["cosine"] is not None


def test_regression_is_the_pseudoinverse(studio):
    answer = studio.scene({"preset": "outlier"}, {"algorithm": "regression"})
    Z, labels = arrays(answer)
    expected = np.linalg.pinv(Z) @ np.where(labels, 1.0, -1.0)
    final = answer["runs"][0]["final"]["weights"][0]
    np.testing.assert_allclose(final, expected, atol=1e-9)
    (start,) = studio.scene({"preset": "outlier"}, {"algorithm": "regression-perceptron"})["runs"]
    np.testing.assert_allclose(start["weights"][0][0], expected, atol=1e-9)


def test_naive_bayes_of_zeros_and_ones_is_the_lectures_linear_form(studio):
    answer = studio.scene(AND, {"algorithm": "naive-bayes"})
    # alpha = 1: h = (1 + 1) / (1 + 2) for both inputs of the one row of AND, q = (1 + 1) / (3 + 2)
    h, q, p1 = 2 / 3, 2 / 5, 1 / 4
    u = np.log(h * (1 - q) / (q * (1 - h)))
    u0 = np.log(p1 / (1 - p1)) + 2 * np.log((1 - h) / (1 - q))
    np.testing.assert_allclose(answer["runs"][0]["final"]["weights"], [[u0, u, u]])
    assert "inputs of 0 and 1" in answer["runs"][0]["sentence"]


def test_e_out_is_the_share_of_the_box_where_f_and_g_differ(studio):
    answer = studio.scene({"preset": "exercise-1.4"}, {"algorithm": "perceptron"})
    (run,) = answer["runs"]
    fresh = np.random.default_rng(0).uniform(-10, 10, (200_000, 2))
    f = 1 + fresh @ [2, 4] > 0
    for row in range(len(run["weights"])):
        w = np.array(run["weights"][row][0])
        differ = (f != (w[0] + fresh @ w[1:] > 0)).mean()
        assert run["e_out"][row] == pytest.approx(differ, abs=0.01)
    assert run["final"]["e_out"] == run["e_out"][-1]


def test_without_a_target_there_is_no_e_out(studio):
    (run,) = studio.scene(AND)["runs"]
    assert run["e_out"] is None
    assert run["final"]["e_out"] is None


@pytest.mark.parametrize("way", WAYS)
def test_votes_are_sent_as_a_grid(studio, way):
    asked = {"algorithm": "voted", "multiclass": way, "epochs": 3}
    answer = studio.scene({"preset": "three-classes"}, asked)
    (run,) = answer["runs"]
    assert run["coding"] == "grid"
    grid = run["final"]["grid"]
    assert len(grid["labels"]) == grid["size"] ** 2
    assert set(grid["labels"]) <= set("012")
    x0, x1, y0, y1 = grid["box"]
    assert x1 - x0 == pytest.approx(y1 - y0)
    # every point of a set that the vote gets right lies in a cell of its class, nearly always
    X, labels = np.array(answer["data"]["points"]), np.array(answer["data"]["labels"])
    column = ((X[:, 0] - x0) / (x1 - x0) * grid["size"]).astype(int)
    row = ((y1 - X[:, 1]) / (y1 - y0) * grid["size"]).astype(int)
    said = [int(grid["labels"][r * grid["size"] + c]) for r, c in zip(row, column, strict=True)]
    assert abs((np.array(said) != labels).mean() - run["final"]["error"]) < 0.1
    assert run["survival"] is not None
    assert sum(run["survival"]) <= 3 * len(X) * (1 if way == "joint" else 3)


def test_a_race_answers_both(studio):
    runs = [{"algorithm": "perceptron"}, {"algorithm": "pocket", "seed": 5}]
    answer = studio.scene({"preset": "outlier"}, *runs, id=42)
    assert answer["id"] == 42
    assert [run["algorithm"] for run in answer["runs"]] == ["perceptron", "pocket"]
    assert answer["runs"][1]["final"]["error"] == min(answer["runs"][1]["errors"])


def test_the_same_seed_gives_the_same_answer(studio):
    data = {"preset": "circles", "seed": 3, "noise": 0.1, "n": 30}
    run = {"algorithm": "pocket", "rule": "random", "seed": 4}
    first, again = (studio.scene(data, run) for _ in range(2))
    assert first["data"] == again["data"]
    assert first["runs"] == again["runs"]
    assert studio.scene(data | {"seed": 4}, run)["data"] != first["data"]


def test_long_runs_are_thinned_and_keep_the_pocket(studio):
    run = {"algorithm": "pocket", "max_updates": 20_000, "rule": "cyclic"}
    (made,) = studio.scene({"preset": "circles"}, run)["runs"]
    check_shape(made)
    assert made["steps"][0] == 0
    assert made["steps"][-1] == 20_000
    assert made["final"]["error"] == min(made["errors"])


def test_during_a_drag_the_same_is_answered(studio, monkeypatch):
    monkeypatch.setattr("rosenblatt.studio.scenes.scene.BRIEF_SECONDS", 60.0)  # slow machines
    data = {"preset": "separable", "n": 100}
    slow, quick = (studio.scene(data, quick=quick) for quick in (False, True))
    assert quick["runs"] == slow["runs"]
