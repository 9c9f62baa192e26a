"""Rows that come in blocks, so that they need not all be in memory, and how to learn from them.

Blocks can be gone through again and again. They come from a cache on disk (`data.cache`) or from a
file of texts (`data.text_blocks`); a learner takes them in order and goes on from block to block
with what it has learned so far, so it makes the same steps as with all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from rosenblatt.errors import ParameterError
from rosenblatt.types import Array, Block

LEARNERS = (
    "AveragedPerceptron, Perceptron (rule='cyclic' or 'shuffled'), BernoulliNaiveBayes, "
    "MultinomialNaiveBayes, CategoricalNaiveBayes and GaussianNaiveBayes"
)


class Blocks(Protocol):
    """Rows in blocks."""

    @property
    def classes(self) -> Array:
        """The labels, in order."""

    @property
    def n_features(self) -> int:
        """The columns of every block."""

    @property
    def n_rows(self) -> int:
        """The rows of all blocks."""

    def one_pass(self, order: Iterator[Array] | None = None) -> Iterator[Block]:
        """Yield all rows, in their order or in the one that is given part by part.

        The arrays of a block are good until the next one is asked for; `members` is the order in
        which its rows are to be visited.
        """


class UnknownLabelError(Exception):
    """A label was met that is not among the classes; they are known after `look_for_labels`."""


def fit_blocks(model: Any, blocks: Blocks, callback: Any = None) -> Any:
    """Let a model learn from blocks of rows; return it.

    The model is the same as after `fit` with all rows in memory, bit for bit. Learners that have
    to look at all rows before each step are refused.

    Parameters
    ----------
    model : AveragedPerceptron, Perceptron or a naive Bayes classifier
        Changed in place. A perceptron needs rule="cyclic" or "shuffled".
    blocks : Cache or TextBlocks
        The rows and their labels.
    callback : callable or None, default=None
        Called with a `Progress` now and then.

    Returns
    -------
    estimator
        The model.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.data.cache_writer import CacheWriter
    >>> with CacheWriter() as writer:
    ...     writer.add([[1.0], [2.0]], ["low", "low"])
    ...     writer.add([[7.0], [8.0]], ["high", "high"])
    ...     model = fit_blocks(AveragedPerceptron(epochs=50), writer.finish())
    >>> model.predict([[0.0], [9.0]])
    array(['low', 'high'], dtype='<U4')
    """
    check_learner(model)
    try:
        return model._fit_blocks(blocks, callback)
    except UnknownLabelError:
        # rare: the first block of a file had not all labels. Start again, knowing them
        blocks.look_for_labels()  # type: ignore[attr-defined]  # only such blocks raise it
        return model._fit_blocks(blocks, callback)


def check_learner(model: Any) -> None:
    """Refuse a model that needs all rows at once."""
    if not hasattr(model, "_fit_blocks"):
        raise ParameterError(
            f"{type(model).__name__} cannot learn from blocks of rows, it needs all of them in "
            f"memory; these can: {LEARNERS}"
        )
