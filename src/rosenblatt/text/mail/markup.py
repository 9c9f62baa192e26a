"""HTML to text, by lexbor's parser.

A tree of n elements inside of each other, or n attributes of one element, take it n^2 steps. So
HTML is parsed in pieces of bounded size, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

TAGS = 1000  # of one piece
LONGEST = 4096  # characters of a tag with many attributes
UNSEEN = ["script", "style", "title", "noscript", "head"]
_SEPARATOR = re.compile(r"[\s/'\"]")
# elements that end a word, by their first letters; <b>, <i>, <font> and comments may be in one
_ENDS_A_WORD = re.compile(
    "<(?=/?(?:[tTdDpPhHlLcCmM]|[bB][rRlLoO]|[uU][lL]|[oO][lLpP]|[iI][mMnNfF]|[sS][eEcC]|"
    "[fF][oO][rR]|[fF][iI]|[aA][rRdD]))"
)


def html_text(html: str) -> str:
    """Return the text of HTML that is to be read.

    Examples
    --------
    >>> html_text("Buy<p><b>n</b>ow<!-- -->!<style>p {color: red}</style>").split()
    ['Buy', 'now!']
    """
    return " ".join(map(_text, _pieces(html)))


def _text(piece: str) -> str:
    tree = LexborHTMLParser(_ENDS_A_WORD.sub(" <", _without_long_tags(piece)))
    tree.strip_tags(UNSEEN)
    body = tree.body
    return str(body.text()) if body else ""


def _pieces(html: str) -> Iterator[str]:
    if html.count("<") <= TAGS:
        yield html
        return
    tags = html.split("<")
    for start in range(0, len(tags), TAGS):
        yield ("<" if start else "") + "<".join(tags[start : start + TAGS])


def _without_long_tags(piece: str) -> str:
    if len(piece) <= LONGEST or max(map(len, piece.split("<"))) <= LONGEST:
        return piece
    return "<".join(map(_cut, piece.split("<")))


def _cut(tag: str) -> str:
    """End a tag that is too long, wherever its quotes are; in a text this is punctuation."""
    if len(tag) <= LONGEST or len(_SEPARATOR.findall(tag)) < TAGS:
        return tag
    return "'\">".join(tag[k : k + LONGEST] for k in range(0, len(tag), LONGEST))
