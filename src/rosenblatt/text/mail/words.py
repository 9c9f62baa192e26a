"""A message as words: those of its text, and what else tells spam from ham, with a prefix."""

from __future__ import annotations

from rosenblatt.text.mail import limits
from rosenblatt.text.mail.charsets import decode
from rosenblatt.text.mail.encoded_words import to_text
from rosenblatt.text.mail.headers import split
from rosenblatt.text.mail.markup import text_and_features
from rosenblatt.text.mail.parts import parts_of
from rosenblatt.text.mail.plain import plain_words


def words(raw: bytes) -> str:
    """Return the features of a message, with a space between them.

    Examples
    --------
    >>> words(b"Subject: Hello\\n\\nHow are you?").split()
    ['how', 'are', 'you', 'header:subject', 'subject:hello', 'type:text/plain']
    """
    found: list[str] = []
    if len(raw) > limits.MESSAGE:
        raw = raw[: limits.MESSAGE]
        found.append("mime:cut")
    head, body = split(raw)
    for name, value in head.headers:
        found.append(f"header:{name}")
        if name == "subject":
            found += [f"subject:{word}" for word in plain_words(to_text(value)[0]).split()]
    parts, oddities = parts_of(head, body)
    found += [f"mime:{oddity.lower()}" for oddity in head.oddities + oddities]
    texts = []
    for part in parts:
        found.append(f"type:{part.kind}")
        if part.charset:
            found.append(f"charset:{part.charset}")
        if part.kind.startswith("text/"):
            text, _ = decode(part.content, part.charset)
            if part.kind == "text/html":
                text, more = text_and_features(text)
                found += more
            texts.append(plain_words(text))
    return " ".join([*texts, *found])


def features(raw: bytes) -> list[str]:
    """Return the features of a message, each once.

    Examples
    --------
    >>> features(b"\\n\\nto be or not to be")
    ['to', 'be', 'or', 'not', 'mime:no-headers', 'type:text/plain']
    """
    return list(dict.fromkeys(words(raw).split()))
