"""Whatever is asked, the answer is one sentence."""

import json

import numpy as np
import pytest

POINTS = {"points": [[0, 0], [1, 1]], "labels": [0, 1]}
RUN = {"algorithm": "perceptron"}

BAD_DATA = {
    "no data": None,
    "unknown preset": {"preset": "spiral"},
    "preset of no name": {"preset": 3},
    "too many drawn": {"preset": "circles", "n": 20_001},
    "half a point": {"preset": "circles", "n": 2.5},
    "negative seed": {"preset": "circles", "seed": -1},
    "too much noise": {"preset": "circles", "noise": 0.9},
    "points of one number": POINTS | {"points": [[0], [1]]},
    "points of text": POINTS | {"points": [["0", "0"], ["1", "1"]]},
    "points of nothing": POINTS | {"points": [[None, 0], [1, 1]]},
    "points that differ": POINTS | {"points": [[0, 0], [1]]},
    "points far away": POINTS | {"points": [[0, 0], [1e300, 1]]},
    "points too large for a float": POINTS | {"points": [[10**400, 0], [1, 1]]},
    "a text as long as the limit": POINTS | {"points": [["a" * 3_000_000, 0]] + [[0, 0]] * 19_999},
    "points in a dictionary": POINTS | {"points": {"0": [0, 0]}},
    "too many points": {"points": [[0, 0]] * 20_001, "labels": [0] * 20_001},
    "a label too few": POINTS | {"labels": [0]},
    "a label of no class": POINTS | {"labels": [0, 2]},
    "a label beyond all numbers": POINTS | {"labels": [0, 10**30]},
    "a label that is true": POINTS | {"labels": [0, True]},
    "a negative label": POINTS | {"labels": [0, -1]},
    "labels of text": POINTS | {"labels": ["0", "1"]},
    "too many classes": POINTS | {"classes": [str(k) for k in range(11)]},
    "classes of numbers": POINTS | {"classes": [1, 2]},
    "a class with a long name": POINTS | {"classes": ["a", "b" * 1000]},
    "three names": POINTS | {"names": ["a", "b", "c"]},
    "a short target": POINTS | {"target": [1, 2]},
    "a box inside out": POINTS | {"box": [1, -1]},
}
BAD_RUNS = {
    "no runs": None,
    "none": [],
    "three": [RUN] * 3,
    "not an object": ["perceptron"],
    "no algorithm": [{}],
    "unknown algorithm": [{"algorithm": "forest"}],
    "algorithm of a list": [{"algorithm": ["perceptron"]}],
    "unknown rule": [RUN | {"rule": "next"}],
    "unknown tie": [RUN | {"tie": "0"}],
    "unknown way": [RUN | {"multiclass": "all"}],
    "no updates": [RUN | {"max_updates": 0}],
    "too many updates": [RUN | {"max_updates": 10**9}],
    "true updates": [RUN | {"max_updates": True}],
    "too many epochs": [RUN | {"epochs": 10**6}],
    "eta of 0": [{"algorithm": "batch", "eta": 0}],
    "epsilon of text": [{"algorithm": "batch", "epsilon": "small"}],
    "a short start": [RUN | {"init": [1, 2]}],
    "a start of text": [RUN | {"init": ["a", 2, 3]}],
    "a start far away": [RUN | {"init": [1e300, 2, 3]}],
    "a large seed": [RUN | {"seed": 2**40}],
}
BAD_BODIES = {
    "empty": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "not UTF-8": b"\xff\xfe",
    "NaN": b'{"data": {"points": [[NaN, 0], [1, 1]], "labels": [0, 1]}}',
    "infinity": b'{"data": {"points": [[1e999, 0], [1, 1]], "labels": [0, 1]}, "runs": []}',
    "nested": b"[" * 100_000,
    "a long number": b'{"id": ' + b"9" * 10_000 + b"}",
}


def check_refused(answer):
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/json"
    sentence = answer.error
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert "Traceback" not in sentence


@pytest.mark.parametrize("data", BAD_DATA.values(), ids=BAD_DATA)
def test_bad_data_is_refused(studio, data):
    check_refused(studio.post("/api/scene", {"data": data, "runs": [RUN]}))


@pytest.mark.parametrize("runs", BAD_RUNS.values(), ids=BAD_RUNS)
def test_a_bad_run_is_refused(studio, runs):
    check_refused(studio.post("/api/scene", {"data": POINTS, "runs": runs}))


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
def test_a_bad_body_is_refused(studio, body):
    check_refused(studio.post("/api/scene", body))


def test_after_all_that_the_server_still_answers(studio):
    assert studio.scene(POINTS)["runs"][0]["converged"]


@pytest.mark.parametrize("kind", ["svg", "pdf", ".."])
def test_other_pictures_are_not_made(studio, kind):
    answer = studio.post(f"/api/export/{kind}", {"data": POINTS, "runs": [RUN]})
    assert answer.status == 404


@pytest.mark.parametrize("step", [-1, 1.5, "last", True])
def test_a_picture_of_no_step_is_refused(studio, step):
    check_refused(studio.post("/api/export/png", {"data": POINTS, "runs": [RUN], "step": step}))


def test_random_junk_never_makes_an_error_of_the_server(studio):
    rng = np.random.default_rng(0)
    whole = json.dumps({"id": 1, "data": POINTS, "runs": [RUN]}).encode()
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), size=3):
            damaged[place] = rng.integers(32, 127)
        answer = studio.post("/api/scene", bytes(damaged))
        assert answer.status in (200, 400), bytes(damaged)
