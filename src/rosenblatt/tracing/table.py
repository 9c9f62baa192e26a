"""A trace as the lecture writes it down: a line for each step, then what the theorem says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from rosenblatt.counting import at_most, counted
from rosenblatt.types import Array

if TYPE_CHECKING:
    from rosenblatt.tracing.trace import Trace

MOST_LINES = 25  # of a table: with its end it fits a screen
MOST_WEIGHTS = 5  # that are shown of a vector
MOST_IN_FULL = 1e7  # a whole number up to here has all its digits
EVERYONE = -1  # what is picked when all mistakes are corrected at once


def lecture_table(trace: Trace, *, proof: bool = False) -> str:
    r"""Return the steps as a table, few enough to be read; with `proof` those of the theorem, too.

    Examples
    --------
    >>> from rosenblatt import Perceptron, trace
    >>> steps = trace(Perceptron(rule="worst"), [[1], [2], [7], [8]], [-1, -1, 1, 1])
    >>> print("\n".join(lecture_table(steps).splitlines()[:4]))
    step  row  (1, x)   y  w before  y(w.x) before  after  w after   E_in
       0                                                   (0, 0)    1
       1    0  (1, 1)  -1  (0, 0)                0      2  (-1, -1)  0.5
       2    3  (1, 8)  +1  (-1, -1)             -9     56  (0, 7)    0.5
    """
    shown = _rows_shown(len(trace.steps))
    parts = ["\n".join(_steps(trace, shown))]
    if proof:
        parts += ["", "\n".join(_proof(trace, shown)), ""]
    left = len(trace.steps) - len(shown)
    if left:
        parts.append(
            f"({counted(left, 'step')} left out here; -o steps.csv, or to_pandas() in Python, "
            "has all)"
        )
    return "\n".join([*parts, *_end(trace)])


def _rows_shown(n: int) -> list[int]:
    """Return the rows that are shown: all, or some from the first to the last."""
    few = np.linspace(0, n - 1, min(n, MOST_LINES)).round().astype(int)
    return [int(row) for row in np.unique(few)]


def _steps(trace: Trace, shown: Sequence[int]) -> list[str]:
    head = ("step", "row", "(1, x)", "y", "w before", "y(w.x) before", "after", "w after", "E_in")
    left = [name in ("(1, x)", "w before", "w after", "E_in") for name in head]
    return aligned(head, [_step(trace, t) for t in shown], left)


def _step(trace: Trace, t: int) -> tuple[str, ...]:
    after, error = vector(trace.weights[t]), shown_number(trace.errors[t])
    if t == 0:
        return (str(trace.steps[0]), *[""] * 6, after, error)
    row, before = int(trace.picked[t - 1]), ""
    if trace.steps[t] == trace.steps[t - 1] + 1:
        before = vector(trace.weights[t - 1])
    if row == EVERYONE:
        picked = ("all", "", "")
    else:
        picked = (str(row), vector(_example(trace, row)), f"{int(trace.y[row]):+d}")
    scores = [
        "" if values is None or np.isnan(values[t - 1]) else shown_number(values[t - 1])
        for values in (trace.ywx_before, trace.ywx_after)
    ]
    return (str(trace.steps[t]), *picked, before, *scores, after, error)


def _example(trace: Trace, row: int) -> Array:
    """Return (1, x) of an example; as many numbers as are shown."""
    x: Any = trace.X[[row]]
    dense = x[:, :MOST_WEIGHTS].toarray() if sparse.issparse(x) else x
    return np.concatenate([[1.0], np.asarray(dense, dtype=float)[0]])


def _proof(trace: Trace, shown: Sequence[int]) -> list[str]:
    """Return the quantities of the proof, each beside its bound."""
    if trace.along_best is None or trace.length2_bound is None:
        return [f"no table of the proof: {trace.no_bound}"]
    head = ("T", "w*.w_T", ">= T", "|w_T|^2", "<= T R^2", "cos(w*, w_T)", ">= sqrt(T)/(R B)")
    columns: Any = (
        *(trace.steps, trace.along_best, trace.steps, trace.length2),
        *(trace.length2_bound, trace.cosine, trace.cosine_bound),
    )
    lines = [
        tuple("" if np.isnan(column[t]) else shown_number(column[t], 6) for column in columns)
        for t in shown
    ]
    return aligned(head, lines, [False] * len(head))


def _end(trace: Trace) -> list[str]:
    n, error, best = int(trace.steps[-1]), trace.errors[-1], trace.pocket_errors[-1]
    first, last, least = map(shown_number, (trace.errors[0], error, best))
    lines = [
        f"{counted(n, 'step')}; E_in {first} at the start, {last} at the end, {least} at best",
        "final weights, w0 first: "
        + ", ".join(f"{v:.6g}" for v in trace.final[:8])
        + (", ..." if len(trace.final) > 8 else ""),
    ]
    if trace.bound is None or trace.radius is None or trace.B is None:
        return [*lines, f"no bound on updates: {trace.no_bound}"]
    made = f"this one made {n}" if error == 0 else f"this one was stopped after {n}"
    return [
        *lines,
        f"theorem: with R = {trace.radius:.6g} and B = {trace.B:.6g} a perceptron that starts "
        f"from zero makes at most {at_most(trace.bound, 'update')}, (R B)^2 rounded down, whatever "
        f"the order of the rows; {made}",
    ]


def shown_number(value: float, digits: int = 4) -> str:
    """Return a number in few digits, and a whole one without a point.

    Examples
    --------
    >>> shown_number(-7.0), shown_number(1 / 3), shown_number(-0.0)
    ('-7', '0.3333', '0')
    """
    if abs(value) < MOST_IN_FULL and value == int(value):
        return str(int(value))
    return f"{value:.{digits}g}"


def vector(w: Array) -> str:
    """Return a vector as the lecture writes it; of a long one the first numbers.

    Examples
    --------
    >>> vector(np.array([-7.0, 3.0]))
    '(-7, 3)'
    """
    is_long = len(w) > MOST_WEIGHTS
    shown = w[: MOST_WEIGHTS - 3] if is_long else w  # three vectors side by side
    return f"({', '.join(map(shown_number, shown))}{', ...' if is_long else ''})"


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[bool]) -> list[str]:
    """Return the lines of a table; columns that are not at the left are at the right.

    Examples
    --------
    >>> aligned(("a", "n"), [("b", "10")], (True, False))
    ['a   n', 'b  10']
    """
    lines = [head, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return [
        "  ".join(
            f"{cell:<{width}}" if at_left else f"{cell:>{width}}"
            for cell, width, at_left in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in lines
    ]
