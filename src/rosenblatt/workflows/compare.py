"""Every learner on the same folds, best first.

The candidates are fixed; none is tuned on the data at hand. For texts (words, and words with pairs
of neighbours) naive Bayes counts with alpha = 0.01, see `algorithms`. For tables every learner has
its defaults, and one that cannot take the data is left out with a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.examples import Examples
from rosenblatt.errors import PYTHON, SHELL, DataError, LabelError, OutOfTimeError, said_in
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import ALGORITHMS
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.room import check_fits
from rosenblatt.workflows.task import Task, Tell, make_task
from rosenblatt.workflows.uncertainty import are_apart, picked_error
from rosenblatt.workflows.validate import Validation, validate


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


@dataclass(frozen=True)
class Comparison:
    """The table, best first, and who was left out and why."""

    examples: Examples
    classes: Array
    way: str  # of validating
    seconds: float | None  # for each learner
    rows: list[Compared]
    left_out: list[tuple[str, DataError]]  # with the reason
    notes: tuple[str, ...]
    picked_error: float  # of the first one, corrected for having been picked


def compare(
    examples: Examples,
    *,
    seed: int = 0,
    seconds: float | None = None,
    tell: Tell = lambda stage, share: None,
) -> Comparison:
    """Validate every candidate on the same folds, each for `seconds` at most.

    One that needs longer is judged by the folds that it got done, and left out if that is none.
    Those whose mistakes do not tell them apart from the best have its rank.

    Examples
    --------
    >>> from rosenblatt import read
    >>> table = compare(read("iris"))
    >>> table.rows[0].validation.error < 0.1
    True
    """
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
