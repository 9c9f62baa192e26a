"""What is drawn is what is there."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_iris

from rosenblatt import AveragedPerceptron, DataError, ParameterError, Perceptron
from rosenblatt.palette import CLASSES, NIGHT
from rosenblatt.plot import plane
from rosenblatt.plot.movies import MovingPlane
from rosenblatt.plot.projection import project
from rosenblatt.plot.style import darken, new_axes

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
AND = np.array([-1, -1, -1, 1])


def dots(ax):
    """Return the number of dots under each entry of the legend."""
    found = [c for c in ax.collections if isinstance(c, PathCollection)]
    return {c.get_label(): len(c.get_offsets()) for c in found}


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_lines_satisfy_their_equation():
    rng = np.random.default_rng(0)
    X = rng.uniform(-10, 10, (30, 2))
    for _ in range(50):
        f, g = rng.normal(size=(2, 3))
        (ax,) = plane(X, np.sign(X[:, 0]).astype(int), f=f, g=g).axes
        corners = np.array([(x, y) for x in ax.get_xlim() for y in ax.get_ylim()])
        for line, w in zip(ax.lines, (f, g), strict=True):
            sides = w[0] + corners @ w[1:] > 0
            if sides.all() or not sides.any():  # it passes outside of the frame
                assert np.isnan(line.get_xydata()).all()
            else:
                np.testing.assert_allclose(w[0] + line.get_xydata() @ w[1:], 0, atol=1e-9)


@pytest.mark.parametrize("w", [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1e-9, 1.0]])
def test_upright_and_level_lines_are_drawn_from_side_to_side(w):
    X = np.array([[-1.0, -1.0], [1.0, 1.0]])
    (ax,) = plane(X, [0, 1], g=w).axes
    ends = ax.lines[0].get_xydata()
    along = 1 if w[1] == 1 else 0
    np.testing.assert_allclose(ends[:, along], (ax.get_ylim() if along else ax.get_xlim()))


def test_every_point_is_drawn_once_in_its_class():
    X, y = load_iris(return_X_y=True)
    (ax,) = plane(X[:, 2:], y).axes
    assert dots(ax) == {"0": 50, "1": 50, "2": 50}
    assert legend(ax) == ["0", "1", "2"]


def test_legend_names_all_that_is_drawn():
    model = Perceptron().fit(CORNERS, AND)
    figure = plane(
        CORNERS, AND, f=[-1.5, 1, 1], model=model, margin=True, contradiction=[0, 3], picked=1
    )
    assert isinstance(figure, Figure)
    expected = ["+1", "-1", "f", "g", "margin", "contradiction", "picked"]
    assert legend(figure.axes[0]) == expected
    assert dots(figure.axes[0]) == {"+1": 1, "-1": 3, "contradiction": 2, "picked": 1}


def test_margin_touches_the_nearest_point_and_no_other_lies_inside():
    g = np.array([-1.4, 1.0, 1.0])
    (ax,) = plane(CORNERS, AND, g=g, margin=True).axes
    middle, upper, lower = (line.get_xydata() for line in ax.lines)
    nearest = np.abs(g[0] + CORNERS @ g[1:]).min()
    np.testing.assert_allclose(g[0] + middle @ g[1:], 0, atol=1e-9)
    np.testing.assert_allclose(np.abs(g[0] + upper @ g[1:]), nearest, atol=1e-9)
    np.testing.assert_allclose(np.abs(g[0] + lower @ g[1:]), nearest, atol=1e-9)


def test_projected_boundary_decides_as_the_classifier_does():
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = AveragedPerceptron(random_state=0).fit(X, y)
    w = np.concatenate([model.intercept_, model.coef_[0]])
    view = project(X, w)
    np.testing.assert_allclose(view.axes.T @ view.axes, np.eye(2), atol=1e-12)
    (ax,) = plane(X, y, model=model).axes
    boundary = ax.lines[0].get_xdata()
    assert boundary[0] == pytest.approx(boundary[1])
    for scatter, label in zip(ax.collections, (1, 0), strict=True):
        side = scatter.get_offsets()[:, 0] > boundary[0]
        np.testing.assert_array_equal(side, model.predict(X[y == label]) == 1)


def test_second_axis_is_the_largest_spread_orthogonal_to_w():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) * [9, 1, 5, 2]
    axes = project(X, np.array([0.0, 1.0, 0.0, 0.0, 0.0])).axes
    np.testing.assert_allclose(axes[:, 0], [1, 0, 0, 0])
    assert abs(axes[2, 1]) > 0.99


def test_points_along_w_alone_still_have_a_second_axis():
    X = np.outer(np.arange(5.0), [1.0, 2.0, 3.0])
    axes = project(X, np.array([-1.0, 1.0, 2.0, 3.0])).axes
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-12)


def test_three_classes_of_many_features_keep_their_regions():
    X, y = load_iris(return_X_y=True)
    model = AveragedPerceptron(random_state=0).fit(X, y)
    view = project(X, None, model)
    np.testing.assert_array_equal(model.predict(view.points(X) @ view.axes.T), model.predict(X))
    (ax,) = plane(X, y, model=model).axes
    assert dots(ax) == {"0": 50, "1": 50, "2": 50}


def test_regions_are_the_predictions():
    X, y = load_iris(return_X_y=True)
    model = AveragedPerceptron(random_state=0).fit(X[:, 2:], y)
    (ax,) = plane(X[:, 2:], y, model=model).axes
    (image,) = ax.images
    codes = np.asarray(image.get_array())
    left, right, bottom, top = image.get_extent()
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, codes.shape[0], (2, 200))
    x = left + (columns + 0.5) / codes.shape[1] * (right - left)
    height = bottom + (rows + 0.5) / codes.shape[0] * (top - bottom)
    np.testing.assert_array_equal(codes[rows, columns], model.predict(np.column_stack([x, height])))


def test_one_feature_is_drawn_on_a_line():
    (ax,) = plane([[1], [2], [7], [8]], [-1, -1, 1, 1], g=[-7, 3]).axes
    np.testing.assert_allclose(ax.lines[0].get_xdata(), 7 / 3)


def test_axes_are_named_after_the_columns_of_a_table():
    X = pd.DataFrame(CORNERS, columns=["width", "height"])
    (ax,) = plane(X, AND).axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")


def test_given_axes_are_drawn_on():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert plane(CORNERS, AND, ax=right) is figure
    assert not left.collections
    assert dots(right) == {"+1": 1, "-1": 3}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"y": [1, 2]}, DataError, "a label each"),
        ({"X": np.full((4, 2), np.nan)}, DataError, "finite"),
        ({"g": [1, 2]}, DataError, "3 finite weights"),
        ({"f": [1, 2, np.inf]}, DataError, "3 finite weights"),
        ({"margin": True}, ParameterError, "needs two classes"),
        ({"margin": True, "g": [1, 0, 0]}, DataError, "does not separate"),
        ({"contradiction": [4]}, DataError, "from 0 to 3"),
        ({"picked": -1}, DataError, "from 0 to 3"),
        ({"X": np.zeros((4, 3))}, ParameterError, "two columns"),
        ({"X": np.zeros((4, 3)), "f": [1, 1, 1, 1]}, ParameterError, "one or two features"),
        ({"X": np.zeros((4, 3)), "g": [1, 0, 0, 0]}, DataError, "no boundary"),
    ],
)
def test_bad_input_is_refused_in_words(wrong, error, words):
    with pytest.raises(error, match=words):
        plane(**({"X": CORNERS, "y": AND} | wrong))


def test_a_label_that_the_model_does_not_know_is_refused():
    model = Perceptron().fit(CORNERS, [0, 0, 0, 7])
    with pytest.raises(DataError, match="the model knows"):
        plane(CORNERS, AND, model=model)


def test_a_box_gives_both_axes_one_scale():
    figure = plane([[0, 0], [4, 1]], [-1, 1], box=(-1.0, 5.0, -2.0, 4.0))
    (ax,) = figure.axes
    assert (ax.get_xlim(), ax.get_ylim()) == ((-1.0, 5.0), (-2.0, 4.0))
    assert ax.get_aspect() == 1.0


def test_the_legend_can_have_names_of_its_own():
    figure = plane([[0, 0], [1, 0], [0, 1]], [0, 1, 2], class_names=["u", "v", "w"])
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["u", "v", "w"]


def test_two_classes_look_as_on_the_page_of_the_studio():
    figure = plane(CORNERS, AND)
    looks = {}
    for dots in figure.axes[0].collections:
        (outline,) = dots.get_paths()
        corners = len(outline.to_polygons()[0])
        looks[dots.get_label()] = to_hex(dots.get_facecolor()[0]), corners
    blue, round_ = looks["+1"]
    orange, square = looks["-1"]
    assert (blue, orange) == ("#0072b2", "#d55e00")
    assert round_ > 12  # a circle has many corners
    assert square == 5  # the first comes again as the last


def test_every_class_has_another_look():
    rng = np.random.default_rng(0)
    (ax,) = plane(rng.normal(size=(48, 2)), np.arange(48) % 24).axes
    looks = {
        (to_hex(c.get_facecolor()[0]), c.get_paths()[0].vertices.round(6).tobytes())
        for c in ax.collections
    }
    assert len(looks) == 24


def test_names_are_written_as_they_are():
    names = ["_hidden", "$a$", "$", "b^2"]
    table = {"X": [[0, 0], [1, 0], [0, 1], [1, 1]], "y": [0, 1, 2, 3]}
    (ax,) = plane(**table, class_names=names).axes
    assert [text.replace("\\$", "$") for text in legend(ax)] == names
    FigureCanvasAgg(ax.figure).draw()  # a formula that is none would fail here


def test_a_dark_picture_has_the_colours_of_the_dark_page():
    model = Perceptron().fit(CORNERS, AND)
    figure = plane(CORNERS, AND, f=[-1, 1, 1], model=model, contradiction=[0], picked=1)
    darken(figure)
    (ax,) = figure.axes
    inks = {line.get_label(): to_hex(line.get_color()) for line in ax.lines}
    assert inks == {"f": NIGHT.target, "g": NIGHT.ink}
    dots = {c.get_label(): c for c in ax.collections}
    faces = {name: to_hex(dots[name].get_facecolor()[0]) for name in ("+1", "-1")}
    assert faces == {"+1": CLASSES[1].night, "-1": CLASSES[0].night}
    rings = {name: to_hex(dots[name].get_edgecolor()[0]) for name in ("contradiction", "picked")}
    assert rings == {"contradiction": NIGHT.clash, "picked": NIGHT.pick}
    regions = [to_hex(color) for color in ax.images[0].get_cmap().colors]
    assert regions == [CLASSES[0].night, CLASSES[1].night]
    for text in (ax.xaxis.label, ax.title, *ax.get_legend().get_texts()):
        assert text.get_color() == NIGHT.ink
    assert to_hex(figure.get_facecolor()) == NIGHT.card


def test_a_plane_that_moved_is_the_plane_drawn_anew():
    X, y = CORNERS, AND
    first, second = Perceptron(max_updates=1), Perceptron().fit(X, y)
    first.coef_, first.intercept_, first.classes_ = np.zeros((1, 2)), np.zeros(1), second.classes_
    first.n_features_in_ = 2
    box, g = (-1.0, 2.0, -1.0, 2.0), np.array([-1.5, 1.0, 1.0])
    moved, anew = new_axes(), new_axes()
    MovingPlane(X, y, moved, box, first).move(second, g, picked=2)
    plane(X, y, g=g, model=second, ax=anew, box=box, picked=2)
    np.testing.assert_array_equal(moved.images[0].get_array(), anew.images[0].get_array())
    np.testing.assert_array_equal(moved.lines[0].get_xydata(), anew.lines[0].get_xydata())
    np.testing.assert_array_equal(
        moved.collections[-1].get_offsets(), anew.collections[-1].get_offsets()
    )
    assert legend(moved) == legend(anew)
