"""The header line of the filter: put in, renamed when it came from outside, taken out.

Nothing else of a message is touched, whatever its bytes and line ends are. The line goes to the
top, behind the line "From ..." of an mbox. A header of that name that came with the message is
renamed, so that nobody can forge the filter's word; since mail programs do not agree on where
headers end when the empty line is missing, lines are renamed up to the first empty line.
"""

from __future__ import annotations

import re
from math import isfinite

from rosenblatt.mail.filter.rule import MessageVerdict

NAME, OLD_NAME = b"X-Rosenblatt", b"X-Old-Rosenblatt"
MOST_WORDS, LONGEST_WORD = 5, 40  # shown in the header

_ENVELOPE = re.compile(rb"From [^\r\n]*\r?\n")
# behind a lone CR as well: it ends a line for some programs
_COLON = rb"(?=[ \t]*(?:[\r\n]+[ \t]+)*:)"
_FORGED = re.compile(rb"(^|[\r\n])x-rosenblatt" + _COLON, re.I)
_RENAMED = re.compile(rb"(^|[\r\n])x-(?:old-)*rosenblatt" + _COLON, re.I)
_OURS = re.compile(rb"^x-rosenblatt[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*", re.I | re.M)
# in front of all headers they belong to none, or, in a message that was filed, to ours
_FOLDED = re.compile(rb"(?:[ \t][^\n]*\n)*")
_PLAIN = re.compile(r"[!-+\--:<-~]+")  # printable ASCII but comma and semicolon


def tagged(raw: bytes, verdict: MessageVerdict) -> bytes:
    r"""Return a message with the header of the filter.

    Examples
    --------
    >>> verdict = MessageVerdict("ham", -3.25, [("lunch", -3.25)])
    >>> tagged(b"Subject: Hi\r\n\r\nLunch?", verdict)
    b'X-Rosenblatt: ham; score=-3.250; words=lunch\r\nSubject: Hi\r\n\r\nLunch?'
    """
    envelope = _ENVELOPE.match(raw)
    start = envelope.end() if envelope else 0
    head = head_end(raw, start)
    line = b"%s: %s%s" % (NAME, value_of(verdict).encode(), _line_end(raw))
    forged = rb"\1" + OLD_NAME
    return raw[:start] + line + _FORGED.sub(forged, raw[start:head]) + raw[head:]


def value_of(verdict: MessageVerdict) -> str:
    """Return what the header says: printable ASCII in one line, whatever the words are."""
    words = [word for word, _ in verdict.words[: 8 * MOST_WORDS] if _is_plain(word)]
    score = f"{verdict.score:.3f}" if isfinite(verdict.score) else "0.000"
    return f"{verdict.label}; score={score}; words={','.join(words[:MOST_WORDS]) or 'none'}"


def untagged(raw: bytes) -> bytes:
    r"""Return a message as it was before a filter saw it: what it said is not to be learned.

    A message that came in and the same message filed give the same, whatever is forged in it.

    Examples
    --------
    >>> untagged(b"X-Rosenblatt: spam; score=3\nSubject: Hi\n\nX-Rosenblatt: said so")
    b'Subject: Hi\n\nX-Rosenblatt: said so'
    """
    envelope = _ENVELOPE.match(raw)
    start = envelope.end() if envelope else 0
    head = head_end(raw, start)
    top = raw[start:head]
    if b"osenblatt" in top.lower():
        top = _OURS.sub(b"", _RENAMED.sub(rb"\1" + NAME, top))
    return _FOLDED.sub(b"", top, count=1) + raw[head:]


def _line_end(raw: bytes) -> bytes:
    """Return how the first line of a message ends."""
    first = raw.find(b"\n")
    return b"\r\n" if first > 0 and raw[first - 1 : first] == b"\r" else b"\n"


def head_end(raw: bytes, start: int = 0) -> int:
    """Return where the headers end, the last line end of theirs included: at an empty line.

    A line that is none of a head ends it for some programs, and not for others. Those see all up
    to here, and must find no verdict that is not ours.
    """
    if raw.startswith((b"\n", b"\r\n"), start):
        return start
    plain = raw.find(b"\n\n", start)
    other = raw.find(b"\n\r\n", start, plain if plain >= 0 else len(raw))
    end = other if other >= 0 else plain
    return end + 1 if end >= 0 else len(raw)


def _is_plain(word: str) -> bool:
    return len(word) <= LONGEST_WORD and _PLAIN.fullmatch(word) is not None
