"""XXH64 (github.com/Cyan4973/xxHash, seed 0) of bytes that come in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.kernels.checksum import add_stripes

P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
WORD = (1 << 64) - 1
STRIPE = 32
SLICE = 1 << 27  # bytes at a time, some 20 ms: so long Ctrl-C waits


class Checksum:
    """A checksum that notices accidents; it is no protection against somebody who means it.

    Examples
    --------
    >>> total = Checksum()
    >>> total.update(b"a")
    >>> total.update(b"bc")
    >>> total.hexdigest()
    '44bc2cf5ad770999'
    """

    def __init__(self) -> None:
        self._v = np.array([P1 + P2 & WORD, P2, 0, -P1 & WORD], dtype=np.uint64)
        self._rest = b""  # less than a stripe
        self._length = 0

    def update(self, piece: Any) -> None:
        """Add bytes."""
        piece = memoryview(piece)
        self._length += len(piece)
        if self._rest:
            missing = STRIPE - len(self._rest)
            self._rest += bytes(piece[:missing])
            piece = piece[missing:]
            if len(self._rest) < STRIPE:
                return
            self._add(memoryview(self._rest))
        whole = len(piece) - len(piece) % STRIPE
        for start in range(0, whole, SLICE):
            self._add(piece[start : min(whole, start + SLICE)])
        self._rest = bytes(piece[whole:])

    def hexdigest(self) -> str:
        """Return the checksum of all bytes so far, as 16 hexadecimal digits."""
        v = [int(word) for word in self._v]
        h = P5
        if self._length >= STRIPE:
            h = sum(_rotated(word, n) for word, n in zip(v, (1, 7, 12, 18), strict=True)) & WORD
            for word in v:
                h = (h ^ _mixed(word)) * P1 + P4 & WORD
        h = self._with_rest(h + self._length & WORD)
        h = (h ^ h >> 33) * P2 & WORD
        h = (h ^ h >> 29) * P3 & WORD
        return f"{h ^ h >> 32:016x}"

    def _add(self, stripes: memoryview) -> None:
        words = np.frombuffer(stripes, dtype="<u8").astype(np.uint64, copy=False)
        # of one kind, so that the kernel is compiled once; in files nearly all words are so
        add_stripes(np.require(words, requirements=["ALIGNED", "WRITEABLE"]), self._v)

    def _with_rest(self, h: int) -> int:
        rest = self._rest
        for k in range(0, len(rest) - 7, 8):
            h = _rotated(h ^ _mixed(int.from_bytes(rest[k : k + 8], "little")), 27) * P1 + P4 & WORD
        rest = rest[len(rest) // 8 * 8 :]
        if len(rest) >= 4:
            h ^= int.from_bytes(rest[:4], "little") * P1 & WORD
            h = _rotated(h, 23) * P2 + P3 & WORD
            rest = rest[4:]
        for byte in rest:
            h = _rotated(h ^ byte * P5 & WORD, 11) * P1 & WORD
        return h


def _rotated(word: int, n: int) -> int:
    return (word << n | word >> 64 - n) & WORD


def _mixed(word: int) -> int:
    return _rotated(word * P2 & WORD, 31) * P1 & WORD
