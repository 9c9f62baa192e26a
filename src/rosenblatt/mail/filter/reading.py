"""Messages as the filter sees them, and a word about those that are none.

Who judges one message has it already: the reader of mailboxes is loaded by the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rosenblatt import collector_at_rest
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.filter.header import untagged
from rosenblatt.mail.filter.memory import Witnesses

if TYPE_CHECKING:
    from rosenblatt.mail.message.boxes import Message

MANY, MANY_BYTES = 32, 1 << 18  # messages that are read before they are taken apart
LOOKED_AT = 4096  # bytes that tell whether it is a message
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")


def features_of(raw: bytes, marks: tuple[str, ...] = ()) -> Witnesses:
    r"""Return the words of a message without what a filter said of it.

    Examples
    --------
    >>> mail = b"Subject: Hi\n\nLunch?"
    >>> features_of(b"X-Rosenblatt: ham; score=-1; words=none\n" + mail) == features_of(mail)
    True
    """
    return _features([raw], [marks])[0]


def messages_of(path: str) -> Iterator[tuple[Message, Witnesses]]:
    """Return the messages of a mailbox with their words."""
    from rosenblatt.mail.message.boxes import read

    for batch in _batches(read(path)):
        raws, marks = [message.raw for message in batch], [message.marks for message in batch]
        yield from zip(batch, _features(raws, marks), strict=True)


def _features(raws: list[bytes], marks: list[tuple[str, ...]]) -> list[Witnesses]:
    # not above: it needs the parser of HTML, and a message passes unjudged without it, too
    from rosenblatt.mail.message.words import features_by_source

    with collector_at_rest():  # a message is many small objects, and none is in a cycle
        found = features_by_source([untagged(raw) for raw in raws])
        return [
            Witnesses(_bytes(text, *more), _bytes(head), letters, hops)
            for more, (text, head, letters, hops) in zip(marks, found, strict=True)
        ]


def _bytes(*words: str) -> bytes:
    return " ".join(words).encode("utf-8", "surrogatepass")


def _batches(messages: Iterator[Message]) -> Iterator[list[Message]]:
    """Return messages, some at a time, as `features_by_source` is faster with many."""
    batch, n_bytes = [], 0
    for message in messages:
        check_is_message(message.raw, message.name)
        batch.append(message)
        n_bytes += len(message.raw)
        if len(batch) == MANY or n_bytes >= MANY_BYTES:
            yield batch
            batch, n_bytes = [], 0
    if batch:
        yield batch


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
    --spam mail and --ham mail/ham overlap: a message cannot be both; name two mailboxes, neither
    inside the other (a Maildir and a folder of it, such as Maildir/.Junk, will do)
    """
    from rosenblatt.mail.message.boxes import overlap

    if overlap(spam, ham):
        raise ParameterError(
            f"--spam {spam} and --ham {ham} overlap: a message cannot be both; name two "
            "mailboxes, neither inside the other (a Maildir and a folder of it, such as "
            "Maildir/.Junk, will do)"
        )
