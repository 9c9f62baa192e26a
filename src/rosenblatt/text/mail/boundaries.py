"""The pieces of a container, between its boundaries."""

from __future__ import annotations

import re

CANDIDATES = 5000  # places that look like a boundary of one container
_END_OF_LINE = re.compile(rb"(--)?[ \t]*+\r?(?:\n|\Z)")


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
