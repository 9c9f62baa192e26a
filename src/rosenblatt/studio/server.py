"""Serve the studio on the loopback address until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import threading
import warnings
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn

from rosenblatt.errors import ParameterError
from rosenblatt.studio.app import create_app

if TYPE_CHECKING:
    from rosenblatt.studio.scenes.presets import PlaneSet

HOST, PORT, TRIES = "127.0.0.1", 8421, 20


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
