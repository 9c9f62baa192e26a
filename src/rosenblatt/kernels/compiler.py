"""How every kernel is compiled, where the result is kept, and a word when it happens.

A cached kernel does not notice an edit in a file that it imports, nor an upgrade of the package:
the old code would go on running. So the cache folder is named after a digest of all kernels.
"""

import atexit
import hashlib
import io
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba import config, njit, typeof
from numba.core import caching, event


def _cache_folder() -> str:
    """Return a folder for this version of the kernels that can be written to."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(config.CACHE_DIR or Path(home) / "rosenblatt") / f"kernels-{digest}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError:
        # Compile again in every process rather than load code from a folder that others can write
        folder = tempfile.mkdtemp(prefix="rosenblatt-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder


_FOLDER = _cache_folder()
SEAL_BYTES = 16

# `_nrt=False` leaves out reference counting, and with it any allocation: a kernel works on the
# arrays it is given. Counting costs two atomic operations for each array taken out of a tuple,
# which made an epoch on 500,000 x 64 rows a third slower.
# Nobody calls a kernel from C: the wrapper for it takes a tenth of the time of compiling.
_OPTIONS = {"cache": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}

# What kernels call for each row or update is made part of them: a call copies every word of the
# tuples it passes, some 25 ns.
INLINE = {"forceinline": True, "no_cfunc_wrapper": True}


def kernel(function):
    """Compile a function that Python calls."""
    return _compile(function, _OPTIONS)


def entry_of(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Return the machine code of a kernel for arguments of these types, to be called by itself.

    What a kernel does before, to find out of which types its arguments are, takes 7 to 10 us for
    tuples of arrays, and the call 1. So this is for those who call it with the same arrays again
    and again: with others, of other types, it would read what is not theirs.
    """
    if not hasattr(function, "py_func"):  # of Python: with NUMBA_DISABLE_JIT=1, or no kernel
        return function
    compiled: Callable[..., Any] = function.compile(tuple(map(typeof, arguments)))
    return compiled


def inlined(function):
    """Compile a function that kernels call."""
    return _compile(function, _OPTIONS | INLINE)


def _compile(function, options):
    # Numba asks for the folder once, here; other users of Numba keep theirs
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        dispatcher = njit(**options)(function)
    finally:
        config.CACHE_DIR = before
    cache = getattr(dispatcher, "_cache", None)
    if cache is not None:  # with NUMBA_DISABLE_JIT=1 nothing is compiled, and there is none
        _let_the_disk_be_full(cache)
        _seal_files(cache)
        _load_without_the_compiler(cache)
    return dispatcher


def _let_the_disk_be_full(cache):
    """Make a cache that cannot be written cost time only: Numba would end the fit."""
    save = cache.save_overload

    def save_if_possible(signature, compiled):
        with suppress(OSError):
            save(signature, compiled)

    cache.save_overload = save_if_possible


def _load_without_the_compiler(cache):
    """Take machine code from the cache as it is.

    Numba fills all tables of its compiler first, which nothing in the code asks for: a quarter of a
    second, and as much again at the end of the process. Compiling fills them if need be.
    """
    guard = getattr(cache, "_guard_against_spurious_io_errors", None)
    load_overload = getattr(cache, "_load_overload", None)
    if guard is None or load_overload is None:
        return  # another Numba than those we know: its own way is slower, but right

    def load(signature, target_context):
        # a Ctrl-C in the callbacks of the compiler's library would be lost
        with guard(), _patience:
            return load_overload(signature, target_context)
        return None

    cache.load_overload = load


def _seal_files(cache):
    """Let a file of the cache that is damaged be as good as none, whatever befell it.

    Numba unpickles what it finds and runs the machine code in it: bytes that are not those that
    were written raise any error there is, end the process, or compute something else.
    """
    files = getattr(cache, "_cache_file", None)
    if type(files) is caching.IndexDataCacheFile:  # else another Numba than those we know
        files.__class__ = _SealedFiles


class _SealedFiles(caching.IndexDataCacheFile):
    """The index and the machine code of a kernel, each with a digest of it at the end."""

    def _load_index(self):
        try:
            return super()._load_index() if self._is_whole(self._index_path) else {}
        except (AttributeError, ImportError):  # of a tuple that has another name or home by now
            return {}

    def _load_data(self, name):
        if not self._is_whole(self._data_path(name)):
            raise OSError(f"{name} is damaged")  # taken for a file that is not there
        return super()._load_data(name)

    def _is_whole(self, path):
        try:
            content = Path(path).read_bytes()
        except OSError:
            return False
        return content[-SEAL_BYTES:] == _seal(content[:-SEAL_BYTES])

    @contextmanager
    def _open_for_write(self, filepath):
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            # who unpickles stops where the pickle ends
            file.write(content.getvalue() + _seal(content.getvalue()))


def _seal(content):
    return hashlib.blake2b(content, digest_size=SEAL_BYTES).digest()


class _Teller(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell, self.told = tell, False

    def on_start(self, event: event.Event) -> None:
        if not self.told:
            self.told = True
            self.tell()

    def on_end(self, event: event.Event) -> None:
        pass


class _Stopwatch(event.Listener):
    """Adds up the time in which some thread compiles; what one waits for the others wait for."""

    def __init__(self) -> None:
        self._lock, self._n_running = threading.Lock(), 0
        self._since, self._total = 0.0, 0.0

    def on_start(self, event: event.Event) -> None:
        with self._lock:
            if self._n_running == 0:
                self._since = time.monotonic()
            self._n_running += 1

    def on_end(self, event: event.Event) -> None:
        with self._lock:
            self._n_running -= 1
            if self._n_running == 0:
                self._total += time.monotonic() - self._since

    def working_time(self) -> float:
        with self._lock:
            now = time.monotonic()
            running = now - self._since if self._n_running else 0.0
            return now - self._total - running


class _Patience(event.Listener):
    """Keeps Ctrl-C back until a kernel is compiled, or loaded from the cache.

    Numba would be left with half of its tables.
    """

    def __init__(self) -> None:
        self._n_running, self._before, self._came = 0, None, None

    def on_start(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # Ctrl-C comes to the main thread only
        self._n_running += 1
        if self._n_running == 1 and callable(signal.getsignal(signal.SIGINT)):
            self._before = signal.signal(signal.SIGINT, self._keep)

    def on_end(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._n_running -= 1
        if self._n_running == 0 and self._before is not None:
            before, came = self._before, self._came
            self._before = self._came = None
            signal.signal(signal.SIGINT, before)
            if came is not None:
                before(*came)

    def __enter__(self) -> None:
        self.on_start(None)

    def __exit__(self, *_: object) -> None:
        self.on_end(None)

    def _keep(self, *signal_and_frame: Any) -> None:
        self._came = signal_and_frame


_stopwatch = _Stopwatch()
event.register("numba:compile", _stopwatch)
_patience = _Patience()
event.register("numba:compile", _patience)


def working_time() -> float:
    """Return a clock in seconds that stands still while kernels are compiled."""
    return _stopwatch.working_time()


@contextmanager
def telling_of_compilation(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if a kernel has to be compiled, not found in the cache, in this context."""
    with event.install_listener("numba:compile", _Teller(tell)):
        yield
