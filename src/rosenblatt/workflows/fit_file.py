"""Learn from a file of any size with a learner of one's own: no validation, no report."""

from __future__ import annotations

import os
from typing import Any, Generic, NamedTuple, TypeVar

from rosenblatt.blocks import needs_all_rows
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.data.formats.svmlight import IndexedRecipe
from rosenblatt.data.recipe import Recipe
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.pocket import COUNTS_ALL, PocketPerceptron
from rosenblatt.linear.run import check_in_passes
from rosenblatt.workflows.room import check_fits
from rosenblatt.workflows.task import open_task

M = TypeVar("M")


class FileFit(NamedTuple, Generic[M]):
    """A model that learned from a file, and what is known about the file."""

    model: M
    recipe: (
        Recipe | IndexedRecipe
    )  # makes the same features from another file: rosenblatt.read(..., recipe=recipe)
    notes: tuple[str, ...]
    n_rows: int


def fit_file(
    model: M,
    path: str | os.PathLike[str],
    *,
    memory: int | str = "1GB",
    callback: Any = None,
    **how: Any,
) -> FileFit[M]:
    r"""Learn from a file that may be larger than memory.

    The file is read once, block by block, into arrays on disk, which are gone at the end, however
    that comes. Then the model learns in passes over them. It is the same model as that of `read`
    and `fit`, bit for bit (least squares: to the last digits).

    Parameters
    ----------
    model : estimator of rosenblatt
        Changed in place. A perceptron needs rule="cyclic" or "shuffled"; a pocket needs all rows
        in memory.
    path : str or path
        As for `read`: a file, perhaps packed, or "-" for standard input. What has to be read
        twice and cannot, a table from standard input, is copied to a file without a name first.
    memory : int or str, default="1GB"
        What rows and weights may take, beyond the program itself: bytes, or a number with KB, MB
        or GB. The weights have to fit into it, not the rows.
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
    if isinstance(model, PocketPerceptron):
        raise needs_all_rows(model, COUNTS_ALL)
    if isinstance(model, BudgetedPerceptron):
        check_in_passes(model.rule)
    with open_task(os.fspath(path), memory, named=False, **how) as task:
        check_fits(task, model)
        fit_blocks(model, task.blocks, callback)
        return FileFit(model, task.recipe, task.notes, task.blocks.n_rows)
