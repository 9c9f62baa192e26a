"""Whether the weights of a model have room, in the memory that is allowed or that there is."""

from __future__ import annotations

import os
from typing import Any

from rosenblatt.counting import counted
from rosenblatt.data.store import MEGABYTE
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.linear.multiclass import n_vectors
from rosenblatt.workflows.task import Task

# Numbers for each weight while a model is made: the last weights and the sums, what they start
# from, the mean, and what is kept of all of them
FLOATS_PER_WEIGHT = 10
FLOATS_KEPT = 3  # of another model: the mean, the last weights and the sums
COUNTS_PER_COLUMN = 3  # of documents: of a model, of another, and of both while they grow
FLOATS_AT_LEAST = 4  # for each weight
BYTES_PER_ROW = 32  # naive Bayes remembers which rows it has learned
BYTES_PER_NAME = 400  # of a word: in the table of names, and looked up


def check_fits(task: Task, learner: Any) -> None:
    """Refuse a memory that is too small for the weights of two models, and the names of words."""
    blocks, k = task.blocks, len(task.blocks.classes)
    vectors = k
    if hasattr(learner, "multiclass"):
        vectors = n_vectors(k, learner.multiclass)
    if task.memory is None:
        _check_machine(
            8 * FLOATS_AT_LEAST * vectors * (blocks.n_features + 1), k, blocks.n_features
        )
        return
    floats = FLOATS_PER_WEIGHT + FLOATS_KEPT
    needed = 8 * floats * vectors * (blocks.n_features + 1) + task.memory // 4
    if task.words is not None:
        needed += 8 * COUNTS_PER_COLUMN * blocks.n_features
    if task.names is not None:
        needed += BYTES_PER_NAME * task.names.n_names
    if not hasattr(learner, "multiclass"):
        needed += 2 * BYTES_PER_ROW * blocks.n_rows
    if needed > task.memory:
        raise ParameterError(
            f"of {task.memory // MEGABYTE}MB is too small for the weights of "
            f"{counted(k, 'class')} and {counted(blocks.n_features, 'feature')}",
            about="memory",
            do="allow {needed}MB, or use fewer {bits}",
            needed=-(-needed * 4 // 3 // MEGABYTE),
        )


def _check_machine(needed: int, n_classes: int, n_features: int) -> None:
    """Refuse weights that no memory of this machine can hold."""
    if not hasattr(os, "sysconf") or needed < MEGABYTE:
        return  # nobody knows, or it is little
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > there:
        raise DataError(
            f"the weights of {counted(n_classes, 'class', ',')} and "
            f"{counted(n_features, 'feature', ',')} take {needed / 1e9:,.0f} GB at least, and this "
            f"machine has {there / 1e9:,.0f} GB",
            do="join classes, or use fewer {bits} for texts",
        )
