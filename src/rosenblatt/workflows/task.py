"""What is learned from: rows for the learner, and the model that takes files of the same kind.

one column of texts    BagOfWords, then the learner; the model is fed with texts. Rows count the
                       words, so that they can be weighed; `Task.plain` says which there are
other rows             what brings them into the form that the learner wants (`forms`), the learner
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from sklearn.pipeline import Pipeline

from rosenblatt.blocks import Blocks, as_blocks
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.blocks.stored import BLOCK_BYTES, StoreWriter
from rosenblatt.choices import Multiclass, Rule, Solver, Tie, Variant
from rosenblatt.data.example_blocks import open_examples
from rosenblatt.data.examples import Examples
from rosenblatt.data.read import HowToRead, check_nothing_asked
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.source import Paths
from rosenblatt.data.store import SHARE, n_bytes_of, open_blocks
from rosenblatt.data.target import check_classes_of
from rosenblatt.data.word_columns import Vocabularies
from rosenblatt.errors import DataError, LabelError
from rosenblatt.model_file import Saved
from rosenblatt.model_file.checkpoint import Checkpoint
from rosenblatt.model_file.table_model import inputs
from rosenblatt.rows import matrix, row_digests
from rosenblatt.text.pipeline import OnlinePipeline, words_of
from rosenblatt.text.tfidf import WordWeights
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array, ArrowStream
from rosenblatt.workflows.algorithms import ALGORITHMS, make_learner, name_of
from rosenblatt.workflows.forms import (
    fit_form,
    form_of,
    formed,
    kind_of_rows,
    presences_of,
    suited,
)

Data = Examples | Paths | ArrowStream
Tell = Callable[[str, float], Any]  # is told what is done, and the share of it that is finished
WORDS, SCALE, LEARNER = "words", "scale", "learner"
WIDE = 5_000  # columns


class HowToFit(HowToRead, total=False):
    """What `fit` takes by name beside the data and its own options: of reading, and of learners."""

    rule: Rule
    tie: Tie
    init: Sequence[float] | Literal["regression", "best"] | None
    eta: float
    epsilon: float
    epochs: int
    max_epochs: int | None
    max_updates: int | None
    first_vote: Literal[0, 1]
    multiclass: Multiclass
    alpha: float | Literal["loo"]
    C: float
    variant: Variant
    r: float
    solver: Solver
    binarize: float | None
    var_smoothing: float
    class_weight: Literal["balanced"] | Mapping[Any, float] | None
    shuffle: bool
    average: bool
    fit_intercept: bool


@dataclass(frozen=True, kw_only=True)
class Task:
    """Labelled rows, wherever they are, what they are made of, and the bag if they are words."""

    blocks: Blocks
    source: str
    recipe: Any
    notes: tuple[str, ...]
    rounded: str = ""
    words: BagOfWords | None = None
    examples: Examples | None = None  # None: the rows are on disk, or on workers
    names: Vocabularies | None = None  # of words, where the rows are on disk
    memory: int | None = None  # bytes that are allowed, if there is a limit
    form: str | None = None  # of the rows; None: as the algorithm likes them
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the learner, if asked for
    groups: Array | None = None  # equal for rows that stay in one fold
    times: Array | None = None  # of the rows, to foretell later ones from earlier ones

    @property
    def X(self) -> Any:  # noqa: N802 - as the lecture has it
        """The rows as a matrix, where they are in memory."""
        return matrix(self.blocks.whole.rows, self.blocks.n_features)

    @cached_property
    def plain(self) -> Blocks:
        """The rows as `read` gives them: of words, which there are."""
        return self.blocks if self.words is None else self.blocks.changed(presences_of)

    @property
    def y(self) -> Array:
        """The labels, where they are in memory."""
        labels: Array = self.blocks.classes[self.blocks.whole.labels]
        return labels

    @property
    def labels(self) -> Array:
        """The label of each row, as its place among the classes."""
        return np.concatenate(list(self.blocks.each(lambda block: block.labels)))

    @cached_property
    def digests(self) -> Array:
        """A number of each row, equal for copies."""
        digests = self.plain.each(lambda block: row_digests(block.rows, block.n_rows))
        return np.concatenate(list(digests))

    @cached_property
    def kind(self) -> str:
        """What kind of rows there are, a key of `forms.FORMS`."""
        return kind_of_rows(self.blocks, self.recipe, of_words=self.words is not None)

    @property
    def is_wide(self) -> bool:
        """Whether rows are sparse, of very many columns: not every learner takes these."""
        return not self.blocks.is_dense and self.blocks.n_features > WIDE

    def learner(self, algorithm: str, seed: int = 0) -> Any:
        """Return an unfitted learner for the rows, without the scaling that they may need."""
        return make_learner(algorithm, seed, of_words=self.words is not None, **self.parameters)

    def learn(
        self,
        algorithm: str,
        seed: int,
        rows: Array | None = None,
        callback: Any = None,
        form: str | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Any:
        """Return a model that learned from all rows, or some, in the form that they should have."""
        blocks = self.blocks if rows is None else self.blocks.take(rows)
        form = form or self.form or form_of(self.kind, algorithm)
        learner = self.learner(algorithm, seed)
        callback = callback if is_watched(learner) else None
        step = fit_form(form, blocks, of_words=self.words is not None)
        seen = formed(blocks, step)
        ready = suited(learner, seen, form, self.parameters)
        fit_blocks(ready, seen, callback, checkpoint=checkpoint)
        return learner if step is None else Pipeline([(SCALE, step), (LEARNER, learner)])

    def model(self, fitted: Any) -> Any:
        """Return what is saved: for words a model that is fed with texts, and knows their names."""
        if self.words is None:
            return fitted
        words = self.words if self.examples is None else self.words.fit(self.examples.texts)
        weights = step_of(fitted)
        if isinstance(weights, WordWeights):
            words = counting(words).weighed_by(weights.documents)
        return OnlinePipeline([(WORDS, words), (LEARNER, learner_of(fitted))])


def make_task(examples: Examples, ngrams: int = 1) -> Task:
    """Return the rows of examples in memory; `ngrams` words in a row are a feature too.

    Examples
    --------
    >>> from rosenblatt import read
    >>> make_task(read("lecture")).X.ravel()
    array([1., 2., 7., 8.])
    """
    _check_has_labels(examples)
    check_classes_of(examples.y, getattr(examples.recipe, "target", None), examples.source)
    X, words, recipe = examples.X, None, examples.recipe
    if has_texts_alone(examples) and isinstance(recipe, Recipe):
        words = BagOfWords(**recipe.words, ngrams=ngrams)
        X = counting(words).set_params(n_jobs=-1).transform(examples.texts)
    elif ngrams != 1:
        raise no_words(examples.source)
    return _task_of(examples, as_blocks(X, examples.y), words)


def task_for(model: Any, examples: Examples) -> Task:
    """Return the rows of examples as a fitted model takes them, to go on learning from."""
    _check_has_labels(examples)
    words, X = words_of(model), inputs(model, examples)
    if words is not None:
        words = words.unweighed()  # as rows were when the model learned the first time
        X = words.transform(X)
    # one class alone is enough to go on
    blocks = as_blocks(X, examples.y, known_classes=examples.y[:0])
    return _task_of(examples, blocks, words)


def counting(words: BagOfWords) -> BagOfWords:
    """Return a bag of the same words that counts them."""
    found: BagOfWords = words.unweighed().set_params(counts=True)
    return found


def _check_has_labels(examples: Examples) -> None:
    if len(examples.y) == 0:
        raise DataError(f"{examples.source} has no labels to learn from")


def _task_of(examples: Examples, blocks: Blocks, words: BagOfWords | None) -> Task:
    return Task(
        blocks=blocks,
        source=examples.source,
        recipe=examples.recipe,
        notes=examples.notes,
        rounded=examples.rounded,
        words=words,
        examples=examples,
        groups=examples.groups,
        times=examples.times,
    )


@contextmanager
def open_task(
    path: Any,
    memory: int | str,
    *,
    ngrams: int = 1,
    bits: int = 20,
    symbols: bool = False,
    named: bool = True,
    **how: Any,
) -> Iterator[Task]:
    """Give the rows of a file that may be larger than memory; they are on disk.

    With `named` the words of texts keep their names, as far as there is room for them.
    """
    names = Vocabularies(bits, ngrams, symbols=symbols)
    words = names if named else None
    # who wants no names has a learner of its own, for rows as `read` gives them
    how |= {"bits": bits, "symbols": symbols}
    with open_blocks(path, memory=memory, words=words, counts=named, **how) as file:
        alone = getattr(file.recipe, "has_texts_alone", False)
        if ngrams != 1 and not alone:
            raise no_words(file.source)
        yield Task(
            blocks=file.blocks,
            source=file.source,
            recipe=file.recipe,
            notes=file.notes,
            rounded=file.rounded,
            words=next(iter(names.bags.values())) if alone and named else None,
            names=names,
            memory=n_bytes_of(memory),
            groups=file.groups,
            times=file.times,
        )


@contextmanager
def open_task_for(saved: Saved, path: Any, memory: int | str, **options: Any) -> Iterator[Task]:
    """Give the rows of a file as a fitted model takes them, on disk, to go on learning from."""
    allowed, words = n_bytes_of(memory), words_of(saved.model)
    words = None if words is None else words.unweighed()
    check_nothing_asked(options.pop("columns", None))
    options = {name: value for name, value in options.items() if value}
    text_columns = [c.name for c in getattr(saved.recipe, "columns", ()) if c.kind == "text"]
    known = words is not None or not text_columns
    names = None if known else Vocabularies(**saved.recipe.words)
    block_bytes = min(BLOCK_BYTES, allowed // SHARE)
    with (
        StoreWriter(block_bytes=block_bytes) as writer,
        open_examples(path, saved.recipe, block_bytes=block_bytes, **options) as blocks,
    ):
        for examples in blocks:
            if len(examples.y) == 0:
                raise LabelError(f"{examples.source} has no labels to learn from")
            X = inputs(saved.model, examples)
            if words is not None:
                words.partial_fit(X)  # the names of words; their places are hashed
                X = words.transform(X)
            elif names is not None and examples.texts is not None:
                names.learn(text_columns[0], examples.texts)
            writer.add(X, examples.y)
        # one class alone is enough to go on
        classes, ranks = np.unique(writer.labels.known, return_inverse=True)
        yield Task(
            blocks=writer.finish(labels=(classes, ranks.astype(np.int32))),
            source=blocks.source,
            recipe=saved.recipe,
            notes=blocks.notes,
            rounded=blocks.rounded,
            words=words,
            names=names,
            memory=allowed,
        )


def no_words(source: str) -> DataError:
    """Return the error for ngrams of what has no words."""
    return DataError(
        f"ngrams are of words, but {source} is not a single column of texts",
        do="leave out {ngrams}",
    )


def has_texts_alone(examples: Examples) -> bool:
    """Whether a single column of texts is all there is."""
    return examples.texts is not None and getattr(examples.recipe, "has_texts_alone", False)


def learner_of(model: Any) -> Any:
    """Return the learner at the end of a model."""
    return model[-1] if isinstance(model, Pipeline) else model


def step_of(model: Any) -> Any:
    """Return what brings rows into another form for the learner at the end of a model; or None."""
    if not isinstance(model, Pipeline):
        return None
    return model[0] if len(model) == 2 else model[:-1]


def of_rows(model: Any) -> Any:
    """Return a model that is fed with rows, of one that may be fed with texts.

    The rows of texts are those of `BagOfWords.unweighed`.
    """
    words, learner = words_of(model), learner_of(model)
    if words is None:
        return model
    if words.weighting is None or words.documents is None:
        return learner
    weights = WordWeights(documents=words.documents)
    return Pipeline([(SCALE, weights), (LEARNER, learner)])


def is_watched(model: Any) -> bool:
    """Whether the learner of a model tells a callback how far it is."""
    algorithm = ALGORITHMS.get(name_of(learner_of(model)))
    return algorithm is not None and algorithm.watched


def rows(model: Any, examples: Examples) -> Any:
    """Return the rows that the learner at the end of a model sees."""
    X = inputs(model, examples)
    return model[:-1].transform(X) if isinstance(model, Pipeline) else X


def decision_scores(model: Any, X: Any) -> Array:
    """Return the scores: one for two classes (above 0: the second), else one for each class."""
    if hasattr(model, "decision_function"):
        values: Array = model.decision_function(X)
        return values
    # not from probabilities, which may be calibrated
    odds: Array = learner_of(model)._moved_scores(
        model[:-1].transform(X) if isinstance(model, Pipeline) else X
    )
    return odds
