"""The parts of a message: what kind each is, and its bytes.

The standard library's parser goes line by line and compiles a regular expression for each boundary:
0.6 ms for a usual message of two parts, more than all the rest takes; what it finds wrong changes
from version to version, and features must not. This one looks for boundaries only. The tests hold
it against the standard library's (`compat32`).
"""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple

from rosenblatt.text.mail import limits
from rosenblatt.text.mail.boundaries import between_boundaries
from rosenblatt.text.mail.charsets import known
from rosenblatt.text.mail.encoded_words import from_base64
from rosenblatt.text.mail.headers import Head, split_part
from rosenblatt.text.mail.parameters import parameters

_KIND = re.compile(r"\s*([!-.0-~]{1,60}/[!-.0-:<-~]{1,100})")
_MESSAGES = ("message/rfc822", "message/global", "message/news")
_ENCODINGS = ("7bit", "8bit", "binary", "quoted-printable", "base64")


class Part(NamedTuple):
    """A part that has no others in it."""

    kind: str  # text/plain
    charset: str
    filename: str
    content: bytes
    encoding: str
    is_attached: bool


class _Node(NamedTuple):
    """A part that is to be looked at."""

    values: dict[str, str]
    body: bytes
    level: int
    default: str  # its kind if it names none


def parts_of(head: Head, body: bytes) -> tuple[list[Part], list[str]]:
    r"""Return the parts of a message that are no containers, and what is odd about them.

    Examples
    --------
    >>> from rosenblatt.text.mail.headers import split
    >>> mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n"
    >>> [part.content for part in parts_of(*split(mail))[0]]
    [b'one', b'two']
    """
    found: list[Part] = []
    oddities: dict[str, None] = {}
    waiting = [_Node(head.values, body, 0, "text/plain")]
    while waiting:
        node = waiting.pop()
        kind = kind_of(node.values.get("content-type", ""), node.default)
        inside = _inside(node, kind, limits.PARTS - len(found) - len(waiting), oddities)
        if inside:
            oddities[f"inside:{kind}"] = None
            waiting += reversed(inside)
        else:
            found.append(_leaf(node, kind, oddities))
    return found, list(oddities)


def kind_of(content_type: str, default: str = "text/plain") -> str:
    """Return the type that a Content-Type names, small, or the default.

    Examples
    --------
    >>> kind_of(" Text/HTML; charset=utf-8"), kind_of("html")
    ('text/html', 'text/plain')
    """
    match = _KIND.match(content_type)
    if match:
        return match[1].lower()
    return "text/plain" if content_type else default


def _inside(node: _Node, kind: str, room: int, oddities: dict[str, None]) -> list[_Node]:
    """Return the parts inside of a part; none if it is no container or cannot be opened."""
    if not kind.startswith("multipart/") and kind not in _MESSAGES:
        return []
    if node.level == limits.LEVELS:
        oddities["deep"] = None
        return []
    if kind in _MESSAGES:
        content, _ = _unpacked(node.body, _encoding_of(node))
        head, body = split_part(content)
        return [_Node(head.values, body, node.level + 1, "text/plain")]
    boundary = parameters(node.values["content-type"]).get("boundary", "").rstrip()
    contents, more = between_boundaries(node.body, boundary, room)
    oddities.update(dict.fromkeys(more))
    default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    nodes = []
    for content in contents:
        head, body = split_part(content)
        nodes.append(_Node(head.values, body, node.level + 1, default))
    return nodes


def _leaf(node: _Node, kind: str, oddities: dict[str, None]) -> Part:
    values = node.values
    encoding = _encoding_of(node)
    given = parameters(values.get("content-type", ""))
    placed = values.get("content-disposition", "")
    where = parameters(placed) if placed else given
    content, is_whole = _unpacked(node.body, encoding)
    if not is_whole:
        oddities[f"broken-{encoding}"] = None
    return Part(
        kind,
        known(given["charset"]) if "charset" in given else "",
        where.get("filename", given.get("name", "")),
        content,
        encoding,
        placed[:20].strip().lower().startswith("attachment"),
    )


def _encoding_of(node: _Node) -> str:
    encoding = node.values.get("content-transfer-encoding", "")[:100].strip().lower()
    return encoding if not encoding or encoding in _ENCODINGS else "unknown"


def _unpacked(body: bytes, encoding: str) -> tuple[bytes, bool]:
    """Return the bytes behind a transfer encoding, and whether they could be read."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body), True
    if encoding == "base64":
        return from_base64(body)
    return body, True
