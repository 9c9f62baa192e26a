"""Checksums are those of zlib."""

from zlib import crc32

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.kernels.crc import TABLE, checksums


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=20))
def test_checksums_are_those_of_zlib(words):
    ends = np.cumsum([0, *map(len, words)])
    found = np.empty(len(words), dtype=np.uint32)
    checksums(np.frombuffer(b"".join(words), dtype=np.uint8), ends, TABLE, found)
    assert found.tolist() == list(map(crc32, words))
