"""A point on the boundary: what it is while learning it is while predicting; two classes only."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import ParameterError, Perceptron, PocketPerceptron, load, read, save, trace
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.plot.planes import region_codes
from rosenblatt.plot.projection import project
from rosenblatt.tracing.watching import watch
from rosenblatt.workflows.explain import explain_rows
from tests.examples import FEW, WAYS, fit, small_data

SIDES = ("+1", "-1")
THREE = [[0.0], [1.0], [2.0]], ["a", "b", "c"]
REFUSED = r"tie '[+-]1' is a convention of two classes, got 3; set tie='mistake'"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("tie", SIDES)
@pytest.mark.parametrize("kind", [Perceptron, PocketPerceptron])
def test_more_than_two_classes_are_refused(kind, tie, way):
    model = kind(tie=tie, multiclass=way)
    for learn in (model.fit, lambda X, y: watch(model, X, y)):
        with pytest.raises(ParameterError, match=REFUSED):
            learn(*THREE)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("way", WAYS)
def test_more_than_two_classes_in_blocks_are_refused(way):
    X, y = THREE
    with StoreWriter() as writer:
        writer.add(X, y)
        blocks = writer.finish()
        with pytest.raises(ParameterError, match=REFUSED):
            fit_blocks(Perceptron(tie="+1", multiclass=way), blocks)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("tie", SIDES)
def test_a_third_class_that_comes_later_is_refused_and_the_model_left_alone(tie, way):
    model = Perceptron(tie=tie, multiclass=way).partial_fit([[0.0], [1.0]], ["a", "b"])
    before = deepcopy(vars(model))
    with pytest.raises(ParameterError, match=REFUSED):
        model.partial_fit([[2.0]], ["c"])
    with pytest.raises(ParameterError, match=REFUSED):
        model.partial_fit([[2.0]], ["a"], classes=["a", "b", "c"])
    np.testing.assert_equal(vars(model), before)


def test_a_point_that_learning_left_on_the_boundary_is_predicted_as_it_was_learned():
    X, y = [[0.0], [1.0]], [1, -1]
    model = Perceptron(tie="+1").fit(X, y)
    assert model.converged_
    assert model.decision_function(X).tolist() == [0.0, -1.0]
    assert model.predict(X).tolist() == y
    assert Perceptron(tie="-1").fit(X, [-1, 1]).predict([[0.0]]).tolist() == [-1]


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_array])
def test_what_is_right_while_learning_is_right_while_predicting(rows):
    @FEW
    @given(small_data(), st.sampled_from(SIDES), st.integers(1, 20))
    def check(data, tie, most):
        X, y = rows(np.array(data.X, dtype=float)), np.array(data.y)
        model = fit(Perceptron(tie=tie, max_epochs=None, max_updates=most), X, y)
        assert model.converged_ == (model.predict(X) == y).all()
        pocket = PocketPerceptron(tie=tie, max_updates=most, random_state=0).fit(X, y)
        assert pocket.error_ == (pocket.predict(X) != y).mean()
        steps = trace(Perceptron(tie=tie, max_epochs=None, max_updates=most), X, y)
        assert steps.errors[-1] == (model.predict(X) != y).mean()

    check()


def test_the_convention_that_was_learned_with_is_kept_and_saved(tmp_path):
    for kind in (Perceptron, PocketPerceptron):
        model = kind(tie="+1", random_state=0).fit([[0.0], [1.0]], ["b", "a"])
        for tie in ("+1", "mistake"):
            model.set_params(tie=tie)
            assert model.predict([[0.0], [1.0]]).tolist() == ["b", "a"]
            save(model, tmp_path / "m")
            back = load(tmp_path / "m")
            assert back.tie == tie
            assert back.predict([[0.0], [1.0]]).tolist() == ["b", "a"]


def test_an_explanation_names_the_class_that_is_predicted(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("x,label\n0,b\n1,a\n")
    examples = read(path)
    model = Perceptron(tie="+1").fit(examples.X, examples.y)
    said = [row.label for row in explain_rows(model, None, examples)]
    assert said == model.predict(examples.X).tolist() == ["b", "a"]


@pytest.mark.parametrize(("tie", "code"), [("mistake", 0), ("+1", 1), ("-1", 0)])
def test_a_picture_has_the_plane_on_the_side_that_is_predicted(tie, code):
    X = np.array([[0.0, 1.0], [1.0, 0.0]])
    model = Perceptron(tie=tie).fit(X, [0, 1])
    model.coef_[:], model.intercept_[:] = 0.0, 0.0  # every point is on the boundary
    view = project(X, None)
    codes = region_codes((0, 1, 0, 1), view, np.zeros(3), model, model.classes_)
    assert (codes == code).all()
