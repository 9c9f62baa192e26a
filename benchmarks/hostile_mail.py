"""Twice as much hostile mail takes at most 2.3 times as long."""

from __future__ import annotations

from collections.abc import Iterator

from tests.text.mail.hostile import CASES

from benchmarks.timing import Row, by_turns
from rosenblatt.text.mail import words

SIZE = 50_000  # of whatever a message has too much of
REPEATS = 20  # of one that is read in no time


def growth() -> Iterator[Row]:
    """The time for 2n against that for n, of each kind; the ratio is 0.5 if it is linear."""
    for name, make in CASES.items():
        small, large = make(SIZE), make(2 * SIZE)

        def read(mail: bytes) -> None:
            for _ in range(REPEATS):
                words(mail)

        times = by_turns(lambda: read(large), lambda: read(small))  # noqa: B023 - called at once
        ours, theirs = (seconds / REPEATS for seconds in times)
        yield Row(f"hostile mail: {name}"[:44], "ourselves on half of it", ours, theirs, "0.43x")
