"""The table of characters is pinned, and right where this Python knows better."""

import hashlib
import unicodedata

import numpy as np

from rosenblatt.text.bags import characters
from rosenblatt.text.unicode_table import VERSION, unpack

DIGEST = "176e7c03c7b8c48ad01edf81c45be3bd49775e85269e26c7272d8ce39f6af2c2"


def test_table_never_changes():
    assert VERSION == "15.1.0"
    assert hashlib.sha256(unpack()).hexdigest() == DIGEST


def test_every_character_that_python_knows_is_right():
    C = characters()
    points = np.arange(0x110000)
    kinds = C.kinds[C.numbers[points >> 8].astype(int) << 8 | points & 0xFF]
    for point, kind in enumerate(kinds.tolist()):
        category = unicodedata.category(chr(point))
        if category == "Cn":
            continue
        assert (kind > 0) == (category[0] in "LMN"), hex(point)
        if kind > 0:
            assert fold(C, point, kind) == chr(point).casefold(), hex(point)


def fold(C, point, kind):
    if kind == 1:
        return chr(point)
    n, *rest = C.folds[kind - 2].tolist()
    return chr(point + rest[0]) if n == 1 else "".join(map(chr, rest[:n]))
