"""Every learner on the same folds, best first.

The candidates are fixed; none is tuned on the data at hand. For texts (words, and words with pairs
of neighbours) naive Bayes counts with alpha = 0.01, see `algorithms`. For tables every learner has
its defaults, and one that cannot take the data is left out with a word.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from rosenblatt.as_json import json_line
from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.read import HowToRead, read, with_kinds
from rosenblatt.errors import PYTHON, SHELL, DataError, LabelError, OutOfTimeError, said_in
from rosenblatt.files import write_whole
from rosenblatt.logs import log_notes, log_stages
from rosenblatt.markup import Html, shortened, whole_page
from rosenblatt.shown import Tabular
from rosenblatt.types import Array, Labels
from rosenblatt.workflows.algorithms import ALGORITHMS
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.room import check_fits
from rosenblatt.workflows.task import Data, Task, Tell, make_task
from rosenblatt.workflows.uncertainty import are_apart, picked_error
from rosenblatt.workflows.validate import Validation, validate

if TYPE_CHECKING:
    import pyarrow


class Candidate(NamedTuple):
    """A learner to compare."""

    algorithm: str
    ngrams: int = 1

    @property
    def options(self) -> str:
        """What `rosenblatt fit -a` takes to choose it."""
        return self.algorithm if self.ngrams == 1 else f"{self.algorithm} --ngrams {self.ngrams}"


NGRAMS = (1, 2)  # words in a row that texts are made of, at most


@dataclass(frozen=True)
class Compared:
    """One line of the table."""

    candidate: Candidate
    validation: Validation
    f1: float | None  # of the second of two classes
    rank: int = 1  # 1 for the best, and for all that are not told apart from it

    @property
    def facts(self) -> dict[str, Any]:
        """What is in the line, as `rosenblatt compare --json` says it."""
        checked = self.validation
        return {
            "rank": self.rank,
            "algorithm": self.candidate.algorithm,
            "ngrams": self.candidate.ngrams,
            "error": checked.error,
            "error_uncertainty": checked.standard_error,
            "error_interval": checked.interval,
            "accuracy": 1 - checked.error,
            "f1": self.f1,
            "validated_by": checked.way,
            "seconds": checked.seconds,
            "bytes": checked.n_bytes,
        }


@dataclass(frozen=True, repr=False)
class Comparison(Tabular):
    """The table, best first, and who was left out and why."""

    examples: Examples
    classes: Labels
    way: str  # of validating
    seconds: float | None  # for each learner
    rows: list[Compared]
    left_out: list[tuple[str, DataError]]  # with the reason
    notes: tuple[str, ...]
    picked_error: float  # of the first one, corrected for having been picked

    def facts(self, place: str = PYTHON) -> dict[str, object]:
        """Return the table as `rosenblatt compare --json` says it, for a reader in some place.

        Parameters
        ----------
        place : {"python", "shell"}, default="python"
            Where the reader is: sentences name parameters there, or options.

        Returns
        -------
        dict
            The fields in docs/shell.md.
        """
        return {
            "validated_by": self.way,
            "seconds_each": self.seconds,
            "rows": [row.facts for row in self.rows],
            "winner_error_corrected": self.picked_error,
            "left_out": {name: said_in(place, reason) for name, reason in self.left_out},
        }

    def to_json(self) -> str:
        """Return the table as JSON, the same as `rosenblatt compare --json`.

        Returns
        -------
        str
            On one line.
        """
        return json_line(self.facts())

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each learner.

        Returns
        -------
        pyarrow.Table
            With the fields of a row in docs/shell.md; the interval is two columns.
        """
        import pyarrow

        rows = [dict(row.facts) for row in self.rows]
        for row in rows:
            row["error_low"], row["error_high"] = row.pop("error_interval")
        return pyarrow.Table.from_pylist(rows)

    def save(self, page: str | os.PathLike[str]) -> None:
        """Write the table as an HTML page.

        Parameters
        ----------
        page : str or path
            The file to write.
        """
        write_whole(page, whole_page(self.examples.source, Html(self._repr_html_())).encode())

    def __repr__(self) -> str:
        best = self.rows[0]
        return (
            f"<Comparison of {counted(len(self.rows), 'learner')} on "
            f"{shortened(self.examples.source)}: "
            f"{best.candidate.options} first, error {best.validation.error:.4f}>"
        )


def compare(
    data: Data,
    *,
    seed: int = 0,
    seconds: float | None = None,
    tell: Tell | None = None,
    **reading: Unpack[HowToRead],
) -> Comparison:
    """Validate every learner on the same folds, best first: what `rosenblatt compare` does.

    One that needs longer than `seconds` is judged by the folds that it got done, and left out if
    that is none. Those whose mistakes do not tell them apart from the best have its rank.

    Parameters
    ----------
    data : str, path, frame or Examples
        A file or a built-in set, as for `read`; a frame of pandas or polars, an Arrow table or
        whatever else has `__arrow_c_stream__`; or what `read` gave.
    seed : int, default=0
        Draws the orders of the examples, and the folds.
    seconds : float or None, default=None
        Time for each learner; None is no limit.
    tell : callable or None, default=None
        Told what is done, and the share of it that is finished; None tells the logger.
    **reading
        What `read` takes, and `text` and `category`, lists of columns to be read as such.

    Returns
    -------
    Comparison
        With `rows`, `left_out`, `picked_error`; `to_json()`, `save(page)`, `to_pandas()`.

    Examples
    --------
    >>> import rosenblatt
    >>> table = rosenblatt.compare("iris")
    >>> table.rows[0].validation.error < 0.1
    True
    """
    tell = log_stages() if tell is None else tell
    examples = data if isinstance(data, Examples) else read(data, **with_kinds(reading))
    log_notes(examples.notes)
    try:
        task = make_task(examples)
    except LabelError as error:
        raise _nobody(examples, next(iter(ALGORITHMS)), error) from error
    classes = task.blocks.classes
    folds = folds_of(task, seed)
    if not folds.parts:
        raise DataError(f"{examples.source} has nothing to test learners on: {folds.why_none}")
    rows, left_out = [], []
    tasks = {1: task}
    chosen = candidates(task)
    for number, candidate in enumerate(chosen):
        tell(f"comparing {candidate.options}", number / len(chosen))
        if candidate.ngrams not in tasks:
            tasks[candidate.ngrams] = make_task(examples, candidate.ngrams)
        seen, name = tasks[candidate.ngrams], candidate.algorithm
        try:
            check_fits(seen, seen.learner(name, seed))
            found = validate(seen, name, folds, seed, _quietly, seconds)
            rows.append(Compared(candidate, found, _f1_of(found, task.y, classes)))
        except DataError as error:
            left_out.append((candidate.options, error))
        except OutOfTimeError:
            late = DataError(
                f"not one fit was done within {seconds:g} s", do="give it more {seconds}"
            )
            left_out.append((candidate.options, late))
    if not rows:
        raise _nobody(examples, *left_out[0])
    # equally good ones stay as they were asked for: no clock decides
    rows.sort(key=lambda row: (row.validation.error, row.validation.standard_error))
    n = min(row.validation.n_tested for row in rows)  # by all; those with little time end sooner
    wrong = np.column_stack([row.validation.wrong[:n] for row in rows])
    units = folds.units[rows[0].validation.tested[:n]]
    return Comparison(
        examples,
        classes,
        folds.way,
        seconds,
        _ranked(rows, wrong),
        left_out,
        (*examples.notes, *folds.notes),
        picked_error(wrong, units, seed),
    )


def _ranked(rows: list[Compared], wrong: Array) -> list[Compared]:
    """Return the rows with their ranks; ties with the first one are ties."""
    sizes, ratio = rows[0].validation.fold_sizes, rows[0].validation.ratio
    ranks = [
        place if are_apart(wrong[:, place - 1], wrong[:, 0], sizes, ratio) else 1
        for place in range(1, len(rows) + 1)
    ]
    return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]


def _nobody(examples: Examples, name: str, reason: DataError) -> DataError:
    """Return the error for data that no learner can take, with what the first of them said."""
    return DataError(
        f"no learner can take {examples.source}",
        do="{name} says: {python}",
        in_shell="{name} says: {shell}",
        name=name,
        python=said_in(PYTHON, reason),
        shell=said_in(SHELL, reason),
    )


def candidates(task: Task) -> list[Candidate]:
    """Return the learners that are compared on data of this kind.

    Examples
    --------
    >>> from rosenblatt import read
    >>> [candidate.options for candidate in candidates(make_task(read("iris")))][:2]
    ['averaged', 'perceptron']
    """
    table = ALGORITHMS.items()
    if task.words is not None:
        return [Candidate(name, n) for n in NGRAMS for name, a in table if n in a.for_words]
    return [Candidate(name) for name, a in table if a.for_wide or not task.is_wide]


def f1(y: Array, predicted: Array, label: Any) -> float:
    """Return the harmonic mean of precision and recall for a label.

    Examples
    --------
    >>> import numpy as np
    >>> f1(np.array(["a", "b", "b"]), np.array(["a", "a", "b"]), "b")  # doctest: +ELLIPSIS
    0.666...
    """
    # as scikit-learn's `f1_score`, to the bit; it sorts all labels first, so that a million of them
    # take 0.75 s instead of 0.03
    hits = int(((predicted == label) & (y == label)).sum())
    return 2 * hits / max(1, int((predicted == label).sum()) + int((y == label).sum()))


def _f1_of(found: Validation, y: Array, classes: Array) -> float | None:
    return f1(y[found.tested], found.predicted, classes[1]) if len(classes) == 2 else None


def _quietly(stage: str, share: float) -> None:
    """Tell nobody: the learner that is at work is told, not its parts."""
