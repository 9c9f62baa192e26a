"""HTML to text, and what is odd about it, by lexbor's parser.

A tree of n elements inside of each other, or n attributes of one element, take it n^2 steps. So
HTML is parsed in pieces of bounded size, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from rosenblatt.text.mail import limits

TAGS = 1000  # of one piece
LONGEST = 4096  # characters of a tag with many attributes
SEPARATORS = 1000  # blanks, quotes and slashes that make a tag one of many attributes
_SEPARATOR = re.compile(r"[\s/'\"]")
UNSEEN = ["script", "style", "title", "noscript"]


def trees(html: str) -> Iterator[LexborHTMLParser]:
    """Return the tree of each piece of HTML."""
    for piece in _pieces(html):
        yield LexborHTMLParser(_without_long_tags(piece))


def _pieces(html: str) -> Iterator[str]:
    if html.count("<") <= TAGS:
        yield html
        return
    tags = html.split("<")
    for start in range(0, len(tags), TAGS):
        yield ("<" if start else "") + "<".join(tags[start : start + TAGS])


def _without_long_tags(piece: str) -> str:
    if len(piece) <= LONGEST or len(_SEPARATOR.findall(piece)) <= SEPARATORS:
        return piece
    return "<".join(map(_cut, piece.split("<")))


def _cut(tag: str) -> str:
    """End a tag that is too long, wherever its quotes are; in a text this is punctuation."""
    if len(tag) <= LONGEST:
        return tag
    return "'\">".join(tag[k : k + LONGEST] for k in range(0, len(tag), LONGEST))


def text_and_features(html: str) -> tuple[str, list[str]]:
    """Return the text that is to be read, and the features of the rest."""
    features: list[str] = []
    if len(html) > limits.HTML:
        html = html[: limits.HTML]
        features.append("html:cut")
    texts = []
    for tree in trees(html):
        features += _features(tree)
        tree.strip_tags(UNSEEN)
        texts.append(tree.body.text(separator=" ") if tree.body else "")
    return " ".join(texts), features


def _features(tree: LexborHTMLParser) -> list[str]:
    found = []
    for node in tree.css("a[href],img[src],form[action],font[color]"):
        for name, value in node.attributes.items():
            found.append(f"{name}={value}")
    return []
