"""The parts of a message: what kind each is, and its bytes.

The standard library's parser goes line by line and compiles a regular expression for each boundary:
0.6 ms for a usual message of two parts, more than all the rest takes; what it finds wrong changes
from version to version, and features must not. This one looks for boundaries only, and cuts a
container into the pieces between them. The tests hold it against the standard library's
(`compat32`).
"""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple

from rosenblatt.mail.message import limits
from rosenblatt.mail.message.charsets import known
from rosenblatt.mail.message.headers import Head, from_base64, parameters, split_part

_KIND = re.compile(r"\s*([!-.0-~]{1,60}/[!-.0-:<-~]{1,100})")
_MESSAGES = ("message/rfc822", "message/global", "message/news")
_ENCODINGS = ("7bit", "8bit", "binary", "quoted-printable", "base64")
CANDIDATES = 5000  # places that look like a boundary of one container
_END_OF_LINE = re.compile(rb"(--)?[ \t]*+\r?(?:\n|\Z)")


class MessagePart(NamedTuple):
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


def parts_of(head: Head, body: bytes) -> tuple[list[MessagePart], list[str]]:
    r"""Return the parts of a message that are no containers, and what is odd about them.

    Examples
    --------
    >>> from rosenblatt.mail.message.headers import split
    >>> mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n"
    >>> [part.content for part in parts_of(*split(mail))[0]]
    [b'one', b'two']
    """
    found: list[MessagePart] = []
    oddities: dict[str, None] = {}
    waiting = [_Node(head.values, body, 0, "text/plain")]
    while waiting:
        node = waiting.pop()
        kind = media_type_of(node.values.get("content-type", ""), node.default)
        inside = _inside(node, kind, limits.PARTS - len(found) - len(waiting), oddities)
        if inside:
            oddities[f"inside:{kind}"] = None
            waiting += reversed(inside)
        else:
            found.append(_leaf(node, kind, oddities))
    return found, list(oddities)


def media_type_of(content_type: str, default: str = "text/plain") -> str:
    """Return the type that a Content-Type names, small, or the default.

    Examples
    --------
    >>> media_type_of(" Text/HTML; charset=utf-8"), media_type_of("html")
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


def _leaf(node: _Node, kind: str, oddities: dict[str, None]) -> MessagePart:
    values = node.values
    encoding = _encoding_of(node)
    given = parameters(values.get("content-type", ""))
    placed = values.get("content-disposition", "")
    where = parameters(placed) if placed else given
    content, is_whole = _unpacked(node.body, encoding)
    if not is_whole:
        oddities[f"broken-{encoding}"] = None
    return MessagePart(
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


def between_boundaries(body: bytes, boundary: str, most: int) -> tuple[list[bytes], list[str]]:
    r"""Return the pieces between boundaries, at most so many, and what is odd about them.

    Examples
    --------
    >>> between_boundaries(b"--x\none\n--x\ntwo", "x", 10)
    ([b'one', b'two'], ['unclosed'])
    """
    if not boundary:
        return [], ["no-boundary"]
    pieces: list[bytes] = []
    start, is_closed = -1, False
    for line, after, closes in _boundaries(body, b"--" + boundary.encode("latin-1", "replace")):
        if start >= 0:
            pieces.append(_without_newline(body[start:line]))
        start, is_closed = after, closes
        if closes:
            break
        if len(pieces) == most:
            return pieces, ["parts"]
    if start < 0:
        return [], ["no-part"]
    if not is_closed:
        pieces.append(body[start:])
    return pieces, [] if is_closed else ["unclosed"]


def _boundaries(body: bytes, mark: bytes) -> list[tuple[int, int, bool]]:
    """Return (begin of line, end of line, whether it is the last) of the lines with a boundary."""
    found = []
    place = body.find(mark)
    for _ in range(CANDIDATES):
        if place < 0:
            break
        at_start = place == 0 or body[place - 1 : place] in (b"\n", b"\r")
        end = _END_OF_LINE.match(body, place + len(mark)) if at_start else None
        if end:
            found.append((place, end.end(), end[1] is not None))
            if end[1]:
                break
        place = body.find(b"\n" + mark, end.end() - 1 if end else place + 1)
        place += place >= 0
    return found


def _without_newline(piece: bytes) -> bytes:
    """Return a piece without the end of its last line, which is the boundary's."""
    if piece.endswith(b"\r\n"):
        return piece[:-2]
    return piece[:-1] if piece.endswith((b"\n", b"\r")) else piece
