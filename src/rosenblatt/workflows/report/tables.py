"""Sections and tables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rosenblatt.workflows.report.markup import Html, tag


def section(name: str, title: str, *parts: Any) -> Html:
    """Return a section with its heading."""
    return tag("section", tag("h2", title, id=name), *parts, aria_labelledby=name)


def table(caption: Any, heads: Sequence[Html], rows: Sequence[Any], class_: str = "") -> Html:
    """Return a table that scrolls by itself when the screen is narrow."""
    top, body = tag("tr", *heads), tag("tbody", *(tag("tr", *cells) for cells in rows))
    inner = tag("table", tag("caption", caption), tag("thead", top), body, class_=class_ or None)
    return scrolling(inner)


def scrolling(inner: Html) -> Html:
    """Return a table in a box that scrolls; the focus lets the keyboard do so."""
    return tag("div", inner, class_="scroll", tabindex=0)


def head(text: Any) -> Html:
    """Return the head of a column; an empty one over bars, which the numbers say already."""
    return tag("th", text, scope="col") if text else tag("td")


def number_head(text: Any) -> Html:
    """Return the head of a column of numbers."""
    return tag("th", text, scope="col", class_="number")


def count_cell(value: Any) -> Html:
    """Return a cell with a number."""
    return tag("td", value, class_="number")
