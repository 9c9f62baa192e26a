"""HTML by construction: elements, sections and tables; what is not markup already is escaped.

Not MarkupSafe's `Markup`: its text would have to be cut and cleaned before, in every place, and it
turns everything that it is joined with into markup; here `plain` does all three, once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

MOST_LETTERS = 300
MOST_ON_A_LINE = 160
LONGEST_NAME = LONGEST_LABEL = 40
# nothing is fetched and nothing runs, even if something had slipped through
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
PLAIN_STYLE = (
    "body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; } "
    "td, th { padding: 0.1rem 0.6rem; text-align: left; } .number { text-align: right; } "
    ".scroll { overflow-x: auto; }"
)
VOID = {"meta", "br", "rect", "path", "line", "circle", "polyline"}
# control characters, halves of characters, and those that turn the direction of the page around
_STRANGE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Html(str):
    """Text that is markup: it goes into the page as it is."""

    __slots__ = ()


def tag(name: str, /, *children: Any, **attributes: Any) -> Html:
    """Return an element; text within it and in its attributes is escaped.

    A trailing or inner underscore of an attribute's name is left out or becomes a hyphen.
    Attributes that are None are left out.

    Examples
    --------
    >>> tag("td", "a < b", class_="name", aria_label="one")
    '<td class="name" aria-label="one">a &lt; b</td>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{plain(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Html(f"<{name}{given}/>")
    return Html(f"<{name}{given}>{joined(*children)}</{name}>")


def joined(*children: Any) -> Html:
    """Return the children one after the other, escaped where they are not markup."""
    return Html("".join(c if isinstance(c, Html) else plain(c) for c in children if c is not None))


def plain(value: Any, most: int = MOST_LETTERS) -> Html:
    """Return a value as text that is safe in a page: cut, cleaned and escaped.

    Examples
    --------
    >>> plain("<script>")
    '&lt;script&gt;'
    """
    if isinstance(value, Html):
        return value
    # spaces first, or tabs and ends of lines would count as strange
    text = shortened(str(value), most) if len(str(value)) > most else str(value)
    return Html(escape(_STRANGE.sub("\ufffd", re.sub(r"\s", " ", text))))


def shortened(text: str, most: int = MOST_ON_A_LINE) -> str:
    """Return a text on one line, with `most` letters at most.

    Examples
    --------
    >>> shortened("one  two three", 10)
    'one two...'
    """
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def shown_label(label: Any) -> Html:
    """Return a label for the page."""
    return plain(label, LONGEST_LABEL)


def shown_name(name: Any) -> Html:
    """Return the name of a feature for the page."""
    return plain(name, LONGEST_NAME)


def number(value: float, digits: int = 3) -> str:
    """Return a number in few letters.

    Examples
    --------
    >>> number(0.00012345), number(-4254.1), number(1234567), number(-0.0)
    ('0.000123', '-4,254', '1.23e+06', '0')
    """
    value = value + 0.0  # nobody means -0
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.{digits}g}"


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


def whole_page(title: str, *parts: Any) -> str:
    """Return a page of its own: nothing in it is fetched, and nothing runs.

    Examples
    --------
    >>> whole_page("iris", tag("p", "a < b"))[:15]
    '<!doctype html>'
    """
    top = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=Html(POLICY)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title, " - rosenblatt"),
        tag("style", Html(PLAIN_STYLE)),
    )
    body = tag("body", tag("h1", title), *parts)
    return "<!doctype html>\n" + tag("html", top, body, lang="en") + "\n"
