"""Proofs checked in exact arithmetic, on the very floats given.

A float is a whole number times a power of two, so every sum below can be taken without rounding.
Nothing here knows, or uses, how a proof was found.

    a contradiction   sum a_i z_i = 0, all a_i > 0, and no part of it is one
    a separating w    z_i . w > 0 for every example

The joint question has a vector w_c for each class c. There an example i of class y stands for a
comparison with each other class c: z holds x_i in the place of y and -x_i in that of c, so that
z . (w_1, ..., w_k) is by how much w_y . x_i is ahead of w_c . x_i.

Most examples lie far from the boundary. For those a sum in floats, with a proven bound of its error
(Higham, Accuracy and Stability, section 3.1), settles the sign; the others are summed exactly.

Each block of rows is checked by itself, where it is. What fails is the first example that does, in
exact arithmetic, so nothing depends on where blocks end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat
from scipy import sparse

from rosenblatt.errors import ProofError
from rosenblatt.kernels.rows import Presence
from rosenblatt.proof.problem import AskedRows, OneBlock
from rosenblatt.proof.question import JointProblem, SignedRows
from rosenblatt.types import Array

PRIME = 2**61 - 1
UNIT = 2.0**-53
TINY = 1e-290  # more than what underflow can take from a sum of products of numbers up to 1
NUMBERS_IN_A_BLOCK = 1 << 22
MOST_COLUMNS = 1 << 13  # that NumPy sums at once


class WrongSideError(ProofError):
    """A rule that was to separate has this example on its boundary or beyond."""

    def __init__(self, example: int) -> None:
        super().__init__(f"example {example} is not on its side of the boundary")
        self.example = example


class NotAheadError(ProofError):
    """A joint rule gives this example no higher score with its own class than with the rival."""

    def __init__(self, example: int, rival: int, label: object = None) -> None:
        name = f"class number {rival}" if label is None else repr(label)
        super().__init__(
            f"example {example} has no higher score with its own class than with {name}"
        )
        self.example, self.rival = example, rival


def check_contradiction(
    problem: AskedRows | SignedRows, indices: Sequence[int], weights: Sequence[int]
) -> None:
    """Raise a ProofError unless the weighted examples sum to zero and none can be left out."""
    part = _check_form(AskedRows.of(problem), indices, weights)
    rows = [_signed(entries_of(part, i), int(part.signs[i])) for i in range(len(indices))]

    def where(column: int) -> str:
        return "the constant coordinate" if column < 0 else f"column {column}"

    _check_sum(rows, weights, where)


def check_joint_contradiction(
    problem: AskedRows | JointProblem,
    indices: Sequence[int],
    rivals: Sequence[int],
    weights: Sequence[int],
) -> None:
    """Raise a ProofError unless the weighted comparisons sum to zero and none can be left out."""
    part = _check_joint_form(AskedRows.of(problem), indices, rivals, weights)
    rows = []
    for i, rival in enumerate(rivals):
        entries, own = entries_of(part, i), int(part.labels[i])
        against = _signed(entries, -1)
        rows.append(
            {(own, j): x for j, x in entries.items()} | {(rival, j): x for j, x in against.items()}
        )

    def where(place: tuple[int, int]) -> str:
        column = "the constant coordinate" if place[1] < 0 else f"column {place[1]}"
        return f"{column} of class number {place[0]}"

    _check_sum(rows, weights, where)


def _signed(entries: dict[int, float], sign: int) -> dict[int, float]:
    return {j: sign * x for j, x in entries.items()}


def _check_sum(
    rows: Sequence[Mapping[Any, float]], weights: Sequence[int], where: Callable[[Any], str]
) -> None:
    """Raise a ProofError unless a . Z = 0 and that is the only such a, up to a factor."""
    columns, Z = _integers(rows)
    totals = fmpz_mat([list(weights)]) * Z
    for place, column in enumerate(columns):
        if totals[0, place] != 0:
            raise ProofError(f"the weighted examples do not sum to zero in {where(column)}")
    # The weights solve Z a = 0. If the rank is one less than their number, that is the only
    # solution, and leaving out an example leaves none. A rank modulo a prime is never too high.
    k = len(weights)
    if max(nmod_mat(Z, PRIME).rank(), 0) != k - 1 and Z.rank() != k - 1:
        raise ProofError("the contradiction is not irreducible: a part of it is one already")


def _check_form(problem: AskedRows, indices: Sequence[int], weights: Sequence[int]) -> SignedRows:
    """Return the examples that are named."""
    _check_weights(indices, weights)
    if any(i >= j for i, j in pairwise(indices)):
        raise ProofError(f"the examples must be named once, in ascending order, got {indices}")
    _check_examples(problem, indices)
    part: SignedRows = problem.take(np.array(indices))
    for k in np.flatnonzero(part.signs == 0)[:1].tolist():
        raise ProofError(f"example {indices[k]} is of neither class that the proof is about")
    return part


def _check_joint_form(
    problem: AskedRows, indices: Sequence[int], rivals: Sequence[int], weights: Sequence[int]
) -> JointProblem:
    """Return the examples that are compared."""
    _check_weights(indices, weights)
    if len(rivals) != len(indices):
        raise ProofError(
            f"each example needs a class to be compared with, got {len(indices)} examples and "
            f"{len(rivals)} classes"
        )
    compared = list(zip(indices, rivals, strict=True))
    if any(a >= b for a, b in pairwise(compared)):
        raise ProofError(
            "the comparisons must be named once, in ascending order of examples and classes"
        )
    _check_examples(problem, indices)
    part: JointProblem = problem.take(np.array(indices))
    for (i, rival), own in zip(compared, part.labels.tolist(), strict=True):
        if not 0 <= rival < (k := part.n_classes):
            raise ProofError(f"there is no class number {rival}, got {k} classes")
        if rival == own:
            raise ProofError(f"example {i} is compared with its own class")
    return part


def _check_weights(indices: Sequence[int], weights: Sequence[int]) -> None:
    if not len(indices) or len(indices) != len(weights):
        raise ProofError(
            f"a contradiction needs one weight for each example, got {len(indices)} examples "
            f"and {len(weights)} weights"
        )
    for i, a in zip(indices, weights, strict=True):
        if not (isinstance(a, int) and a > 0):
            # not shown: Python refuses to write numbers of more than 4,300 digits
            raise ProofError(f"the weight of example {i} is no whole number above 0")
    if reduce(fmpz.gcd, map(fmpz, weights)) != 1:
        raise ProofError("the weights have a common factor; divide them by it")


def _check_examples(problem: AskedRows, indices: Sequence[int]) -> None:
    for i in indices:
        if not 0 <= i < problem.n_rows:
            raise ProofError(f"example {i} is not in the data, which has {problem.n_rows} rows")


def _integers(rows: Sequence[Mapping[Any, float]]) -> tuple[list[Any], fmpz_mat]:
    """Return rows as whole numbers, each column in a unit of its own, and their columns."""
    ratios = [{j: x.as_integer_ratio() for j, x in row.items()} for row in rows]
    columns = sorted(set().union(*rows))
    units = {j: max(row[j][1] for row in ratios if j in row) for j in columns}
    zero = (0, 1)
    table = [
        [row.get(j, zero)[0] * (units[j] // row.get(j, zero)[1]) for j in columns] for row in ratios
    ]
    return columns, fmpz_mat(table) if columns else fmpz_mat(len(rows), 0)


def entries_of(problem: OneBlock, i: int) -> dict[int, float]:
    """Return the entries of (x0, x_i) other than 0, by column; x0 is column -1."""
    rows = problem.rows
    if isinstance(rows, np.ndarray):
        columns = np.flatnonzero(rows[i])
        values = rows[i, columns].tolist()
    else:
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        columns = rows.indices[part]
        values = [1.0] * len(columns) if isinstance(rows, Presence) else rows.data[part].tolist()
    found = {j: x for j, x in zip(columns.tolist(), values, strict=True) if x}
    return ({-1: 1.0} if problem.x0 else {}) | found


class Checked(NamedTuple):
    """What a block says of a rule: its first failure, or else its smallest score."""

    failure: tuple[int, ...] | None
    smallest: Fraction | None  # None for a block without examples


def smallest_score(problem: AskedRows | SignedRows, w: Sequence[Fraction]) -> Fraction:
    """Return min z_i . w, exactly; raise a ProofError unless it is above 0."""
    problem = AskedRows.of(problem)
    if len(w) != problem.n_features + 1:
        raise ProofError(
            f"w must have {problem.n_features + 1} weights, w0 first, for {problem.n_features} "
            f"features, got {len(w)}"
        )
    if not problem.x0 and w[0]:
        raise ProofError("w0 must be 0 in a rule through the origin")
    whole, denominator = as_whole(w)
    top = max(map(abs, whole), default=0)
    if not top:
        raise ProofError("w is zero, so every example lies on its boundary")
    look = partial(_check_scores, whole=whole, floats=[v / top for v in whole])
    return _smallest(problem.each(look), WrongSideError) / denominator


def _smallest(found: Iterator[Checked], error: Callable[..., ProofError]) -> Fraction:
    """Return the smallest of all blocks; raise the failure that comes first."""
    smallest = []
    for failure, least in found:
        if failure is not None:
            raise error(*failure)
        smallest += [] if least is None else [least]
    return min(smallest)


def _check_scores(block: SignedRows, whole: list[int], floats: list[float]) -> Checked:
    """Check z_i . w > 0 for all examples of a block."""
    low, high = _score_bounds(block, floats)
    about = np.flatnonzero(block.signs)
    low, high = low[about], high[about]

    def score(k: int) -> Fraction:
        i = int(about[k])
        return int(block.signs[i]) * _exact_score(block, i, whole)

    failure, smallest = _settled(low, high, score)
    return Checked(None if failure is None else (block.first + int(about[failure]),), smallest)


def _settled(
    low: Array, high: Array, exact: Callable[[int], Fraction]
) -> tuple[int | None, Fraction | None]:
    """Return the first number that is not above 0, or else the smallest, given bounds of each."""
    exact = cache(exact)
    wrong = np.flatnonzero(high <= 0)[:1].tolist()
    # floats cannot tell the sign of these
    for k in np.flatnonzero(low[: wrong[0] if wrong else None] <= 0).tolist():
        if exact(k) <= 0:
            return k, None
    if wrong:
        return wrong[0], None
    close = np.flatnonzero(low <= high.min(initial=np.inf)).tolist()
    return None, min(map(exact, close), default=None)


def smallest_lead(problem: AskedRows | JointProblem, W: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the least by which a right class is ahead, exactly; a ProofError unless above 0."""
    problem = AskedRows.of(problem)
    _check_vectors(problem, W)
    whole, denominator = as_whole([v for w in W for v in w])
    top = max(map(abs, whole), default=0)
    if not top:
        raise ProofError("all weights are zero, so no class is ahead of another")
    d = problem.n_features + 1
    vectors = [whole[c * d : (c + 1) * d] for c in range(problem.n_classes)]
    floats = np.array([[v / top for v in w] for w in vectors])
    look = partial(_check_leads, vectors=vectors, floats=floats)
    return _smallest(problem.each(look), NotAheadError) / denominator


def _check_vectors(problem: AskedRows, W: Sequence[Sequence[Fraction]]) -> None:
    k, d = problem.n_classes, problem.n_features
    if len(W) != k or any(len(w) != d + 1 for w in W):
        raise ProofError(
            f"w must have {k} rows of {d + 1} weights, w0 first, for {k} classes and {d} features"
        )
    if not problem.x0 and any(w[0] for w in W):
        raise ProofError("w0 must be 0 in a rule through the origin")


def _check_leads(problem: JointProblem, vectors: list[list[int]], floats: Array) -> Checked:
    """Check that every example of a block is ahead of all its rivals."""
    size = float(np.sqrt((floats * floats).sum(axis=1)).max())
    # thrice the error of a score: two of them, and their difference
    relative, smallest = 12 * (problem.n_features + 8) * UNIT, []
    for part, block, lengths in blocks_of(problem):
        with np.errstate(over="ignore", invalid="ignore"):
            scores = block @ floats[:, 1:].T + problem.x0 * floats[:, 0]
            each, own = np.arange(len(scores)), problem.labels[part]
            leads = scores[each, own][:, np.newaxis] - scores
            slack = (lengths * (relative * size) + (lengths + 1) * TINY)[:, np.newaxis]
            known = np.isfinite(slack) & np.isfinite(leads)
            low = np.where(known, leads - slack, -np.inf)
            high = np.where(known, leads + slack, np.inf)
        low[each, own] = high[each, own] = np.inf  # a class is no rival of its own
        lead = partial(_exact_lead, problem, part.start, vectors)
        failure, least = _settled(low.ravel(), high.ravel(), lead)
        if failure is not None:
            i, c = divmod(failure, problem.n_classes)
            return Checked((problem.first + part.start + i, c), None)
        smallest += [] if least is None else [least]
    return Checked(None, min(smallest, default=None))


def _exact_lead(
    problem: JointProblem, start: int, vectors: list[list[int]], place: int
) -> Fraction:
    """Return by how much an example is ahead of a rival, counted from a row."""
    i, c = divmod(place, problem.n_classes)
    own, rival = vectors[int(problem.labels[start + i])], vectors[c]
    difference = [a - b for a, b in zip(own, rival, strict=True)]
    return _exact_score(problem, start + i, difference)


def as_whole(w: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return fractions as whole numbers and their common denominator."""
    # by FLINT: Python takes minutes for numbers of a million digits, which a file may hold
    denominator = reduce(fmpz.lcm, (fmpz(v.denominator) for v in w if v), fmpz(1))
    whole = [int(v.numerator * (denominator // v.denominator)) if v else 0 for v in w]
    return whole, int(denominator)


def _exact_score(problem: OneBlock, i: int, w: list[int]) -> Fraction:
    ratios = {j: x.as_integer_ratio() for j, x in entries_of(problem, i).items()}
    unit = max((q for _, q in ratios.values()), default=1)
    return Fraction(sum(p * (unit // q) * w[j + 1] for j, (p, q) in ratios.items()), unit)


def _score_bounds(problem: SignedRows, w: list[float]) -> tuple[Array, Array]:
    """Return bounds of z_i . w that hold in exact arithmetic; w is rounded, of numbers up to 1."""
    low, high = np.empty(problem.n_rows), np.empty(problem.n_rows)
    weights, size = np.array(w[1:]), math.hypot(*w)
    # one rounding for each product and sum, one for each weight, some to spare, twice
    relative = 4 * (problem.n_features + 8) * UNIT
    with np.errstate(over="ignore", invalid="ignore"):
        for part, block, lengths in blocks_of(problem):
            scores = problem.signs[part] * (block @ weights + problem.x0 * w[0])
            slack = lengths * (relative * size) + (lengths + 1) * TINY
            # nothing is known where a sum overflowed
            known = np.isfinite(slack) & np.isfinite(scores)
            low[part] = np.where(known, scores - slack, -np.inf)
            high[part] = np.where(known, scores + slack, np.inf)
    return low, high


def _squares(rows: Array) -> Array:
    """Return |x_i|^2 of each row; the same bits whichever rows are beside it."""
    total = np.zeros(len(rows))
    # of longer rows NumPy sums parts, which are others where a row stands alone
    for start in range(0, rows.shape[1], MOST_COLUMNS):
        part = rows[:, start : start + MOST_COLUMNS]
        total += np.einsum("ij,ij->i", part, part)
    return total


def blocks_of(problem: OneBlock) -> Iterator[tuple[slice, Array, Array]]:
    """Return the rows in float64 in blocks, with the lengths of (x0, x_i), never too short."""
    rows, n = problem.rows, problem.n_rows
    if not isinstance(rows, np.ndarray):
        data = np.ones(len(rows.indices)) if isinstance(rows, Presence) else rows.data
        shape = (n, problem.n_features)
        rows = sparse.csr_array((data, rows.indices, rows.indptr), shape=shape)
    vanished = problem.n_features * np.finfo(np.float64).tiny  # more than what squares lose to 0
    per_row = max(1, rows.size // max(1, n))
    step = max(1, NUMBERS_IN_A_BLOCK // per_row)
    for start in range(0, n, step):
        part = slice(start, min(n, start + step))
        block = rows[part].astype(np.float64, copy=False)
        if isinstance(block, np.ndarray):
            squares = _squares(block)
        else:
            squares = block.multiply(block).sum(axis=1)
        yield part, block, np.sqrt(squares + vanished + problem.x0)
