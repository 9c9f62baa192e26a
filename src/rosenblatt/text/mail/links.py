"""Where a text sends its reader: hosts of links."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from rosenblatt.text.mail import limits

_PLACE = re.compile(r"://([^\s\"'<>/?#\\]{1,200})")
_NUMBERS = re.compile(r"[0-9.]+|0x[0-9a-f]+")
_HOST = re.compile(r"[a-z0-9.-]+")


def link_features(text: str) -> list[str]:
    """Return the features of the links in a text.

    Examples
    --------
    >>> link_features("see http://www.example.com/a and http://u@10.0.0.1:81/")
    ['link:www.example.com', 'link:example.com', 'link:?user', 'link:?port', 'link:?number']
    """
    if "://" not in text:
        return []
    places = dict.fromkeys(_PLACE.findall(text))
    features = []
    for place in islice(places, limits.LINKS):
        features += _host_features(place.lower())
    return features


@lru_cache(4096)
def _host_features(place: str) -> list[str]:
    found = []
    _, user, host = place.rpartition("@")
    if user:
        found.append("link:?user")
    host, port, _ = host.partition(":")
    if port:
        found.append("link:?port")
    if _NUMBERS.fullmatch(host):
        return [*found, "link:?number"]
    if not _HOST.fullmatch(host):
        return [*found, "link:?broken"]
    host = host.strip(".-")
    parent = ".".join(host.rsplit(".", 2)[-2:])
    found.append(f"link:{host}")
    return found if parent == host else [*found, f"link:{parent}"]
