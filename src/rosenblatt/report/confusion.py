"""The confusion matrix as a table: shaded, with precision and recall at its edges."""

from __future__ import annotations

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.report.facts import Facts
from rosenblatt.report.markup import (
    Html,
    count_cell,
    head,
    number_head,
    scrolling,
    section,
    shown_label,
    table,
    tag,
)
from rosenblatt.types import Array

MOST_CLASSES = 26  # a larger matrix is a list of its largest cells
MOST_PAIRS = 20
UNSEEN = "a model that had not seen it"
MANY = 6  # classes, from which on the names stand upright


def confusion_section(facts: Facts) -> Html:
    """What was said for what is right."""
    title, counts = "Confusion matrix", facts.confusion
    checked = facts.report.validation
    if counts is None or checked is None:
        word = f"Nothing was validated: {facts.report.why_not_validated}."
        return section("confusion", title, tag("p", word))
    whose = "the saved model before it learned from it" if facts.report.went_on else UNSEEN
    words = f"{counted(counts.sum(), 'example', ',')}, each predicted by {whose}"
    shown = (
        confusion_table(facts.classes, counts)
        if len(counts) <= MOST_CLASSES
        else _pairs(facts, counts)
    )
    way = "" if facts.report.went_on else f" ({checked.way})"
    ways = f"{words}{way}. Rows: what is right; columns: what was said."
    return section("confusion", title, tag("p", ways), shown)


def confusion_table(classes: Array, counts: Array) -> Html:
    """Return the whole table, rows for what is right."""
    said, right = counts.sum(axis=0), counts.sum(axis=1)
    heads = tag(
        "tr",
        tag("th", "is \\ said", scope="col"),
        *(tag("th", tag("span", shown_label(c)), scope="col") for c in classes),
        tag("th", tag("span", "recall"), scope="col", class_="edge"),
    )
    rows = [
        tag(
            "tr",
            tag("th", shown_label(label), scope="row"),
            *(_cell(counts[k, j], right[k], k == j) for j in range(len(classes))),
            _share(counts[k, k], right[k]),
        )
        for k, label in enumerate(classes)
    ]
    edge = tag(
        "tr",
        tag("th", "precision", scope="row", class_="edge"),
        *(_share(counts[j, j], said[j]) for j in range(len(classes))),
        tag("td", class_="edge"),
    )
    look = "confusion many" if len(classes) > MANY else "confusion"
    inner = tag("table", tag("thead", heads), tag("tbody", *rows, edge), class_=look)
    return scrolling(inner)


def _cell(count: int, of: int, is_right: bool) -> Html:
    share = 100 * count / of if of else 0.0
    # a mistake is rare: without the root nobody would see its colour
    strength = 10 + 60 * np.sqrt(share / 100) if count else 0
    color = "--right" if is_right else "--wrong"
    style = f"background:color-mix(in srgb,var({color}) {strength:.0f}%,transparent)"
    return tag("td", count, class_="number", style=style if count else None)


def _share(part: int, of: int) -> Html:
    return tag("td", f"{part / of:.1%}" if of else "-", class_="number edge")


def _pairs(facts: Facts, counts: Array) -> Html:
    off = counts.copy()
    np.fill_diagonal(off, 0)
    order = np.argsort(-off, axis=None, kind="stable")[:MOST_PAIRS]
    places = [np.unravel_index(place, off.shape) for place in order if off.flat[place]]
    rows = [
        (
            tag("td", shown_label(facts.classes[k])),
            tag("td", shown_label(facts.classes[j])),
            count_cell(off[k, j]),
        )
        for k, j in places
    ]
    caption = f"The pairs of the {len(counts)} classes that are confused most"
    return table(caption, [head("is"), head("said"), number_head("examples")], rows)
