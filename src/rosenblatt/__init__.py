"""Learn linear classifiers from arrays, text and tables, as fast as the machine reads them.

The public names are loaded when they are first used: `import rosenblatt` itself loads neither
Numba nor scikit-learn. Which they are, and where, the stub beside this file says.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

__version__ = "0.1.0"


# `lazy_loader.attach_stub` reads such a stub as well, but keeps to itself where a name is, which
# model files ask for, puts rooms into `__all__`, and loads `ast`: `import rosenblatt` takes 20 ms
# of the processor with it and 15 ms so, of which most is Python's own start.
def _read_stub() -> tuple[dict[str, str], list[str], dict[str, str]]:
    """Return where each public name is, the rooms that are public, and names of before."""
    homes, rooms, old_names = {}, [], {}
    with open(f"{__file__}i", encoding="utf-8") as stub:
        for line in stub:
            match line.split():
                case ["from", ".", "import", room, "as", _]:
                    rooms.append(room)
                case ["from", home, "import", name, "as", _]:
                    homes[name] = __name__ + home
                case [old, "=", name]:
                    old_names[old] = name
    return homes, rooms, old_names


HOMES, _ROOMS, _OLD_NAMES = _read_stub()
__all__ = sorted(HOMES)


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let the garbage collector rest while much is made that is no garbage.

    No cycles are looked for in this context; what nobody refers to is freed as ever.

    Examples
    --------
    >>> with collector_at_rest():
    ...     gc.isenabled()
    False
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def __getattr__(name: str) -> object:
    name = _OLD_NAMES.get(name, name)
    if name not in HOMES and name not in _ROOMS:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    # Nothing that an import makes is garbage: without looking for any, it is a tenth faster
    with collector_at_rest():
        if name in _ROOMS:
            return import_module(f"rosenblatt.{name}")
        value = getattr(import_module(HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
