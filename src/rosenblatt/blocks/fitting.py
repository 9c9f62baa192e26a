"""A model learns from blocks, wherever they are; what was broken off goes on."""

from __future__ import annotations

import inspect
import os
from importlib import import_module
from typing import Any, TypeVar

from rosenblatt.blocks import Blocks, UnknownLabelError
from rosenblatt.errors import ParameterError

# Files are above this room, which knows them by name alone: loaded when somebody wants one
CHECKPOINTS = "rosenblatt.model_file.checkpoint"
M = TypeVar("M")


def fit_blocks(
    model: M,
    blocks: Blocks,
    callback: Any = None,
    *,
    mixing: bool = False,
    checkpoint: Any = None,
) -> M:
    """Let a model learn from blocks of rows; return it.

    The model is the same as after `fit` with all rows in memory, bit for bit (least squares: to
    the last digits). Learners that look at all rows before each step are refused.

    Parameters
    ----------
    model : estimator of rosenblatt
        Changed in place. A perceptron needs rule="cyclic" or "shuffled".
    blocks : Blocks
        The rows and their labels: `TextBlocks`, or those of a file larger than memory.
    callback : callable or None, default=None
        Called with a `Progress` now and then, if the learner tells how far it is.
    mixing : bool, default=False
        For `Perceptron`, `AveragedPerceptron`, `PassiveAggressive` and `AROW` on many machines:
        all blocks learn at once, from the same weights, and these are mixed after each epoch. The
        model then says so, in `mixed_`. Others learn by sums, and have nothing to mix.
    checkpoint : str, path or None, default=None
        A file that is written after each epoch, and gone at the end. A fit that was broken off goes
        on from it, with the same model, rows and parts, to the bits of one that was not. For the
        learners that make passes: those that mix, and `BatchPerceptron`.

    Returns
    -------
    estimator
        The model.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.blocks.stored import StoreWriter
    >>> with StoreWriter() as writer:
    ...     writer.add([[1.0], [2.0]], ["low", "low"])
    ...     writer.add([[7.0], [8.0]], ["high", "high"])
    ...     model = fit_blocks(AveragedPerceptron(epochs=50), writer.finish())
    >>> model.predict([[0.0], [9.0]])
    array(['low', 'high'], dtype='<U4')
    """
    options = {"callback": callback} if callback is not None and _takes(model, "callback") else {}
    if mixing:
        if not _takes(model, "mixing"):
            raise ParameterError(
                f"{type(model).__name__} has no weights to mix: it learns by sums, or needs all "
                "rows",
                do="leave out {mixing}",
                in_shell="",
            )
        options["mixing"] = True
    learner: Any = model
    if checkpoint is not None:
        _go_on(learner, blocks, options, checkpoint)
        return model
    try:
        learner.fit(blocks, **options)
    except UnknownLabelError:
        # rare: the first block of a file had not all labels. Start again, knowing them
        blocks.look_for_labels()
        learner.fit(blocks, **options)
    return model


def check_has_epochs(learner: Any) -> None:
    """Refuse a learner that has nothing to write down after an epoch."""
    if not hasattr(learner, "_milestones"):
        raise ParameterError(
            f"is written after each epoch, and {type(learner).__name__} has none to go on from",
            about="checkpoint",
            do="leave it out",
        )


def _go_on(learner: Any, blocks: Blocks, options: Any, checkpoint: Any) -> None:
    """Let a model learn, going on from what a file knows; one that is named is gone at the end."""
    check_has_epochs(learner)
    blocks.look_for_labels()
    is_named = isinstance(checkpoint, str | os.PathLike)
    kept = import_module(CHECKPOINTS).Checkpoint(checkpoint) if is_named else checkpoint
    kept.begin(learner, blocks, mixing="mixing" in options)
    learner._milestones = kept
    try:
        learner.fit(blocks, **options)
    finally:
        del learner._milestones
    if is_named:
        kept.remove()


def _takes(model: Any, name: str) -> bool:
    parameters = inspect.signature(model.fit).parameters.values()
    return any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)
