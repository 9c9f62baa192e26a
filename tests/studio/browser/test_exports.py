"""Pictures and tables taken away are opened and measured."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image

from tests.studio.browser.driving import Desk

SVG = "{http://www.w3.org/2000/svg}"


def test_the_svg_needs_no_style_sheet(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&step=4")
    path = desk.download("#export-svg", tmp_path)
    root = ElementTree.parse(path).getroot()  # noqa: S314 - our own file
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert width == height > 300
    assert root.findall(f".//{SVG}*[@class]") == []
    marks = [e for e in root.iter(f"{SVG}g") if "Point" in e.get("aria-label", "")]
    assert len(marks) == 20
    filled = {e[-1].get("fill") for e in marks}
    assert len(filled) == 2
    assert "Start line" not in path.read_text()


def test_the_png_has_twice_the_pixels_of_the_plane(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=three-classes")
    size = desk.page.locator(".plane").bounding_box()["width"]
    with Image.open(desk.download("#export-png", tmp_path)) as image:
        assert image.size == (2 * round(size),) * 2
        colours = image.convert("RGB").getcolors(1 << 24)
    assert len(colours) > 50


def test_the_gif_moves(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&max_updates=3")
    with Image.open(desk.download("#export-gif", tmp_path)) as image:
        assert image.n_frames >= 4
        assert min(image.size) >= 300


def test_a_race_is_exported_side_by_side(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&b.algorithm=regression")
    root = ElementTree.parse(desk.download("#export-svg", tmp_path)).getroot()  # noqa: S314 - our own file
    assert len(root.findall(f"{SVG}svg")) == 2


def test_the_points_are_downloaded_as_a_table(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=iris")
    text = desk.download("#download", tmp_path).read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    table = desk.state("table")
    assert rows[0] == [*table["names"], "label"]
    assert [[float(x), float(y)] for x, y, _ in rows[1:]] == table["points"]
    assert [row[2] for row in rows[1:]] == [table["classes"][c] for c in table["labels"]]


def test_painted_points_are_in_the_exported_picture(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=separable&n=1500")
    text = desk.download("#export-svg", tmp_path).read_text()
    assert text.count("<path") > 1500
