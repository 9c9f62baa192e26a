"""What the parts of a message tell about it: their words, and what they are made of."""

from __future__ import annotations

from rosenblatt.text.mail import limits
from rosenblatt.text.mail.charsets import decode
from rosenblatt.text.mail.links import link_features
from rosenblatt.text.mail.markup import html_text
from rosenblatt.text.mail.parts import Part
from rosenblatt.text.mail.plain import one_word, plain_words

_READ = ("text/", "multipart/", "message/")  # containers that could not be opened, too


def body_features(parts: list[Part]) -> list[str]:
    """Return the texts of a message, each as a string of words, and its other features."""
    texts: list[str] = []
    found: list[str] = []
    room = limits.HTML
    for part in parts:
        found += _kind_features(part)
        if not part.kind.startswith(_READ):
            continue
        text, is_right = decode(part.content, part.charset)
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


def _kind_features(part: Part) -> list[str]:
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
