"""Bytes of mail to text, whatever they say about themselves.

Only charsets that mail is written in are known. Python has more: `punycode` and `idna` take
quadratic time, `unicode_escape` and `utf-7` hide one text in another, `zip` is no charset at all.
"""

from __future__ import annotations

import re

UNKNOWN = "unknown"

_ALIASES = {
    "ascii": "us-ascii ansi_x3.4-1968 iso646-us 646 us 7bit",
    "utf-8": "utf8 utf_8 unicode-1-1-utf-8",
    "utf-16": "utf16 unicode",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
    "utf-32": "utf32",
    "cp1252": "windows-1252 ansi iso-8859-1 iso_8859-1 iso8859-1 latin-1 latin1 l1 8859-1",
    "iso8859-15": "iso-8859-15 iso_8859-15 latin-9 latin9",
    "koi8-r": "koi8r koi8",
    "koi8-u": "koi8u",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-big5",
    "gb18030": "gb2312 gbk gb-2312 cn-gb euc-cn gb_2312-80 x-gbk cp936 hz-gb",
    "hz": "hz-gb-2312",
    "cp932": "shift_jis shift-jis sjis x-sjis windows-31j ms_kanji",
    "euc-jp": "x-euc-jp eucjp",
    "iso2022-jp-2": "iso-2022-jp iso-2022-jp-2",
    "cp949": "euc-kr euckr ks_c_5601-1987 ks_c_5601 korean uhc",
    "iso2022-kr": "iso-2022-kr",
    "cp874": "tis-620 windows-874 iso-8859-11",
    "mac-roman": "macintosh x-mac-roman",
    "cp437": "ibm437",
    "cp850": "ibm850",
    "cp866": "ibm866",
}
_ALIASES |= {f"iso8859-{n}": f"iso-8859-{n} iso_8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10)}
_ALIASES |= {f"iso8859-{n}": f"iso-8859-{n} iso_8859-{n}" for n in (13, 14, 16)}
_ALIASES |= {f"cp125{n}": f"windows-125{n}" for n in (0, 1, 3, 4, 5, 6, 7, 8)}
CODECS = {name: codec for codec, names in _ALIASES.items() for name in [codec, *names.split()]}
# their texts are bytes of ASCII, but mean something else
_SEVEN_BITS = {"utf-16", "utf-16-be", "utf-16-le", "utf-32", "hz", "iso2022-jp-2", "iso2022-kr"}
_SUFFIX = re.compile(r"[*$].*", re.S)  # a language (RFC 2231), or what Outlook Express adds


def known(charset: str) -> str:
    """Return a charset's name if it is one of mail, else "unknown".

    Examples
    --------
    >>> known("ISO-8859-1"), known("punycode")
    ('iso-8859-1', 'unknown')
    """
    name = _SUFFIX.sub("", charset[:100]).strip(" \t\"'").lower()
    return name if name in CODECS else UNKNOWN


def decode_text(content: bytes, charset: str) -> tuple[str, bool]:
    r"""Return a text, and whether it is what its charset says.

    Examples
    --------
    >>> decode_text(b"caf\xe9", "iso-8859-1"), decode_text(b"caf\xe9", "us-ascii")
    (('café', True), ('café', False))
    """
    codec = CODECS.get(charset, "")
    if content.isascii() and codec not in _SEVEN_BITS:
        return content.decode("ascii"), True
    for name in (codec, "utf-8"):
        try:
            return content.decode(name), name == codec
        except (UnicodeError, LookupError):
            continue
    return content.decode(
        codec if codec not in ("", "ascii", "utf-8") else "cp1252", "replace"
    ), False
