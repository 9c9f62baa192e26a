"""The arrays of a model file as NumPy's: views of its bytes, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rosenblatt.model_file.container import Content, StoredArray, read_content, write_content
from rosenblatt.types import Array

DTYPES = {
    "BOOL": np.dtype("?"),
    "I8": np.dtype("<i1"),
    "U8": np.dtype("<u1"),
    "I16": np.dtype("<i2"),
    "U16": np.dtype("<u2"),
    "F16": np.dtype("<f2"),
    "I32": np.dtype("<i4"),
    "U32": np.dtype("<u4"),
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
    "U64": np.dtype("<u8"),
    "F64": np.dtype("<f8"),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def read_arrays(path: str | Path) -> tuple[dict[str, str], dict[str, Array]]:
    """Return the metadata and the arrays of a file; a ModelFileError says what is wrong with it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_arrays(f"{folder}/a", {"made": "by hand"}, {"w": np.array([1.5, 2.0])})
    ...     metadata, arrays = read_arrays(f"{folder}/a")
    >>> metadata["made"], arrays["w"]
    ('by hand', array([1.5, 2. ]))
    """
    content = read_content(path, room=lambda size: np.empty(size, dtype=np.uint8))
    return content.metadata, {name: _seen(stored) for name, stored in content.arrays.items()}


def write_arrays(
    path: str | Path,
    metadata: dict[str, str],
    arrays: dict[str, Array],
    *,
    private: bool = False,
) -> None:
    """Write a file: the old one or the new one is there, never half of one.

    A new file that is private can be read by its owner only.
    """
    stored = {name: stored_array(array) for name, array in arrays.items()}
    write_content(path, Content(metadata, stored), private=private)


def stored_array(array: Array) -> StoredArray:
    """Return an array as it lies in a file: little-endian, in C order.

    Examples
    --------
    >>> stored_array(np.array([[1, 2]], dtype=np.uint8))[:2]
    ('U8', (1, 2))
    """
    plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    return StoredArray(NAMES[plain.dtype], plain.shape, plain.reshape(-1).view(np.uint8).data)


def _seen(stored: StoredArray) -> Array:
    """Return an array that lies where the file was read to."""
    dtype = DTYPES[stored.dtype]
    array = np.asarray(stored.data).view(dtype).reshape(stored.shape)
    if not array.flags.aligned:
        array = array.copy()
    return array.astype(dtype.newbyteorder("="), copy=False)
