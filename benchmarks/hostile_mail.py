"""Twice as much hostile mail takes at most 2.3 times as long."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.mail.message.hostile import CASES

from benchmarks.timing import Row
from rosenblatt.mail import words

SIZE = 100_000  # of whatever a message has too much of
TURNS = 7
LEAST = 0.02  # seconds of one measurement; what is faster is done several times


def growth() -> Iterator[Row]:
    """The time for 2n against that for n, of each kind; the ratio is 0.5 if it is linear."""
    for name, make in CASES.items():
        small, large = make(SIZE), make(2 * SIZE)
        pairs = [(_seconds(large), _seconds(small)) for _ in range(TURNS)]
        # of the processor, and the least: others use the machine as well
        ours, theirs = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
        yield Row(f"hostile mail: {name}"[:44], "ourselves on half of it", ours, theirs, "0.43x")


def _seconds(mail: bytes) -> float:
    start, n_read = time.process_time(), 0
    while n_read == 0 or time.process_time() - start < LEAST:
        words(mail)
        n_read += 1
    return (time.process_time() - start) / n_read
