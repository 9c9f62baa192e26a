"""Scores of rows by models that have not seen them, of any learner, wherever its rows are."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from rosenblatt.blocks import Blocks, numbers_of
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block

N_FOLDS = 5


class OutOfFold(NamedTuple):
    """What models said about rows that they had not seen."""

    scores: Array  # one for two classes, else one for each class
    labels: Array  # places among the classes
    weights: Array | None


def out_of_fold(learner: Any, blocks: Blocks, n_folds: int = N_FOLDS) -> OutOfFold:
    """Return the scores of all rows that take part, each by a clone that learned from other folds.

    Examples
    --------
    >>> from rosenblatt import LeastSquaresClassifier
    >>> from rosenblatt.blocks import as_blocks
    >>> blocks = as_blocks([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])
    >>> out_of_fold(LeastSquaresClassifier(), blocks).scores.round(2)
    array([-1.67, -0.14,  0.14,  1.67])
    """
    parts = list(blocks.each(_taking_part))
    numbers, labels = (np.concatenate([part[k] for part in parts]) for k in range(2))
    weights = np.concatenate([part[2] for part in parts])
    folds = stratified(labels, min(n_folds, len(labels)))
    scores: Array = np.empty(0)
    for fold in range(folds.max() + 1):
        test = np.flatnonzero(folds == fold)
        model = clone(learner).set_params(probability=False, threshold=None)
        with warnings.catch_warnings():
            # what there is to say, about convergence or sorted rows, the fit on all rows says
            warnings.simplefilter("ignore")
            model.fit(blocks.take(numbers[folds != fold]))
        said = np.concatenate(list(blocks.take(numbers[test]).each(partial(_scores, model))))
        if fold == 0:
            scores = np.empty((len(labels), *said.shape[1:]))
        scores[test] = said
    return OutOfFold(scores, labels, weights if len(weights) else None)


def stratified(labels: Array, n_folds: int) -> Array:
    """Return the fold of each row: drawn, and each class is dealt out evenly.

    A class with two rows has them in two folds, so that it is learned in all of them.

    Examples
    --------
    >>> folds = stratified(np.array([0, 0, 0, 0, 1, 1]), 2)
    >>> np.bincount(folds[:4]), np.bincount(folds[4:])
    (array([2, 2]), array([1, 1]))
    """
    drawn = np.random.RandomState(0).permutation(len(labels))  # files may be sorted
    drawn = drawn[np.argsort(labels[drawn], kind="stable")]
    folds = np.empty(len(labels), dtype=np.int64)
    folds[drawn] = np.arange(len(labels)) % n_folds
    return folds


def _taking_part(block: Block) -> tuple[Array, Array, Array]:
    members = block.members
    weights = block.weights[members] if len(block.weights) else block.weights
    return numbers_of(block, members), block.labels[members], weights


def _scores(model: Any, block: Block) -> Array:
    scores: Array = model._raw_scores(matrix(block.rows, block.n_features))
    return scores
