"""What the servers on the way of a message say of each other.

    Received: from HELO (NAME [address]) by ...     the sender calls itself HELO, and is NAME

How many there were, and who received, is left out: that is the way to the reader's own mailbox.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from rosenblatt.text.mail.addresses import domain_of, parent

HOPS = 20  # that are looked at, the last ones first
_LOOKED_AT = 300  # letters of each
_HOP = re.compile(
    r"\s*from\s+\[?([A-Za-z0-9._-]{1,200})\]?"
    r"(?:\s+\((?:(?:EHLO|HELO|helo)[ =])?([^\s\[\]()]{0,200}))?"
)

_ODD = {"received:?odd": None}


def received_features(headers: list[tuple[str, str]], values: dict[str, str]) -> list[str]:
    """Return the features of the way of a message.

    Examples
    --------
    >>> hop = ("Received", " from mail.example.com (unknown [10.0.0.1]) by here")
    >>> received_features([hop], {"received": hop[1], "from": "a@example.com"})
    ['received:?from', 'received:@example.com', 'received:?unknown']
    """
    found: dict[str, None] = {}
    for name, value in islice(headers, 2 * HOPS):
        if name == "Received":
            hop = _HOP.match(value, 0, _LOOKED_AT)
            found.update(_hop_features(hop[1], hop[2] or "") if hop else _ODD)
    sender, bounces = domain_of(values.get("from", "")), domain_of(values.get("return-path", ""))
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
        true = f"received:@{parent(name)}"
        found += ["received:?same"] if found == [true] else [true, "received:?other"]
    return dict.fromkeys(found)
