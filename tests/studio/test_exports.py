"""Pictures that open, and show what was asked."""

from io import BytesIO

import numpy as np
from PIL import Image

from rosenblatt.plot.style import NIGHT

AND = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 0, 0, 1]}


def export(studio, kind, *runs, data=AND, **more):
    said = {"data": data, "runs": list(runs or [{"algorithm": "perceptron"}])} | more
    answer = studio.post(f"/api/export/{kind}", said)
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == f"image/{kind}"
    return Image.open(BytesIO(answer.body))


def colours(image):
    return {tuple(c) for c in np.asarray(image.convert("RGB")).reshape(-1, 3)[::7].tolist()}


def test_a_picture_opens_and_is_light_or_dark(studio):
    light, dark = export(studio, "png"), export(studio, "png", dark=True)
    assert light.format == dark.format == "PNG"
    assert light.size == dark.size
    night = tuple(bytes.fromhex(NIGHT[1:]))
    assert (255, 255, 255) in colours(light)
    assert night in colours(dark)
    assert (255, 255, 255) not in colours(dark)


def test_another_step_is_another_picture(studio):
    first, last = (np.asarray(export(studio, "png", step=step)) for step in (1, None))
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


def test_three_classes_are_drawn(studio):
    run = {"algorithm": "perceptron", "multiclass": "one-vs-one", "max_updates": 5}
    export(studio, "png", run, data={"preset": "three-classes"})


def test_nothing_to_draw_is_said(studio):
    data = {"points": [[0, 0]], "labels": [0]}
    said = {"data": data, "runs": [{"algorithm": "perceptron"}]}
    answer = studio.post("/api/export/png", said)
    assert answer.status == 400
    assert "two classes" in answer.error
