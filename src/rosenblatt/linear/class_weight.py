"""Weights of classes: each multiplies the weights of the rows of its class.

They are looked up block by block, so that a learner has them wherever its rows are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import as_float, did_you_mean
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array, Block

BALANCED = "balanced"
MOST_LISTED = 5  # labels in a message


def check_class_weight(class_weight: Any, *, in_batches: bool = False) -> None:
    """Refuse what is neither None, "balanced" nor a dict of weights above 0.

    `in_batches`: the rows come some at a time, and nobody knows how many of each class will come.
    """
    if class_weight is None:
        return
    if isinstance(class_weight, str) and class_weight == BALANCED:
        if in_batches:
            raise ParameterError(
                "'balanced' counts the rows of all classes, and partial_fit has only some of them",
                about="class_weight",
                do="give a dict of label: weight, which "
                "sklearn.utils.class_weight.compute_class_weight can compute, or call fit",
                in_shell="",
            )
        return
    if not isinstance(class_weight, Mapping):
        raise ParameterError(
            f"must be None, 'balanced' or a dict of label: weight, got {class_weight!r}",
            about="class_weight",
            do=did_you_mean(class_weight, (BALANCED,)),
        )
    for label, weight in class_weight.items():
        if as_float(weight) == 0:
            raise ParameterError(
                f"weights are all zero for class {label!r}",
                do="give it a number above 0 in {class_weight}, or leave its rows out",
                in_shell="",
            )
        if not 0 < as_float(weight) < np.inf:
            raise ParameterError(
                f"must hold finite numbers above 0, got {weight!r} for class {label!r}",
                about="class_weight",
            )


def with_class_weight(blocks: Blocks, class_weight: Any, *, in_batches: bool = False) -> Blocks:
    """Return the rows with their weights times those of their classes.

    "balanced" is N / (k N_class), where rows count by their weights. A class that a dict does not
    name has the weight 1; a label that no row has is refused, unless it may come in a later batch.

    Examples
    --------
    >>> from rosenblatt.blocks import as_blocks
    >>> blocks = as_blocks([[0], [1], [2]], ["ham", "ham", "spam"])
    >>> with_class_weight(blocks, "balanced").whole.weights
    array([0.75, 0.75, 1.5 ])
    """
    if class_weight is None:
        return blocks
    if isinstance(class_weight, str):
        factors = _balanced(blocks.total(_add_counts, np.add))
    else:
        if not in_batches:
            _check_labels_known(class_weight, blocks)
        factors = np.array([float(class_weight.get(label, 1.0)) for label in blocks.classes])
    if (factors == 1.0).all():
        return blocks
    return blocks.changed(partial(_multiplied, factors))


def _check_labels_known(class_weight: Mapping[Any, Any], blocks: Blocks) -> None:
    if set(class_weight) <= set(blocks.classes):
        return
    blocks.look_for_labels()
    labels = blocks.classes.tolist()
    unknown = [label for label in class_weight if label not in set(blocks.classes)]
    if unknown:
        listed = ", ".join(map(repr, labels[:MOST_LISTED]))
        raise ParameterError(
            f"names {unknown[0]!r}, which is not among the labels: {listed}"
            f"{', ...' if len(labels) > MOST_LISTED else ''}",
            about="class_weight",
            do=did_you_mean(unknown[0], labels) or "name labels that y has",
        )


def _add_counts(so_far: Array | None, block: Block) -> Array:
    weights = block.weights[block.members] if len(block.weights) else None
    labels, k = block.labels[block.members], len(block.classes)
    here = np.bincount(labels, weights, minlength=k).astype(np.float64)
    return here if so_far is None else so_far + here


def _balanced(counts: Array) -> Array:
    factors, here = np.ones(len(counts)), counts > 0  # a fold may have no row of a class
    factors[here] = counts.sum() / (np.count_nonzero(here) * counts[here])
    return factors


def _multiplied(factors: Array, block: Block) -> Block:
    weights = factors[block.labels]
    if len(block.weights):
        with np.errstate(over="ignore", under="ignore"):
            weights = weights * block.weights
        taking_part = weights[block.members]
        if not ((taking_part > 0) & (taking_part < np.inf)).all():
            raise DataError(
                "class_weight times sample_weight is more or less than a float64 holds; divide "
                "the weights by the largest of them"
            )
    return block._replace(weights=weights)
