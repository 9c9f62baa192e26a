"""Addresses and hosts in headers, found by looking for "@" instead of by the grammar.

The grammar has comments inside of comments and routes; a header of 16,000 addresses or parentheses
takes a parser of it long.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rosenblatt.mail.message.plain import one_word

_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,200}")
_BEFORE_LOCAL_PART = re.compile(r"[\s<>\"'(),:;\[\]]")
_LOCAL_PART = 64  # letters before the "@"
_DIGITS, _SMALL, _LARGE = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = str.maketrans(_DIGITS + _SMALL + _LARGE, "9" * 10 + "a" * 26 + "A" * 26)


class Address(NamedTuple):
    """A sender as a header names it."""

    name: str  # what is written in front of it
    local: str
    host: str  # small


def address_of(value: str) -> Address:
    """Return the address of a header; without one, all of it is a name.

    Examples
    --------
    >>> address_of('"A. Person" <a.person@Mail.example.com>')
    Address(name='"A. Person" ', local='a.person', host='mail.example.com')
    """
    start = value.rfind("<") + 1
    at = value.find("@", start)
    host = _HOST.match(value, at + 1) if at >= 0 else None
    if host is None:
        return Address(value, "", "")
    local = _BEFORE_LOCAL_PART.split(value[max(start, at - _LOCAL_PART) : at])[-1]
    name = value[: start - 1] if start else value[: at - len(local)]
    return Address(name, local, host[0].lower().strip(".-"))


def domain_of(value: str) -> str:
    """Return the last two names of the host of a header's address, "" without one.

    Examples
    --------
    >>> domain_of("A. Person <a@mail.example.com>")
    'example.com'
    """
    at = value.find("@", value.rfind("<") + 1)
    host = _HOST.match(value, at + 1) if at >= 0 else None
    return parent(host[0].lower().strip(".-")) if host else ""


def parent(host: str) -> str:
    """Return the last two names of a host.

    Examples
    --------
    >>> parent("mail.example.com")
    'example.com'
    """
    return ".".join(host.rsplit(".", 2)[-2:])


def shape(text: str) -> str:
    """Return a text with each run of digits, small and large letters as one sign.

    Examples
    --------
    >>> shape("20020822.ABC12@mail.example")
    '9.A9@a.a'
    """
    return _once_each(text[:100].translate(_SHAPE))


@lru_cache(4096)
def _once_each(signs: str) -> str:
    return "".join([sign for sign, _ in groupby(one_word(signs))])
