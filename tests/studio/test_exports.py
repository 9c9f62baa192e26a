"""Pictures are opened and looked at: colours, shapes, places and names are those of the page."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageColor
from scipy import ndimage

from rosenblatt.palette import CLASSES, DAY, NIGHT
from rosenblatt.progress import Deadline
from rosenblatt.studio.scenes.choices import Choice, draw_preset
from rosenblatt.studio.scenes.pictures import film
from rosenblatt.studio.scenes.scene import make_scene

AND = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 0, 0, 1]}
SPREAD = {
    "points": [[0, 0], [0, 4], [4, 0], [4, 4], [2, 0], [0, 2], [4, 2], [2, 4], [1, 2]],
    "labels": [0, 0, 1, 2, 0, 1, 1, 2, 2],
    "classes": ["a", "b", "c"],
}
# which corners of the box around it a shape fills: above left and right, below left and right
CORNERS = {
    "s": (True, True, True, True),
    "o": (False, False, False, False),
    "^": (False, False, True, True),
}
CLOSE = 14  # of 255: the few colours of a GIF are not quite the same


def export(studio, kind, *runs, data=AND, **more):
    said = {"data": data, "runs": list(runs or [{"algorithm": "perceptron"}])} | more
    answer = studio.post(f"/api/export/{kind}", said)
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == f"image/{kind}"
    return Image.open(BytesIO(answer.body))


def pixels(image):
    return np.asarray(image.convert("RGB")).astype(int)


def spots(image, colour):
    """Return the places (x, y) of all that has a colour, and which corners of their boxes have."""
    seen = np.abs(pixels(image) - ImageColor.getrgb(colour)).max(axis=2) <= CLOSE
    areas = ndimage.label(seen)[0]
    places, corners = [], []
    for k, (rows, columns) in enumerate(ndimage.find_objects(areas), 1):
        shape = areas[rows, columns] == k
        if shape.sum() >= 12:
            places.append([columns.start + columns.stop - 1, rows.start + rows.stop - 1])
            corners.append(tuple(shape[[0, 0, -1, -1], [0, -1, 0, -1]].tolist()))
    return np.array(places).reshape(-1, 2) / 2, set(corners)


def check_points(image, data, side):
    """Every point has the mark of its class where it belongs; the legend shows each once more."""
    points, labels = np.array(data["points"], dtype=float), np.array(data["labels"])
    seen, meant = [], []
    for c in np.unique(labels):
        places, corners = spots(image, getattr(CLASSES[c], side))
        assert corners == {CORNERS[CLASSES[c].marker]}
        there = points[labels == c]
        assert len(places) == len(there) + 1
        places = places[places[:, 0] < places[:, 0].max()]  # without the legend, on the right
        seen.append(places[np.lexsort(places.round().T)])
        meant.append(there[np.lexsort((there * [1, -1]).T)])  # pixels count downwards
    seen, meant = np.vstack(seen), np.vstack(meant)
    # one scale for both axes, y upwards
    scale = np.ptp(seen[:, 0]) / np.ptp(meant[:, 0])
    shift = seen.mean(axis=0) - scale * (meant * [1, -1]).mean(axis=0)
    np.testing.assert_allclose(seen, scale * meant * [1, -1] + shift, atol=2.0)


@pytest.mark.parametrize("data", [AND, SPREAD], ids=["two classes", "three classes"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("kind", ["png", "gif"])
def test_points_have_the_marks_of_the_page_in_their_places(studio, kind, dark, data):
    run = {"algorithm": "perceptron", "max_updates": 1}
    image = export(studio, kind, run, data=data, dark=dark)
    assert image.format == kind.upper()
    image.seek(getattr(image, "n_frames", 1) - 1)
    ground = ImageColor.getrgb((NIGHT if dark else DAY).card)
    np.testing.assert_allclose(pixels(image)[2, 2], ground, atol=2)
    check_points(image, data, "night" if dark else "day")


def test_a_single_point_keeps_its_colour_among_many(studio):
    data = {"points": [[k % 20, k // 20] for k in range(200)], "labels": [1] * 200}
    data["points"].append([10, 14])
    data["labels"].append(0)
    image = export(studio, "gif", {"algorithm": "regression"}, data=data)
    image.seek(image.n_frames - 1)
    places, _ = spots(image, CLASSES[0].day)
    assert len(places) == 2  # the point, and the legend


def test_regions_are_tinted_with_the_colours_of_their_classes(studio):
    seen = pixels(export(studio, "png", data=AND))
    for c, corner in ((0, (400, 90)), (1, (60, 440))):  # below on the left, above on the right
        tint = seen[corner]
        full = np.array(ImageColor.getrgb(CLASSES[c].day))
        np.testing.assert_allclose(tint, 255 - 0.16 * (255 - full), atol=2)


def test_the_line_is_where_the_weights_say(studio):
    run = {"algorithm": "max-margin"}
    image = export(studio, "png", run, data=AND)
    corners = spots(image, CLASSES[0].day)[0]
    corners = corners[corners[:, 0] < corners[:, 0].max()]  # without the legend
    (top,) = corners[np.argsort(corners[:, 1])[:1]]  # (0, 1)
    (right,) = corners[np.argsort(corners[:, 0])[-1:]]  # (1, 0)
    ink = (np.abs(pixels(image) - ImageColor.getrgb(DAY.ink)).max(axis=2) <= CLOSE).nonzero()
    on_the_line = 0
    for part in np.linspace(0.1, 0.9, 9):
        # from (0.5, 1) to (1, 0.5): half way between the corner and its two neighbours
        x = top[0] + (0.5 + 0.5 * part) * (right[0] - top[0])
        y = top[1] + 0.5 * part * (right[1] - top[1])
        on_the_line += bool((np.hypot(ink[1] - x, ink[0] - y) < 2).any())
    assert on_the_line == 9


def test_another_step_is_another_picture(studio):
    first, last = (pixels(export(studio, "png", step=step)) for step in (1, None))
    assert first.shape == last.shape
    assert (first != last).any()


def test_a_film_has_a_frame_for_each_step(studio):
    run = {"algorithm": "perceptron", "max_updates": 2}
    film = export(studio, "gif", run)
    assert (film.format, film.n_frames) == ("GIF", 3)


def test_a_race_is_drawn_side_by_side(studio):
    runs = [{"algorithm": "perceptron", "max_updates": 2}, {"algorithm": "voted", "epochs": 1}]
    one, two = export(studio, "png", runs[0]), export(studio, "png", *runs)
    assert two.size == (2 * one.size[0], one.size[1])
    half = one.size[0]
    for left in (0, half):
        check_points(two.crop((left, 0, left + half, one.size[1])), AND, "day")


@pytest.fixture
def texts(monkeypatch):
    """A function that makes a film and returns what is written in each frame."""

    def written(figure):
        return [
            (ax.get_title(), [text.get_text() for text in ax.get_legend().get_texts()])
            for ax in figure.axes
        ]

    monkeypatch.setattr("rosenblatt.plot.movies.gif", lambda frames: [*map(written, frames)])
    return lambda preset, *choices: film(
        make_scene(draw_preset(preset), list(choices), Deadline(60)), False, Deadline(60)
    )


def test_films_name_the_runs_of_a_race_and_where_they_are(texts):
    frames = texts("separable", Choice(max_updates=2), Choice("regression"))
    titles = [[title for title, _ in panels] for panels in frames]
    a, b = ("A  Perceptron (PLA)\n", "B  Linear regression\n")
    assert [first.startswith(a) for first, _ in titles] == [True] * 3
    assert [first.split("\n")[1].split(":")[0] for first, _ in titles] == [
        "0 updates",
        "1 update",
        "2 updates",
    ]
    assert [second.removeprefix(b).split(":")[0] for _, second in titles] == [
        "before",
        "solved",
        "solved",
    ]


def test_films_name_the_classes_as_the_page_does(texts):
    ((_, names),) = texts("separable", Choice(max_updates=1))[-1]
    assert names == ["+1", "\N{MINUS SIGN}1", "f", "g", "picked"]
    ((_, names),) = texts("iris", Choice(max_updates=1))[-1]
    assert names[:3] == ["setosa", "versicolor", "virginica"]


def test_runs_of_a_race_are_filmed_at_the_same_number_of_updates(texts):
    # the long run keeps 2000 rows of its 20,000 updates, the short one all of its own
    long, short = Choice(max_updates=20_000), Choice(max_updates=30, rule="cyclic")
    frames = texts("outlier", long, short)
    done = [[title.split("\n")[1].split(" ")[0] for title, _ in panels] for panels in frames]
    counts = np.array([[int(n.replace(",", "")) for n in pair] for pair in done])
    assert counts[0].tolist() == [0, 0]
    assert counts[-1].tolist() == [20_000, 30]
    np.testing.assert_array_equal(counts[:, 1], np.minimum(counts[:, 0], 30))


def test_the_pocket_is_filmed_as_the_page_draws_it(texts):
    choice = Choice("pocket", max_updates=12)
    frames = texts("outlier", choice)
    (outcome,) = make_scene(draw_preset("outlier"), [choice], Deadline(60)).runs
    errors = [float(title.split("= ")[1]) for ((title, _),) in frames]
    np.testing.assert_allclose(errors, outcome.steps.pocket_errors, atol=5e-4)


def test_nothing_to_draw_is_said(studio):
    data = {"points": [[0, 0]], "labels": [0]}
    said = {"data": data, "runs": [{"algorithm": "perceptron"}]}
    answer = studio.post("/api/export/png", said)
    assert answer.status == 400
    assert "two classes" in answer.error
