"""Digests of rows in Python's whole numbers, column by column."""

import struct

WORD = 2**64


def bits(x):
    """The eight bytes of a float64, read as a whole number."""
    return int.from_bytes(struct.pack("<d", x), "little")


def finish(z):
    """The last step of splitmix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def entry(place, x):
    return finish((place * 0x9E3779B97F4A7C15 + finish(bits(x))) % WORD)


def digest(row):
    return finish(sum(entry(j, x) for j, x in enumerate(row) if x != 0) % WORD)


def splitmix64(seed, n):
    """The first n numbers of the generator: what others publish about it can be checked."""
    return [finish((seed + k * 0x9E3779B97F4A7C15) % WORD) for k in range(1, n + 1)]
