"""Single examples on the page: by their text, or by the columns that count most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt._validation import Array
from rosenblatt.errors import DataError
from rosenblatt.workflows.contributions import linear_form
from rosenblatt.workflows.fitting import FitReport
from rosenblatt.workflows.report.markup import Html, joined, number, plain, tag
from rosenblatt.workflows.report.tables import count_cell, head, number_head

MOST_COLUMNS = 6
MOST_ENTRIES = 8
LONGEST_TEXT = 320
LONGEST_NAME = 40
LONGEST_LABEL = 40

Describe = Callable[[int], list[Html]]  # the cells of a row


def label_of(label: Any) -> Html:
    """Return a label for the page."""
    return plain(label, LONGEST_LABEL)


def name_of(name: Any) -> Html:
    """Return the name of a feature for the page."""
    return plain(name, LONGEST_NAME)


def describing(report: FitReport) -> tuple[list[Html], Describe]:
    """Return heads of columns, and a function that gives the cells of an example."""
    examples = report.examples
    if examples.texts is not None:
        texts = examples.texts
        return [head("text")], lambda i: [_cell_of_text(texts[i].as_py())]
    if sparse.issparse(examples.X):
        weights = _weights(report)
        return [head("entries")], lambda i: [_cell_of_entries(examples, weights, i)]
    columns = important(report)[:MOST_COLUMNS]
    heads = [number_head(name_of(examples.feature_names[j])) for j in columns]
    X = examples.X
    return heads, lambda i: [count_cell(number(X[i, j])) for j in columns]


def important(report: FitReport) -> list[int]:
    """Return the columns of dense rows, the one that counts most first.

    By their weights for columns of equal spread; without weights by how far the classes' means
    are apart.
    """
    X = np.asarray(report.examples.X, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X.std(axis=0)
        weights = _weights(report)
        if weights is None:
            by = _apart(X, report.examples.y) / np.where(spread > 0, spread, np.inf)
        else:
            by = weights if report.is_scaled else weights * spread
    order: list[int] = np.argsort(-np.nan_to_num(by), kind="stable").tolist()
    return order


def _weights(report: FitReport) -> Array | None:
    """Return how much each column counts for any class; None for a learner without weights."""
    try:
        coef = linear_form(report.model).coef
    except DataError:
        return None
    weights: Array = np.abs(coef - (coef.mean(axis=0) if len(coef) > 1 else 0)).sum(axis=0)
    return weights


def _apart(X: Array, y: Array) -> Array:
    means = np.array([X[y == label].mean(axis=0) for label in np.unique(y)])
    distances: Array = np.ptp(means, axis=0)
    return distances


def _cell_of_text(text: str | None) -> Html:
    return tag("td", plain(text or "", LONGEST_TEXT), class_="text", dir="auto")


def _cell_of_entries(examples: Any, weights: Array | None, i: int) -> Html:
    """Return the entries of a sparse row that count most, in their order."""
    X, names = examples.X, examples.feature_names
    here = slice(X.indptr[i], X.indptr[i + 1])
    columns, values = X.indices[here], np.asarray(X.data[here], dtype=np.float64)
    by = np.abs(values if weights is None else values * weights[columns])
    order = np.sort(np.argsort(-by, kind="stable")[:MOST_ENTRIES])
    shown = [_entry(names[int(columns[k])], values[k]) for k in order]
    rest = len(columns) - len(shown)
    more = [f"and {rest} more"] if rest else []
    return tag("td", joined(*_commas([*shown, *more])), class_="text")


def _entry(name: Any, value: float) -> Html:
    return name_of(name) if value == 1 else joined(name_of(name), " = ", number(value))


def _commas(parts: Sequence[Any]) -> list[Any]:
    return [part for k, one in enumerate(parts) for part in ((", ", one) if k else (one,))]
