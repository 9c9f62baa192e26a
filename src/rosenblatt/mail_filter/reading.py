"""Messages as the filter sees them, and a word about those that are none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail_filter.header import head_end, untagged
from rosenblatt.text.mail import Message, features, read

LOOKED_AT = 4096  # bytes that tell whether it is a message
MOST_HEAD, MOST_RECEIVED = 1 << 20, 1 << 16
_RECEIVED = re.compile(rb"^received:([^\n]*(?:\n[ \t][^\n]*)*)", re.I | re.M)
_WORD = re.compile(r"[\w$'!.-]{2,40}")
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")


def features_of(raw: bytes, marks: tuple[str, ...] = ()) -> list[str]:
    r"""Return the words of a message, each once, without what a filter said of it.

    Examples
    --------
    >>> mail = b"Subject: Hi\n\nLunch?"
    >>> features_of(b"X-Rosenblatt: ham; score=-1; words=none\n" + mail) == features_of(mail)
    True
    """
    message = untagged(raw)
    return list(dict.fromkeys([*features(message), *received_words(message), *marks]))


def received_words(raw: bytes) -> set[str]:
    r"""Return the words of the lines in which each server says where it got the message.

    Examples
    --------
    >>> sorted(received_words(b"Received: from a.example\n by B2\n\nReceived: no"))
    ['received:a.example', 'received:b2', 'received:by', 'received:from']
    """
    lines = _RECEIVED.findall(raw, 0, min(head_end(raw), MOST_HEAD))
    text = b"\n".join(lines)[:MOST_RECEIVED].decode("latin-1").lower()
    return {"received:" + word for word in set(_WORD.findall(text))}


def messages_of(path: str) -> Iterator[tuple[Message, list[str]]]:
    """Return the messages of a mailbox with their words."""
    for message in read(path):
        check_is_message(message.raw, message.name)
        yield message, features_of(message.raw, message.marks)


def check_is_message(raw: bytes, name: str) -> None:
    """Raise a DataError if there is no message, or something else."""
    if not raw.strip():
        raise DataError(f"{name} holds no message; expected one with headers and a text")
    start = raw[:LOOKED_AT]
    if b"\0" in start and not _HEADER.match(start) and not start.startswith(b"From "):
        raise DataError(f"{name} is no message: it begins with {start[:16]!r}, and has no headers")


def check_apart(spam: str, ham: str) -> None:
    """Raise a ParameterError if spam and ham are read from the same place, or one from the other.

    Examples
    --------
    >>> check_apart("mail/spam", "mail/ham")
    >>> try:
    ...     check_apart("mail", "mail/ham")
    ... except ParameterError as error:
    ...     print(error)
    --spam mail and --ham mail/ham overlap: a message cannot be both; give two places apart
    """
    places = [path if path == "-" else os.path.realpath(path) for path in (spam, ham)]
    if places[0] == places[1] or ("-" not in places and os.path.commonpath(places) in places):
        raise ParameterError(
            f"--spam {spam} and --ham {ham} overlap: a message cannot be both; "
            "give two places apart"
        )
