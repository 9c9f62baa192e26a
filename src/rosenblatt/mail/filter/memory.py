"""What a filter knows: a table of words and a list of the messages that it learned.

Every number that learning changes is a whole number, so that forgetting restores it exactly. The
words are sorted by their CRC-32, then by their bytes: a word is found by halving, without a
dictionary that would have to be built first, and the same knowledge has the same bytes.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple
from zlib import crc32

HAM, SPAM = 0, 1
UNIT = 1 << 20  # steps and weights are kept as whole multiples of 1 / UNIT
MARGIN = 10.0  # a message is learned until each part's score is so far on its side of 0
_BLANKS = bytes(max(32, byte) for byte in range(256))
_BLACK = bytes(range(33, 256))


class Witnesses(NamedTuple):
    """The words of a message in UTF-8, with spaces between them; a word may come again.

    Text and letterhead are judged apart (`rule`). No word of the text is one of the letterhead:
    those have prefixes of their own.

    Examples
    --------
    >>> Witnesses(b"a", b"b").digest == Witnesses(b"a b", b"").digest
    False
    """

    text: bytes  # of what is seen when it is read
    head: bytes  # of its letterhead, and of the servers on its way

    @property
    def digest(self) -> int:
        """A number by which the message is known again, without keeping it."""
        from hashlib import sha256  # learning needs it, filtering does not

        return int.from_bytes(sha256(b"\0".join(self)).digest()[:8], "little")


class Words(NamedTuple):
    """A table of words, one place for each; the columns are arrays or views of bytes."""

    keys: Any  # uint32: CRC-32 of the word, in order
    ends: Any  # uint32: where the word begins in `names`, and the end of the last
    names: Any  # uint8: the words in UTF-8, one behind the other
    spam: Any  # int32: learned spam with the word
    ham: Any  # int32: learned ham with the word
    weights: Any  # int64: sum of the steps of all messages with the word, + for spam

    def find(self, word: bytes) -> int:
        """Return the place of a word, or -1."""
        key = crc32(word)
        place = bisect_left(self.keys, key)
        while place < len(self.keys) and self.keys[place] == key:
            if bytes(self.names[self.ends[place] : self.ends[place + 1]]) == word:
                return place
            place += 1
        return -1


class Messages(NamedTuple):
    """The messages that were learned, sorted by digest, then label, then time."""

    digests: Any  # uint64: of the words of the message
    labels: Any  # uint8: HAM or SPAM
    text_steps: Any  # int64: how far the text of the message moved the weights, from 0 on
    head_steps: Any  # int64: the same of its letterhead
    scores: Any  # float64: of the message, by a rule that had not learned it


@dataclass(frozen=True)
class FilterMemory:
    """All that a filter knows.

    Attributes
    ----------
    words : Words
    messages : Messages
    max_false_positives : float
        The share of ham that may be called spam.
    spam_from, ham_below : float
        Scores: from the first on a message is spam, below the second it is ham, unsure between.
    """

    words: Words
    messages: Messages
    max_false_positives: float
    spam_from: float
    ham_below: float

    @property
    def n_spam(self) -> int:
        """Learned spam."""
        return bytes(self.messages.labels).count(SPAM)

    @property
    def n_ham(self) -> int:
        """Learned ham."""
        return len(self.messages.labels) - self.n_spam

    def label_of(self, score: float) -> str:
        """Return what a message with this score is: spam, ham or unsure."""
        if score >= self.spam_from:
            return "spam"
        return "ham" if score < self.ham_below else "unsure"


def each_once(words: bytes) -> list[bytes]:
    r"""Return different words in the order of their coming.

    A word is whatever stands between bytes up to 0x20, as `Numbering` has it.

    Examples
    --------
    >>> each_once(b"to be or not\0to be")
    [b'to', b'be', b'or', b'not']
    """
    return list(dict.fromkeys(words.translate(_BLANKS).split()))


def is_sound(words: Words) -> bool:
    """Whether each entry is one word, and no message was forgotten that had not been counted.

    Files of earlier versions can hold other tables; `correcting.healed` mends them.
    """
    blanks = bytes(words.names).translate(None, _BLACK)
    signs = (bytes(counts)[3::4] for counts in (words.spam, words.ham))  # the highest bytes
    return not blanks and all(sign.isascii() for sign in signs)


def share_of(step: int, n_words: int) -> int:
    """Return what each word of a message gets of its step: a whole number, always the same.

    Examples
    --------
    >>> share_of(1000, 100)
    100
    """
    return int(step / sqrt(max(1, n_words)))
