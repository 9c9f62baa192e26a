"""Write `src/rosenblatt/text/unicode_table.py` from the Unicode data of this Python.

    python3.13 tools/unicode_table.py > src/rosenblatt/text/unicode_table.py

The table is part of the specification of the features (docs/words.md): a newer one changes what a
word is, so it is made once and its digest is pinned in tests/text/test_unicode_table.py.
"""

import base64
import sys
import textwrap
import unicodedata
import zlib

PAGE = 256


def kind_of(character: str, folds: list[tuple[int, ...]]) -> int:
    """Return 0 for what ends a word, 1 for itself, from 2 on: what it is folded to."""
    if unicodedata.category(character)[0] not in "LMN":
        return 0
    folded = [ord(c) for c in character.casefold()]
    if folded == [ord(character)]:
        return 1
    # one to one: the distance, which neighbours share; one to many: the characters themselves
    fold = (1, folded[0] - ord(character), 0, 0) if len(folded) == 1 else (len(folded), *folded)
    fold = (*fold, 0, 0)[:4]
    if fold not in folds:
        folds.append(fold)
    return 2 + folds.index(fold)


def build() -> tuple[bytes, bytes, bytes]:
    """Return the number of each page, the pages, and the folds, as bytes."""
    folds: list[tuple[int, ...]] = []
    pages: list[bytes] = []
    numbers = []
    for start in range(0, 0x110000, PAGE):
        kinds = [kind_of(chr(point), folds) for point in range(start, start + PAGE)]
        page = bytes(kinds)
        if page not in pages:
            pages.append(page)
        numbers.append(pages.index(page))
    values = b"".join(v.to_bytes(4, "little", signed=True) for fold in folds for v in fold)
    return bytes(numbers), b"".join(pages), values


def main() -> None:
    """Print the module."""
    numbers, pages, folds = build()
    print(f"{len(numbers)} {len(pages)} {len(folds)} bytes", file=sys.stderr)
    packed = zlib.compress(numbers + pages + folds, 9)
    lines = textwrap.wrap(base64.b85encode(packed).decode(), 92)
    body = "\n".join(f'    b"{line}"' for line in lines)
    print(
        TEMPLATE.format(
            version=unicodedata.unidata_version, numbers=len(numbers), folds=len(folds), body=body
        ),
        end="",
    )


TEMPLATE = '''"""What is part of a word, and what it is folded to: Unicode {version}.

Written by tools/unicode_table.py; do not edit. The layout is that of `kernels.utf8.Characters`.
"""

import base64
import zlib

VERSION = "{version}"
NUMBERS = {numbers}  # bytes of page numbers, at the start
FOLDS = {folds}  # bytes of folds, at the end; the pages are between

# What is neither part of a word nor a symbol: white space and separators, control and format
# characters (general category Z, Cc, Cf), first and last of each range
BLANKS = (
    *((0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD)),
    *((0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2), (0x1680, 0x1680), (0x180E, 0x180E)),
    *((0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x2064), (0x2066, 0x206F), (0x3000, 0x3000)),
    *((0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD)),
    *((0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001)),
    (0xE0020, 0xE007F),
)

_PACKED = (
{body}
)


def unpack() -> bytes:
    """Return the table as bytes: page numbers, pages, folds."""
    return zlib.decompress(base64.b85decode(_PACKED))
'''

if __name__ == "__main__":
    main()
