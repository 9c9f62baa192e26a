"""The door for texts: lists, NumPy, pandas, polars and Arrow strings become bytes and offsets.

No Python object is made for a document that is in Arrow's form already, and none is copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.errors import DataError
from rosenblatt.kernels.ngrams import Texts
from rosenblatt.types import Array

BLOCK = 1 << 20  # bytes of text in a block; a longer document is a block by itself
# Arrow's types of texts: with offsets of 8 bytes, of 4, and those that have to be copied
LONG = (pa.types.is_large_string, pa.types.is_large_binary)
SHORT = (pa.types.is_string, pa.types.is_binary)
OTHER = (
    pa.types.is_string_view,
    pa.types.is_binary_view,
    pa.types.is_fixed_size_binary,
    pa.types.is_null,
)


def check_documents(X: Any) -> list[Texts]:
    """Return the documents in X, in one piece or several."""
    if isinstance(X, (str, bytes)):
        raise DataError(
            "X must be a list of texts, one for each document, got a single "
            f"{type(X).__name__}; pass [text]"
        )
    array = _arrow(X)
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    chunks = chunks or [pa.array([], type=pa.large_binary())]
    pieces, first = [], 0
    for chunk in chunks:
        pieces.append(_texts(chunk, first))
        first += len(chunk)
    return pieces


def blocks(pieces: list[Texts]) -> Iterator[Texts]:
    """Cut documents into blocks of about BLOCK bytes; one that is empty if there are none."""
    for text, offsets in pieces:
        last = len(offsets) - 1
        starts = [0]
        while starts[-1] < last:
            stop = int(np.searchsorted(offsets, offsets[starts[-1]] + BLOCK, side="right")) - 1
            starts.append(min(max(stop, starts[-1] + 1), last))
        for start, stop in pairwise(starts if last else [0, 0]):
            yield Texts(text, offsets[start : stop + 1])


def _arrow(X: Any) -> Any:
    """Return X as an Arrow array, if it is a column of texts."""
    if isinstance(X, (pa.Array, pa.ChunkedArray)):
        return X
    if len(getattr(X, "shape", (0,))) != 1:
        raise DataError(
            f"X must be one column of texts, got {type(X).__name__} of shape {X.shape}; "
            "pass one column of it"
        )
    if hasattr(X, "__arrow_c_stream__") and str(getattr(X, "dtype", "")) != "object":
        return pa.chunked_array(X)
    if not isinstance(X, Iterable):
        raise DataError(f"X must be a list of texts, got {type(X).__name__} {X!r}")
    documents = X if isinstance(X, list) else list(X)
    try:
        return pa.array(documents, type=pa.large_binary())
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        return pa.array(_encoded(documents), type=pa.large_binary())


def _encoded(documents: list[Any]) -> list[bytes]:
    """Return documents as UTF-8 that Arrow would not take, or say which of them is no text."""
    found = []
    for number, document in enumerate(documents):
        if isinstance(document, str):
            # half a surrogate pair is no character: as any sign, it ends a word
            found.append(document.encode("utf-8", "replace"))
        elif isinstance(document, bytes):
            found.append(document)
        else:
            raise _no_text(number, repr(document))
    return found


def _no_text(number: int, what: str) -> DataError:
    return DataError(
        f"every document in X must be a text, got {what} at index {number}; "
        'drop it or pass "" in its place'
    )


def _texts(chunk: Any, first: int) -> Texts:
    """Return one Arrow array as bytes and offsets, without a copy where that can be."""
    if not _is_text(chunk.type):
        raise _no_text(first, f"an Arrow value of type {chunk.type}")
    if chunk.null_count:
        missing = int(np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False))[0])
        raise _no_text(first + missing, "a missing value")
    if not any(fits(chunk.type) for fits in LONG + SHORT):
        chunk = chunk.cast(pa.large_binary())
    if len(chunk) == 0:
        return Texts(_bytes(b""), np.zeros(1, dtype=np.int64))
    size = np.int32 if any(fits(chunk.type) for fits in SHORT) else np.int64
    _, starts, text = chunk.buffers()
    offsets = np.frombuffer(starts, dtype=size)[chunk.offset : chunk.offset + len(chunk) + 1]
    return _inside(_bytes(b"" if text is None else text), offsets.astype(np.int64))


def _bytes(buffer: Any) -> Array:
    """Return a buffer as bytes to read only, so that kernels are compiled for one type of them."""
    text = np.frombuffer(buffer, dtype=np.uint8)
    text.flags.writeable = False
    return text


def _inside(text: Array, offsets: Array) -> Texts:
    """Refuse an Arrow array from a broken file: a kernel would read outside of it."""
    if offsets[0] < 0 or offsets[-1] > len(text) or (np.diff(offsets) < 0).any():
        raise DataError("X is not a valid Arrow array: its offsets do not fit its bytes")
    return Texts(text, offsets)


def _is_text(kind: Any) -> bool:
    """Tell whether an Arrow type, or the one that a dictionary has, is text or bytes."""
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return any(fits(kind) for fits in LONG + SHORT + OTHER)
