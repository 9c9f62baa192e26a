"""Features of a message in letters only, for `BagOfWords`, which splits at everything else.

A colon becomes a letter that looks like one, a point likewise, other signs a third: so a feature
with a prefix stays one word, and another one than any word of a text.
"""

from __future__ import annotations

COLON, POINT, SIGN = "\u02d0", "\ua78f", "\u02d1"  # letters to Unicode: Lm, Lo, Lm
_LETTERS = {code: SIGN for code in range(33, 127) if not chr(code).isalnum()}
_LETTERS |= {ord(":"): COLON, ord("."): POINT}
_NONE = dict.fromkeys(map(ord, COLON + POINT + SIGN))


def spelled(words: str) -> str:
    """Return the features that `words` gave, spelled in letters.

    Examples
    --------
    >>> spelled("free link:example.com") == f"free link{COLON}example{POINT}com"
    True
    """
    return " ".join([word.translate(_LETTERS if ":" in word else _NONE) for word in words.split()])
