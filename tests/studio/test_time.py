"""Hard data does not keep the page waiting."""

import threading

import numpy as np
import pytest

from rosenblatt.progress import Deadline
from rosenblatt.studio.scenes.choices import Choice, PlaneSet, draw_preset
from rosenblatt.studio.scenes.scene import make_scene
from rosenblatt.workflows.algorithms import IN_STUDIO


def unhurried():
    """Time that does not pass: a slow machine is not what is tested."""
    return Deadline(60.0, lambda: 0.0)


def hard(n=4000):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((n, 2))
    return PlaneSet(points, rng.integers(0, 3, n), ["a", "b", "c"], ["", ""], None, (-1.0, 1.0))


STEPWISE = ("perceptron", "pocket", "batch", "voted", "averaged", "regression-perceptron")
STEPWISE += ("passive-aggressive", "arow")
SOLVED = {
    "regression": "Least squares on the labels",
    "naive-bayes": "Naive Bayes, normal densities",
}
CONVERGING = ("perceptron", "pocket", "regression-perceptron", "max-margin")  # on separable data


@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_a_run_that_is_out_of_time_ends_where_it_is(algorithm):
    deadline, data = Deadline(0.0), hard()
    choice = Choice(algorithm, rule="worst", max_updates=100_000, epochs=1000)
    scene = make_scene(data, [choice], deadline)
    assert scene.verdict.kind == "unknown"
    (outcome,) = scene.runs
    steps = outcome.steps
    if algorithm == "max-margin":
        assert outcome.sentence == "No margin was found in the time given."
        assert steps.converged is None
        assert not steps.weights.any()
        return
    wrong = round(len(data.labels) * outcome.final_error)
    assert wrong == mistakes(steps.final, data)
    assert outcome.sentence.endswith(f": {wrong} of 4000 points wrong.")
    if algorithm in STEPWISE:
        done = int(steps.steps[-1])
        assert 0 < done < 100_000
        assert steps.converged is None
        unit = "step" if algorithm == "batch" else "update"
        said = f"Stopped by the time limit after {done:,} {unit}{'' if done == 1 else 's'}"
        assert outcome.sentence.startswith(said)
    else:  # short enough to be solved whatever the time: two rows, nothing and the solution
        assert outcome.sentence.startswith(SOLVED[algorithm])
        assert steps.steps.tolist() == [0, 1]
    shown = steps.pocket_rows[-1] if algorithm == "pocket" else -1
    if algorithm != "voted":  # of the others the last row is what was found
        np.testing.assert_allclose(steps.weights[shown], steps.final)


def mistakes(weights, data):
    """Count by the definition: the class with the highest score, the lowest of equals."""
    scores = weights[:, 0] + data.points @ weights[:, 1:].T
    return int((scores.argmax(axis=1) != data.labels).sum())


def test_every_algorithm_has_a_way_to_be_out_of_time():
    assert set(IN_STUDIO) == {*STEPWISE, *SOLVED, "max-margin"}


@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_a_run_that_has_time_ends_with_what_it_promises(algorithm):
    data = draw_preset("separable")
    (outcome,) = make_scene(data, [Choice(algorithm)], unhurried()).runs
    assert outcome.steps.converged is not None
    assert "time" not in outcome.sentence
    y = np.where(data.labels == 1, 1, -1)
    Z = np.column_stack([np.ones(len(y)), data.points])
    (w,) = outcome.steps.final
    if algorithm == "regression":
        np.testing.assert_allclose(w, np.linalg.lstsq(Z, y, rcond=None)[0])
    if algorithm in CONVERGING:
        assert (y * (Z @ w) > 0).all()
    if algorithm != "voted":
        assert outcome.final_error == np.mean((Z @ w > 0) != (y > 0))
    else:  # the vote of all lines, by how long each survived
        lines, lives = outcome.steps.weights[:, 0], outcome.steps.survival
        votes = np.where(Z @ lines.T > 0, 1, -1) @ lives
        assert outcome.final_error == np.mean((votes > 0) != (y > 0))


def test_too_many_lines_do_not_vote():
    data = hard(400)
    (outcome,) = make_scene(data, [Choice("voted", epochs=1000)], unhurried()).runs
    assert outcome.model is None
    assert outcome.sentence.startswith("Too many lines")
    (outcome,) = make_scene(data, [Choice("voted", epochs=1)], unhurried()).runs
    assert outcome.model is not None


def test_whoever_leaves_ends_the_work():
    looks = []

    def clock():
        looks.append(None)
        if len(looks) == 40:  # in the middle of the run, however fast the machine is
            deadline.cancel()
        return 0.0

    deadline = Deadline(60.0, clock)
    choice = Choice("perceptron", rule="worst", max_updates=20_000)
    scene = make_scene(draw_preset("circles", n=5000), [choice], deadline)
    steps = scene.runs[0].steps
    assert steps.converged is None
    assert 0 < steps.steps[-1] < 20_000


def test_a_hard_scene_leaves_the_page_answering(studio):
    rng = np.random.default_rng(1)
    data = {"points": rng.standard_normal((4000, 2)).tolist(), "labels": [0, 1] * 2000}
    run = {"algorithm": "perceptron", "rule": "worst", "max_updates": 5000}
    answers = []
    thread = threading.Thread(target=lambda: answers.append(studio.scene(data, run)))
    thread.start()
    assert studio.get("/").status == 200
    thread.join()
    assert len(answers[0]["runs"][0]["weights"]) <= 2000
