"""What a filter knows: tables of words and of letters, and a list of the messages that it learned.

Every number that learning changes is a whole number, so that forgetting restores it exactly. The
words are sorted by their CRC-32, then by their bytes: a word is found by halving, without a
dictionary that would have to be built first, and the same knowledge has the same bytes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple
from zlib import crc32

from xxhash import xxh64_intdigest

HAM, SPAM, UNSURE = 0, 1, 2
UNIT = 1 << 20  # steps and weights are kept as whole multiples of 1 / UNIT
MARGIN = 10.0  # a message is learned until each witness' score is so far on its side of 0
LEAST_ODDS = 1.0  # of spam to ham, from which on a message may be called spam
PLACES, WINDOW = 1 << 16, 4  # of letters: how many places there are; bytes (`kernels.letters`)
_BLANKS = bytes(max(32, byte) for byte in range(256))
_BLACK = bytes(range(33, 256))


class Witnesses(NamedTuple):
    """A message as the filter sees it: words in UTF-8, with spaces between them, and bytes.

    A word may come again. Text, letterhead and letters are judged apart (`rule`). No word of the
    text is one of the letterhead: those have prefixes of their own.
    """

    text: bytes  # words of what is seen when it is read
    head: bytes  # words of its letterhead
    letters: bytes  # its first bytes as they came, without what the receiving side wrote
    hops: Sequence[str] = ()  # what servers wrote on its way, for filters of earlier versions


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


class Letters(NamedTuple):
    """A table of windows of 4 bytes: a place for each value of their hash."""

    secret: int  # the hash is of the reader's own; see `letter_places`
    spam: Any  # int32: learned spam with such a window
    ham: Any  # int32: learned ham with such a window
    weights: Any  # int64: sum of the steps of all messages with such a window, + for spam

    def places(self, letters: bytes) -> list[int]:
        """Return the different places of the windows of a message.

        Examples
        --------
        >>> Letters(1, (), (), ()).places(b"abcdabcd") == [0x6463, 0x6164, 0x6261, 0x6362]
        True
        """
        windows: dict[int, None] = {}
        for start in range(WINDOW):
            end = start + (len(letters) - start) // WINDOW * WINDOW
            windows |= dict.fromkeys(memoryview(letters)[start:end].cast("I"))
        secret = self.secret
        return list({(window * secret & 0xFFFFFFFF) >> 16: None for window in windows})


class Messages(NamedTuple):
    """The messages that were learned, sorted by digest, then label, then time."""

    digests: Any  # uint64: of all that was counted of the message
    labels: Any  # uint8: HAM or SPAM
    text_steps: Any  # int64: how far the text of the message moved the weights, from 0 on
    head_steps: Any  # int64: the same of its letterhead
    scores: Any  # float64: of the message, by a rule that had not learned it
    letter_steps: Any  # int64: as of text and letterhead
    arrivals: Any  # uint64: by which it is known again among those that were judged
    times: Any  # uint32: when it was learned: 0 in `mail train`, then 1, 2, ...


class Judged(NamedTuple):
    """Messages that were judged when they came, in that order; `seen` says more."""

    arrivals: Any  # uint64: the same number as in `Messages`
    scores: Any  # float64
    labels: Any  # uint8: what they were called: HAM, SPAM or UNSURE
    times: Any  # uint32: as in `Messages`


@dataclass(frozen=True)
class FilterMemory:
    """All that a filter knows.

    Attributes
    ----------
    words : Words
    letters : Letters or None
        None in filters of earlier versions, which have two witnesses.
    messages : Messages
    judged : Judged
    max_false_positives : float
        The share of ham that may be called spam.
    least_odds : float
        The odds from which on a message may be called spam.
    spam_from, ham_below : float
        Scores: from the first on a message is spam, below the second it is ham, unsure between.
    """

    words: Words
    letters: Letters | None
    messages: Messages
    judged: Judged
    max_false_positives: float
    least_odds: float
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

    def texts_of(self, features: Witnesses) -> tuple[bytes, bytes]:
        """Return the words of a message's text and of its letterhead."""
        if self.letters is None:
            # the words that servers wrote were part of the letterhead
            from rosenblatt.mail.message.header_features import received_words

            received = received_words(list(features.hops)).encode()
            return features.text, b"%s %s" % (features.head, received)
        return features.text, features.head

    def places_of(self, features: Witnesses) -> list[int]:
        """Return the different places of a message's letters."""
        return self.letters.places(features.letters) if self.letters else []

    def digest(self, features: Witnesses) -> int:
        """Return a number by which a learned message is known again, without keeping it."""
        letters = (features.letters,) if self.letters else ()
        return message_digest(*self.texts_of(features), *letters)

    def arrival(self, features: Witnesses) -> int:
        """Return a number by which a message that was judged is known when it is learned.

        It is made of what the sender's side wrote: on the last steps to a mailbox headers are
        added.
        """
        secret = self.letters.secret if self.letters else 0
        return xxh64_intdigest(features.letters, secret)


def message_digest(*witnesses: bytes) -> int:
    """Return a digest of all that is counted of a message.

    Examples
    --------
    >>> message_digest(b"a", b"b") == message_digest(b"a b", b"")
    False
    """
    from hashlib import sha256  # learning needs it, filtering does not

    return int.from_bytes(sha256(b"\0".join(witnesses)).digest()[:8], "little")


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
