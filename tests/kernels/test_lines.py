"""Labels taken out of lines, compared with Python's own strings."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.kernels.lines import (
    BINARY,
    DONE,
    NEW_LABEL,
    NO_TAB,
    Strings,
    last_line_end,
    line_end,
    take_labels,
)
from rosenblatt.kernels.vectors import newline_mask
from tests.examples import FEW

LABELS = ["a", "b", "ab", "a much longer label", "é"]
TEXTS = st.text(alphabet="xyz \té\r", max_size=90)


def known(labels):
    encoded = [label.encode() for label in labels]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    return Strings(np.frombuffer(b"".join(encoded), dtype=np.uint8).copy(), ends)


def take(content, labels=LABELS):
    """Return (why it ended, the lines with their labels, lines seen)."""
    text = np.frombuffer(content, dtype=np.uint8).copy()
    starts, codes = np.zeros(len(text), dtype=np.int64), np.zeros(len(text), dtype=np.int32)
    place = np.zeros(3, dtype=np.int64)
    ended = take_labels(text, len(text), known(labels), starts, codes, place)
    n = int(place[1])
    bounds = [*starts[:n].tolist(), int(place[0])]
    texts = [text[a:b].tobytes() for a, b in pairwise(bounds)]
    return ended, list(zip(codes[:n].tolist(), texts, strict=True)), int(place[2])


@FEW
@given(st.lists(st.tuples(st.sampled_from(LABELS), TEXTS) | st.just(None), max_size=12))
def test_labels_are_found_and_only_they_are_taken_out(rows):
    lines = ["  " if row is None else f"{row[0]}\t{row[1]}" for row in rows]
    ended, found, n_lines = take("".join(f"{line}\n" for line in lines).encode())
    assert (ended, n_lines) == (DONE, len(lines))
    wanted = [row for row in rows if row is not None]
    assert [LABELS[code] for code, _ in found] == [label for label, _ in wanted]
    assert [text.decode().split() for _, text in found] == [text.split() for _, text in wanted]


def test_a_line_that_cannot_be_taken_is_where_it_stops():
    for line, why in [("c\tx", NEW_LABEL), ("abc", NO_TAB), ("a\tx\0y", BINARY)]:
        ended, found, n_lines = take(f"a\tone\n\n{line}\nb\ttwo\n".encode())
        assert (ended, len(found), n_lines) == (why, 1, 2)


def test_a_label_that_begins_like_another_is_another():
    assert take(b"ab\tx\n", ["a", "abc", "b"])[0] == NEW_LABEL


@FEW
@given(st.binary(max_size=200))
def test_the_next_newline_or_zero_is_found(content):
    text = np.frombuffer(content + b"\n", dtype=np.uint8).copy()
    stops = [k for k, byte in enumerate(text) if byte in (0, 10)]
    for p in range(0, len(text), 7):
        assert line_end(text, p) == min(k for k in stops if k >= p)
        mask = sum(1 << (k - p) for k in stops if p <= k < p + 64)
        assert int(newline_mask(text, p)) == mask
    lines = [k + 1 for k, byte in enumerate(text) if byte == 10]
    assert last_line_end(text, len(text)) == max(lines)
