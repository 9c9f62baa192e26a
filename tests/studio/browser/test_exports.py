"""Pictures and tables taken away are opened and measured."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from PIL import Image, ImageColor

from rosenblatt.palette import CLASSES, DAY
from tests.studio.browser.driving import MINUS, Desk

SVG = "{http://www.w3.org/2000/svg}"


def opened(path: Path) -> Any:
    return ElementTree.parse(path).getroot()  # noqa: S314 - our own file


def legend(root: Any) -> dict[str, tuple[str, str]]:
    """The names below the picture, each with the fill and the shape of its mark."""
    (layer,) = root.findall(f"{SVG}g")
    marks = [sign[0] for sign in layer.findall(f"{SVG}g")]
    names = [str(text.text) for text in layer.findall(f"{SVG}text")]
    looks = [(str(mark.get("fill")), shape_of(str(mark.get("d")))) for mark in marks]
    return dict(zip(names, looks, strict=True))


def shape_of(path: str) -> str:
    """A circle is made of arcs, all else of corners; a square has level sides."""
    if "A" in path or "H" in path:
        return "circle" if "A" in path else "line"
    corners = [tuple(map(float, corner.split())) for corner in path.strip("MZ").split("L")]
    if len(corners) == 4:
        return "square" if len({x for x, _ in corners}) == 2 else "diamond"
    return "triangle" if len(corners) == 3 else "other"


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*ImageColor.getrgb(colour))


def test_the_svg_needs_no_style_sheet(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&step=4")
    path = desk.download("#export-svg", tmp_path)
    root = opened(path)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert height > width > 300  # the legend is below
    assert root.findall(f".//{SVG}*[@class]") == []
    assert "Start line" not in path.read_text()


def test_the_svg_shows_and_names_the_classes_as_the_page(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&step=4")
    table = desk.state("table")
    root = opened(desk.download("#export-svg", tmp_path))
    marks = [e for e in root.iter(f"{SVG}g") if "Point" in e.get("aria-label", "")]
    assert len(marks) == len(table["points"]) == 20
    for mark in marks:
        label = 1 if "class +1" in mark.get("aria-label", "") else 0
        assert mark[-1].get("fill") == rgb(CLASSES[label].day)
        assert shape_of(str(mark[-1].get("d"))) == ("square", "circle")[label]
    entries = legend(root)
    assert [*entries] == [f"{MINUS}1", "+1", "g", "f", "margin"]
    assert entries["+1"] == (CLASSES[1].day, "circle")
    assert entries[f"{MINUS}1"] == (CLASSES[0].day, "square")
    desk.open("#preset=three-classes&off=margin&theme=dark")
    entries = legend(opened(desk.download("#export-svg", tmp_path)))
    shapes = ["square", "circle", "triangle"]
    for k, name in enumerate("ABC"):
        assert entries.pop(name) == (CLASSES[k].night, shapes[k])
    assert [*entries] == ["g"]


def test_the_marks_of_the_page_are_those_of_reports_and_pictures(desk: Desk) -> None:
    drawn = desk.open().ask(
        "async () => { const { markPath } = await import('/static/svg.js');"
        " return [...Array(10).keys()].map((k) => markPath(k, 3)); }"
    )
    for path, look in zip(drawn, CLASSES, strict=True):
        page, report = outline(path), outline(look.outline)
        assert len(page) == len(report)
        np.testing.assert_allclose(page, report, atol=0.12)


def outline(path: str) -> list[tuple[float, float]]:
    """The corners of a path of M, L, H, V and A, in order of their angles."""
    corners, x, y = set(), 0.0, 0.0
    for letter, rest in re.findall(r"([MLHVA])([^MLHVAZ]*)", path):
        values = [float(v) for v in re.findall(r"-?[\d.]+", rest)]
        if letter in "HV":
            x, y = (values[0], y) if letter == "H" else (x, values[0])
        else:
            x, y = values[-2:]
        corners.add((round(x, 1), round(y, 1)))
    return sorted(corners, key=lambda corner: np.arctan2(corner[1] + 0.01, corner[0]))


def test_the_png_is_the_picture_in_twice_the_pixels(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=three-classes&step=0&off=regions.margin.arrow")
    size = round(desk.page.locator(".plane").bounding_box()["width"])
    table, box = desk.state("table"), desk.state("box")
    with Image.open(desk.download("#export-png", tmp_path)) as image:
        assert image.size[0] == 2 * size < image.size[1]
        seen = image.convert("RGB")
    for (x, y), label in zip(table["points"], table["labels"], strict=True):
        across, up = (x - box["x"]) / box["side"], (y - box["y"]) / box["side"]
        place = round(2 * size * across), round(2 * size * (1 - up))
        assert seen.getpixel(place) == ImageColor.getrgb(CLASSES[label].day)


def test_the_gif_moves(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&max_updates=3")
    with Image.open(desk.download("#export-gif", tmp_path)) as image:
        assert image.n_frames >= 4
        assert min(image.size) >= 300


def test_a_race_is_exported_side_by_side_and_named(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&b.algorithm=regression")
    root = opened(desk.download("#export-svg", tmp_path))
    assert len(root.findall(f"{SVG}svg")) == 2
    titles = [text.text for text in root.findall(f"{SVG}text")]
    assert titles == ["A  Perceptron (PLA)", "B  Linear regression"]


def test_the_points_are_downloaded_as_a_table(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=iris")
    text = desk.download("#download", tmp_path).read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    table = desk.state("table")
    assert rows[0] == [*table["names"], "label"]
    assert [[float(x), float(y)] for x, y, _ in rows[1:]] == table["points"]
    assert [row[2] for row in rows[1:]] == [table["classes"][c] for c in table["labels"]]


def test_painted_points_are_in_the_exported_picture(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&n=1500&step=1")
    root = opened(desk.download("#export-svg", tmp_path))
    (plane,) = root.findall(f"{SVG}svg")
    layer = max(plane, key=len)
    labels = desk.state("table.labels")
    assert [e.get("fill") for e in layer] == [CLASSES[label].day for label in labels]
    # mistakes have a rim, as on the page
    wrong = round(desk.state("answer.runs.0.errors")[1] * 1500)
    assert wrong > 0
    assert sum(e.get("stroke") == DAY.ink for e in layer) == wrong
