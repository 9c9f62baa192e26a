"""Learn a message more, or forget one: exactly undone, whatever was learned in between.

A message is learned as a passive-aggressive perceptron does it: it gets the one step that brings
its score to the margin. The step is written down with the message, so that forgetting takes back
just that.

Words that are new, and words that no message has any more, change the table; it is put in order
then. Tables that earlier versions left in disorder are mended when they are read (`healed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import fsum, sqrt
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.mail.filter.marks import choose_marks
from rosenblatt.mail.filter.memory import (
    HAM,
    MARGIN,
    SPAM,
    UNIT,
    UNSURE,
    FilterMemory,
    Judged,
    Letters,
    Messages,
    Witnesses,
    Words,
    each_once,
    share_of,
)
from rosenblatt.mail.filter.rule import evidence_of
from rosenblatt.mail.filter.seen import Arrival

MOST_STEP = 8.0  # a message with a wrong label must not turn the filter over
MOST_JUDGED = 1 << 14  # messages that came and were judged, of which is known how
CALLS = {"ham": HAM, "spam": SPAM, "unsure": UNSURE}
NAMES = {HAM: "ham", SPAM: "spam"}
SIGNS = {HAM: -1, SPAM: 1}


class Correction:
    """A memory that is being changed; `memory()` gives the new one.

    Words that are new wait behind the table until then, those that no message has any more leave
    it then.
    """

    def __init__(self, memory: FilterMemory, judged: Judged | None = None) -> None:
        self._old = memory
        self._judged = judged or memory.judged
        table = memory.words
        self._columns = [np.array(part) for part in (table.spam, table.ham, table.weights)]
        self._letters = [np.array(part) for part in (memory.letters or ())[1:]]
        self._messages = [np.array(part) for part in memory.messages]
        self._new: dict[bytes, int] = {}
        self._sizes = [memory.n_ham, memory.n_spam]

    def learn(self, features: Witnesses, label: int) -> None:
        """Add a message, with the steps that bring each witness to the margin."""
        sign, steps = SIGNS[label], []
        witnesses = self._witnesses(features)
        before = fsum(self._score(witness)[0] for witness in witnesses)
        for witness in witnesses:
            witness.add(label, 1)
        self._sizes[label] += 1
        for witness in witnesses:
            score, pull = self._score(witness)
            step = max(0.0, MARGIN - sign * score) / pull if pull else 0.0
            steps.append(int(min(MOST_STEP, step) * UNIT))
        for witness, step in zip(witnesses, steps, strict=True):
            witness.move(sign, step)
        self._remember(features, label, steps, before)

    def forget(self, features: Witnesses, label: int, name: str = "the message") -> None:
        """Take a message back; a DataError if it was never learned with this label."""
        digest = self._old.digest(features)
        row = self._newest(digest, label)
        if row < 0:
            other = self._newest(digest, 1 - label) >= 0
            known = f"; it was learned as {NAMES[1 - label]}" if other else ""
            raise DataError(
                f"{name} was never learned as {NAMES[label]}, so it cannot be forgotten{known}"
            )
        learned = Messages(*self._messages)
        columns = learned.text_steps, learned.head_steps, learned.letter_steps
        for witness, steps in zip(self._witnesses(features), columns, strict=False):
            witness.move(-SIGNS[label], int(steps[row]))
            witness.add(label, -1)
        self._sizes[label] -= 1
        self._messages = [np.delete(part, row) for part in self._messages]

    def is_known(self, features: Witnesses, label: int) -> bool:
        """Whether the message was learned with this label."""
        return self._newest(self._old.digest(features), label) >= 0

    def memory(self) -> FilterMemory:
        """Return what the filter knows now."""
        old, messages = self._old, Messages(*self._messages)
        rates = old.max_false_positives, old.least_odds
        spam_from, ham_below = choose_marks(messages, self._judged, *rates)
        return replace(
            old,
            words=self._table(),
            letters=Letters(old.letters.secret, *self._letters) if old.letters else None,
            messages=messages,
            judged=self._judged,
            spam_from=spam_from,
            ham_below=ham_below,
        )

    def _witnesses(self, features: Witnesses) -> list[_Witness]:
        # all places first: words that are new make the columns longer
        places = [self._places(each_once(text)) for text in self._old.texts_of(features)]
        found = [_Witness(self._columns, part) for part in places]
        if self._letters:
            found.append(_Witness(self._letters, self._old.places_of(features)))
        return found

    def _places(self, words: list[bytes]) -> list[int]:
        """Return where the words are, new ones behind the table."""
        found, start = [], len(self._old.words.keys)
        for word in words:
            place = self._old.words.find(word)
            if place < 0:
                place = start + self._new.setdefault(word, len(self._new))
            found.append(place)
        missing = start + len(self._new) - len(self._columns[0])
        if missing:
            # twice as many as needed would be quicker for many messages, and is not needed
            self._columns = [np.pad(column, (0, missing)) for column in self._columns]
        return found

    def _score(self, witness: _Witness) -> tuple[float, float]:
        """Return what a witness adds to the score, and what a step of 1 would add to that."""
        evidence = evidence_of(self._sizes[SPAM], self._sizes[HAM])
        spam, ham, weights = (column[witness.places].tolist() for column in witness.columns)
        squares = [evidence(s, h) if s or h else 0.0 for s, h in zip(spam, ham, strict=True)]
        n = max(1, len(witness.places))
        total = fsum(e * w for e, w in zip(squares, weights, strict=True))
        return total / sqrt(n) / UNIT, fsum(squares) / n

    def _newest(self, digest: int, label: int) -> int:
        """Return the row of the message that was learned last with this label, or -1."""
        row = self._behind(digest, label) - 1
        digests, labels = self._messages[0], self._messages[1]
        return row if row >= 0 and digests[row] == digest and labels[row] == label else -1

    def _behind(self, digest: int, label: int) -> int:
        """Return the row behind all messages of this digest with this label or a lower one."""
        digests, labels = self._messages[0], self._messages[1]
        begin = int(np.searchsorted(digests, np.uint64(digest), "left"))
        end = int(np.searchsorted(digests, np.uint64(digest), "right"))
        return begin + int(np.searchsorted(labels[begin:end], label, "right"))

    def _remember(self, features: Witnesses, label: int, steps: list[int], score: float) -> None:
        digest, arrival = self._old.digest(features), self._old.arrival(features)
        text_step, head_step, letter_step = (*steps, 0)[:3]
        now = _after(Messages(*self._messages), self._judged)
        facts = digest, label, text_step, head_step, score, letter_step, arrival, now
        row = self._behind(digest, label)
        columns = zip(self._messages, facts, strict=True)
        self._messages = [np.insert(part, row, part.dtype.type(fact)) for part, fact in columns]

    def _table(self) -> Words:
        """Return the words that are left, with the new ones among them."""
        old = self._old.words
        spam, ham, _ = self._columns
        kept = np.flatnonzero(spam | ham)
        if len(kept) == len(old.keys) and not self._new:
            return old._replace(spam=spam, ham=ham, weights=self._columns[2])
        new = list(self._new)
        ends = np.cumsum([old.ends[-1], *map(len, new)])
        words = Words(
            np.concatenate([old.keys, np.array(list(map(crc32, new)), dtype=np.uint32)]),
            np.concatenate([old.ends[:-1], ends]).astype(np.int64),
            np.concatenate([old.names, np.frombuffer(b"".join(new), dtype=np.uint8)]),
            *self._columns,
        )
        return in_order(words, kept)


def join_judged(memory: FilterMemory, found: Iterable[Arrival]) -> Judged:
    """Return what was judged, with what came since: of a message that came again, the last time.

    Sure ones are called as they were then: the marks have not changed since.
    """
    latest: dict[int, float] = {}
    for score, arrival in found:
        latest.pop(arrival, None)
        latest[arrival] = score
    if not latest:
        return memory.judged
    labels = [CALLS[memory.label_of(score)] for score in latest.values()]
    first = _after(memory.messages, memory.judged)
    old = Judged(*map(np.asarray, memory.judged))
    kept = ~np.isin(old.arrivals, np.array(list(latest), dtype=np.uint64))
    new = list(latest), list(latest.values()), labels, range(first, first + len(latest))
    columns = zip(old, new, strict=True)
    return Judged(*(np.append(a[kept], np.array(b, a.dtype))[-MOST_JUDGED:] for a, b in columns))


def _after(messages: Messages, judged: Judged) -> int:
    """Return the time after all that is known."""
    times = messages.times, judged.times
    return 1 + max(int(np.asarray(part).max(initial=0)) for part in times)


class _Witness(NamedTuple):
    """A part of a message: the columns that it counts in, and its places there."""

    columns: list[Any]  # spam, ham, weights
    places: list[int]

    def add(self, label: int, change: int) -> None:
        self.columns[0 if label == SPAM else 1][self.places] += change

    def move(self, sign: int, step: int) -> None:
        self.columns[2][self.places] += sign * share_of(step, len(self.places))


def in_order(words: Words, kept: Any) -> Words:
    """Return some of different words as a table: by their keys, then by their bytes.

    Examples
    --------
    >>> from zlib import crc32
    >>> keys = np.array([crc32(b"one"), crc32(b"two")], dtype=np.uint32)
    >>> names, counts = np.frombuffer(b"onetwo", np.uint8), np.array([1, 2])
    >>> words = Words(keys, np.array([0, 3, 6]), names, counts, counts, counts)
    >>> table = in_order(words, np.array([0, 1]))
    >>> table.spam[table.find(b"two")]
    np.int64(2)
    """
    order = kept[np.argsort(words.keys[kept], kind="stable")]
    for begin, end in _runs(words.keys[order]):
        order[begin:end] = sorted(order[begin:end], key=lambda k: _name(words, k))
    lengths = np.diff(words.ends)[order]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    # a letter comes from as far behind its new place as the whole word does
    places = np.repeat(words.ends[order] - ends[:-1], lengths) + np.arange(ends[-1])
    columns = (column[order] for column in words[3:])
    return Words(words.keys[order], ends.astype(np.uint32), words.names[places], *columns)


def healed(words: Words) -> Words:
    r"""Return a table in which each entry is one word, and is in no fewer than 0 messages.

    Earlier versions took a word with a control character for one word when they learned or forgot
    a single message, and for several when they learned many at once. So a message learned with
    others and forgotten alone left its words with a count of 1, and all of them together with a
    count of -1. Here each word gets what was put down to all of them together.

    Examples
    --------
    >>> keys = np.array([crc32(word) for word in (b"id:a\1b", b"id:a", b"b")], dtype=np.uint32)
    >>> names, ham = np.frombuffer(b"id:a\1bid:ab", np.uint8), np.array([0, 2, 0])
    >>> spam = np.array([-1, 1, 1])
    >>> table = healed(Words(keys, np.array([0, 6, 10, 11]), names, spam, ham, 5 * spam))
    >>> table.names.tobytes(), table.spam.tolist(), table.ham.tolist(), table.weights.tolist()
    (b'id:a', [0], [2], [0])
    """
    sums: dict[bytes, Any] = {}
    columns = np.column_stack(words[3:]).astype(np.int64)
    for k, facts in enumerate(columns):
        for word in each_once(_name(words, k)):
            sums[word] = sums[word] + facts if word in sums else facts
    spam, ham, weights = np.array(list(sums.values())).reshape(-1, 3).T
    spam, ham = np.maximum(0, spam).astype(np.int32), np.maximum(0, ham).astype(np.int32)
    keys = np.array(list(map(crc32, sums)), dtype=np.uint32)
    ends = np.cumsum([0, *map(len, sums)])
    whole = Words(keys, ends, np.frombuffer(b"".join(sums), dtype=np.uint8), spam, ham, weights)
    return in_order(whole, np.flatnonzero(spam | ham))


def _name(words: Words, k: int) -> bytes:
    return bytes(words.names[words.ends[k] : words.ends[k + 1]])


def _runs(keys: Any) -> list[tuple[int, int]]:
    """Return where equal keys lie, begin and end."""
    same = np.flatnonzero(keys[1:] == keys[:-1])
    if not len(same):
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)
    firsts = same[np.concatenate([[0], breaks + 1])]
    lasts = same[np.concatenate([breaks, [len(same) - 1]])]
    return [(int(a), int(b) + 2) for a, b in zip(firsts, lasts, strict=True)]
