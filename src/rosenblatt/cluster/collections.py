"""Dask's collections: as blocks to learn from, and answers about them, which are lazy, too."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from rosenblatt.cluster.crew import DaskCrew
from rosenblatt.cluster.parts import part_names, raw_part, spread_parts
from rosenblatt.cluster.spread import Spread
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, LabelError
from rosenblatt.types import Array

FRAME, ARRAY, BAG = "dataframe", "array", "bag"


def collection_kind(data: Any) -> str | None:
    """Return what kind of Dask's collections something is; None for anything else.

    Examples
    --------
    >>> collection_kind([[1.0]]) is None
    True
    """
    home = type(data).__module__.split(".")
    if home[0] != "dask":
        return None
    if hasattr(data, "map_partitions") and hasattr(data, "divisions"):
        return FRAME
    return {"array": ARRAY, "bag": BAG}.get(home[1] if len(home) > 1 else "")


def spread_collection(X: Any, y: Any, sample_weight: Any = None, client: Any = None) -> Spread:
    """Return rows and labels that Dask has, in as many parts, as blocks."""
    crew = DaskCrew(client)
    if y is None:
        raise LabelError(
            "learning requires y, but the target y is None; pass the labels of the rows of X"
        )
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    columns = _in_parts({name: value for name, value in given.items() if value is not None})
    names = part_names(len(columns[0]))
    raw = [crew.task(name, raw_part, *part) for name, *part in zip(names, *columns, strict=True)]
    return spread_parts(crew, raw, names)


def answers(model: Any, method: str, X: Any) -> Any:
    """Return what a method of a model says about each row: lazy, and of the same kind as X."""
    from dask import delayed

    kind, like = collection_kind(X), _example(model, method, X)
    once = delayed(model, pure=False)  # it travels once
    if kind == FRAME:
        import pandas as pd

        labels = None if like.ndim == 1 else list(model.classes_)
        meta = pd.Series(like[:0]) if labels is None else pd.DataFrame(like[:0], columns=labels)
        return X.map_partitions(_of_frame, once, method, meta, meta=meta)
    X = X.rechunk({1: -1})
    width: dict[str, Any] = {"drop_axis": 1} if like.ndim == 1 else {}
    chunks = {} if like.ndim == 1 else {"chunks": (X.chunks[0], (like.shape[1],))}
    return X.map_blocks(
        _of_rows, model=once, method=method, like=like[:0], meta=like[:0], **width, **chunks
    )


def right_share(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Return the share of rows, by their weights, that a model labels right: on the workers."""
    if not hasattr(model, "classes_"):
        raise DataError(
            f"{type(model).__name__} is not scored on collections of Dask",
            do="call compute() on X and y first",
        )
    crew = DaskCrew()
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    columns = _in_parts({name: value for name, value in given.items() if value is not None})
    names, once = part_names(len(columns[0])), crew.constant(model)
    tasks = (
        crew.task(name, _right, once, *part) for name, *part in zip(names, *columns, strict=True)
    )
    right, total = np.sum(crew.values(tasks), axis=0)
    if not total:
        raise DataError("there are no rows to score, or all of them have a weight of 0")
    return float(right / total)


def _in_parts(given: dict[str, Any]) -> list[list[Any]]:
    """Return the parts of collections that belong together; refuse those that do not."""
    X = given["X"]
    _check_rows_of_numbers(X)
    parts = []
    for name, value in given.items():
        kind = collection_kind(value)
        if kind not in (FRAME, ARRAY):
            raise DataError(
                f"{name} must be a collection of Dask in the same parts as X, got "
                f"{type(value).__name__}",
                do="take both from one dask.dataframe, or make a dask.array of it with the chunks "
                "of X",
            )
        if kind == ARRAY and name == "X":
            value = value.rechunk({1: -1}) if value.ndim == 2 else value
        elif kind == ARRAY and collection_kind(X) == ARRAY and _is_known(X) and _is_known(value):
            if value.shape[0] != X.shape[0]:
                raise DataError(
                    f"X has {counted(X.shape[0], 'row')} and {name} {value.shape[0]}, which differ"
                )
            value = value.rechunk({0: X.chunks[0]})
        parts.append(list(np.ravel(np.array(value.to_delayed(), dtype=object))))
        if len(parts[-1]) != len(parts[0]):
            raise DataError(
                f"X has {len(parts[0])} parts and {name} has {len(parts[-1])}",
                do="take both from one collection, or repartition them alike",
            )
    return parts


def _check_rows_of_numbers(X: Any) -> None:
    if collection_kind(X) == BAG:
        raise DataError(
            "a bag has no columns of numbers",
            do="use rosenblatt.spread(bag, target=...), or make a table of it with to_dataframe()",
            in_shell="",
        )
    if getattr(X, "ndim", 2) != 2:
        raise DataError(f"X must have rows and columns, got {X.ndim} dimension")


def _is_known(array: Any) -> bool:
    return not np.isnan(array.shape[0])


def _example(model: Any, method: str, X: Any) -> Array:
    """Return what a method makes of one row, to know its type and shape."""
    _check_rows_of_numbers(X)
    row: Any = np.zeros((1, X.shape[1]))
    if collection_kind(X) == FRAME:
        import pandas as pd

        row = pd.DataFrame(row, columns=list(X.columns))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Array = getattr(model, method)(row)
    return found


def _of_rows(X: Any, model: Any, method: str, like: Array) -> Any:
    if X.shape[0] == 0:
        return like
    return getattr(model, method)(X)


def _of_frame(X: Any, model: Any, method: str, meta: Any) -> Any:
    if len(X) == 0:
        return meta
    found = getattr(model, method)(X)
    how = {"columns": list(meta.columns)} if meta.ndim == 2 else {"dtype": meta.dtype}
    return type(meta)(found, index=X.index, **how)


def _right(model: Any, X: Any, y: Any, weights: Any = None) -> tuple[float, float]:
    if X.shape[0] == 0:
        return 0, 0
    labels = np.asarray(y)
    if len(labels) != X.shape[0]:
        raise DataError(
            f"X has {counted(X.shape[0], 'row')} and y "
            f"{counted(len(labels), 'label')}, which differ"
        )
    right = model.predict(X) == labels
    if weights is None:
        return int(right.sum()), len(right)
    weights = np.asarray(weights, dtype=np.float64)
    return float(weights[right].sum()), float(weights.sum())
