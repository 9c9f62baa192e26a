"""The hash is the specified one, spreads well, and no reader looks outside of its text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from scipy.stats import chi2

from rosenblatt.kernels import utf8, vectors, words
from rosenblatt.text.bags import characters
from tests.reference import words as reference

# Computed from docs/words.md with Python's integers, apart from this library and its reference
PINNED = {
    "a": 0xBF281E5174F3A601,
    "spam": 0x18D053DF69B6EB72,
    "straßE": 0x2091C8B628CA3368,
    "internationalisation": 0x8FBFCABAF207D1AD,
}

decode = njit(lambda text, p, end: utf8.decode(text, p, end))
masks = njit(lambda text, p: (vectors.word_mask(text, p), vectors.foreign_mask(text, p)))
eight = njit(lambda text, p: vectors.eight_bytes(text, p))
hash_word = njit(
    lambda text, C, fold, folded, spelled: words.hash_word(
        text, C, 0, len(text), fold, folded, spelled
    )
)


def read_only(data):
    return np.frombuffer(bytes(data), dtype=np.uint8)


def hash_of(word, fold=True):
    folded = np.empty(4 * words.LONGEST, dtype=np.uint8)
    return int(hash_word(read_only(word.encode()), characters(), fold, folded, folded))


@pytest.mark.parametrize("word", PINNED)
def test_hash_is_the_one_of_the_specification(word):
    assert hash_of(word) == PINNED[word] == reference.hash_text(word.casefold())


@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize("make", [str, "x{:05d}".format, "{:x}".format, lambda k: f"{k:b}ization"])
def test_columns_are_spread_evenly(make, bits):
    hashes = np.array([hash_of(make(k)) for k in range(1 << 15)], dtype=np.uint64)
    for column in (hashes >> np.uint64(64 - bits), hashes & np.uint64((1 << bits) - 1)):
        sizes = np.bincount(column.astype(int), minlength=1 << bits)
        expected = len(hashes) / (1 << bits)
        distance = ((sizes - expected) ** 2 / expected).sum()
        assert chi2.sf(distance, (1 << bits) - 1) > 1e-4


def test_hashes_of_similar_words_all_differ():
    forms = ("{}", "un{}", "{}ly", "un{}ly", "{}é", "un{}é")
    found = {hash_of(form.format(k)) for k in range(5000) for form in forms}
    assert len(found) == 5000 * 6


@given(st.binary(max_size=12))
@settings(deadline=None)
def test_decoding_is_that_of_python(data):
    text, p, found = read_only(data), 0, []
    while p < len(data):
        point, length = decode(text, p, len(data))
        found.append(0xFFFD if point == utf8.INVALID else point)
        p += length
    # Python may put several invalid bytes into one sign
    merged = [c for c in found if c != 0xFFFD]
    assert merged == [ord(c) for c in data.decode("utf-8", "replace") if c != "\ufffd"]


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=8))
@settings(deadline=None)
def test_valid_text_is_decoded(text):
    data, p, found = read_only(text.encode()), 0, []
    while p < len(data):
        point, length = decode(data, p, len(data))
        found.append(point)
        p += length
    assert found == [ord(c) for c in text]


@given(st.binary(min_size=1, max_size=150), st.integers(0, 149))
@settings(deadline=None)
def test_masks_are_those_of_single_bytes(data, p):
    p = min(p, len(data) - 1)
    block = data[p : p + 64]
    word, foreign = masks(read_only(data), p)
    assert int(word) == sum(1 << k for k, b in enumerate(block) if b < 128 and chr(b).isalnum())
    assert int(foreign) == sum(1 << k for k, b in enumerate(block) if b >= 128)
    assert int(eight(read_only(data), p)) == int.from_bytes(data[p : p + 8], "little")
