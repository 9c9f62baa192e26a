"""What models are made of besides numbers, strings and arrays: each kind has a name in files.

The names are a fixed table. A file can ask for these kinds and for nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.errors import ModelFileError

MEMORY_OF_RANDOM_STATE = (624,)

# Records: what their fields hold is looked at where they are used (`attributes`)
RECORDS = {
    "Calibration": "rosenblatt.decision.calibration",
    "Memory": "rosenblatt.linear.averaged",
    "Ballot": "rosenblatt.linear.voted",
    "Sums": "rosenblatt.linear.least_squares_solver",
    "Counts": "rosenblatt.bayes.tally",
    "KeyedCounts": "rosenblatt.bayes.tally",
    "Moments": "rosenblatt.bayes.moments",
}
# Parts with a way of their own to be taken apart
OWN = {"Record": "rosenblatt.bayes.record", "Vocabulary": "rosenblatt.text.vocabulary"}


def fields_of(value: Any, where: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the fields of a part; refuse what no file has a place for."""
    kind = type(value)
    if kind.__name__ in RECORDS and is_part(value, kind.__name__):
        fields = value._asdict() if hasattr(value, "_asdict") else vars(value)
        return kind.__name__, fields
    if kind.__name__ in TAKEN and TAKEN[kind.__name__][0](value):
        return kind.__name__, TAKEN[kind.__name__][1](value)
    what = "a function" if callable(value) and not isinstance(value, type) else "an object"
    raise ModelFileError(
        f"{where} is {what} ({kind.__module__}.{kind.__qualname__}); a model file holds numbers, "
        "strings, lists and arrays only, so that reading it runs no code"
    )


def make_part(name: str, fields: list[Any]) -> Any:
    """Return the part with these fields; wrong ones are a ValueError or a TypeError."""
    if name in RECORDS:
        return getattr(import_module(RECORDS[name]), name)(*fields)
    return TAKEN[name][2](*fields)


def is_part(value: Any, name: str) -> bool:
    """Whether a value is a part of this name."""
    kind = type(value)
    return kind.__name__ == name and kind.__module__ == (RECORDS | OWN)[name]


def are_ends(ends: Any, text: Any) -> bool:
    """Whether `ends` cuts bytes into pieces: where each begins, and the end of the last."""
    right = text.dtype == np.uint8 and text.ndim == 1
    right = right and ends.dtype == np.int64 and ends.ndim == 1 and len(ends) > 0
    return right and ends[0] == 0 and ends[-1] == len(text) and bool((ends[1:] >= ends[:-1]).all())


def _record_fields(record: Any) -> dict[str, Any]:
    keys, times = record.arrays()
    return {"keys": keys, "times": times}


def _record(keys: Any, times: Any) -> Any:
    from rosenblatt.bayes.record import Record

    return Record.of_arrays(keys, times)


def _vocabulary(most_words: Any, hashes: Any, names: Any, ends: Any) -> Any:
    from rosenblatt.text.vocabulary import Vocabulary

    right = type(most_words) is int and 0 <= most_words < 1 << 31
    right = right and hashes.dtype == np.uint64 and hashes.ndim == 1 and len(hashes) < 1 << 31
    right = right and are_ends(ends, names) and len(ends) == len(hashes) + 1
    ordered = np.sort(hashes)
    if not right or (ordered[1:] == ordered[:-1]).any():
        raise ValueError("the vocabulary is not in order")
    names.tobytes().decode()  # raises a ValueError
    inside = ends[ends < len(names)]
    if (names[inside] & 0xC0 == 0x80).any():
        raise ValueError("a word ends within a character")
    vocabulary = Vocabulary(most_words)
    vocabulary.hashes, vocabulary.names, vocabulary.ends = hashes, names, ends
    return vocabulary


def _sparse_fields(matrix: Any) -> dict[str, Any]:
    return {
        "shape": tuple(map(int, matrix.shape)),
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
    }


def _sparse(shape: Any, data: Any, indices: Any, indptr: Any) -> Any:
    n_rows, n_columns = shape
    right = all(type(n) is int and n >= 0 for n in shape) and data.ndim == 1
    right = right and indices.dtype in (np.int32, np.int64) and indices.dtype == indptr.dtype
    right = right and indices.shape == data.shape and indptr.shape == (n_rows + 1,)
    right = right and indptr[0] == 0 and indptr[-1] == len(data)
    if not (right and (np.diff(indptr) >= 0).all()):
        raise ValueError("sparse rows are not in order")
    if ((indices < 0) | (indices >= n_columns)).any():
        raise ValueError(f"sparse rows have columns beyond {n_columns}")
    return sparse.csr_array((data, indices, indptr), shape=shape)


def _random_fields(state: Any) -> dict[str, Any]:
    found = state.get_state(legacy=False)
    inner = found["state"]
    gauss = float(found["gauss"])
    return {
        "key": inner["key"],
        "pos": inner["pos"],
        "has_gauss": found["has_gauss"],
        "gauss": gauss,
    }


def _random(key: Any, pos: Any, has_gauss: Any, gauss: Any) -> Any:
    right = key.dtype == np.uint32 and key.shape == MEMORY_OF_RANDOM_STATE
    right = right and type(pos) is int and 0 <= pos <= len(key) and has_gauss in (0, 1)
    if not (right and type(gauss) is float and math.isfinite(gauss)):
        raise ValueError("the random state is not one of the Mersenne twister")
    state = np.random.RandomState()
    state.set_state(("MT19937", key, pos, has_gauss, gauss))
    return state


def _is_twister(state: Any) -> bool:
    return (
        type(state) is np.random.RandomState
        and state.get_state(legacy=False)["bit_generator"] == "MT19937"
    )


def _is_default_rng(value: Any) -> bool:
    return type(value) is np.random.Generator and type(value.bit_generator) is np.random.PCG64


def _generator_fields(value: Any) -> dict[str, Any]:
    found = value.bit_generator.state
    return {**found["state"], "has_uint32": found["has_uint32"], "uinteger": found["uinteger"]}


def _generator(state: Any, inc: Any, has_uint32: Any, uinteger: Any) -> Any:
    right = all(type(n) is int and 0 <= n < 1 << 128 for n in (state, inc)) and inc % 2 == 1
    right = right and has_uint32 in (0, 1) and type(uinteger) is int and 0 <= uinteger < 1 << 32
    if not right:
        raise ValueError("the generator is not one of PCG64")
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": inc},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
    return np.random.Generator(bits)


def _is_distribution(value: Any) -> bool:
    from scipy import stats

    # a distribution of the same name that somebody made is another class
    return type(getattr(stats, str(value.dist.name), None)) is type(value.dist)


def _distribution_fields(value: Any) -> dict[str, Any]:
    return {"name": value.dist.name, "args": value.args, "options": list(value.kwds.items())}


def _distribution(name: Any, args: Any, options: Any) -> Any:
    from scipy import stats

    kinds = (stats.rv_continuous, stats.rv_discrete)
    known = {key for key, value in vars(stats).items() if isinstance(value, kinds)}
    numbers = [*args, *(value for _, value in options)]
    if name not in known or not all(np.asarray(number).dtype.kind in "biuf" for number in numbers):
        raise ValueError(f"{str(name)[:80]!r} is no distribution with numbers for parameters")
    return getattr(stats, name)(*args, **dict(options))


# name: (whether an object of this name is meant, its fields, the object from its fields)
TAKEN: dict[str, tuple[Callable[[Any], bool], Callable[[Any], dict[str, Any]], Callable[..., Any]]]
TAKEN = {
    "Record": (lambda value: is_part(value, "Record"), _record_fields, _record),
    "Vocabulary": (lambda value: is_part(value, "Vocabulary"), vars, _vocabulary),
    "csr_array": (lambda value: type(value) is sparse.csr_array, _sparse_fields, _sparse),
    "rv_continuous_frozen": (_is_distribution, _distribution_fields, _distribution),
    "rv_discrete_frozen": (_is_distribution, _distribution_fields, _distribution),
    "RandomState": (_is_twister, _random_fields, _random),
    "Generator": (_is_default_rng, _generator_fields, _generator),
}
PARTS = frozenset(RECORDS) | frozenset(TAKEN)
