"""One code of colours: the style sheets of the browser say what the palette says."""

import re
from importlib.resources import files

import pytest

from rosenblatt.palette import CLASSES, DAY, NIGHT

STUDIO = files("rosenblatt.studio") / "static" / "style.css"
REPORT = files("rosenblatt.workflows.report") / "page.css"


def variables(block):
    """Return the custom properties of a block, by their names."""
    return dict(re.findall(r"--([\w-]+): *(#\w+)", block))


def blocks(path):
    """Return the properties of every :root of a style sheet."""
    return [variables(body) for body in re.findall(r":root[^{]*\{([^}]*)\}", path.read_text())]


@pytest.mark.parametrize(("which", "inks", "side"), [(0, DAY, "day"), (1, NIGHT, "night")])
def test_the_page_of_the_studio_has_these_colours(which, inks, side):
    said = blocks(STUDIO)[which]
    expected = inks._asdict() | {f"class-{k}": getattr(c, side) for k, c in enumerate(CLASSES)}
    assert {name: said[name] for name in expected} == expected


def test_a_report_has_these_colours_by_day_by_night_and_in_print():
    day, night, printed = blocks(REPORT)
    for said, side in ((day, "day"), (night, "night"), (printed, "day")):
        expected = {f"c{k}": getattr(look, side) for k, look in enumerate(CLASSES[:8])}
        assert {name: said[name] for name in expected} == expected


def test_plus_one_is_a_blue_circle_and_minus_one_an_orange_square():
    minus, plus = CLASSES[:2]
    assert (minus.day, minus.marker) == ("#d55e00", "s")
    assert (plus.day, plus.marker) == ("#0072b2", "o")


def test_colours_and_shapes_are_all_different():
    for field in ("day", "night", "marker", "outline"):
        assert len({getattr(look, field) for look in CLASSES}) == len(CLASSES)
