"""The parts of a message: what kind each is, and its bytes.

The structure is found by the standard library's parser (policy `compat32`), which is stopped when
there are too many parts or they are too deep in each other; a message of one part needs no parser.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Any, NamedTuple

from rosenblatt.text.mail import limits
from rosenblatt.text.mail.charsets import known
from rosenblatt.text.mail.encoded_words import from_base64
from rosenblatt.text.mail.headers import Head
from rosenblatt.text.mail.parameters import parameters

STRUCTURED = ("multipart/", "message/")
_KIND = re.compile(rb"\s*([!-.0-~]{1,60}/[!-.0-:<-~]{1,100})")
_ENDS = re.compile(rb"\r\n?")


class Part(NamedTuple):
    """A leaf of the structure."""

    kind: str  # text/plain
    charset: str
    filename: str
    content: bytes
    encoding: str
    is_attached: bool


class TooMuch(Exception):  # noqa: N818 - no error: the parser is told to stop
    """A limit is reached."""


class _Node(Message):
    """A message of the standard library that counts."""

    def __init__(self, policy: Any = compat32) -> None:
        super().__init__(policy)
        self.level, self.text = 0, ""

    def set_payload(self, payload: Any, charset: Any = None) -> None:
        """Keep the text as it is: `get_payload` would decode it by any charset there is."""
        self.text = payload
        super().set_payload(payload, charset)

    def attach(self, payload: Any) -> None:
        payload.level = self.level + 1
        if payload.level > limits.LEVELS:
            raise TooMuch("deep")
        super().attach(payload)


def kind_of(content_type: bytes) -> str:
    """Return the type that a Content-Type names, small; text/plain if it names none."""
    match = _KIND.match(content_type, 0, 200)
    return match[1].decode("ascii").lower() if match else "text/plain"


def parts_of(head: Head, body: bytes) -> tuple[list[Part], list[str]]:
    """Return the leaves of a message, and what is odd about its structure.

    Examples
    --------
    >>> from rosenblatt.text.mail.headers import split
    >>> parts, _ = parts_of(*split(b"Content-Transfer-Encoding: base64\\n\\nYm9keQ=="))
    >>> parts[0].kind, parts[0].content
    ('text/plain', b'body')
    """
    value = head.first("content-type")
    kind = kind_of(value)
    oddities: list[str] = []
    if not kind.startswith(STRUCTURED):
        return [_part(kind, head.first, body, oddities)], oddities
    root = _parsed(value, body, oddities)
    leaves = list(_leaves(root, oddities))
    return leaves, list(dict.fromkeys(oddities))


def _parsed(content_type: bytes, body: bytes, oddities: list[str]) -> _Node:
    """Return the tree of a message's parts, or what was found until a limit was reached."""
    nodes: list[_Node] = []

    def node(policy: Any = compat32) -> _Node:
        if len(nodes) > limits.PARTS:
            raise TooMuch("parts")
        nodes.append(_Node(policy))
        return nodes[-1]

    source = b"Content-Type: " + _ENDS.sub(b"", content_type) + b"\n\n" + body
    try:
        return BytesParser(node, policy=compat32).parsebytes(source)
    except TooMuch as reached:
        oddities.append(str(reached))
        return nodes[0]


def _leaves(root: _Node, oddities: list[str]) -> Iterator[Part]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        oddities += [type(defect).__name__ for defect in node.defects]
        if node.is_multipart():
            oddities.append(f"inside:{node.get_content_type()}")
            waiting += reversed(node.get_payload())
        else:
            content = node.text.encode("ascii", "surrogateescape")
            kind = kind_of(_value(node, "content-type"))
            yield _part(kind, lambda name: _value(node, name), content, oddities)


def _value(node: _Node, name: str) -> bytes:
    found = next((str(v) for k, v in node.raw_items() if k.lower() == name), "")
    return found[: limits.LINE].encode("ascii", "surrogateescape")


def _part(kind: str, first: Any, body: bytes, oddities: list[str]) -> Part:
    encoding = first("content-transfer-encoding")[:40].strip().lower().decode("ascii", "replace")
    given = parameters(first("content-type"))
    placed = first("content-disposition")
    where = parameters(placed)
    content, whole = _unpacked(body, encoding)
    if not whole:
        oddities.append(f"broken-{encoding}")
    return Part(
        kind,
        known(given["charset"]) if "charset" in given else "",
        where.get("filename", given.get("name", "")),
        content,
        encoding,
        placed[:20].strip().lower().startswith(b"attachment"),
    )


def _unpacked(body: bytes, encoding: str) -> tuple[bytes, bool]:
    """Return the bytes behind a transfer encoding, and whether they could be read."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body), True
    if encoding == "base64":
        return from_base64(body)
    return body, True
