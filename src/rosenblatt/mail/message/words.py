"""The features of a message: the words of its text, and others that have a prefix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rosenblatt.mail.message import limits
from rosenblatt.mail.message.body import body_features
from rosenblatt.mail.message.header_features import (
    header_features,
    own_headers,
    subject_features,
)
from rosenblatt.mail.message.headers import Head, split
from rosenblatt.mail.message.parts import parts_of

LETTERS = 3000  # bytes of a message that are looked at undecoded
_HARMLESS = frozenset(["inside", "no-body"])


class MessageFeatures(NamedTuple):
    """Features of a message, with spaces between them; one may come several times."""

    text: str  # what is seen when it is read: its texts, links, look and subject
    head: str  # its letterhead
    letters: bytes  # its first bytes as they came: headers of the sender's side, and the body
    hops: list[str]  # what servers wrote on its way; much of it is about the reader's own mailbox


def features_by_source(messages: Sequence[bytes]) -> list[MessageFeatures]:
    r"""Return the features of messages by where they are from.

    One kind of work is done for all messages before the next: what the processor has learned of it
    is of use again, which saves a tenth of the time.

    Examples
    --------
    >>> (found,) = features_by_source([b"Received: from a by b\nSubject: Hello\n\nHow are you?"])
    >>> found.text.split()[:3], found.letters, found.hops
    (['how', 'are', 'you'], b'Subject: Hello\n\nHow are you?', [' from a by b'])
    """
    pairs = [split(raw[: limits.MESSAGE]) for raw in messages]
    parts = [parts_of(head, body) for head, body in pairs]
    heads = [head for head, _ in pairs]
    texts = [body_features(found) for found, _ in parts]
    subjects = [subject_features(head) for head in heads]
    hops = [head.hops for head in heads]
    letterheads = [header_features(head, values) for head, values in zip(heads, hops, strict=True)]
    structures = [
        _structure(raw, head.oddities + oddities)
        for raw, head, (_, oddities) in zip(messages, heads, parts, strict=True)
    ]
    letters = [_letters(head, body) for head, body in pairs]
    columns = zip(texts, structures, subjects, letterheads, letters, hops, strict=True)
    return [
        MessageFeatures(" ".join(text + structure + subject), " ".join(letterhead), start, way)
        for text, structure, subject, letterhead, start, way in columns
    ]


def _letters(head: Head, body: bytes) -> bytes:
    """Return the first bytes of a message: headers of the sender's side, and the body.

    How lines end, and whether one ends the message, is a matter of who keeps it.
    """
    top = own_headers(head)[: 2 * LETTERS].encode("latin-1")
    start = b"%s\n%s" % (top, body[: 2 * LETTERS])
    return start.replace(b"\r\n", b"\n")[:LETTERS].rstrip()


def _structure(raw: bytes, oddities: list[str]) -> list[str]:
    """Return the features of what is odd about a message."""
    if len(raw) > limits.MESSAGE:
        oddities = ["cut", *oddities]
    found = [f"mime:{oddity}" for oddity in oddities]
    if not _HARMLESS.issuperset(oddity.partition(":")[0] for oddity in oddities):
        found.append("mime:broken")
    return found


def words(raw: bytes) -> str:
    r"""Return the features of a message, with a space between them.

    A word of the text is a feature as it is, small; every other feature has a prefix and a colon
    (docs/mail.md). Whatever is wrong with a message is a feature too: any bytes give words.

    Parameters
    ----------
    raw : bytes
        A message as it came: headers, an empty line and a body.

    Returns
    -------
    str
        Its features.

    Examples
    --------
    >>> found = words(b"Subject: Hello\n\nHow are you?").split()
    >>> "you" in found, "subject:hello" in found
    (True, True)
    """
    text, head, *_ = features_by_source([raw])[0]
    return f"{text} {head}"


def features(raw: bytes) -> list[str]:
    r"""Return the features of a message, each once.

    Parameters
    ----------
    raw : bytes
        A message as it came: headers, an empty line and a body.

    Returns
    -------
    list of str
        Its features, in the order in which they are met first.

    Examples
    --------
    >>> features(b"Subject: Hello\n\nto be or not to be")[:4]
    ['to', 'be', 'or', 'not']
    """
    return list(dict.fromkeys(words(raw).split()))
