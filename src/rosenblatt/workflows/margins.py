"""Which line is better? The largest margin beside those of PLA and of lines that are given."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.errors import NoMarginError
from rosenblatt.proof.margin import LineMargin, MaxMargin, line_margin, max_margin
from rosenblatt.tracing.table import aligned, shown_number, vector
from rosenblatt.workflows.prove import check_not_rounded
from rosenblatt.workflows.trace import learner_to_watch

MOST_ROWS = 12  # that a sentence lists
NOT_SEPARABLE = (
    "no linear rule{kind} separates the classes, so there is no margin; `rosenblatt prove{option}` "
    "shows examples that contradict each other, and `fit -a pocket` learns a rule with few mistakes"
)


class NamedLine(NamedTuple):
    """A line, and who drew it."""

    name: str
    found: LineMargin

    @property
    def facts(self) -> dict[str, Any]:
        """What is known of it, as `rosenblatt margin --json` says it."""
        return {"name": self.name, **vars(self.found)}


class Margins(NamedTuple):
    """The largest margin, None if nothing separates, and the lines, best first."""

    examples: Examples
    best: MaxMargin | None
    lines: list[NamedLine]
    fit_intercept: bool

    @property
    def facts(self) -> dict[str, Any]:
        """What there is to say, as `rosenblatt margin --json` says it."""
        names = (
            *("margin", "B", "radius", "updates_bound", "support", "gap", "w"),
            *("geometric_margin", "geometric_w", "geometric_gap", "classes"),
        )
        known = {name: getattr(self.best, name, None) for name in names}
        lines = [line.facts for line in self.lines]
        return {"separable": self.best is not None, **known, "lines": lines}

    def __str__(self) -> str:
        """Return sentences and a table."""
        if self.best is None:
            way = ("", "") if self.fit_intercept else (" through the origin", " --no-intercept")
            said = [NOT_SEPARABLE.format(kind=way[0], option=way[1])]
        else:
            said = [*_sentences(self.best), ""]
        if not self.lines:
            return "\n".join(said)
        head = ("line", "margin", "in canonical form", "nearest row", "wrong", "w, w0 first")
        rows = [
            (
                name,
                shown_number(found.geometric_margin, 6),
                shown_number(found.margin, 6),
                str(found.nearest),
                str(len(found.wrong)),
                vector(found.w),
            )
            for name, found in self.lines
        ]
        left = [cell in ("line", "w, w0 first") for cell in head]
        return "\n".join([*said, *aligned(head, rows, left)])


def _sentences(best: MaxMargin) -> list[str]:
    lines = str(best).splitlines()
    rows = ", ".join(map(str, best.support[:MOST_ROWS].tolist()))
    more = ", ..." if len(best.support) > MOST_ROWS else "."
    lines[1] = f"It rests on {counted(len(best.support), 'example')}: rows {rows}{more}"
    return lines


def compare_lines(
    examples: Examples,
    given: Sequence[Sequence[float]] = (),
    *,
    fit_intercept: bool = True,
    time_limit: float | None = None,
) -> Margins:
    """Return the largest margin, and those of PLA's line and of given ones, best first.

    Examples
    --------
    >>> from rosenblatt import read
    >>> found = compare_lines(read("lecture"), [[-3, 1]])
    >>> [line.name for line in found.lines]
    ['widest street', 'of the theorem', '--line -3,1', 'PLA, 11 updates']
    >>> [round(line.found.geometric_margin, 3) for line in found.lines]
    [2.5, 2.5, 1.0, 0.333]
    """
    check_not_rounded(examples)
    X, y = examples.X, examples.y
    lines = [
        NamedLine("--line " + ",".join(f"{v:g}" for v in w), line_margin(w, X, y)) for w in given
    ]
    try:
        best = max_margin(X, y, fit_intercept=fit_intercept, time_limit=time_limit)
    except NoMarginError:
        return Margins(examples, None, _ranked(lines), fit_intercept)
    learner = learner_to_watch("perceptron", 0, {"fit_intercept": fit_intercept})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table says how many it has wrong
        learner.fit(X, y)
    pla = np.concatenate([learner.intercept_, learner.coef_[0]])
    lines = [
        NamedLine("widest street", line_margin(best.geometric_w, X, y)),
        NamedLine("of the theorem", line_margin(best.w, X, y)),
        NamedLine(f"PLA, {counted(learner.n_updates_, 'update')}", line_margin(pla, X, y)),
        *lines,
    ]
    return Margins(examples, best, _ranked(lines), fit_intercept)


def _ranked(lines: list[NamedLine]) -> list[NamedLine]:
    return sorted(lines, key=lambda line: -line.found.geometric_margin)
