"""A GIF holds the frames that were drawn, and nothing is left behind when one fails."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from rosenblatt import DataError, ParameterError
from rosenblatt.plot import animate, plane
from rosenblatt.plot.movies import TraceFilm, _chosen_steps, animate_trace, plot_trace

X, Y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([-1, -1, -1, 1])
LINES = [[-0.5, 1, 0], [-0.5, 0, 1], [-1.5, 1, 1]]


def a_trace(points=X, cosine=True):
    d = points.shape[1]
    weights = np.zeros((4, d + 1))
    weights[1:, :3] = LINES
    return SimpleNamespace(
        weights=weights,
        picked=np.array([3, -1, 0]),
        steps=np.array([0, 1, 5, 6]),
        errors=np.array([1.0, 0.25, 0.25, 0.0]),
        pocket_errors=np.array([1.0, 0.25, 0.25, 0.0]),
        final=weights[-1],
        cosine=np.array([np.nan, 0.5, 0.6, 0.9]) if cosine else None,
        cosine_bound=np.array([0.0, 0.2, 0.4, 0.5]) if cosine else None,
        X=points,
        y=Y,
    )


def test_gif_has_the_frames(tmp_path):
    path = animate((plane(X, Y, g=w) for w in LINES), tmp_path / "pla.gif", seconds_per_frame=0.2)
    with Image.open(path) as image:
        assert image.format == "GIF"
        assert image.n_frames == 3
        assert image.info["loop"] == 0
        assert image.info["duration"] == 200
        image.seek(2)
        assert image.info["duration"] == 800


def test_nothing_is_written_when_a_frame_fails(tmp_path):
    path = tmp_path / "pla.gif"
    with pytest.raises(DataError, match="finite weights"):
        animate((plane(X, Y, g=w) for w in [LINES[0], [1, 2]]), path)
    with pytest.raises(DataError, match="one size"):
        animate([Figure(figsize=(2, 2)), Figure(figsize=(3, 2))], path)
    with pytest.raises(DataError, match="no frames"):
        animate([], path)
    with pytest.raises(ParameterError, match="seconds_per_frame"):
        animate([Figure()], path, seconds_per_frame=0)
    assert not path.exists()


def test_trace_becomes_a_film(tmp_path):
    with Image.open(animate_trace(a_trace(), tmp_path / "pla.gif")) as image:
        assert image.n_frames == 4


def test_film_of_many_features_keeps_one_plane(tmp_path):
    wide = np.hstack([X, np.arange(4.0)[:, np.newaxis]])
    trace = a_trace(wide)
    with Image.open(animate_trace(trace, tmp_path / "pla.gif")) as image:
        assert image.n_frames == 4
    film = TraceFilm(trace)
    points = film.ax.collections[0].get_offsets().copy()
    for k, w in enumerate(trace.weights):
        film.show(k)
        np.testing.assert_array_equal(film.ax.collections[0].get_offsets(), points)
        assert film._arrow.get_visible() == bool(np.any(w[1:]))
    # the last weights lie in the plane, so their boundary is drawn where it is
    w, view = trace.final, film._view
    on_the_line = film._line.get_xydata() @ view.axes.T
    np.testing.assert_allclose(w[0] + on_the_line @ w[1:], 0, atol=1e-9)
    assert film.ax.get_xlabel() == "along the last w"


def test_film_shows_g_the_line_before_it_and_what_was_picked():
    film = TraceFilm(a_trace())
    film.show(3)
    for line, w in ((film._line, LINES[2]), (film._before, LINES[1])):
        np.testing.assert_allclose(w[0] + line.get_xydata() @ w[1:], 0, atol=1e-12)
    assert film._ring.get_offsets().tolist() == [X[0].tolist()]
    middle = film._line.get_xydata().mean(axis=0)
    assert np.dot(film._name.get_position() - middle, LINES[2][1:]) > 0
    assert film.ax.get_aspect() == 1.0
    film.show(0)
    assert len(film._ring.get_offsets()) == 0
    assert film._title.get_text() == "after 0 updates: E_in = 1"


def test_axes_have_one_scale_unless_the_points_are_flat():
    flat = a_trace(X * [1000.0, 1.0])
    assert TraceFilm(flat).ax.get_aspect() == "auto"
    assert TraceFilm(a_trace(X * [3.0, 1.0])).ax.get_aspect() == 1.0


def test_long_films_do_not_stand_still(tmp_path):
    steps = _chosen_steps(4001, 60)
    assert len(steps) <= 60
    assert steps[:30].tolist() == list(range(30))
    assert steps[-1] == 4000
    assert _chosen_steps(7, 60).tolist() == list(range(7))
    assert _chosen_steps(100, 1)[-1] == 99
    with pytest.raises(ParameterError, match=r"\.gif"):
        animate_trace(a_trace(), tmp_path / "a.mp4")


def test_nothing_that_is_written_leaves_the_frame():
    wide = np.hstack([4000 * X, -1000 * np.arange(4.0)[:, np.newaxis]])
    film = TraceFilm(a_trace(wide))
    for k in range(4):
        film.show(k)
        figure = film.figure
        FigureCanvasAgg(figure).draw()
        whole = figure.bbox
        for text in (figure.axes[0].xaxis.label, figure.axes[0].yaxis.label, film._title):
            box = text.get_window_extent()
            assert whole.x0 <= box.x0
            assert box.x1 <= whole.x1
            assert whole.y0 <= box.y0
            assert box.y1 <= whole.y1


def test_picture_of_a_trace_has_the_cosine_only_if_known():
    assert len(plot_trace(a_trace()).axes) == 3
    figure = plot_trace(a_trace(cosine=False))
    assert len(figure.axes) == 2
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_xdata(), [0, 1, 5, 6])


LOADS = """
import sys, rosenblatt.lab
print('matplotlib' in sys.modules)
import rosenblatt.plot as pictures; pictures.plane, pictures.animate
print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)
"""


def test_lab_loads_no_matplotlib_and_pictures_need_no_pyplot():
    answer = subprocess.run(
        [sys.executable, "-c", LOADS], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["False", "True", "False"]
