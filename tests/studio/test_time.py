"""Hard data does not keep the page waiting."""

import threading

import numpy as np
import pytest

from rosenblatt.lab.presets import PlaneSet, draw_preset
from rosenblatt.workflows.scenes.choices import ALGORITHMS, Choice
from rosenblatt.workflows.scenes.deadline import Deadline, TimeIsOverError
from rosenblatt.workflows.scenes.scene import make_scene


def hard(n=4000):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((n, 2))
    return PlaneSet(points, rng.integers(0, 3, n), ["a", "b", "c"], ["", ""], None, (-1.0, 1.0))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_that_is_out_of_time_ends_where_it_is(algorithm):
    deadline = Deadline(0.0)
    choice = Choice(algorithm, rule="worst", max_updates=100_000, epochs=1000)
    scene = make_scene(hard(), [choice], deadline)
    assert scene.verdict.kind == "unknown"
    (outcome,) = scene.runs
    if algorithm in ("perceptron", "batch", "averaged", "voted"):
        assert outcome.steps.converged is None
        assert "time limit" in outcome.sentence
    if algorithm == "max-margin":
        assert outcome.sentence == "No margin was found in the time given."


def test_too_many_lines_do_not_vote():
    data = hard(400)
    (outcome,) = make_scene(data, [Choice("voted", epochs=1000)], Deadline(60.0)).runs
    assert outcome.model is None
    assert outcome.sentence.startswith("Too many lines")
    (outcome,) = make_scene(data, [Choice("voted", epochs=1)], Deadline(60.0)).runs
    assert outcome.model is not None


def test_work_is_told_that_its_time_is_over():
    with pytest.raises(TimeIsOverError):
        Deadline(0.0).check()


def test_whoever_leaves_ends_the_work():
    deadline = Deadline(60.0)
    threading.Timer(0.2, deadline.cancel).start()
    choice = Choice("perceptron", rule="worst", max_updates=100_000)
    scene = make_scene(draw_preset("circles", n=5000), [choice], deadline)
    assert scene.runs[0].steps.converged is None


def test_a_sooner_deadline_ends_with_the_whole():
    whole = Deadline(60.0)
    part = whole.within(30.0)
    assert part.alive()
    whole.cancel()
    assert not part.alive()
    assert not Deadline(-1.0).alive()
    assert Deadline(-1.0).left > 0


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
