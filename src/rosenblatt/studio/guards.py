"""Who may ask, how much, and the headers of every answer.

The server listens on the loopback address only. A page from elsewhere could still make the
visitor's browser send requests to it, so the Host and the Origin of a request must be ours.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from rosenblatt.studio.problems import RequestError

MOST_BYTES = 4 << 20
OUR_NAMES = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data: blob:; style-src 'self'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
}
TOO_MUCH = (
    "The studio takes up to {most} MiB at once, and this is more; it shows up to 20,000 points. "
    "`rosenblatt fit FILE` takes files of any size."
)


class Guard:
    """Wraps the app: refuses strangers, counts bytes, adds headers."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            check_stranger(scope)
            check_length(dict(scope["headers"]).get(b"content-length"))
        except RequestError as problem:
            await _refuse(problem, _dressed(scope, send))
            return
        await self.app(scope, receive, _dressed(scope, send))


def check_stranger(scope: Any) -> None:
    """Refuse a Host or an Origin that is not this server."""
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1")
    if _name(host) not in OUR_NAMES:
        raise RequestError("This server answers on 127.0.0.1 and localhost only.", 421)
    origin = headers.get(b"origin")
    if origin is not None and urlsplit(origin.decode("latin-1")).netloc != host:
        raise RequestError("This request comes from another page.", 403)
    if scope["method"] == "POST" and headers.get(b"sec-fetch-site", b"same-origin") not in (
        b"same-origin",
        b"none",
    ):
        raise RequestError("This request comes from another page.", 403)


def _name(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdecimal() else host.lower()


def check_length(said: bytes | None) -> None:
    """Refuse a body by the length that it announces."""
    if said is not None and (not said.isdigit() or int(said) > MOST_BYTES):
        raise RequestError(TOO_MUCH.format(most=MOST_BYTES >> 20), 413)


async def read_body(request: Any) -> bytes:
    """Read a body, and stop where it is too long."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > MOST_BYTES:
            raise RequestError(TOO_MUCH.format(most=MOST_BYTES >> 20), 413)
        pieces.append(piece)
    return b"".join(pieces)


def _dressed(scope: Any, send: Any) -> Any:
    async def dressed(message: Any) -> None:
        if message["type"] == "http.response.start":
            cache = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"
            more = [*HEADERS.items(), (b"cache-control", cache)]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return dressed


async def _refuse(problem: RequestError, send: Any) -> None:
    body = json.dumps({"error": str(problem)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    # whoever sends too much is not listened to until the end
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
