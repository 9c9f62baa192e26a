"""Features of the parts of a message: words of texts, hosts of links, what they are made of.

HTML becomes text by lexbor's parser. A tree of n elements inside of each other, or n attributes of
one element, take it n^2 steps. So HTML is parsed in pieces of bounded size, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from rosenblatt.extras import needs
from rosenblatt.mail.message import limits
from rosenblatt.mail.message.charsets import decode_text
from rosenblatt.mail.message.parts import MessagePart
from rosenblatt.mail.message.plain import one_word, parent, plain_words

with needs("mail"):
    from selectolax.lexbor import LexborHTMLParser

_READ = ("text/", "multipart/", "message/")  # containers that could not be opened, too
TAGS = 1000  # of one piece
LONGEST = 4096  # characters of a tag with many attributes
UNSEEN = ["script", "style", "title", "noscript", "head"]
_SEPARATOR = re.compile(r"[\s/'\"]")
# elements that end a word, by their first letters; <b>, <i>, <font> and comments may be in one
_ENDS_A_WORD = re.compile(
    "<(?=/?(?:[tTdDpPhHlLcCmM]|[bB][rRlLoO]|[uU][lL]|[oO][lLpP]|[iI][mMnNfF]|[sS][eEcC]|"
    "[fF][oO][rR]|[fF][iI]|[aA][rRdD]))"
)
_PLACE = re.compile(r"://([^\s\"'<>/?#\\]{1,200})")
_NUMBERS = re.compile(r"[0-9.]+|0x[0-9a-f]+")
_HOST = re.compile(r"[a-z0-9.-]+")


def body_features(parts: list[MessagePart]) -> list[str]:
    """Return the texts of a message, each as a string of words, and its other features."""
    texts: list[str] = []
    found: list[str] = []
    room = limits.HTML
    for part in parts:
        found += _kind_features(part)
        if not part.kind.startswith(_READ):
            continue
        text, is_right = decode_text(part.content, part.charset)
        if not is_right:
            found.append("charset:?wrong")
        if b"\0" in part.content:
            found.append("look:nul")
        found += link_features(text)
        if part.kind == "text/html":
            if len(text) > room:
                text = text[:room]
                found.append("html:?cut")
            room -= len(text)
            text = html_text(text)
        texts.append(plain_words(text))
    return texts + found


def _kind_features(part: MessagePart) -> list[str]:
    found = [f"type:{part.kind}"]
    if part.charset:
        found.append(f"charset:{part.charset}")
    if part.encoding:
        found.append(f"encoding:{part.encoding}")
    if part.filename:
        ending = part.filename.rpartition(".")[2][:10].lower()
        found.append(f"file:{one_word(ending)}")
    if part.is_attached:
        found.append("type:?attached")
    return found


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


def link_features(text: str) -> list[str]:
    """Return the features of the links in a text.

    Examples
    --------
    >>> link_features("see http://www.example.com/a and http://u@10.0.0.1:81/")
    ['link:www.example.com', 'link:example.com', 'link:?user', 'link:?port', 'link:?number']
    """
    if "://" not in text:
        return []
    places = dict.fromkeys(_PLACE.findall(text))
    features = []
    for place in islice(places, limits.LINKS):
        features += _host_features(place.lower())
    return features


@lru_cache(4096)
def _host_features(place: str) -> list[str]:
    found = []
    _, user, host = place.rpartition("@")
    if user:
        found.append("link:?user")
    host, port, _ = host.partition(":")
    if port:
        found.append("link:?port")
    if _NUMBERS.fullmatch(host):
        return [*found, "link:?number"]
    if not _HOST.fullmatch(host):
        return [*found, "link:?broken"]
    host = host.strip(".-")
    above = parent(host)
    found.append(f"link:{host}")
    return found if above == host else [*found, f"link:{above}"]
