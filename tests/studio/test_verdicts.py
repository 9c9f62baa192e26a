"""Verdicts: proofs that hold, for two classes and for more."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.workflows.algorithms import IN_STUDIO

XOR = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 1, 1, 0]}
AND = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 0, 0, 1]}


def test_the_largest_margin_of_and(studio):
    answer = studio.scene(AND, {"algorithm": "max-margin"})
    w = np.array(answer["runs"][0]["final"]["weights"][0])
    np.testing.assert_allclose(w / w[1], [-1.5, 1, 1], atol=1e-6)
    verdict = answer["verdict"]
    assert verdict["kind"] == "separable"
    np.testing.assert_allclose(verdict["w"], [-3, 2, 2], atol=1e-5)
    assert verdict["bound"] == pytest.approx(51)
    assert verdict["street_margin"] == pytest.approx(np.sqrt(2) / 4)


def test_updates_and_cosine_keep_to_their_bounds(studio):
    answer = studio.scene({"preset": "thin-margin"}, {"algorithm": "perceptron"})
    (run,) = answer["runs"]
    assert run["converged"]
    assert run["steps"][-1] <= run["bound"] == answer["verdict"]["bound"]
    assert run["cosine"][0] is None  # zero has no direction
    for cosine, low in zip(run["cosine"][1:], run["cosine_bound"][1:], strict=True):
        assert low - 1e-9 <= cosine <= 1 + 1e-9


def test_xor_is_contradicted_by_all_four(studio):
    verdict = studio.scene(XOR)["verdict"]
    assert verdict["kind"] == "contradiction"
    assert (verdict["indices"], verdict["weights"]) == ([0, 1, 2, 3], [1, 1, 1, 1])
    assert verdict["sum"] == [0, 0, 0]
    assert sorted(map(sorted, verdict["hulls"])) == [[0, 3], [1, 2]]


@pytest.mark.parametrize("preset", ["outlier", "circles", "breast-cancer"])
def test_a_contradiction_adds_up_to_zero_exactly(studio, preset):
    answer = studio.scene({"preset": preset})
    verdict, data = answer["verdict"], answer["data"]
    total = [Fraction(0)] * 3
    for i, a in zip(verdict["indices"], verdict["weights"], strict=True):
        sign = 1 if data["labels"][i] == 1 else -1
        z = [Fraction(1), *map(Fraction, data["points"][i])]
        total = [s + sign * int(a) * v for s, v in zip(total, z, strict=True)]
        assert int(a) > 0
    assert total == [0, 0, 0]
    assert verdict["sum"] == [0, 0, 0]


def test_drawn_points_have_weights_that_can_be_read(studio):
    weights = studio.scene({"preset": "outlier"})["verdict"]["weights"]
    assert all(isinstance(w, int) and w < 10**9 for w in weights)


def test_three_classes_have_a_verdict_for_each_question(studio):
    data = {"preset": "three-classes"}
    joint = studio.scene(data)["verdict"]
    assert [part["title"] for part in joint["parts"]] == [
        "all classes at once",
        "A against the rest",
        "B against the rest",
        "C against the rest",
    ]
    rest = studio.scene(data, {"algorithm": "perceptron", "multiclass": "one-vs-rest"})["verdict"]
    assert len(rest["parts"]) == 3
    pairs = studio.scene(data, {"algorithm": "perceptron", "multiclass": "one-vs-one"})["verdict"]
    assert [part["title"] for part in pairs["parts"]] == [
        "A against B",
        "A against C",
        "B against C",
    ]
    for verdict in (joint, rest, pairs):
        assert verdict["kind"] == "separable"


def test_iris_names_who_cannot_be_told_apart(studio):
    asked = {"algorithm": "perceptron", "multiclass": "one-vs-one", "max_updates": 10}
    verdict = studio.scene({"preset": "iris"}, asked)["verdict"]
    assert verdict["sentence"] == "Not separable: versicolor against virginica."


def test_a_class_without_points_keeps_its_place(studio):
    data = {
        "points": [[0, 0], [1, 1], [0.2, 0], [1, 0.9]],
        "labels": [0, 2, 0, 2],
        "classes": ["a", "b", "c"],
    }
    answer = studio.scene(data)
    assert answer["data"]["classes"] == ["a", "b", "c"]
    assert answer["verdict"]["present"] == answer["runs"][0]["present"] == [0, 2]
    assert answer["runs"][0]["rows"] == "sign"
    more = data | {"classes": ["a", "b", "c", "d"], "labels": [0, 2, 3, 2]}
    asked = {"algorithm": "perceptron", "multiclass": "one-vs-one"}
    (run,) = studio.scene(more, asked)["runs"]
    assert run["pairs"] == [[0, 2], [0, 3], [2, 3]]
    assert set(run["gains"]) <= {0, 2, 3}


@pytest.mark.parametrize("labels", [[], [0], [1, 1]])
@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_too_little_to_learn_from_is_no_error(studio, algorithm, labels):
    data = {"points": [[k, 0] for k in range(len(labels))], "labels": labels}
    answer = studio.scene(data, {"algorithm": algorithm})
    assert answer["verdict"]["kind"] == "trivial"
    assert answer["runs"][0]["weights"] == [[[0, 0, 0]]]
    assert answer["runs"][0]["picked"] == []


@pytest.mark.parametrize("algorithm", IN_STUDIO)
def test_points_on_top_of_each_other_are_no_error(studio, algorithm):
    same = {"points": [[0.5, 0.5]] * 4, "labels": [0, 0, 1, 1]}
    answer = studio.scene(same, {"algorithm": algorithm, "max_updates": 20})
    assert answer["verdict"]["kind"] == "contradiction"


def test_the_joint_verdict_says_that_it_is_about_a_joint_rule(studio):
    joint = studio.scene({"preset": "three-classes"})["verdict"]
    assert joint["sentence"].startswith("Separable by a joint linear rule of 3 scores: margin")
    asked = {"algorithm": "perceptron", "multiclass": "joint", "max_updates": 10}
    overlapping = studio.scene({"preset": "iris"}, asked)["verdict"]
    assert overlapping["sentence"].startswith("No joint linear rule of 3 scores gets every point")
