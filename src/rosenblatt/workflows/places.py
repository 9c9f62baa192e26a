"""Where the rows are of a fit, or of questions to a model: here, on disk, or with workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.cluster.collections import collection_kind
from rosenblatt.cluster.connecting import check_cluster, connected
from rosenblatt.cluster.files import files_of
from rosenblatt.cluster.spreading import each_part, spread_examples
from rosenblatt.data.example_blocks import ExampleBlocks
from rosenblatt.data.examples import Examples
from rosenblatt.data.frames import is_frame
from rosenblatt.data.joined import said_of_files
from rosenblatt.data.read import read
from rosenblatt.data.store import FileBlocks
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.model_file import Saved
from rosenblatt.workflows.apply import (
    AmountScore,
    Prediction,
    Score,
    check_takes_data,
    open_examples_for,
    predictions,
    predictions_in_full,
    score,
    score_amounts,
)
from rosenblatt.workflows.task import (
    Data,
    Task,
    Tell,
    make_task,
    no_words,
    open_task,
    open_task_for,
    task_for,
)

# What asks for something of single rows that only the machine knows that reads all of them
NOT_SPREAD = ("group", "by_time")


def check_goes_with_cluster(cluster: Any, data: Any, **asked: Any) -> None:
    """Refuse, before anything is read, what cannot be done on workers."""
    for name, value in asked.items():
        if value is not None:
            raise ParameterError(
                f"cannot be used with rows on a cluster, got {value!r}",
                about=name,
                do="leave out {cluster}, or it",
            )
    if isinstance(data, Examples) or is_frame(data):
        raise DataError(
            "workers read files, or have collections of Dask; these rows are in memory here",
            do="leave out {cluster}, or name the files",
        )
    check_cluster(cluster)
    if collection_kind(data) is None:
        files_of(data)  # that they are there is known before workers are started


@contextmanager
def spread_task(data: Data, cluster: Any, *, ngrams: int = 1, **reading: Any) -> Iterator[Task]:
    """Give the rows of files, or of a collection of Dask, in parts that workers hold."""
    for name in NOT_SPREAD:
        reading.pop(name, None)  # checked before
    with connected(cluster) as client:
        blocks = spread_examples(data, client=client, ngrams=ngrams, **reading)
        alone = getattr(blocks.recipe, "has_texts_alone", False)
        if ngrams != 1 and not alone:
            raise no_words(_source(data, blocks.source))
        yield Task(
            blocks=blocks,
            source=_source(data, blocks.source),
            recipe=blocks.recipe,
            notes=blocks.notes,
            rounded=blocks.rounded,
            words=next(iter(blocks.words.bags.values())) if alone else None,
            names=blocks.words,
        )


@contextmanager
def open_spread(
    data: Data, cluster: Any, *, memory: Any = None, **reading: Any
) -> Iterator[FileBlocks]:
    """Give the rows of files as `read` makes them, in parts that workers hold."""
    check_goes_with_cluster(cluster, data, memory=memory)
    with connected(cluster) as client:
        blocks = spread_examples(data, client=client, **reading)
        source = _source(data, blocks.source)
        yield FileBlocks(blocks, blocks.recipe, blocks.notes, source, blocks.rounded)


def _source(data: Any, otherwise: str) -> str:
    """Return what the data is called, as on one machine."""
    if collection_kind(data) is not None:
        return otherwise
    files = files_of(data)
    return files[0] if len(files) == 1 else said_of_files(files)


@contextmanager
def open_rows(
    data: Data,
    memory: Any,
    cluster: Any,
    ngrams: int,
    saved: Saved | None,
    tell: Tell,
    reading: Any,
) -> Iterator[Task]:
    """Give the rows to learn from: in memory, on disk within a memory, or with workers."""
    tell("reading", 0.0)
    if cluster is not None:
        with spread_task(data, cluster, ngrams=ngrams, **reading) as task:
            yield task
        return
    if memory is None or isinstance(data, Examples):
        examples = data if isinstance(data, Examples) else read(data, **reading)
        yield make_task(examples, ngrams) if saved is None else task_for(saved.model, examples)
        return
    if saved is None:
        opened = open_task(data, memory, ngrams=ngrams, **reading)
    else:
        if saved.recipe is None:
            raise ParameterError(
                "the saved model does not know how files are read", do="leave out {memory}"
            )
        kept = ("recipe", "group", "by_time")
        reading = {name: value for name, value in reading.items() if name not in kept}
        opened = open_task_for(saved, data, memory, **reading)
    with opened as task:
        yield task


class Asked:
    """The answers of a model about files that are read here; `notes` are complete at the end."""

    def __init__(self, saved: Saved, blocks: Any) -> None:
        self.saved, self._blocks = saved, blocks

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and decided."""
        return tuple(self._blocks.notes)

    def labels(self) -> Iterator[Any]:
        """Yield the label of each example, in order."""
        return predictions(self.saved, self._blocks)

    def in_full(self) -> Iterator[Prediction]:
        """Yield label, score and probabilities of each example, in order."""
        return predictions_in_full(self.saved, self._blocks)

    def score(self) -> Score:
        """Return how often the model is right."""
        return score(self.saved, self._blocks)

    def score_amounts(self) -> AmountScore:
        """Return how near a model of amounts is."""
        return score_amounts(self.saved, self._blocks)


class AskedOnCluster(Asked):
    """The answers of a model about files that workers read."""

    def __init__(self, saved: Saved, data: Any, client: Any, how: dict[str, Any]) -> None:
        self.saved, self._data, self._client, self._how = saved, data, client, how
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and decided."""
        return tuple(self._notes)

    def labels(self) -> Iterator[Any]:
        """Yield the label of each example, in order."""
        return chain.from_iterable(self._each(_labels))

    def in_full(self) -> Iterator[Prediction]:
        """Yield label, score and probabilities of each example, in order."""
        return chain.from_iterable(self._each(_in_full))

    def score(self) -> Score:
        """Return how often the model is right."""
        confusions = [part.confusion for part in self._each(score)]
        return Score(self.saved.classes, np.sum(confusions, axis=0))

    def score_amounts(self) -> AmountScore:
        """Refuse: the sums of a model of amounts are made in one place."""
        raise ParameterError("amounts are scored on one machine", do="leave out {cluster}")

    def _each(self, answer: Any) -> Iterator[Any]:
        asked = partial(answer, self.saved)
        recipe: Any = self.saved.recipe
        return each_part(self._data, recipe, asked, self._client, self._notes, **self._how)


def _labels(saved: Saved, blocks: ExampleBlocks) -> list[Any]:
    return list(predictions(saved, blocks))


def _in_full(saved: Saved, blocks: ExampleBlocks) -> list[Prediction]:
    return list(predictions_in_full(saved, blocks))


@contextmanager
def open_answers(saved: Saved, data: Any, cluster: Any = None, **how: Any) -> Iterator[Asked]:
    """Give the answers of a model about files, which this process reads, or workers."""
    if cluster is None:
        with open_examples_for(saved, data, **how) as blocks:
            yield Asked(saved, blocks)
        return
    check_takes_data(saved)
    if saved.recipe is None:
        raise ParameterError(
            "the saved model does not know how files are read", do="leave out {cluster}"
        )
    check_goes_with_cluster(cluster, data)
    with connected(cluster) as client:
        yield AskedOnCluster(saved, data, client, how)
