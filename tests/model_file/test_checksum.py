"""The checksum of model files is XXH64, however the bytes are cut into pieces."""

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import FEW
from tests.reference.xxh64 import xxh64

# published with other implementations of XXH64, seed 0
KNOWN = {
    b"": "ef46db3751d8e999",
    b"a": "d24ec4f1a98c6e5b",
    b"abc": "44bc2cf5ad770999",
    b"Nobody inspects the spammish repetition": "fbcea83c8a378bf1",
}


def checksum(*pieces):
    total = xxhash.xxh64()
    for piece in pieces:
        total.update(piece)
    return total.hexdigest()


@pytest.mark.parametrize("data", KNOWN)
def test_known_values(data):
    assert checksum(data) == xxh64(data) == KNOWN[data]


@FEW
@given(st.lists(st.binary(max_size=100), max_size=6))
def test_pieces_equal_the_plain_reference_on_the_whole(pieces):
    assert checksum(*pieces) == xxh64(b"".join(pieces))


def test_every_length_equals_the_plain_reference():
    data = bytes(range(200))
    assert all(checksum(data[:n]) == xxh64(data[:n]) for n in range(200))
