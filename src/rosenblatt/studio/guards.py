"""Who may ask, how much, for how long, and the headers of every answer.

The server listens on the loopback address only. A page from elsewhere could still make the
visitor's browser send requests to it, so the Host and the Origin of a request must be ours. The
rule is that of Fetch Metadata (W3C; M. West, 2021) as F. Valsorda put it together for Go 1.25,
`net/http.CrossOriginProtection` (https://words.filippo.io/csrf/): a browser says by itself in
Sec-Fetch-Site where a request comes from, no page can forge that, and older browsers send an
Origin to compare with the Host. Here an Origin must be ours in every request, not in unsafe ones
only, and in every browser.

Starlette's `TrustedHostMiddleware` does a part of it, but believes the first of two headers Host
and answers 400 in plain text, where the page wants 421 and a sentence.

What is asked for is computed in threads, with a time limit, for as long as somebody waits.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rosenblatt.errors import OutOfTimeError
from rosenblatt.progress import Deadline

T = TypeVar("T")

MOST_BYTES = 4 << 20
BODY_SECONDS = 30.0  # for all of a body; a page on the same machine needs a fraction of one
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
TOO_SLOW = "The request was not sent to its end within {seconds:g} s."
ANOTHER_PAGE = "This request comes from another page."
THREADS = 2
PATIENCE = 120.0  # seconds: where nothing is compiled yet every kernel takes its time
TOO_LONG = "This takes longer than the {seconds:g} s that the studio gives it; take fewer points."
GRACE = 3.0  # seconds for work to notice that its time is over
# Modules of Numba import each other in a circle: of two threads that begin at different places of
# it, one would find a module that the other has half of
IMPORTS = threading.Lock()


class RequestError(Exception):
    """A request that cannot be answered; the sentence is shown on the page."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


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
            headers = _Headers(scope["headers"])
            check_stranger(headers, scope["method"])
            check_length(headers.only(b"content-length"))
        except RequestError as problem:
            await _refuse(problem, _dressed(scope, send))
            return
        await self.app(scope, receive, _dressed(scope, send))


class _Headers:
    """The headers of a request; those that guard it may be there once only.

    Of two, one server believes the first and another the last: a way past every guard.
    """

    def __init__(self, pairs: Any) -> None:
        self._pairs = list(pairs)

    def only(self, name: bytes) -> bytes | None:
        found = [value for key, value in self._pairs if key == name]
        if len(found) > 1:
            raise RequestError(f"The request has two headers {name.decode().title()!r}.")
        return found[0] if found else None


def check_stranger(headers: _Headers, method: str) -> None:
    """Refuse a Host or an Origin that is not this server."""
    host = (headers.only(b"host") or b"").decode("latin-1").lower()
    if _name(host) not in OUR_NAMES:
        raise RequestError("This server answers on 127.0.0.1 and localhost only.", 421)
    origin = headers.only(b"origin")
    # compared letter by letter: nothing of a stranger's is taken to pieces
    if origin is not None and origin.decode("latin-1").lower() != f"http://{host}":
        raise RequestError(ANOTHER_PAGE, 403)
    site = headers.only(b"sec-fetch-site") or b"none"
    if method == "POST" and site not in (b"same-origin", b"none"):
        raise RequestError(ANOTHER_PAGE, 403)


def _name(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def check_length(said: bytes | None) -> None:
    """Refuse a body by the length that it announces."""
    if said is not None and (not said.isdigit() or int(said) > MOST_BYTES):
        raise RequestError(TOO_MUCH.format(most=MOST_BYTES >> 20), 413)


async def read_body(request: Any) -> bytes:
    """Read a body, and stop where it is too long or takes too long."""
    pieces, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > MOST_BYTES:
                    raise RequestError(TOO_MUCH.format(most=MOST_BYTES >> 20), 413)
                pieces.append(piece)
    except TimeoutError:
        raise RequestError(TOO_SLOW.format(seconds=BODY_SECONDS), 408) from None
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


class Workshop:
    """Two threads: a long computation does not keep the next one waiting."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="studio")

    async def run(
        self,
        request: Any,
        work: Callable[[Deadline], T],
        seconds: float,
        warm: threading.Event | None = None,
    ) -> T:
        """Run work in a thread; give up when the time is over or the reader has left.

        The time counts from when the kernels are `warm`, and not while others are compiled: that is
        not the fault of the data.
        """
        whole = Deadline(seconds + PATIENCE)

        def wait_and_work() -> T:
            with IMPORTS:
                from rosenblatt.kernels.compiler import working_time

            if warm is not None:
                warm.wait(PATIENCE)
            return work(whole.within(seconds, working_time))

        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.run_in_executor(self._threads, wait_and_work)
        reader: asyncio.Future[Any] = asyncio.ensure_future(_until_gone(request))
        limit = seconds + PATIENCE + GRACE
        try:
            await asyncio.wait({answer, reader}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise RequestError(TOO_LONG.format(seconds=seconds), 503)
            found: T = answer.result()
            return found
        except OutOfTimeError:
            raise RequestError(TOO_LONG.format(seconds=seconds), 503) from None
        finally:
            whole.cancel()
            reader.cancel()

    def close(self) -> None:
        """Let the threads end; what they are at is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _until_gone(request: Any) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
