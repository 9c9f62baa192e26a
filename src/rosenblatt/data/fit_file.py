"""Learn from a file of any size within a given memory."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from rosenblatt.blocks import Blocks, fit_blocks
from rosenblatt.blocks.stored import BLOCK_BYTES, StoreWriter
from rosenblatt.counting import counted
from rosenblatt.data.cached import MEGABYTE, SHARE, n_bytes_of, write_cache
from rosenblatt.errors import ParameterError

# Floats for each weight while a model is made: the last weights and the sums, what they start
# from, the mean, and what is kept of all of them
FLOATS_PER_WEIGHT = 10
FLOATS_KEPT = 3  # the mean, the last weights and the sums
BYTES_PER_ROW = 32  # naive Bayes remembers which rows it has learned


class FileFit(NamedTuple):
    """A model that learned from a file, and what is known about the file."""

    model: Any
    recipe: Any  # makes the same features from another file: rosenblatt.read(..., recipe=recipe)
    notes: tuple[str, ...]
    n_rows: int


def fit_file(
    model: Any,
    path: str | os.PathLike[str],
    *,
    memory: int | str = "1GB",
    callback: Any = None,
    **how: Any,
) -> FileFit:
    r"""Learn from a file that may be larger than memory.

    The file is read once, block by block, into a binary cache on disk, which is gone at the end,
    however that comes. Then the model learns in passes over the cache. It is the same model as
    that of `read` and `fit`, bit for bit.

    Parameters
    ----------
    model : AveragedPerceptron, Perceptron or a naive Bayes classifier
        Changed in place. A perceptron needs rule="cyclic" or "shuffled".
    path : str or path
        As for `read`: a file, perhaps packed, or "-" for standard input. What has to be read
        twice and cannot, a table from standard input, is copied to a file without a name first.
    memory : int or str, default="1GB"
        What may be taken beyond the program itself: bytes, or a number with KB, MB or GB. The
        weights have to fit into it, not the rows.
    callback : callable or None, default=None
        Called with a `Progress` now and then.
    **how
        `target`, `format`, `missing`, `bits`, `delimiter`, `header`, `zero_based`, `max_bytes`
        and `columns` as in `read`.

    Returns
    -------
    FileFit
        With `model`, `recipe`, `notes` and `n_rows`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from rosenblatt import AveragedPerceptron
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n" * 10)
    ...     fit_file(AveragedPerceptron(random_state=0), path, memory="100MB").n_rows
    40
    """
    allowed = n_bytes_of(memory)
    with StoreWriter(block_bytes=min(BLOCK_BYTES, allowed // SHARE)) as writer:
        cache, recipe, notes = write_cache(writer, path, memory=allowed, **how)
        check_fits(model, cache, allowed)
        fit_blocks(model, cache, callback)
        return FileFit(model, recipe, notes, cache.n_rows)


def check_fits(model: Any, blocks: Blocks, allowed: int, *, kept: int = 0, more: int = 0) -> None:
    """Refuse a memory that is too small for the weights, other models that are kept, and more."""
    k = len(blocks.classes)
    vectors = k * (k - 1) // 2 if getattr(model, "multiclass", "") == "one-vs-one" else k
    if k == 2 and hasattr(model, "multiclass"):
        vectors = 1
    floats = FLOATS_PER_WEIGHT + kept * FLOATS_KEPT
    needed = 8 * floats * vectors * (blocks.n_features + 1) + more + allowed // 4
    if not hasattr(model, "multiclass"):
        needed += (1 + kept) * BYTES_PER_ROW * blocks.n_rows
    if needed > allowed:
        raise ParameterError(
            f"of {allowed // MEGABYTE}MB is too small for the weights of {counted(k, 'class')} and "
            f"{counted(blocks.n_features, 'feature')}",
            about="memory",
            do="allow {needed}MB, or use fewer {bits}",
            needed=-(-needed * 4 // 3 // MEGABYTE),
        )
