"""`rosenblatt plot`: what is drawn, and what cannot be."""

import numpy as np
import pytest

import rosenblatt
from rosenblatt import max_margin, read
from rosenblatt.model_file import read_model
from rosenblatt.plot import plane
from rosenblatt.workflows.pictures import draw
from tests.cli.running import run

BEGINS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def legend(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def line_of(figure, label):
    (found,) = [line for line in figure.axes[0].lines if line.get_label() == label]
    return found.get_xydata()


@pytest.mark.parametrize("ending", BEGINS)
def test_a_picture_is_written_and_said(ending, tmp_path):
    path = tmp_path / f"lecture{ending}"
    answer = run("plot", "lecture", "--margin", "-o", path)
    assert (answer.code, answer.err) == (0, "")
    assert path.read_bytes().startswith(BEGINS[ending])
    said = "the line of x: 4 examples, g of perceptron after 11 updates, the widest street"
    assert answer.out == f"{path}: {said}\n"


def test_f_and_g_and_the_lines_before_are_drawn_where_they_are():
    figure = draw(read("exercise-1.4")).figure
    assert legend(figure) == ["+1", "-1", "previous lines", "f", "g"]
    f, g = line_of(figure, "f"), line_of(figure, "g")
    np.testing.assert_allclose(1 + f @ [2, 4], 0, atol=1e-9)  # the target of exercise 1.4
    examples = read("exercise-1.4")
    steps = rosenblatt.trace(rosenblatt.Perceptron(rule="first"), examples.X, examples.y)
    np.testing.assert_allclose(steps.final[0] + g @ steps.final[1:], 0, atol=1e-9)
    before = line_of(figure, "previous lines")
    w = steps.weights[-2]
    np.testing.assert_allclose(w[0] + before @ w[1:], 0, atol=1e-9)


def test_axes_have_one_scale_and_w_is_upright_on_g():
    figure = draw(read("exercise-1.4")).figure
    (ax,) = figure.axes
    assert ax.get_aspect() == 1.0
    assert np.ptp(ax.get_xlim()) == pytest.approx(np.ptp(ax.get_ylim()))
    (arrow,) = [text for text in ax.texts if text.get_text() == ""]
    along = np.diff(line_of(figure, "g"), axis=0)[0]
    direction = np.array(arrow.xy) - arrow.get_position()
    assert direction @ along == pytest.approx(0, abs=1e-9)


def test_the_street_touches_the_nearest_points_of_both_classes():
    examples = read("exercise-1.4")
    best = max_margin(examples.X, examples.y)
    figure = plane(examples.X, examples.y, margin=best)
    w = best.geometric_w
    np.testing.assert_allclose(w[0] + line_of(figure, "widest street") @ w[1:], 0, atol=1e-6)
    scores = examples.y * (w[0] + examples.X @ w[1:])
    assert scores.min() == pytest.approx(1)
    sides = [line.get_xydata() for line in figure.axes[0].lines][1:]
    for side, level in zip(sides, (-1, 1), strict=True):
        np.testing.assert_allclose(w[0] + side @ w[1:], level, atol=1e-6)


def test_a_contradiction_is_ringed():
    picture = draw(read("xor"), contradiction=True, algorithm="pocket")
    assert "4 examples that contradict each other" in picture.sentence
    (ring,) = [c for c in picture.figure.axes[0].collections if c.get_label() == "contradiction"]
    assert len(ring.get_offsets()) == 4


def test_a_model_of_scaled_columns_is_drawn_on_the_numbers_of_the_data(tmp_path):
    path = tmp_path / "m.rosenblatt"
    two = ("--columns", "petal length (cm),petal width (cm)", "--prove-seconds", "0")
    assert run("fit", "iris", *two, "-o", path).code == 0
    saved = read_model(path)
    examples = read("iris", only=["petal length (cm)", "petal width (cm)"])
    figure = draw(examples, saved=saved).figure
    (image,) = figure.axes[0].images
    codes, (left, right, bottom, top) = image.get_array(), image.get_extent()
    rows = ((examples.X[:, 1] - bottom) / (top - bottom) * len(codes)).astype(int)
    columns = ((examples.X[:, 0] - left) / (right - left) * len(codes)).astype(int)
    said = saved.classes[codes[rows, columns]]
    assert (said == saved.model.predict(examples.X)).mean() > 0.97  # but for pixels on a boundary
    everything = tmp_path / "all.rosenblatt"
    assert run("fit", "breast-cancer", "-o", everything, "--prove-seconds", "0").code == 0
    answer = run("plot", "breast-cancer", "--model", everything, "-o", tmp_path / "b.png")
    assert "a projection of 30 features, in which the boundary is exact" in answer.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("digits -o x.png", "of 64 features a plane shows the boundary of two classes or of three"),
        ("digits -o x.png", "--classes A,B takes the rows of two classes, --columns A,B two col"),
        ("and -o x.png --contradiction", "and is separable: no examples contradict each other"),
        ("xor -o x.png --margin", "the data is not separable, so there is no margin"),
        ("iris -o x.png --margin", "a margin lies between two classes, got 3"),
        ("and -o x.gif", "x.gif must end with .png, .svg or .pdf"),
        ("and", "--output is missing"),
        ("and -o x.png -a gaussian", "there is no trace of a GaussianNaiveBayes"),
        ("and -o x.png --eta 2", "--eta is not for perceptron"),
        ("and -o x.png --model m --rule first", "--model is learned already; leave out -a"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run("plot", *options.split())
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert not (tmp_path / "x.png").exists()
