"""Where a learner is after each epoch, on disk: what was broken off goes on, bit for bit.

A file holds the state of each problem, the draws, and a digest of what is learned: the learner, its
parameters, and the rows with the parts that they are in. It is written whole or not at all, and has
arrays and numbers in it, no code. A learner gives its states before the first row, which tell what
arrays there have to be.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.errors import DataError, ModelFileError
from rosenblatt.files import check_output
from rosenblatt.model_file.arrays import read_arrays, write_arrays
from rosenblatt.model_file.values import Reader, Writer
from rosenblatt.rows import row_digests

KIND = "rosenblatt checkpoint 1"
DAMAGED = (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError)


class Checkpoint:
    """A file that knows how far a fit is.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt import AveragedPerceptron
    >>> from rosenblatt.blocks import as_blocks
    >>> blocks, learner = as_blocks([[1.0], [2.0]], ["a", "b"]), AveragedPerceptron()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoint = Checkpoint(f"{folder}/fit.checkpoint")
    ...     checkpoint.begin(learner, blocks)
    ...     checkpoint.passed(0, 3, [(np.array([0.5, 1.0]), 7)], None)
    ...     checkpoint.resume([(np.zeros(2), 0)], None)
    (0, 3, [(array([0.5, 1. ]), 7)])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = check_output(path)
        self._digest = ""

    def begin(self, learner: Any, blocks: Blocks, *, mixing: bool = False) -> None:
        """Look at what is to be learned; refuse a file that is about something else."""
        self._digest = _digest(learner, blocks, mixing)
        if self.path.exists():
            self._read()

    def resume(self, states: list[Any], draws: Any) -> tuple[int, int, list[Any]]:
        """Return the problem, its epochs that are done, and the states; the draws go on, too.

        Where there is nothing to go on from these are 0, 0 and the states that were given.
        """
        if not self.path.exists():
            return 0, 0, states
        try:
            problem, epoch, found, then = self._read()
            if not (0 <= problem < len(states) == len(found) and epoch >= 0):
                raise ValueError("there are other problems")
            restored = [_restored(a, b) for a, b in zip(states, found, strict=True)]
            if draws is not None:
                draws.set_state(then.get_state())
        except DAMAGED as error:
            raise self._unusable() from error
        return problem, epoch, restored

    def passed(self, problem: int, epoch: int, states: list[Any], draws: Any) -> None:
        """Write down that a problem has done so many epochs; those before it are done."""
        writer = Writer()
        values = (problem, epoch, [_plain(state) for state in states], draws)
        node = writer.write(values, "state")
        metadata = {"kind": KIND, "digest": self._digest, "state": json.dumps(node)}
        write_arrays(self.path, metadata, writer.arrays, private=True)

    def remove(self) -> None:
        """Forget: the fit is done."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> Any:
        try:
            metadata, arrays = read_arrays(self.path)
        except ModelFileError as error:
            raise self._unusable() from error
        if metadata.get("kind") != KIND:
            raise self._unusable()
        if metadata.get("digest") != self._digest:
            raise DataError(
                f"{self.path} is the checkpoint of another fit: of other data, parts or "
                "parameters, or of another learner",
                do="give the same as before, or remove it to begin anew",
            )
        try:
            return Reader(arrays).read(json.loads(metadata["state"]))
        except DAMAGED as error:
            raise self._unusable() from error

    def _unusable(self) -> ModelFileError:
        return ModelFileError(
            f"{self.path} is damaged, or no checkpoint", do="remove it to begin anew"
        )


def _digest(learner: Any, blocks: Blocks, mixing: bool) -> str:
    """Return a digest of what is learned, by whom, in which parts."""
    parameters = {name: repr(value) for name, value in learner.get_params(deep=False).items()}
    facts = [type(learner).__name__, parameters, mixing, blocks.n_features, blocks.cut.tolist()]
    labels = [repr(label) for label in np.asarray(blocks.classes).tolist()]
    whole = hashlib.sha256(json.dumps([facts, labels], sort_keys=True).encode())
    for rows, codes, weights in blocks.each(_digests_of):
        for array in (rows, codes, weights):
            whole.update(array.tobytes())
    return whole.hexdigest()


def _digests_of(block: Any) -> tuple[Any, Any, Any]:
    return row_digests(block.rows, block.n_rows), block.labels, np.asarray(block.weights)


def _plain(value: Any) -> Any:
    """Return a state as tuples, arrays and numbers."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _restored(given: Any, found: Any) -> Any:
    """Return what was found in the arrays that were given; refuse what is not like these."""
    if isinstance(given, np.ndarray):
        if found.shape != given.shape or found.dtype != given.dtype:
            raise ValueError("an array has another shape")
        given[...] = found
        return given
    if isinstance(given, tuple):
        items = [_restored(a, b) for a, b in zip(given, found, strict=True)]
        return type(given)(*items) if hasattr(given, "_fields") else tuple(items)
    if type(found) is not type(given):
        raise ValueError("a number is of another kind")
    return found
