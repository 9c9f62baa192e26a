"""What is wrong with a line of an svmlight file, where, and what was expected."""

from __future__ import annotations

import re

from rosenblatt._validation import Array
from rosenblatt.kernels import svmlight as kernel

SHOWN = 20  # bytes of the file in a message

EXPECTED = {
    kernel.NO_LABEL: "expected a label before the first index:value pair",
    kernel.MANY_LABELS: "several labels for one row are not supported; expected one number",
    kernel.BAD_LABEL: "expected a label, a finite number such as +1 or 0.5",
    kernel.BAD_QID: "expected qid:number after the label",
    kernel.BAD_PAIR: "expected an index:value pair, a # comment or the end of the line",
    kernel.NO_COLON: "expected a colon after the index",
    kernel.BAD_VALUE: "expected a finite number after the colon",
    kernel.NOT_ASCENDING: "expected an index above the one before it; sort the pairs of the line",
    kernel.ZERO_INDEX: "expected indices from 1 on, not from 0",
    kernel.LARGE_INDEX: f"expected an index of at most {kernel.MAX_INDEX}",
}


def fault(name: str, ended: int, text: Array, state: Array) -> str:
    """Return the sentence for a line that the kernel refused."""
    wrong, start = int(state[kernel.WRONG]), int(state[kernel.LINE_START])
    return (
        f"{name}, line {state[kernel.LINE] + 1}, column {wrong - start + 1}: "
        f"{EXPECTED[ended]}, got {_shown(text[wrong : wrong + SHOWN + 1].tobytes())}"
    )


def too_large(name: str, text: Array, start: int, end: int, state: Array) -> str:
    """Return the sentence for the number text[start:end], which no float can hold."""
    line, column = place_of(text, start, state)
    return (
        f"{name}, line {line}, column {column}: expected a finite number, "
        f"got {_shown(text[start:end].tobytes())}, too large for a float"
    )


def place_of(text: Array, start: int, state: Array) -> tuple[int, int]:
    """Return the line and the column of a place in what was parsed."""
    parsed = text[: state[kernel.AT]].tobytes()
    line = int(state[kernel.LINE]) + 1 - parsed.count(b"\n", start)
    return line, start - (parsed.rfind(b"\n", 0, start) + 1) + 1


def _shown(came: bytes) -> str:
    line = came.split(b"\n")[0].rstrip(b"\r")
    if not line:
        return "the end of the line"
    words = re.split(rb"[ \t]+", line)
    word = words[0] or line
    shown = word[:SHOWN].decode("utf-8", errors="backslashreplace")
    return repr(shown + ("..." if len(word) > SHOWN else ""))
