"""Learn from rows as they come, and tell how often each was predicted wrong before it was learned.

texts           BagOfWords, then the learner
dense rows      scaled by the means and deviations of the first block, then the learner
other rows      the learner alone
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.pipeline import Pipeline

from rosenblatt import model_file
from rosenblatt.blocks import as_blocks
from rosenblatt.checks.tables import check_finite
from rosenblatt.counting import counted
from rosenblatt.data.example_stream import ExampleStream
from rosenblatt.data.examples import Examples
from rosenblatt.data.recipe import Recipe
from rosenblatt.errors import DataError, LabelError, ParameterError
from rosenblatt.linear.progressive import predict_then_learn
from rosenblatt.text.pipeline import OnlinePipeline
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm, make_learner
from rosenblatt.workflows.drift import DriftDetector, Rise
from rosenblatt.workflows.forms import fit_scaler
from rosenblatt.workflows.task import LEARNER, SCALE, WORDS, has_texts_alone

RECENT = 1000  # rows whose error is told apart
N_TICKS = 20  # about, if it is known how many rows there are
FIRST_TICK = 100  # otherwise; then 200, 500, 1000, ...
STEPS = (1, 2, 5)


class Tick(NamedTuple):
    """How often rows were predicted wrong before they were learned from."""

    n_rows: int
    n_wrong: int
    n_recent: int  # of the last rows, a thousand at most
    n_wrong_recent: int

    @property
    def error(self) -> float:
        """The share of wrong answers to all rows."""
        return self.n_wrong / self.n_rows

    @property
    def recent_error(self) -> float:
        """The share of wrong answers to the last rows."""
        return self.n_wrong_recent / self.n_recent


class Streaming:
    """A learner, and how it did so far on rows that it had not learned from yet.

    Examples
    --------
    >>> from rosenblatt.data.example_stream import stream_examples
    >>> with stream_examples("breast-cancer") as examples:
    ...     run = Streaming(examples, "averaged")
    ...     ticks = [(tick.n_rows, tick.n_wrong) for tick in run.events(every=200)]
    >>> ticks, run.tick.n_rows
    ([(200, 17), (400, 24)], 569)
    """

    def __init__(
        self, examples: ExampleStream, algorithm: str = "averaged", *, ngrams: int = 1
    ) -> None:
        check_streams(algorithm)
        self._examples, self.algorithm, self._ngrams = examples, algorithm, ngrams
        self.learner: Any = make_learner(algorithm)
        self.n_rows = self.n_wrong = 0
        self.notes: list[str] = []
        self.recipe: Any = None
        self.is_interrupted = False
        self._recent: Array = np.zeros(0, dtype=bool)
        self._words: BagOfWords | None = None
        self._scaler: Any = None

    @property
    def tick(self) -> Tick:
        """How it did so far."""
        return Tick(self.n_rows, self.n_wrong, len(self._recent), int(self._recent.sum()))

    @property
    def model(self) -> Any:
        """What is saved: takes files of the same kind, by the recipe."""
        if self._words is not None:
            return OnlinePipeline([(WORDS, self._words), (LEARNER, self.learner)])
        if self._scaler is not None:
            return Pipeline([(SCALE, self._scaler), (LEARNER, self.learner)])
        return self.learner

    def events(self, every: int | None = None, *, drift: bool = False) -> Iterator[Tick | Rise]:
        """Go through all rows; yield how it stands every so often, and where the error rises.

        Without `every` some twenty times, as far as that can be told. Ctrl-C ends it as if there
        were no more rows.
        """
        detector = DriftDetector() if drift else None
        with _Interrupts() as interrupts:
            for examples in interrupts.until_one_comes(iter(self._examples)):
                wrong = self._learn(examples)
                step = every or _step(self._examples.n_rows_about)
                found: list[Tick | Rise] = [*self._ticks(wrong, step)]
                found += [] if detector is None else detector.add(wrong)
                yield from sorted(found, key=lambda event: event[0])  # by the row
        self.is_interrupted = interrupts.came
        if self.n_rows == 0:
            raise KeyboardInterrupt  # nothing was read before it came
        if len(self.learner.classes_) < 2:
            raise LabelError(
                f"{self._examples.source} has one label only, {self.learner.classes_.tolist()[0]!r}"
                ", and learning needs at least two; check the label column"
            )

    def save(self, path: str) -> None:
        """Save the model, with how files become its rows."""
        made = {
            "algorithm": self.algorithm,
            "data": self._examples.source,
            "rows": self.n_rows,
            "error_progressive": self.tick.error,
        }
        model_file.save(self.model, path, recipe=self.recipe, made=made)

    def _learn(self, examples: Examples) -> Array:
        """Predict and learn the rows of a block; return which answers were wrong."""
        wrong = predict_then_learn(self.learner, self._rows(examples), examples.y)
        self.recipe = examples.recipe
        return wrong

    def _rows(self, examples: Examples) -> Any:
        """Return the rows as the learner sees them."""
        recipe = examples.recipe
        if has_texts_alone(examples) and isinstance(recipe, Recipe):
            if self._words is None:
                self._words = BagOfWords(**recipe.words, ngrams=self._ngrams)
            self._words.partial_fit(examples.texts)  # the names; the places of words are hashed
            return self._words.transform(examples.texts)
        if self._ngrams != 1:
            raise DataError(
                f"ngrams are of words, but {examples.source} is not a single column of texts",
                do="leave out {ngrams}",
            )
        X, is_dense = examples.X, isinstance(examples.X, np.ndarray)
        if not (is_dense and check_algorithm(self.algorithm).scaled):
            return X
        if self._scaler is None:
            y = examples.y
            self._scaler = fit_scaler(as_blocks(X, y, known_classes=y[:0]))
            self.notes.append(
                "columns are scaled to mean 0 and deviation 1, as they are in the first "
                f"{counted(len(y), 'row')}"
            )
        scaled = self._scaler.transform(X)
        check_finite(scaled, scaled, None)
        return scaled

    def _ticks(self, wrong: Array, step: int | None) -> list[Tick]:
        """Count the answers to a block; return how it stood at the rows that are told of."""
        ticks, known, first = [], np.concatenate([self._recent, wrong]), self.n_rows
        totals = self.n_wrong + np.cumsum(wrong)
        row = _next_tick(first, step)
        while row <= first + len(wrong):
            end = len(self._recent) + row - first
            recent = known[max(0, end - RECENT) : end]
            ticks.append(Tick(row, int(totals[row - first - 1]), len(recent), int(recent.sum())))
            row = _next_tick(row, step)
        self.n_rows += len(wrong)
        self.n_wrong += int(wrong.sum())
        self._recent = known[-RECENT:]
        return ticks


def check_streams(algorithm: str) -> None:
    """Refuse an algorithm that cannot learn row by row.

    Examples
    --------
    >>> check_streams("perceptron")
    """
    if not check_algorithm(algorithm).row_by_row:
        *others, last = (name for name, entry in ALGORITHMS.items() if entry.row_by_row)
        raise ParameterError(
            f"{algorithm} cannot learn row by row; {', '.join(others)} and {last} can"
        )


def _step(n_rows: int | None) -> int | None:
    """Return how many rows lie between two ticks; None if nobody knows how many there are."""
    if n_rows is None:
        return None
    return next(n for n in _round_numbers(1) if n * N_TICKS >= n_rows)


def _next_tick(row: int, step: int | None) -> int:
    if step is not None:
        return (row // step + 1) * step
    return next(n for n in _round_numbers(FIRST_TICK) if n > row)


def _round_numbers(first: int) -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, ... times the first."""
    while True:
        yield from (step * first for step in STEPS)
        first *= 10


class _Interrupts:
    """Ctrl-C ends a stream: at once while rows are waited for, else after the rows at hand."""

    def __init__(self) -> None:
        self.came = self._waits = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def until_one_comes(self, blocks: Iterator[Examples]) -> Iterator[Examples]:
        """Yield the blocks up to the first Ctrl-C."""
        while not self.came:
            try:
                self._waits = True
                block = next(blocks, None)
                self._waits = False
            except KeyboardInterrupt:
                return
            if block is None:
                return
            yield block

    def _take(self, *_: object) -> None:
        self.came = True
        if self._waits:
            self._waits = False
            raise KeyboardInterrupt
