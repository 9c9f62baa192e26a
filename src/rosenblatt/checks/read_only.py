"""Rows that may not be written, for kernels that do not write them.

Numba takes an array that says it is read-only (a memory map, a column of Arrow, what joblib shares)
for another type, and would compile every kernel anew: seconds, for the same code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class _Same:
    """The memory of an array, without its word that nobody may write it."""

    def __init__(self, array: Array) -> None:
        self._array = array  # keeps the memory alive
        facts = array.__array_interface__
        self.__array_interface__ = facts | {"data": (facts["data"][0], False)}


def as_others(array: Array) -> Array:
    """Return an array on the same memory that has the type of those that may be written.

    Only for what is given to kernels as rows: to write it may end the process.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(3.0)
    >>> X.flags.writeable = False
    >>> same = as_others(X)
    >>> same.flags.writeable, np.shares_memory(same, X)
    (True, True)
    """
    if array.flags.writeable or not array.size:
        return array
    return np.asarray(_Same(array))
