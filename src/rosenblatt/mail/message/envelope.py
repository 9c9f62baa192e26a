"""Features of the headers of a message.

Headers that the receiving side puts in are left out: they tell where a message was collected, not
who sent it. So are the verdicts of other filters, which a spammer may write as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from rosenblatt.mail.message.addresses import address_of, domain_of, parent, shape
from rosenblatt.mail.message.header_values import to_text
from rosenblatt.mail.message.headers import Head
from rosenblatt.mail.message.plain import plain_words
from rosenblatt.mail.message.received import received_features

Features = list[str]

_RECEIVERS_OWN = """
    received return-path delivered-to delivery-date envelope-to x-envelope-to x-original-to
    x-delivered-to x-keywords status x-status x-uid x-uidl x-imap x-imapbase content-length lines
    x-mozilla-status x-mozilla-status2 x-mozilla-keys x-evolution x-evolution-source x-folder
    x-account-key x-fetchmail-warning x-loop replied forwarded
"""
_NO_FEATURES = frozenset(_RECEIVERS_OWN.split())
_VERDICT = re.compile(
    "spam|bogosity|rosenblatt|razor|pyzor|crm114|junk|virus|scan|authentication-results"
)
_ZONE = re.compile(r"[+-][0-9]{4}")
_GAP = re.compile(r"\S\s{4}")
MANY = 10  # receivers; more count as so many
_SPOKEN = 300  # letters of a header whose words are features


def subject_features(head: Head) -> Features:
    """Return the features of a message's subject."""
    value = head.values.get("subject")
    return ["no:subject"] if value is None else _subject(value)


def header_features(head: Head, hops: list[str]) -> Features:
    """Return the features of a message's other headers, `hops` among them."""
    found = [feature for name, _ in head.headers if (feature := _name_feature(name))]
    for small, features_of in _FEATURES:
        value = head.values.get(small)
        if value is None:
            found.append(f"no:{small}")
        else:
            found += features_of(value)
    sender, bounces = (domain_of(head.values.get(name, "")) for name in ("from", "return-path"))
    return found + received_features(hops, sender, bounces)


@lru_cache(4096)
def _name_feature(name: str) -> str:
    """Return the feature of a header's name, "" if it is none."""
    small = name.lower()
    if small in _NO_FEATURES or _VERDICT.search(small):
        return ""
    # as it is written: programs can be known by "Mime-Version" and "MIME-Version"
    return f"header:{name}"


def _subject(value: str) -> Features:
    text, oddities = to_text(value)
    words = plain_words(text).split()
    found = [f"subject:{word}" for word in words] + [f"subject:?{odd}" for odd in oddities]
    if text.isupper():
        found.append("subject:?capitals")
    if _GAP.search(text.strip()):
        found.append("subject:?gap")
    if "?" in text:
        found.append("subject:?question")
    if "!" in text:
        found.append("subject:?exclamation")
    if not words:
        found.append("subject:?empty")
    return found


def _sender(prefix: str) -> Callable[[str], Features]:
    @lru_cache(4096)
    def found_in(value: str) -> Features:
        name, local, host = address_of(value)
        text, oddities = to_text(name)
        found = [f"{prefix}:{word}" for word in plain_words(text).split()]
        if not found:
            found.append(f"{prefix}:?unnamed")
        found += [f"{prefix}:?{odd}" for odd in oddities]
        if not host:
            return [*found, f"{prefix}:?broken"]
        return [*found, f"{prefix}:?{shape(local)}", *_host_features(prefix, host)]

    return lambda value: found_in(value[:_SPOKEN])


def _host_features(prefix: str, host: str) -> Features:
    # with "@", so that "free" in a name and "free" as a host are not the same
    above = parent(host)
    if above == host:
        return [f"{prefix}:@{host}"]
    return [f"{prefix}:@{host}", f"{prefix}:@{above}"]


def _receivers(prefix: str) -> Callable[[str], Features]:
    def found_in(value: str) -> Features:
        n_addresses = min(value.count("@"), MANY)
        found = [f"{prefix}:?{n_addresses}"]
        if '"' in value:
            found.append(f"{prefix}:?named")
        if not n_addresses:  # "undisclosed recipients"
            found += [f"{prefix}:{word}" for word in plain_words(value[:_SPOKEN]).split()]
        return found

    return found_in


def _identity(value: str) -> Features:
    return [f"id:{shape(value)}"]


def _date(value: str) -> Features:
    zone = _ZONE.search(value)
    return [f"date:{shape(value)}", f"date:{zone[0] if zone else '?nowhere'}"]


def _spoken(prefix: str) -> Callable[[str], Features]:
    """Return what makes features of the words of a header that is the same in many messages."""

    @lru_cache(1024)
    def words(value: str) -> Features:
        return [f"{prefix}:{word}" for word in plain_words(value).split()]

    return lambda value: words(value[:_SPOKEN])


def _content_type(value: str) -> Features:
    before, boundary, after = value[:_SPOKEN].partition("boundary=")
    found = _content_words(before)
    return [*found, "boundary:" + shape(after.strip('" '))] if boundary else found


_content_words = _spoken("content")
_FEATURES: list[tuple[str, Callable[[str], Features]]] = [
    ("from", _sender("from")),
    ("to", _receivers("to")),
    ("cc", _receivers("cc")),
    ("reply-to", _sender("reply")),
    ("message-id", _identity),
    ("date", _date),
    ("content-type", _content_type),
    ("x-mailer", _spoken("mailer")),
    ("user-agent", _spoken("mailer")),
    ("mime-version", _spoken("version")),
    ("x-priority", _spoken("priority")),
    ("importance", _spoken("priority")),
    ("precedence", _spoken("precedence")),
    ("organization", _spoken("organization")),
    ("list-id", _spoken("list")),
]
