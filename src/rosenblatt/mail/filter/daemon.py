"""`rosenblatt mail daemon`: a filter that stays, and judges messages that come by a socket.

What is said over it is in `asking`. Only its owner can connect (0600). One loop does all reading
and writing, so that a client that is silent, slow or gone holds nothing but its place, and that
until its time is over; messages are judged in threads beside it. The filter is read again when its
file is another one, which is always whole.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

from rosenblatt.errors import DataError, ParameterError, RosenblattError
from rosenblatt.mail.filter.asking import LONGEST_LINE, MOST_SENT, PATIENCE
from rosenblatt.mail.filter.commands import judged
from rosenblatt.mail.filter.file import read_memory
from rosenblatt.mail.filter.memory import FilterMemory

MOST_CLIENTS = 100  # who comes then is sent away
MOST_AT_ONCE = 8  # whose messages are in memory; others wait for their turn
GRACE = 0.5  # seconds for those whose message is being judged, when the daemon is to end
LONGEST_NUMBER = 12  # places of the length of a message


def judge_at_socket(model: str, path: str, ready: Callable[[FilterMemory], None]) -> None:
    """Judge the messages that come by a socket, until a signal asks for the end.

    `ready` is called when clients may come.
    """
    kept = KeptFilter()
    memory = kept.memory_of(model)  # what is wrong with it is said now, not to the first client
    with _listening(path) as line:
        asyncio.run(_Daemon(model, kept).run(line, lambda: ready(memory)))


class KeptFilter:
    """A filter that is read once, and again when its file is another one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp: tuple[int, ...] = ()
        self._memory: FilterMemory | None = None

    def memory_of(self, model: str) -> FilterMemory:
        """Return what the filter knows now; a ModelFileError says why it cannot be read."""
        with self._lock:
            # before it is read: if it changes in between, it is read once more
            stamp = _stamp(model)
            if self._memory is None or not stamp or stamp != self._stamp:
                self._memory, self._stamp = None, ()
                self._memory = read_memory(model)
                self._stamp = stamp
            return self._memory


class _Daemon:
    def __init__(self, model: str, kept: KeptFilter) -> None:
        self._model, self._kept = model, kept
        self._clients: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE)

    async def run(self, line: socket.socket, ready: Callable[[], None]) -> None:
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, end.set)
        server = await asyncio.start_unix_server(self._welcome, sock=line)
        ready()
        await end.wait()
        server.close()
        if self._clients:
            await asyncio.wait(self._clients, timeout=GRACE)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.get_running_loop().create_task(self._meet(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(0)  # so that `drain` ends when all is written
        try:
            async with asyncio.timeout(PATIENCE):
                await self._answer(reader, writer)
                await writer.drain()
        except (OSError, EOFError, asyncio.LimitOverrunError):
            pass  # it went away, did not say what it wants, or took too long (which is an OSError)
        finally:
            writer.transport.abort()  # what was not taken in time is not kept

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._clients) > MOST_CLIENTS:
            writer.write(_error("too many messages at once; try again"))
            return
        number = (await reader.readuntil(b"\n")).strip()
        if not (number.isdigit() and len(number) <= LONGEST_NUMBER and int(number) <= MOST_SENT):
            writer.write(_error(f"expected the length of a message, at most {MOST_SENT} bytes"))
            return
        async with self._places:
            raw = await reader.readexactly(int(number))
            loop = asyncio.get_running_loop()
            for part in await loop.run_in_executor(self._threads, self._reply, raw):
                writer.write(part)
            await writer.drain()  # in its place still: the message is in memory

    def _reply(self, raw: bytes) -> tuple[bytes, ...]:
        try:
            verdict, changed = judged(raw, self._model, self._kept.memory_of)
        except RosenblattError as error:
            return (_error(str(error)),)
        except Exception as error:  # any: the client passes the message on, and says it
            return (_error(f"{type(error).__name__}: {error} (a fault of rosenblatt)"),)
        return f"{verdict.label} {verdict.score!r} {len(changed)}\n".encode(), changed


def _error(why: str) -> bytes:
    return b"error %s\n" % " ".join(why.split()).encode("ascii", "replace")[: LONGEST_LINE - 10]


def _stamp(path: str) -> tuple[int, ...]:
    """Return numbers that another file of this name does not have."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@contextmanager
def _listening(path: str) -> Iterator[socket.socket]:
    """Give a socket that listens at a path, and take its file away in the end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        with _only_one(path):
            _check_free(path)
            before = os.umask(0o177)  # nobody else can connect, from the first moment on
            try:
                line.bind(path)
            except OSError as error:  # of a name that is too long, too
                raise ParameterError(
                    f"no socket can be made at {path}: {error.strerror or error}; name another path"
                ) from error
            finally:
                os.umask(before)
            mine = os.stat(path)
            line.listen(MOST_CLIENTS)
        try:
            yield line
        finally:
            with suppress(OSError):
                found = os.stat(path)
                if (found.st_dev, found.st_ino) == (mine.st_dev, mine.st_ino):
                    os.unlink(path)


@contextmanager
def _only_one(path: str) -> Iterator[None]:
    """Keep others from making a socket in the same folder meanwhile."""
    folder = os.path.dirname(path) or "."
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ParameterError(f"no socket can be made in {folder}: {reason}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _check_free(path: str) -> None:
    """Remove the socket of a daemon that was killed; refuse one that is used, or another file."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ParameterError(f"{path} is there, and no socket; name another path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
            return
        except OSError as error:
            raise DataError(f"{path} cannot be used: {error.strerror or error}") from error
    raise ParameterError(f"somebody listens at {path} already; end it, or name another path")
