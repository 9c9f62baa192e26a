"""Parameters and attributes as JSON and plain arrays, and back; no object is made by its name.

JSON                          None, bool, int, str, finite float, list
{"float": "inf"}              the other floats
{"tuple": [...]}
{"dict": [[key, value] ...]}  keys are strings or numbers
{"array": name}               an array of the file; "order": "F" if it lies column by column,
                              "as": a dtype that is kept as another (complex128, S4 ...)
{"texts": name, "as": dtype}  strings or bytes: all in one array, the ends of each in another
{"whole": name}               Python's whole numbers, in two's complement
{"scalar": array}             a NumPy scalar
{"part": name, "fields": []}  one of `parts.PARTS`
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt.errors import ModelFileError
from rosenblatt.model_file.arrays import NAMES
from rosenblatt.model_file.parts import PARTS, fields_of, make_part
from rosenblatt.types import Array

DEEPEST = 20
MOST_WIDTH = 1 << 12  # bytes of a whole number; sums of squares of float64 have under 1000
MOST_TEXT = 1 << 30  # bytes of an array of strings
# dtypes that are kept as numbers of another dtype
VIEWED = re.compile(r"complex(64|128)|(datetime64|timedelta64)(\[[a-z0-9A-Z]+\])?|\|?S[0-9]{1,9}")
TEXTS = re.compile(r"object|bytes|<U[0-9]{1,9}")


class Writer:
    """Turns values into JSON; collects the arrays."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self._known: dict[int, tuple[Array, Any]] = {}

    def write(self, value: Any, where: str) -> Any:
        """Return a value as JSON; `where` names its arrays, and the value in errors."""
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) in (list, tuple):
            nodes = [self.write(item, f"{where}/{k}") for k, item in enumerate(value)]
            return nodes if type(value) is list else {"tuple": nodes}
        if type(value) is dict:
            items = [[key, item] for key, item in value.items()]
            return {"dict": self.write(items, where)}
        if type(value) is np.ndarray:
            return self._array(value, where)
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value), where)}
        name, fields = fields_of(value, where)
        nodes = [self.write(field, f"{where}/{k}") for k, field in fields.items()]
        return {"part": name, "fields": nodes}

    def _array(self, a: Array, where: str) -> Any:
        # an array that is there twice stays one; it is kept, so that its id stays its own
        if id(a) not in self._known:
            self._known[id(a)] = a, self._new_array(a, where)
        return self._known[id(a)][1]

    def _new_array(self, a: Array, where: str) -> Any:
        if a.dtype.kind in "OU":
            return self._objects(a, where)
        if a.dtype.kind in "cmMS":
            base = {"c": f"<f{a.itemsize // 2}", "S": "u1"}.get(a.dtype.kind, "<i8")
            stored = np.asarray(a, order="C")[..., np.newaxis].view(base)
            node = {"array": self._keep(stored, where), "as": str(a.dtype)}
            if VIEWED.fullmatch(node["as"]) and a.itemsize:
                return node
        elif a.dtype.newbyteorder("<") in NAMES:
            if a.flags.f_contiguous and not a.flags.c_contiguous:
                return {"array": self._keep(a.T, where), "order": "F"}
            return {"array": self._keep(a, where)}
        raise ModelFileError(f"{where} is an array of {a.dtype}, which a model file cannot hold")

    def _objects(self, a: Array, where: str) -> Any:
        items, shape = a.ravel().tolist(), list(a.shape)
        kinds = {type(item) for item in items}
        if a.dtype.kind == "U" or kinds == {str}:
            parts = [item.encode("utf-8", "surrogatepass") for item in items]
            dtype = f"<U{a.itemsize // 4}" if a.dtype.kind == "U" else "object"
        elif kinds == {bytes}:
            parts, dtype = items, "bytes"
        elif kinds <= {int}:
            return {"whole": self._keep(_digits(items, a.shape), where), "shape": shape}
        elif kinds <= {bool, int, float, str, type(None)}:
            return {"objects": [self.write(item, where) for item in items], "shape": shape}
        else:
            raise ModelFileError(
                f"{where} holds {sorted(kind.__name__ for kind in kinds)}; a model file can hold "
                "numbers and strings only"
            )
        ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        text = np.frombuffer(b"".join(parts), dtype=np.uint8)
        self._keep(ends, f"{where}/ends")
        return {"texts": self._keep(text, where), "as": dtype, "shape": shape}

    def _keep(self, a: Array, where: str) -> str:
        self.arrays[where] = a
        return where


class Reader:
    """Turns JSON and arrays back into values; anything unknown is a ValueError."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self.arrays = arrays
        self._known: dict[str, Any] = {}

    def read(self, node: Any, depth: int = 0) -> Any:
        """Return the value of a node."""
        if depth > DEEPEST:
            raise ValueError(f"values lie in each other more than {DEEPEST} deep")
        if isinstance(node, list):
            return [self.read(item, depth + 1) for item in node]
        if not isinstance(node, dict):
            return node
        match node:
            case {"float": str(text), **rest} if text in ("inf", "-inf", "nan") and not rest:
                return float(text)
            case {"tuple": list(items), **rest} if not rest:
                return tuple(self.read(item, depth + 1) for item in items)
            case {"dict": list(items), **rest} if not rest:
                return dict(self.read(item, depth + 1) for item in items)
            case {"scalar": dict(inner), **rest} if not rest:
                return self._scalar(inner)
            case {"part": str(name), "fields": list(fields), **rest} if not rest and name in PARTS:
                return make_part(name, [self.read(field, depth + 1) for field in fields])
        return self._array(node)

    def _scalar(self, node: dict[str, Any]) -> Any:
        array = self._array(node)
        if array.ndim != 0:
            raise ValueError("a scalar has axes")
        return array[()]

    def _array(self, node: dict[str, Any]) -> Array:
        key = repr(node)
        if key not in self._known:
            self._known[key] = self._new_array(node)
        array: Array = self._known[key]
        return array

    def _new_array(self, node: dict[str, Any]) -> Array:
        match node:
            case {"array": str(name), **rest} if not rest:
                return self.arrays[name]
            case {"array": str(name), "order": "F", **rest} if not rest:
                return self.arrays[name].T
            case {"array": str(name), "as": str(dtype), **rest} if not rest:
                if not VIEWED.fullmatch(dtype):
                    raise ValueError(f"{dtype[:40]!r} is no dtype that a file can hold")
                return self.arrays[name].view(dtype)[..., 0]
            case {"texts": str(name), "as": str(dtype), "shape": list(shape), **rest} if not rest:
                return self._texts(name, dtype).reshape(shape)
            case {"whole": str(name), "shape": list(shape), **rest} if not rest:
                return _wholes(self.arrays[name]).reshape(shape)
            case {"objects": list(items), "shape": list(shape), **rest} if not rest:
                return _filled([self.read(item, DEEPEST) for item in items]).reshape(shape)
        raise ValueError(f"{str(node)[:80]!r} is no value")

    def _texts(self, name: str, dtype: str) -> Array:
        text, ends = self.arrays[name], self.arrays[f"{name}/ends"]
        right = text.dtype == np.uint8 and text.ndim == 1
        right = right and ends.dtype == np.int64 and ends.ndim == 1 and len(ends) > 0
        right = (
            right and ends[0] == 0 and ends[-1] == len(text) and bool((np.diff(ends) >= 0).all())
        )
        if not (right and TEXTS.fullmatch(dtype)):
            raise ValueError(f"the strings {name[:80]!r} are not in order")
        whole = text.tobytes()
        parts = [whole[a:b] for a, b in pairwise(ends.tolist())]
        if dtype == "bytes":
            return _filled(parts)
        strings = [part.decode("utf-8", "surrogatepass") for part in parts]
        if dtype == "object":
            return _filled(strings)
        if 4 * int(dtype[2:]) * len(strings) > MOST_TEXT:
            raise ValueError(f"{dtype} is too wide for {len(strings)} strings")
        return np.array(strings, dtype=dtype)


def _filled(items: list[Any]) -> Array:
    objects = np.empty(len(items), dtype=object)
    objects[:] = items
    return objects


def _digits(items: list[int], shape: tuple[int, ...]) -> Array:
    """Return whole numbers as bytes, all of the same width, along a last axis."""
    width = max((item.bit_length() for item in items), default=0) // 8 + 1
    text = b"".join(item.to_bytes(width, "little", signed=True) for item in items)
    return np.frombuffer(text, dtype=np.uint8).reshape(*shape, width)


def _wholes(digits: Array) -> Array:
    width = digits.shape[-1]
    if digits.dtype != np.uint8 or not 0 < width <= MOST_WIDTH:
        raise ValueError("whole numbers are bytes, not too many of them")
    text = digits.tobytes()
    starts = range(0, len(text), width)
    return _filled([int.from_bytes(text[k : k + width], "little", signed=True) for k in starts])
