"""docs/words.md in plain Python: what a word is, its hash, its n-grams, its row."""

import unicodedata
from collections import Counter

LONGEST = 256
SEED = 0x9E3779B97F4A7C15
M1, M2, M3 = 0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB


def is_word_character(character):
    return unicodedata.category(character)[0] in "LMN"


def is_symbol(character):
    """Tell a symbol from white space, separators, control and format characters."""
    return unicodedata.category(character) not in ("Zs", "Zl", "Zp", "Cc", "Cf")


def words(document, lowercase=True, symbols=False):
    """Return the words of a text, or of bytes that should be UTF-8."""
    if isinstance(document, bytes):
        document = document.decode("utf-8", "replace")
    apart = "".join(
        c if is_word_character(c) else f" {c} " if symbols and is_symbol(c) else " "
        for c in document
    )
    runs = apart.split(" ")
    found = [word for run in runs for word in cut(run)]
    return [word.casefold() if lowercase else word for word in found]


def cut(run):
    """Cut a run after the character with which it has LONGEST bytes or more."""
    found, word = [], ""
    for character in run:
        if len(word.encode()) >= LONGEST:
            found.append(word)
            word = ""
        word += character
    return [*found, word] if word else found


def mix(h):
    return h ^ h >> 32


def hash_text(text):
    """Return the hash of a word, or of an n-gram of characters."""
    h, data = SEED, text.encode()
    for start in range(0, len(data), 8):
        h = mix((h ^ int.from_bytes(data[start : start + 8], "little")) * M1 % 2**64)
    return mix(h * M2 % 2**64)


def hash_phrase(phrase):
    """Return the hash of words that follow each other."""
    h = hash_text(phrase[0])
    for word in phrase[1:]:
        h = mix(mix(h * M3 % 2**64 ^ hash_text(word)) * M2 % 2**64)
    return h


def features(document, low=1, high=1, lowercase=True, characters=False, symbols=False):
    """Return (name, hash) of all n-grams, repeats and all."""
    found = words(document, lowercase, symbols)
    if characters:
        return [(g, hash_text(g)) for word in found for g in spellings(f" {word} ", low, high)]
    return [
        (" ".join(found[i : i + n]), hash_phrase(found[i : i + n]))
        for n in range(low, high + 1)
        for i in range(len(found) - n + 1)
    ]


def spellings(word, low, high):
    if len(word) < low:
        return [word]
    return [word[i : i + n] for n in range(low, high + 1) for i in range(len(word) - n + 1)]


def row(document, bits, counts=False, signed=False, **rule):
    """Return {column: value} of a document."""
    values = Counter()
    for _, h in features(document, **rule):
        values[h >> 64 - bits] += -1 if signed and h & 1 else 1
    if not counts:
        return dict.fromkeys(values, 1)
    return {column: value for column, value in values.items() if value != 0}
