"""One pass over the examples of a problem: rows in memory, or blocks of them from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rosenblatt.blocks.orders import draw_order, draw_parts
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.hypothesis import LabelledRows
from rosenblatt.linear.multiclass import Split, examples, splits
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array, Block

if TYPE_CHECKING:
    from numpy.random import RandomState

    from rosenblatt.data.blocks import Blocks

# Gives the examples and which of them to visit, piece after piece
Pass = Callable[[], Iterator[tuple[LabelledRows, Array]]]


def over_rows(
    data: Block, split: Split, fit_intercept: bool, random_state: RandomState | None = None
) -> Pass:
    """Return passes over the rows of a problem, in their order or each in a drawn one."""
    D, members = examples(data, split, fit_intercept)
    size = rows_per_slice(D.X, _most_vectors(data))

    def one_pass() -> Iterator[tuple[LabelledRows, Array]]:
        order = members if random_state is None else draw_order(members, random_state)
        for piece in slices(order, size):
            yield D, piece

    return one_pass


def over_blocks(
    blocks: Blocks, split: Split, fit_intercept: bool, random_state: RandomState | None = None
) -> Pass:
    """Return passes over blocks that visit the same rows in the same order as `over_rows`."""

    def one_pass() -> Iterator[tuple[LabelledRows, Array]]:
        order = None if random_state is None else draw_parts(blocks.n_rows, random_state)
        for data in blocks.one_pass(order):
            D, members = examples(data, split, fit_intercept)
            for piece in slices(members, rows_per_slice(D.X, _most_vectors(data))):
                yield D, piece

    return one_pass


def splits_of(blocks: Blocks, way: str, shuffled: bool) -> list[Split]:
    """Return the problems to learn from blocks; refuse what could not be the same as in memory."""
    if shuffled and way != "joint" and len(blocks.classes) > 2:
        raise ParameterError(
            f"{way!r} in a shuffled order cannot be learned from blocks: each problem has an order "
            "of its own",
            about="multiclass",
            do="use {multiclass:joint}, or the order of the rows",
            in_shell="",
        )
    return splits(len(blocks.classes), way)


def _most_vectors(data: Block) -> int:
    """Return how many weight vectors a row may be multiplied with."""
    return len(data.classes) if len(data.classes) > 2 else 1
