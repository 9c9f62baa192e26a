"""A message as words: those of its text, and what else tells spam from ham, with a prefix."""

from __future__ import annotations

from rosenblatt.text.mail import limits
from rosenblatt.text.mail.body import body_features
from rosenblatt.text.mail.envelope import header_features
from rosenblatt.text.mail.headers import split
from rosenblatt.text.mail.parts import parts_of

_HARMLESS = frozenset(["inside", "no-body"])


def words(raw: bytes) -> str:
    r"""Return the features of a message, with a space between them.

    A word of the text is a feature as it is, small; every other feature has a prefix and a colon
    (docs/mail.md). Whatever is wrong with a message is a feature too: any bytes give words.

    Examples
    --------
    >>> found = words(b"Subject: Hello\n\nHow are you?").split()
    >>> "you" in found, "subject:hello" in found
    (True, True)
    """
    texts, found = _texts_and_features(raw)
    return " ".join([*texts, *found])


def features(raw: bytes) -> list[str]:
    r"""Return the features of a message, each once.

    Examples
    --------
    >>> features(b"Subject: Hello\n\nto be or not to be")[:4]
    ['to', 'be', 'or', 'not']
    """
    texts, found = _texts_and_features(raw)
    return list(dict.fromkeys(" ".join(texts).split() + found))


def _texts_and_features(raw: bytes) -> tuple[list[str], list[str]]:
    oddities = []
    if len(raw) > limits.MESSAGE:
        raw = raw[: limits.MESSAGE]
        oddities.append("cut")
    head, body = split(raw)
    parts, more = parts_of(head, body)
    texts, found = body_features(parts)
    oddities += head.oddities + more
    found += [f"mime:{oddity}" for oddity in oddities]
    if not _HARMLESS.issuperset(oddity.partition(":")[0] for oddity in oddities):
        found.append("mime:broken")
    return texts, found + header_features(head)
