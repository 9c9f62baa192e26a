"""What is learned from: rows for the learner, and the model that takes files of the same kind.

one column of texts    BagOfWords, then the learner; the model is fed with texts
dense rows             columns brought to mean 0 and deviation 1, then the learner
other rows             the learner alone

Columns brought to mean 0 and deviation 1, by the same sums whether rows are in memory or not.

Means and deviations are added up over pieces of some thousand rows. Where the pieces end depends
on the number of columns alone, so rows that come in blocks of any size are scaled by the same
numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt.data.examples import Examples
from rosenblatt.data.target import check_classes_of
from rosenblatt.errors import DataError
from rosenblatt.text.pipeline import OnlinePipeline
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm, make_learner, name_of

Tell = Callable[[str, float], Any]  # is told what is done, and the share of it that is finished
WORDS = "words"
CELLS = 1 << 18  # numbers in a piece
SCALE, LEARNER = "scale", "learner"


@dataclass(frozen=True)
class Task:
    """Examples, the rows made of them, and the bag that made them if they are words."""

    examples: Examples
    X: Any
    words: BagOfWords | None = None

    @property
    def y(self) -> Any:
        """The labels."""
        return self.examples.y

    def is_scaled(self, algorithm: str) -> bool:
        """Whether columns are scaled for this algorithm: sparse rows would become dense."""
        return check_algorithm(algorithm).scaled and not sparse.issparse(self.X)

    def learner(self, algorithm: str, seed: int = 0) -> Any:
        """Return an unfitted learner for the rows `X`, with the scaling that they need."""
        learner = make_learner(algorithm, seed, of_words=self.words is not None)
        return with_scaling(learner) if self.is_scaled(algorithm) else learner

    def model(self, fitted: Any) -> Any:
        """Return what is saved: for words a model that is fed with texts, and knows their names."""
        if self.words is None:
            return fitted
        return with_words(self.words.fit(self.examples.texts), fitted)


def with_words(words: BagOfWords, fitted: Any) -> OnlinePipeline:
    """Return a model that is fed with texts."""
    return OnlinePipeline([(WORDS, words), (LEARNER, fitted)])


def make_task(examples: Examples, ngrams: int = 1) -> Task:
    """Return the rows to learn from; `ngrams` words in a row are a feature too.

    Examples
    --------
    >>> from rosenblatt import read
    >>> make_task(read("lecture")).X.ravel()
    array([1., 2., 7., 8.])
    """
    if len(examples.y) == 0:
        raise DataError(f"{examples.source} has no labels to learn from")
    check_classes_of(examples.y, getattr(examples.recipe, "target", None), examples.source)
    if not has_texts_alone(examples):
        if ngrams != 1:
            raise DataError(
                f"ngrams are of words, but {examples.source} is not a single column of texts",
                do="leave out {ngrams}",
            )
        return Task(examples, examples.X)
    words = BagOfWords(bits=examples.recipe.bits, ngrams=ngrams)
    if ngrams == 1:
        return Task(examples, examples.X, words)  # the rows of single words are there already
    X = clone(words).set_params(n_jobs=-1).transform(examples.texts)
    return Task(examples, X, words)


def has_texts_alone(examples: Examples) -> bool:
    """Whether a single column of texts is all there is."""
    return examples.texts is not None and getattr(examples.recipe, "has_texts_alone", False)


def inputs(model: Any, examples: Examples) -> Any:
    """Return what a model is fed with: the texts if it makes words of them, else the rows."""
    if words_of(model) is None:
        return examples.X
    if examples.texts is None:
        raise DataError(f"the model learned from texts, but {examples.source} has no such column")
    return examples.texts


def learner_of(model: Any) -> Any:
    """Return the learner at the end of a model."""
    return model[-1] if isinstance(model, Pipeline) else model


def is_watched(model: Any) -> bool:
    """Whether the learner of a model tells a callback how far it is."""
    algorithm = ALGORITHMS.get(name_of(learner_of(model)))
    return algorithm is not None and algorithm.watched


def words_of(model: Any) -> BagOfWords | None:
    """Return the bag of words at the beginning of a model, if it has one."""
    first = model[0] if isinstance(model, Pipeline) else None
    return first if isinstance(first, BagOfWords) else None


def rows(model: Any, examples: Examples) -> Any:
    """Return the rows that the learner at the end of a model sees."""
    X = inputs(model, examples)
    return model[:-1].transform(X) if isinstance(model, Pipeline) else X


def scores_of(model: Any, X: Any) -> Array:
    """Return the scores: one for two classes (above 0: the second), else one for each class."""
    if hasattr(model, "decision_function"):
        values: Array = model.decision_function(X)
        return values
    logs = model.predict_log_proba(X)
    odds: Array = logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs
    return odds


def with_scaling(learner: Any) -> Pipeline:
    """Return a model that scales the columns for a learner."""
    return Pipeline([(SCALE, StandardScaler()), (LEARNER, learner)])


def fit_scaled(model: Any, X: Any, y: Any, **options: Any) -> Any:
    """Fit a model of `with_scaling`, or a learner alone; return it.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> X, y = np.array([[1.0], [2.0], [7.0], [8.0]]), [0, 0, 1, 1]
    >>> fit_scaled(with_scaling(AveragedPerceptron(random_state=0)), X, y).predict(X)
    array([0, 0, 1, 1])
    """
    if not isinstance(model, Pipeline):
        return model.fit(X, y, **options)
    scaler: StandardScaler = fit_scaler(model[SCALE], [np.ascontiguousarray(X)], X.shape[1])
    model[LEARNER].fit(scaler.transform(X), y, **options)
    return model


def fit_scaler(scaler: StandardScaler, blocks: Iterable[Array], n_columns: int) -> StandardScaler:
    """Learn the means and deviations of dense rows that come in blocks; return the scaler."""
    for piece in _pieces(blocks, max(1, CELLS // n_columns)):
        scaler.partial_fit(piece)
    return scaler


def _pieces(blocks: Iterable[Array], size: int) -> Iterator[Array]:
    """Yield the rows of blocks, `size` at a time."""
    waiting: list[Array] = []
    n_waiting = 0
    for block in blocks:
        start = 0
        while len(block) - start >= size - n_waiting:
            stop = start + size - n_waiting
            yield np.concatenate([*waiting, block[start:stop]]) if waiting else block[start:stop]
            waiting, n_waiting, start = [], 0, stop
        if start < len(block):
            waiting.append(block[start:].copy())  # a block may be overwritten by the next
            n_waiting += len(block) - start
    if waiting:
        yield np.concatenate(waiting)
