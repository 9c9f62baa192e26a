"""Selection rules as kernels want them: tuples of arrays that remember where they are."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from rosenblatt.choices import Rule, Tie
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.odometer import Odometer
from rosenblatt.kernels.random_rule import MOST_TO_LIST, RandomRule
from rosenblatt.kernels.rows import BLOCK, Columns
from rosenblatt.kernels.selection import NONE_LEFT, LazyScan, Scan, Worst
from rosenblatt.rows import lengths_of, longest_of
from rosenblatt.types import Array

RULES: tuple[Rule, ...] = get_args(Rule)
IN_PASSES = ("cyclic", "shuffled")  # the others look at all rows before each update
TIES: dict[Tie, int] = {"mistake": 0, "+1": 1, "-1": -1}
NO_LIMIT = np.iinfo(np.int64).max
N_DRAWS = 4096
# Above this many features the rows of a block no longer share a cache line to advantage
MOST_COLUMNS = 64
# At a time into blocks of columns: few enough to be near, and not to be asked of the system anew
NUMBERS_TO_TURN = 1 << 15
# The squares of numbers below this are lost, and with them the length of a row
SHORTEST = 1e-150
NO_ODOMETER = Odometer(np.empty(0), np.empty(0), np.empty(0))


def scan(order: Array, n_rows: int, *, repeats: bool = False) -> Scan:
    """Return a rule that goes through an order of rows, once or again and again.

    A pass has `n_rows` rows; the order may be that of its first block.
    """
    return Scan(order, np.array([0, 0, n_rows]), repeats, False)


def rule_over_all(
    name: str, D: LabelledRows, members: Array, h: Hypothesis, random: np.random.RandomState
) -> tuple[Any, LabelledRows]:
    """Return a rule that looks at all rows before each update, and the rows as it wants them."""
    place = np.array([0, 0, len(members)])
    if name == "worst":
        return Worst(members, np.array([0, NONE_LEFT, 0]), np.zeros(1)), D
    if name == "first":
        if _fits_columns(D, members, h):
            return Scan(members, place, True, True), D._replace(X=columns(D.X))
        # measured on 20,000 x 200: 1.6 times faster than looking at every row again; for
        # `cyclic`, which sees each row once an epoch, there was next to nothing to gain
        return LazyScan(members, place, True, True, make_odometer(D, h)), D
    if _fits_columns(D, members, h, MOST_TO_LIST):
        rule = make_random_rule(members, NO_ODOMETER, random.random_sample(N_DRAWS))
        return rule, D._replace(X=columns(D.X))
    return make_random_rule(members, make_odometer(D, h), random.random_sample(N_DRAWS)), D


def _fits_columns(
    D: LabelledRows, members: Array, h: Hypothesis, most_rows: int = NO_LIMIT
) -> bool:
    X = D.X
    return (
        isinstance(X, np.ndarray)
        and h.w.ndim == 1
        and BLOCK < len(members) == len(X) <= most_rows
        and X.shape[1] <= MOST_COLUMNS
    )


def columns(X: Array, order: Array | None = None, dtype: Any = None) -> Columns:
    """Copy dense rows into blocks, column by column; the last block is filled up with zeros.

    A few blocks at a time, so that Ctrl-C is answered and what is turned stays in the cache: one
    by one, 1.2 GB took 9 s.
    """
    n_rows, n_features = len(X) if order is None else len(order), X.shape[1]
    n_blocks = -(-n_rows // BLOCK)
    blocks = np.zeros((n_blocks, n_features, BLOCK), dtype=dtype or X.dtype)
    at_a_time = BLOCK * max(1, NUMBERS_TO_TURN // (BLOCK * n_features))
    for start in range(0, n_rows, at_a_time):
        which = slice(start, start + at_a_time)
        rows = X[which if order is None else order[which]]
        whole, first = len(rows) // BLOCK, start // BLOCK
        turned = rows[: whole * BLOCK].reshape(whole, BLOCK, n_features).transpose(0, 2, 1)
        blocks[first : first + whole] = turned
        if len(rows) % BLOCK:
            blocks[-1, :, : len(rows) % BLOCK] = rows[whole * BLOCK :].T
    return Columns(blocks, np.zeros(BLOCK, dtype=dtype))


def make_random_rule(members: Array, odometer: Odometer, draws: Array) -> RandomRule:
    """Return the rule that picks among the members at random, and begins with a scan."""
    mistakes = np.zeros(len(members) + 1, dtype=np.int64)
    rivals = np.zeros(len(members) + 1, dtype=np.int32)
    place, used = np.zeros(4, dtype=np.int64), np.zeros(1, dtype=np.int64)
    return RandomRule(members, odometer, mistakes, rivals, place, draws, used)


def make_odometer(D: LabelledRows, h: Any) -> Odometer:
    """Return an odometer at 0 for the weights h: every example is due."""
    length = np.maximum(lengths_of(D.X, len(D.y), D.x0), SHORTEST)
    with np.errstate(over="ignore"):
        start = float(np.sqrt((h.w**2).sum() + (h.b**2).sum()))
    rounding = 4 * np.finfo(np.float64).eps * (longest_of(D.X) + 8)
    return Odometer(np.array([0.0, start, rounding]), length, np.zeros(len(length)))
