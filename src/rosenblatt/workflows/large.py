"""Learn from a file that may be larger than memory, in passes over a binary cache.

The model is the same, bit for bit, as that of `fitting.fit` with all examples in memory; so is the
validated error. Whether the examples are separable is not asked: that takes all of them at once.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.blocks import Blocks, fit_blocks
from rosenblatt.blocks.stored import BLOCK_BYTES, Stored, StoreWriter
from rosenblatt.data.cached import MEGABYTE, SHARE, CachedFile, n_bytes_of, write_cache
from rosenblatt.data.fit_file import check_fits
from rosenblatt.data.word_columns import Vocabularies
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm, make_learner
from rosenblatt.workflows.explain import Names, names_of, telling
from rosenblatt.workflows.fit import Learned
from rosenblatt.workflows.row_blocks import digest_of, labels_of_rows, n_wrong
from rosenblatt.workflows.task import (
    LEARNER,
    SCALE,
    Tell,
    fit_scaler,
    with_scaling,
    with_words,
    words_of,
)
from rosenblatt.workflows.validate import Counted, splits

BYTES_PER_LABEL = 64  # to draw the examples that are held out
BYTES_PER_NAME = 400  # of a word: in the table of names, and looked up


@dataclass(frozen=True, kw_only=True)
class LargeReport(Learned):
    """What a fit in passes over a cache found out."""

    source: str
    n_examples: int
    notes: tuple[str, ...]
    recipe: Any
    digest: str
    cached: int  # bytes on disk

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """What else there is to say, each with its head."""
        size, cached = f"{(self.memory or 0) / MEGABYTE:.0f} MB", f"{self.cached / MEGABYTE:.1f} MB"
        return [
            ("verdict", "not sought: it would take all examples in memory"),
            ("memory", f"at most {size}, in passes over a cache of {cached} on disk"),
        ]


@dataclass(frozen=True)
class _Work:
    """A cache and what is learned from it."""

    cache: Stored
    algorithm: str
    seed: int
    of_words: bool
    tell: Tell

    @property
    def is_scaled(self) -> bool:
        return check_algorithm(self.algorithm).scaled and self.cache.is_dense

    def learner(self) -> Any:
        return make_learner(self.algorithm, self.seed, of_words=self.of_words)

    def learn(self, blocks: Blocks, tells: bool) -> Any:
        """Return a model that learned from these rows of the cache."""
        learner = self.learner()
        callback = (lambda progress: self.tell("learning", progress.share)) if tells else None
        if not self.is_scaled:
            return fit_blocks(learner, blocks, callback)
        model = with_scaling(learner)
        rows = blocks.each(lambda block: np.asarray(block.rows))
        scaler = fit_scaler(model[SCALE], rows, blocks.n_features)
        scaled = blocks.changed(lambda block: block._replace(rows=scaler.transform(block.rows)))
        fit_blocks(model[LEARNER], scaled, callback)
        return model


def fit_large(
    path: str,
    algorithm: str = "averaged",
    *,
    memory: int | str,
    ngrams: int = 1,
    bits: int = 20,
    seed: int = 0,
    tell: Tell = lambda stage, share: None,
    **how: Any,
) -> LargeReport:
    r"""Learn from a file within a given memory, and validate.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n" * 10)
    ...     fit_large(str(path), memory="100M").error_in
    0.0
    """
    _check_algorithm(algorithm)
    allowed, words = n_bytes_of(memory), Vocabularies(bits, ngrams)
    tell("reading", 0.0)
    with StoreWriter(block_bytes=min(BLOCK_BYTES, allowed // SHARE)) as writer:
        file = write_cache(writer, path, memory=allowed, bits=bits, words=words, **how)
        alone = getattr(file.recipe, "has_texts_alone", False)
        if ngrams != 1 and not alone:
            raise DataError(
                f"ngrams are of words, but {path} is not a single column of texts",
                do="leave out {ngrams}",
            )
        work = _Work(file.cache, algorithm, seed, alone, tell)
        return _report(work, file, words, path, allowed)


def _check_algorithm(algorithm: str) -> None:
    if algorithm == "pocket":
        can = [name for name in ALGORITHMS if name != "pocket"]
        raise ParameterError(
            f"{algorithm} needs all examples in memory",
            do="leave out {memory}, or use {others} or {last}",
            others=", ".join(can[:-1]),
            last=can[-1],
        )


def _report(
    work: _Work, file: CachedFile, words: Vocabularies, path: str, allowed: int
) -> LargeReport:
    cache = work.cache
    check_fits(work.learner(), cache, allowed, kept=1, more=BYTES_PER_NAME * words.n_names)
    work.tell("learning", 0.0)
    fitted = work.learn(cache, tells=True)
    model = with_words(next(iter(words.bags.values())), fitted) if work.of_words else fitted
    validation, why_not = _validated(work, allowed)
    return LargeReport(
        source="standard input" if path == "-" else path,
        n_examples=cache.n_rows,
        notes=file.notes,
        recipe=file.recipe,
        digest=digest_of(cache),
        memory=allowed,
        cached=cache.n_bytes,
        algorithm=work.algorithm,
        model=model,
        is_scaled=work.is_scaled,
        error_in=n_wrong(fitted, cache) / cache.n_rows,
        validation=validation,
        why_not_validated=why_not,
        verdict=None,
        telling=telling(model, _naming(model, file.recipe, words)),
    )


def _validated(work: _Work, allowed: int) -> tuple[Counted | None, str]:
    """Return the error on examples that were not learned from, or None and why."""
    cache = work.cache
    if BYTES_PER_LABEL * cache.n_rows > allowed // 4:
        return None, "the memory is too small to draw the examples that are held out"
    way, parts = splits(labels_of_rows(cache), work.seed)
    if not parts:
        return None, "a class has a single example"
    wrong = []
    for number, (train, test) in enumerate(parts):
        work.tell("validating", number / len(parts))
        with warnings.catch_warnings():
            # what there is to say about convergence, the fit on all examples says
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = work.learn(cache.take(train), tells=False)
        wrong.append(n_wrong(model, cache.take(test)))
    sizes = [len(test) for _, test in parts]
    errors = tuple(float(error) for error in np.divide(wrong, sizes))
    return Counted(way, errors, sum(wrong), sum(sizes)), ""


def _naming(model: Any, recipe: Any, words: Vocabularies) -> Names:
    """Return a function that names columns as the learner sees them."""
    known = names_of(model, recipe)
    if words_of(model) is not None or not words.bags:
        return known
    # words come after all other features, see `rosenblatt.data.recipe`
    n_columns = sum(len(column.feature_names) for column in recipe.columns)
    bags = [(f"{name}:", bag) for name, bag in words.bags.items()]

    def names(columns: Any) -> list[str]:
        found = known(columns)
        for k, (prefix, bag) in enumerate(bags):
            first = n_columns + k * bag.n_columns
            here = [i for i, j in enumerate(columns) if 0 <= j - first < bag.n_columns]
            asked = [columns[i] - first for i in here]
            for i, name in zip(here, bag.feature_names(asked), strict=True):
                found[i] = f"{prefix}{name}"
        return found

    return names
