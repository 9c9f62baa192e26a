"""Tables that do not hold numbers are refused in words: which column, and what to do with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.counting import counted
from rosenblatt.elsewhere import is_elsewhere
from rosenblatt.errors import DataError

Array = np.ndarray[Any, Any]
SHOWN = 3  # names that are there more than once

TEXT = "X must hold numbers, got text{where}"
OF_WORDS = {
    "do": "turn texts into words first (rosenblatt.BagOfWords), and categories into columns "
    "(sklearn.preprocessing.OneHotEncoder)",
    "in_shell": "",
}
TIMES = (
    "X must hold numbers, got {what}{where}; turn times into numbers first, for example into the "
    "days since the first of them, or leave the column out"
)
# How pandas, polars and Arrow call the types of such columns
OF_TEXT = re.compile(
    r"(large_)?(string|str|binary)(_view)?\b|categorical|enum|dictionary<values=(large_)?string",
    re.I,
)
OF_TIMES = re.compile(r"date|time|duration|period|month_day", re.I)

# What scikit-learn says of a table, and what it does not say: what to do
ADVICE = {
    "0 sample(s)": "X must have at least one row; look whether a filter has left none.",
    "0 feature(s)": "X must have at least one column of numbers.",
    "at least one array or dtype": "X must have at least one column of numbers.",
    "Found array with dim": "X must have a row for each example: X.reshape(len(X), -1).",
    "CSR must be 1D or 2D": "X must have two dimensions, a row for each example.",
    "Complex data not supported": "X must hold real numbers: pass X.real, or X.real and X.imag.",
    "an array element with a sequence": "X must hold a number in each place; lists are none.",
    "features as input": "Pass the columns that the model was fitted with, in their order.",
    "feature names should match": "Pass the columns of fit, in their order: feature_names_in_.",
}


class _NotNumbersError(DataError, TypeError):
    """Objects that are no numbers: for scikit-learn's contract a TypeError."""


def check_table(X: Any) -> Any:
    """Refuse what is no table of numbers; return X, or the array that a list stands for."""
    if is_elsewhere(X):
        raise DataError(
            "X is a collection of Dask, and this needs rows in memory",
            do="call compute() on it first; the classifiers learn from it as it is, and predict",
            in_shell="",
        )
    if not hasattr(X, "shape"):
        X = _as_array(X)
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise DataError(
            "X must hold a number in every place, got some that are masked "
            f"({np.ma.getmaskarray(X).sum()} in all)",
            do="drop those rows or fill them in: X.filled(0)",
            in_shell="",
        )
    names = []
    for name, kind, values in _columns(X):
        _check_column(str(kind), values, f" in column {name!r}")
        names.append(name)
    _check_names(names)
    if getattr(getattr(X, "dtype", None), "names", None):
        raise DataError(
            f"X must be a table of numbers, got records with the fields {X.dtype.names}",
            do="pass numpy.lib.recfunctions.structured_to_unstructured(X)",
            in_shell="",
        )
    if isinstance(X, np.ndarray):
        kind = "str" if X.dtype.kind in "UST" else str(X.dtype)
        _check_column(kind, X.ravel() if X.dtype == object else None, "")
    return X


def _as_array(X: Any) -> Array:
    array: Array | None = None
    listed = isinstance(X, Iterable) and not isinstance(X, (Mapping, str, bytes))
    if listed or hasattr(X, "__array__"):
        try:
            array = np.asarray(X)
        except ValueError as error:
            raise DataError(
                "X must have the same number of columns in every row, got rows of differing "
                f"length; fill up or drop the short ones ({error})"
            ) from error
    if array is None or array.ndim == 0:
        raise DataError(
            "X must be a table of numbers with a row for each example, got "
            f"{type(X).__name__}; pass an array, a sparse matrix, a data frame or a list of rows"
        )
    return array


def _columns(X: Any) -> Iterable[tuple[Any, Any, Any]]:
    """Return name, type and (perhaps) objects of the columns of a data frame."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):  # pandas
        for k, (name, kind) in enumerate(zip(X.columns, X.dtypes, strict=True)):
            # categories may be numbers
            kind = getattr(getattr(kind, "categories", None), "dtype", kind)
            yield name, kind, X.iloc[:, k] if kind == np.object_ else None
        return
    schema: Any = getattr(X, "schema", None)
    if isinstance(schema, Mapping):  # polars
        for name, kind in schema.items():
            yield name, kind, None
    elif hasattr(schema, "types"):  # Arrow
        for name, kind in zip(schema.names, schema.types, strict=True):
            yield name, kind, None


def _check_names(names: Sequence[Any]) -> None:
    again = [f"{name!r} {n} times" for name, n in Counter(names).items() if n > 1]
    if again:
        raise DataError(
            f"Expected unique column names, got {', '.join(again[:SHOWN])}. Give each column of X "
            "a name of its own"
        )


def _check_column(kind: str, values: Any, where: str) -> None:
    if values is not None:
        kind = "str" if any(isinstance(value, (str, bytes)) for value in values) else kind
    if OF_TEXT.match(kind):
        raise DataError(TEXT.format(where=where), **OF_WORDS)
    if OF_TIMES.match(kind):
        raise DataError(TIMES.format(what=kind, where=where))


def in_words(error: Exception, X: Any) -> DataError:
    """Return an error of scikit-learn or NumPy about X as one of ours, with what to do."""
    said = str(error)
    if "could not convert string" in said:
        return DataError(f"{TEXT.format(where='')} ({said})", **OF_WORDS)
    if isinstance(error, OverflowError):
        return DataError(f"X must hold numbers that a float64 can hold: {said}; scale them down")
    for phrase, advice in ADVICE.items():
        if phrase in said:
            # the data itself, which may be long, is not repeated
            said = f"{phrase}." if phrase == "Complex data not supported" else said
            return DataError(
                said if said.endswith((".", "\n")) else f"{said}.", do=advice, in_shell=""
            )
    if isinstance(error, TypeError) and "float()" in said:
        what = f"got {_first_other(X)}; leave it out, or make it a number"
        return _NotNumbersError(f"X must hold numbers, {what} ({said})")
    return DataError(said)


def _first_other(X: Any) -> str:
    """Return the type and the place of the first object that is no number."""
    names = [name for name, _, _ in _columns(X)]
    table = np.asarray(X.data if sparse.issparse(X) else X, dtype=object)
    for place, value in np.ndenumerate(table):
        try:
            float(0 if value is None else value)  # None is a missing number
        except TypeError:
            if len(place) < 2:
                return type(value).__name__
            column = repr(names[place[1]]) if names else place[1]
            return f"{type(value).__name__} at row {place[0]}, column {column}"
    return "other objects"


def check_finite(values: Array, X: Any, names: Array | None) -> None:
    """Refuse NaN and infinity among the values of X."""
    with np.errstate(over="ignore", invalid="ignore"):
        # the product reads faster than the sum: 6.9 against 8.7 ms for 128 MB
        flat = values.ravel()
        if np.isfinite(flat @ flat) or np.isfinite(values).all():
            return
    if sparse.issparse(X):
        X = X.tocoo()
        wrong = np.flatnonzero(~np.isfinite(X.data))
        row, column, value = X.row[wrong[0]], X.col[wrong[0]], X.data[wrong[0]]
    else:
        wrong = np.flatnonzero(~np.isfinite(X))
        row, column = divmod(int(wrong[0]), X.shape[1])
        value = X[row, column]
    where = column if names is None else repr(str(names[column]))
    infinite = "infinity (inf)" if value > 0 else "-infinity (-inf)"
    raise DataError(
        f"X must hold finite numbers, got {'NaN' if np.isnan(value) else infinite} at row {row}, "
        f"column {where} ({counted(len(wrong), 'such value')} in all)",
        do="drop those rows or fill them in, for example with sklearn.impute.SimpleImputer",
        in_shell="drop those rows, or fill them in",
    )
