"""The characters of all scripts as the kernels want them."""

from __future__ import annotations

from functools import cache

import numpy as np

from rosenblatt.kernels.utf8 import Characters
from rosenblatt.text.unicode_table import FOLDS, NUMBERS, unpack


@cache
def characters() -> Characters:
    """Return the table of `unicode_table`, unpacked once."""
    packed = np.frombuffer(unpack(), dtype=np.uint8)
    folds = packed[-FOLDS:].copy().view("<i4").reshape(-1, 4)
    return Characters(packed[:NUMBERS], packed[NUMBERS:-FOLDS], folds.astype(np.int32))
