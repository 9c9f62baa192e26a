"""Features of the headers of a message.

Headers that the receiving side puts in are left out: they tell where a message was collected, not
who sent it. So are the verdicts of other filters, which a spammer may write as well. Of what the
servers on its way say of each other

    Received: from HELO (NAME [address]) by ...     the sender calls itself HELO, and is NAME

is left out how many there were, and who received: that is the way to the reader's own mailbox.

Addresses and hosts are found by looking for "@" instead of by the grammar. The grammar has comments
inside of comments and routes; a header of 16,000 addresses or parentheses takes a parser of it
long.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rosenblatt.mail.message.headers import Head, to_text
from rosenblatt.mail.message.plain import one_word, parent, plain_words

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
# besides those: to whom a message goes, how it was passed on, and who signed it on the way
_NOT_THE_SENDERS = """
    to cc bcc sender apparently-to errors-to mailing-list precedence x-mailing-list x-beenthere
    x-mailman-version x-received x-rcpt-to x-apparently-to x-envelope-from received-spf
    dkim-signature domainkey-signature
"""
_NOT_OWN = _NO_FEATURES | frozenset(_NOT_THE_SENDERS.split())
_PASSED_ON = """
    list- x-list x-mailman- x-egroups- x-yahoo- resent- arc- x-ms-exchange- x-forefront- x-google-
    x-gm-
"""
_NOT_OWN_STARTS = tuple(_PASSED_ON.split())
_ZONE = re.compile(r"[+-][0-9]{4}")
_GAP = re.compile(r"\S\s{4}")
MANY = 10  # receivers; more count as so many
_SPOKEN = 300  # letters of a header whose words are features
HOPS = 20  # that are looked at, the last ones first
_LOOKED_AT = 300  # letters of each hop
_HOP = re.compile(
    r"\s*from\s+\[?([A-Za-z0-9._-]{1,200})\]?"
    r"(?:\s+\((?:(?:EHLO|HELO|helo)[ =])?([^\s\[\]()]{0,200}))?"
)

_ODD = {"received:?odd": None}
_MOST = 1 << 16  # letters of all hops together whose words are features
_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789_$'!.-;\0"
_TABLE = bytes(b if b in _KEPT else b + 32 if 65 <= b <= 90 else 32 for b in range(256))
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,200}")
_BEFORE_LOCAL_PART = re.compile(r"[\s<>\"'(),:;\[\]]")
_LOCAL_PART = 64  # letters before the "@"
_DIGITS, _SMALL, _LARGE = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = str.maketrans(_DIGITS + _SMALL + _LARGE, "9" * 10 + "a" * 26 + "A" * 26)


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


@lru_cache(4096)
def _is_own(name: str) -> bool:
    """Whether the sender's side wrote a header of this name, and not for its way to the reader."""
    small = name.lower()
    return not (small in _NOT_OWN or small.startswith(_NOT_OWN_STARTS) or _VERDICT.search(small))


def own_headers(head: Head) -> str:
    r"""Return the headers that the sender's side wrote, as they are.

    Left out are those of the receiving side, of mailing lists and delivery, to whom the message
    goes, and the verdicts of other filters.

    Examples
    --------
    >>> from rosenblatt.mail.message.headers import split
    >>> own_headers(split(b"Received: by b\nSubject: a\nTo: you\nList-Id: c\n\nwords")[0])
    'Subject: a\n'
    """
    return "".join([f"{name}:{value}\n" for name, value in head.headers if _is_own(name)])


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


def received_words(hops: list[str]) -> str:
    r"""Return the words of the lines in which servers say where they got the message.

    The number that a server gives it, and the date, are its own; what stands behind them, too.

    Examples
    --------
    >>> received_words([" from a.example\n\tby B2 id 17; Mon, 1 Jan", " by C"])
    'received:from received:a.example received:by received:b2 received:by received:c'
    """
    if not hops:
        return ""
    text = "\0".join(hops)[:_MOST].encode("latin-1").translate(_TABLE).decode("ascii")
    sources = [hop.partition(";")[0].partition(" id ")[0] for hop in text.split("\0")]
    return "received:" + " received:".join(" ".join(sources).split())


def received_features(hops: list[str], sender: str, bounces: str) -> list[str]:
    """Return the features of the way of a message; sender and bounces are domains, or "".

    Examples
    --------
    >>> received_features([" from mail.example.com (unknown [1.1.1.1])"], "example.com", "")
    ['received:?from', 'received:@example.com', 'received:?unknown']
    """
    found: dict[str, None] = {}
    for value in hops[:HOPS]:
        hop = _HOP.match(value, 0, _LOOKED_AT)
        found.update(_hop_features(*hop.groups("")) if hop else _ODD)
    features = []
    if found and sender:
        features.append(
            "received:?from" if f"received:@{sender}" in found else "received:?not-from"
        )
    if bounces:
        features.append(f"return:@{bounces}")
        features.append("return:?as-from" if bounces == sender else "return:?not-as-from")
    return features + list(found)


@lru_cache(4096)  # the same servers pass many messages on
def _hop_features(helo: str, name: str) -> dict[str, None]:
    helo, name = helo.lower(), name.lower()
    if "." not in helo:
        found = ["received:?local"]
    elif helo.replace(".", "").isdigit():
        found = ["received:?number"]
    else:
        found = [f"received:@{parent(helo)}"]
    if not name:
        found.append("received:?unnamed")
    elif "unknown" in name:
        found.append("received:?unknown")
    elif "." in name and not name.replace(".", "").isdigit():
        true = f"received:@{one_word(parent(name))}"
        found += ["received:?same"] if found == [true] else [true, "received:?other"]
    return dict.fromkeys(found)


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
