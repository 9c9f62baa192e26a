"""The routes of the studio, served on the loopback address until Ctrl-C.

The page goes out file by file; what is computed for it, `services` computes. Nothing heavy is
loaded before the server answers: the learners come while the page is on its way.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import socket
import threading
import warnings
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rosenblatt import collector_at_rest
from rosenblatt.errors import PAGE, ParameterError, RosenblattError, said_in
from rosenblatt.extras import needs
from rosenblatt.studio.guards import IMPORTS, Guard, RequestError, Workshop, read_body
from rosenblatt.studio.scenes.wholes import Wholes

with needs("studio"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

if TYPE_CHECKING:
    from rosenblatt.progress import Deadline
    from rosenblatt.studio.scenes.choices import PlaneSet

HOST, PORT, TRIES = "127.0.0.1", 8421, 20
SCENE_SECONDS, EXPORT_SECONDS = 8.0, 30.0
PICTURES = ("png", "gif")
UNREAD = (408, 413)  # answered before a body was read to its end
Answer = Callable[[Request], Awaitable[Response]]
FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def bind(port: int | None) -> socket.socket:
    """Return a socket on the port; without one, on the first free one from 8421 on."""
    for candidate in range(PORT, PORT + TRIES) if port is None else [port]:
        # the protocol by name: without it asyncio leaves Nagle's delay on, 40 ms an answer
        taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((HOST, candidate))
            taken.listen(64)
            return taken
        except OSError as error:
            taken.close()
            if port is not None or error.errno != errno.EADDRINUSE:
                reason = error.strerror or error
                raise ParameterError(
                    f"port {candidate} on {HOST} cannot be had: {reason}; choose another --port, "
                    "or leave it out"
                ) from None
    raise ParameterError(f"ports {PORT} to {PORT + TRIES - 1} are all in use; choose one by --port")


def serve(
    opened: PlaneSet | None, port: int | None, browser: bool, tell: Callable[[str], Any]
) -> None:
    """Serve until the process is told to end; `tell` is given the address once it answers."""
    # the page says itself how a run ended; in the terminal it would be said to nobody
    warnings.filterwarnings("ignore", module=r"rosenblatt\.")
    listener = bind(port)
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    settings = uvicorn.Config(
        create_app(opened),
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        ws="none",
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            tell(address)
            if browser:
                # in a thread: a browser in the terminal would keep the server from answering
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with listener, suppress(KeyboardInterrupt):  # Ctrl-C is how it is meant to end
        Server(settings).run(sockets=[listener])


def create_app(opened: PlaneSet | None = None) -> Any:
    """Return the studio as an ASGI app; `opened` is the data of `rosenblatt studio DATA`."""
    studio = _Studio(opened)
    routes = [
        Route("/", _answer(studio.page)),
        Route("/static/{name}", _answer(studio.file)),
        Route("/api/presets", _answer(studio.presets)),
        Route("/api/scene", _answer(studio.scene), methods=["POST"]),
        Route("/api/whole", _answer(studio.whole)),
        Route("/api/table", _answer(studio.table), methods=["POST"]),
        Route("/api/export/{kind}", _answer(studio.export), methods=["POST"]),
    ]
    problems: Any = {404: _not_there, 405: _not_there, Exception: _our_fault}
    app = Starlette(routes=routes, lifespan=studio.lifespan, exception_handlers=problems)
    return Guard(app)


class _Studio:
    """What the routes share."""

    def __init__(self, opened: PlaneSet | None) -> None:
        self.opened, self.workshop, self.wholes = opened, Workshop(), Wholes()
        self.warm, self.over = threading.Event(), threading.Event()

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Load the learners while the page is on its way."""
        threading.Thread(target=self._warm_up, daemon=True).start()
        yield
        self.over.set()
        self.wholes.close()
        self.workshop.close()

    def _warm_up(self) -> None:
        try:
            with collector_at_rest():  # nothing that an import makes is garbage: a tenth faster
                services = _services()
            services.warm_up(self.warm, self.over, self.wholes)
        finally:
            self.warm.set()  # whatever happened: nobody is to wait for ever

    async def page(self, request: Request) -> Response:
        return file_answer("index.html", request)

    async def file(self, request: Request) -> Response:
        return file_answer(request.path_params["name"], request)

    async def presets(self, request: Request) -> Response:
        return await self._computed(
            request, lambda services, deadline: services.answer_presets(self.opened, self.wholes)
        )

    async def scene(self, request: Request) -> Response:
        body = await read_body(request)
        return await self._computed(
            request,
            lambda services, deadline: services.answer_scene(body, self.wholes, deadline),
            warm=self.warm,
        )

    async def whole(self, request: Request) -> Response:
        key = request.query_params.get("key", "")
        return await self._computed(
            request, lambda services, deadline: services.answer_whole(key, self.wholes)
        )

    async def table(self, request: Request) -> Response:
        chosen = {name: request.query_params.get(name) for name in ("x", "y", "label")}
        body = await read_body(request)
        return await self._computed(
            request, lambda services, deadline: services.answer_table(body, chosen, self.wholes)
        )

    async def export(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in PICTURES:
            raise RequestError("Pictures are exported as png or gif.", 404)
        body = await read_body(request)
        return await self._computed(
            request,
            lambda services, deadline: services.answer_export(body, kind, deadline),
            media=f"image/{kind}",
            seconds=EXPORT_SECONDS,
            warm=self.warm,
        )

    async def _computed(
        self,
        request: Request,
        work: Callable[[Any, Deadline], bytes],
        *,
        media: str = "application/json",
        seconds: float = SCENE_SECONDS,
        warm: threading.Event | None = None,  # given by work that uses kernels: they come first
    ) -> Response:
        """Answer with what a function of `services` returns; the first waits for its imports."""
        body = await self.workshop.run(
            request, lambda deadline: work(_services(), deadline), seconds, warm
        )
        return Response(body, media_type=media)


def _services() -> Any:
    with IMPORTS:
        from rosenblatt.studio import services

    return services


def _answer(route: Answer) -> Answer:
    """Turn what goes wrong into a sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await route(request)
        except RequestError as problem:
            # the rest of a body that was not read to its end must not pass for a request
            headers = {"connection": "close"} if problem.status in UNREAD else None
            return JSONResponse({"error": str(problem)}, problem.status, headers)
        except RosenblattError as problem:
            return JSONResponse({"error": said_in(PAGE, problem)}, 400)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it

    return answer


async def _not_there(request: Request, problem: Exception) -> Response:
    status = getattr(problem, "status_code", 404)
    return JSONResponse({"error": "There is no such page."}, status)


async def _our_fault(request: Request, problem: Exception) -> Response:
    kind = type(problem).__name__
    return JSONResponse({"error": f"The studio failed on this ({kind}); please report it."}, 500)


# Starlette's `StaticFiles` behind its `GZipMiddleware` does this, too, but reads each file in other
# threads and packs it anew for each request: all 36 files in 50 ms instead of 19, and the page is
# loaded in 185 ms instead of 168 (medians of 7, by turns, in Chromium). It also takes the types of
# files from the machine, and on some `.js` is text/plain there, which `nosniff` refuses to run.
# Answers of the API go unpacked: with the middleware a drag takes 13.2 ms instead of 9.3.


class Page(NamedTuple):
    """A file as it is sent."""

    kind: str
    packed: bytes
    tag: str


def file_answer(name: str, request: Any) -> Response:
    """Return a file of the folder; a name that is none of its files is not there."""
    # the folder is asked for its names, so that no name can lead out of it
    found = {path.name: path for path in FOLDER.iterdir() if path.suffix in KINDS}
    if name not in found:
        raise RequestError("There is no such page.", 404)
    page = _read(found[name], found[name].stat().st_mtime_ns)
    headers = {"etag": page.tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == page.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            page.packed, media_type=page.kind, headers=headers | {"content-encoding": "gzip"}
        )
    return Response(gzip.decompress(page.packed), media_type=page.kind, headers=headers)


@lru_cache(maxsize=256)
def _read(path: Path, changed: int) -> Page:
    content = path.read_bytes()
    tag = '"' + hashlib.sha256(content).hexdigest()[:16] + '"'
    return Page(KINDS[path.suffix], gzip.compress(content, 9, mtime=0), tag)
