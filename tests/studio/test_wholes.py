"""Points that show a part of the columns come with the verdict on all of them."""

import time

import numpy as np
import pytest

from rosenblatt.data.examples import Examples
from rosenblatt.studio.scenes.choices import AllColumns, PlaneSet
from rosenblatt.studio.scenes.opening import open_points
from rosenblatt.studio.scenes.wholes import MOST_KEPT, Wholes
from tests.studio.serving import serve_in_a_thread

# no line separates the first two columns (XOR), the third tells the classes apart
XOR = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, -1.0]])
LABELS = np.array([0, 1, 1, 0])
# three columns, and two rows that are the same but for their label
TWINS = np.vstack([XOR, XOR[:1]])
TABLE = "a,b,c,kind\n" + "".join(
    f"{a},{b},{c},{'yes' if label else 'no'}\n"
    for (a, b, c), label in zip(XOR, LABELS, strict=True)
)


def judged(wholes, data, way="joint"):
    """Return the verdict when it is there."""
    found = wholes.ask(data, way)
    while found is not None and found.kind == "pending":
        time.sleep(0.01)
        found = wholes.look(found.key)
    return found


@pytest.fixture
def wholes():
    made = Wholes()
    yield made
    made.close()


def shown(X, labels, view="2 of 3 columns"):
    whole = AllColumns(X, view)
    return PlaneSet(X[:, :2], np.array(labels), ["no", "yes"], ["a", "b"], None, (0, 1), whole)


def test_what_two_columns_hide_is_found_in_all(wholes):
    found = judged(wholes, shown(XOR, LABELS))
    assert (found.kind, found.view) == ("separable", "2 of 3 columns")
    assert found.sentence == "All 3 columns: separable, proved."
    found = judged(wholes, shown(TWINS, [*LABELS, 1]))
    assert found.sentence == "All 3 columns: not separable, proved."


def test_points_are_recognised_by_their_coordinates_alone(wholes):
    data = shown(XOR, LABELS)
    wholes.remember(data)
    # as a browser may send them: -0 for 0, or 0 for -0
    sent = data._replace(whole=None, points=np.where(data.points == 0, -0.0, data.points))
    assert judged(wholes, sent).kind == "separable"
    moved = sent._replace(points=np.vstack([[[0, 0.5]], data.points[1:]]))
    assert wholes.ask(moved, "joint") is None
    assert wholes.ask(sent._replace(labels=1 - LABELS), "joint") is None


def test_more_classes_are_judged_in_the_way_they_are_told_apart(wholes):
    # in a row: b lies between a and c, so one line cannot tell it from the rest, but scores can
    X = np.array([[0.0, 0, 0], [1, 0, 0], [4, 0, 0], [5, 0, 0], [8, 0, 0]])
    data = shown(X, [0, 0, 1, 1, 2])
    said = {way: judged(wholes, data, way).sentence for way in ("joint", "one-vs-rest")}
    assert said == {
        "joint": "All 3 columns: separable by a score for each class, proved.",
        "one-vs-rest": "All 3 columns: not every class is separable from the rest, proved.",
    }


def test_only_the_last_wholes_are_kept(wholes):
    first, *others = [shown(XOR + k, LABELS) for k in range(MOST_KEPT + 1)]
    wholes.remember(first)
    for data in others:
        wholes.remember(data)
    assert wholes.ask(first._replace(whole=None), "joint") is None
    assert wholes.ask(others[-1]._replace(whole=None), "joint") is not None
    assert wholes.look("nobody's") is None


@pytest.mark.parametrize(
    ("features", "view"), [(None, "a projection of 3 columns"), (["f0", "f1"], "2 of 3 columns")]
)
def test_opened_data_says_what_it_shows(features, view):
    examples = Examples(XOR, LABELS, ["f0", "f1", "f2"], "mine")
    assert open_points(examples, features).data.whole.view == view
    both = Examples(XOR[:, :2], LABELS, ["f0", "f1"], "mine")
    assert open_points(both).data.whole is None


def verdict_of(studio, data):
    """Ask as the page does: by points, until the whole is judged."""
    told = studio.scene(data, {"algorithm": "perceptron", "max_updates": 10})["verdict"]
    while told["whole"]["kind"] == "pending":
        told["whole"] = studio.get(f"/api/whole?key={told['whole']['key']}").json
    return told


def test_the_data_of_the_command_line_has_both_verdicts():
    examples = Examples(XOR, LABELS, ["f0", "f1", "f2"], "mine")
    with serve_in_a_thread(open_points(examples, ["f0", "f1"]).data) as studio:
        opened = studio.get("/api/presets").json["opened"]
        verdict = verdict_of(studio, opened)
        assert verdict["kind"] == "contradiction"
        assert verdict["whole"]["kind"] == "separable"
        edited = opened | {"points": [[0, 0.25], *opened["points"][1:]]}
        assert studio.scene(edited)["verdict"]["whole"] is None


def test_a_pasted_table_has_both_verdicts(studio):
    data = studio.post("/api/table?x=a&y=b&label=kind", TABLE).json["data"]
    verdict = verdict_of(studio, data)
    assert verdict["kind"] == "contradiction"
    assert verdict["whole"]["sentence"] == "All 3 columns: separable, proved."
    assert verdict["whole"]["view"] == "2 of 3 columns of numbers"


def test_breast_cancer_is_separable_though_two_of_its_columns_are_not(studio):
    verdict = verdict_of(studio, {"preset": "breast-cancer"})
    assert verdict["kind"] == "contradiction"
    assert verdict["whole"]["sentence"] == "All 30 columns: separable, proved."


def test_points_of_ones_own_are_the_whole(studio):
    assert studio.scene({"preset": "separable"})["verdict"]["whole"] is None
    assert studio.get("/api/whole?key=nobody").json is None
