"""What not every installation has: the extras of `pyproject.toml`, and a word when one is missing.

The core learns, proves, reads files and has the command. What draws, serves a page or reads HTML
asks for its libraries here, so that whoever lacks one is told what to install.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from rosenblatt.errors import MissingExtraError

# The extra, what it is for, and the modules that come with it
EXTRAS = {
    "plot": ("pictures need", ("matplotlib", "PIL")),
    "studio": ("the studio needs", ("starlette", "uvicorn")),
    "mail": ("mail needs", ("selectolax",)),
    "notebook": ("frames of pandas need", ("pandas",)),
    "polars": ("frames of polars need", ("polars",)),
    "onnx": ("models in ONNX need", ("onnx",)),
    "dask": ("rows on several machines need", ("dask", "distributed")),
}


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn the lack of a module of an extra into a sentence; other errors go through.

    Examples
    --------
    >>> from rosenblatt import MissingExtraError
    >>> try:
    ...     with needs("plot"):
    ...         raise ModuleNotFoundError("as if it were not here", name="matplotlib.figure")
    ... except MissingExtraError as error:
    ...     print(error)
    pictures need matplotlib, which is not installed; run pip install 'rosenblatt[plot]'
    """
    purpose, modules = EXTRAS[extra]
    try:
        yield
    except ModuleNotFoundError as error:
        absent = (error.name or "").partition(".")[0]
        if absent not in modules:
            raise
        install = f"run pip install 'rosenblatt[{extra}]'"
        raise MissingExtraError(
            f"{purpose} {absent}, which is not installed", do=install
        ) from error


def check_extra(extra: str) -> None:
    """Raise a MissingExtraError before any work if something of an extra is not installed."""
    with needs(extra):
        for module in EXTRAS[extra][1]:
            import_module(module)
