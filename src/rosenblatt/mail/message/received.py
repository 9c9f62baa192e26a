"""What the servers on the way of a message say of each other.

    Received: from HELO (NAME [address]) by ...     the sender calls itself HELO, and is NAME

How many there were, and who received, is left out: that is the way to the reader's own mailbox.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rosenblatt.mail.message.addresses import parent
from rosenblatt.mail.message.plain import one_word

HOPS = 20  # that are looked at, the last ones first
_LOOKED_AT = 300  # letters of each
_HOP = re.compile(
    r"\s*from\s+\[?([A-Za-z0-9._-]{1,200})\]?"
    r"(?:\s+\((?:(?:EHLO|HELO|helo)[ =])?([^\s\[\]()]{0,200}))?"
)

_ODD = {"received:?odd": None}
_MOST = 1 << 16  # letters of all hops together whose words are features
_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789_$'!.-;\0"
_TABLE = bytes(b if b in _KEPT else b + 32 if 65 <= b <= 90 else 32 for b in range(256))


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
