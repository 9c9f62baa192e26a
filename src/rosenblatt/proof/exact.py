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
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat
from scipy import sparse

from rosenblatt.errors import ProofError
from rosenblatt.kernels.rows import Presence
from rosenblatt.proof.question import JointProblem, SignedRows
from rosenblatt.types import Array

PRIME = 2**61 - 1
UNIT = 2.0**-53
TINY = 1e-290  # more than what underflow can take from a sum of products of numbers up to 1
NUMBERS_IN_A_BLOCK = 1 << 22
MOST_SQUARES = 1 << 16  # that are added up as fractions


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
    problem: SignedRows, indices: Sequence[int], weights: Sequence[int]
) -> None:
    """Raise a ProofError unless the weighted examples sum to zero and none can be left out."""
    _check_form(problem, indices, weights)
    rows = [_signed(_entries(problem, i), int(problem.signs[i])) for i in indices]

    def where(column: int) -> str:
        return "the constant coordinate" if column < 0 else f"column {column}"

    _check_sum(rows, weights, where)


def check_joint_contradiction(
    problem: JointProblem, indices: Sequence[int], rivals: Sequence[int], weights: Sequence[int]
) -> None:
    """Raise a ProofError unless the weighted comparisons sum to zero and none can be left out."""
    _check_joint_form(problem, indices, rivals, weights)
    rows = []
    for i, rival in zip(indices, rivals, strict=True):
        entries, own = _entries(problem, i), int(problem.labels[i])
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


def _check_form(problem: SignedRows, indices: Sequence[int], weights: Sequence[int]) -> None:
    _check_weights(indices, weights)
    if any(i >= j for i, j in pairwise(indices)):
        raise ProofError(f"the examples must be named once, in ascending order, got {indices}")
    for i in indices:
        _check_example(problem, i)
        if problem.signs[i] == 0:
            raise ProofError(f"example {i} is of neither class that the proof is about")


def _check_joint_form(
    problem: JointProblem, indices: Sequence[int], rivals: Sequence[int], weights: Sequence[int]
) -> None:
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
    for i, rival in compared:
        _check_example(problem, i)
        if not 0 <= rival < problem.n_classes:
            raise ProofError(f"there is no class number {rival}, got {problem.n_classes} classes")
        if rival == problem.labels[i]:
            raise ProofError(f"example {i} is compared with its own class")


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


def _check_example(problem: SignedRows | JointProblem, i: int) -> None:
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


def _entries(problem: SignedRows | JointProblem, i: int) -> dict[int, float]:
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


def smallest_score(problem: SignedRows, w: Sequence[Fraction]) -> Fraction:
    """Return min z_i . w, exactly; raise a ProofError unless it is above 0."""
    if len(w) != problem.n_features + 1:
        raise ProofError(
            f"w must have {problem.n_features + 1} weights, w0 first, for {problem.n_features} "
            f"features, got {len(w)}"
        )
    if not problem.x0 and w[0]:
        raise ProofError("w0 must be 0 in a rule through the origin")
    whole, denominator = _whole(w)
    top = max(map(abs, whole), default=0)
    if not top:
        raise ProofError("w is zero, so every example lies on its boundary")
    low, high = _score_bounds(problem, [v / top for v in whole])
    about = np.flatnonzero(problem.signs)
    wrong = about[high[about] <= 0]
    if len(wrong):
        raise WrongSideError(int(wrong[0]))
    # those that floats cannot tell the sign of, and those that may be the smallest
    close = about[(low[about] <= 0) | (low[about] <= high[about].min())]
    smallest = None
    for i in close.tolist():
        score = int(problem.signs[i]) * _exact_score(problem, i, whole)
        if score <= 0:
            raise WrongSideError(i)
        smallest = score if smallest is None else min(smallest, score)
    assert smallest is not None, "the smallest of all scores is among the close ones"  # noqa: S101
    return smallest / denominator


def smallest_lead(problem: JointProblem, W: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the least by which a right class is ahead, exactly; a ProofError unless above 0."""
    _check_vectors(problem, W)
    whole, denominator = _whole([v for w in W for v in w])
    top = max(map(abs, whole), default=0)
    if not top:
        raise ProofError("all weights are zero, so no class is ahead of another")
    d = problem.n_features + 1
    vectors = [whole[c * d : (c + 1) * d] for c in range(problem.n_classes)]
    leads = []
    for i, c in _close_duels(problem, np.array([[v / top for v in w] for w in vectors])):
        own = vectors[int(problem.labels[i])]
        lead = _exact_score(problem, i, [a - b for a, b in zip(own, vectors[c], strict=True)])
        if lead <= 0:
            raise NotAheadError(i, c)
        leads.append(lead)
    return min(leads) / denominator


def _check_vectors(problem: JointProblem, W: Sequence[Sequence[Fraction]]) -> None:
    k, d = problem.n_classes, problem.n_features
    if len(W) != k or any(len(w) != d + 1 for w in W):
        raise ProofError(
            f"w must have {k} rows of {d + 1} weights, w0 first, for {k} classes and {d} features"
        )
    if not problem.x0 and any(w[0] for w in W):
        raise ProofError("w0 must be 0 in a rule through the origin")


def _close_duels(problem: JointProblem, W: Array) -> list[tuple[int, int]]:
    """Return the examples and rivals whose leads floats cannot tell, or that may be the smallest.

    W is rounded, of numbers up to 1. A lead that is certainly not above 0 is a NotAheadError.
    """
    size = float(np.sqrt((W * W).sum(axis=1)).max())
    # thrice the error of a score: two of them, and their difference
    relative = 12 * (problem.n_features + 8) * UNIT
    least, close = np.inf, []
    with np.errstate(over="ignore", invalid="ignore"):
        for part, block, lengths in _blocks(problem):
            scores = block @ W[:, 1:].T + problem.x0 * W[:, 0]
            each, own = np.arange(len(scores)), problem.labels[part]
            leads = scores[each, own][:, np.newaxis] - scores
            slack = (lengths * (relative * size) + (lengths + 1) * TINY)[:, np.newaxis]
            known = np.isfinite(slack) & np.isfinite(leads)
            low = np.where(known, leads - slack, -np.inf)
            high = np.where(known, leads + slack, np.inf)
            low[each, own] = high[each, own] = np.inf  # a class is no rival of its own
            for i, c in np.argwhere(high <= 0)[:1].tolist():
                raise NotAheadError(part.start + i, c)
            least = min(least, float(high.min()))
            found = np.argwhere(low <= max(least, 0.0))
            close += [(part.start + i, c, low[i, c]) for i, c in found.tolist()]
    return [(i, c) for i, c, bound in close if bound <= max(least, 0.0)]


def _whole(w: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return fractions as whole numbers and their common denominator."""
    # by FLINT: Python takes minutes for numbers of a million digits, which a file may hold
    denominator = reduce(fmpz.lcm, (fmpz(v.denominator) for v in w if v), fmpz(1))
    whole = [int(v.numerator * (denominator // v.denominator)) if v else 0 for v in w]
    return whole, int(denominator)


def _exact_score(problem: SignedRows | JointProblem, i: int, w: list[int]) -> Fraction:
    ratios = {j: x.as_integer_ratio() for j, x in _entries(problem, i).items()}
    unit = max((q for _, q in ratios.values()), default=1)
    return Fraction(sum(p * (unit // q) * w[j + 1] for j, (p, q) in ratios.items()), unit)


def _score_bounds(problem: SignedRows, w: list[float]) -> tuple[Array, Array]:
    """Return bounds of z_i . w that hold in exact arithmetic; w is rounded, of numbers up to 1."""
    low, high = np.empty(problem.n_rows), np.empty(problem.n_rows)
    weights, size = np.array(w[1:]), math.hypot(*w)
    # one rounding for each product and sum, one for each weight, some to spare, twice
    relative = 4 * (problem.n_features + 8) * UNIT
    with np.errstate(over="ignore", invalid="ignore"):
        for part, block, lengths in _blocks(problem):
            scores = problem.signs[part] * (block @ weights + problem.x0 * w[0])
            slack = lengths * (relative * size) + (lengths + 1) * TINY
            # nothing is known where a sum overflowed
            known = np.isfinite(slack) & np.isfinite(scores)
            low[part] = np.where(known, scores - slack, -np.inf)
            high[part] = np.where(known, scores + slack, np.inf)
    return low, high


def _blocks(problem: SignedRows | JointProblem) -> Iterator[tuple[slice, Array, Array]]:
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
            squares = np.einsum("ij,ij->i", block, block)
        else:
            squares = block.multiply(block).sum(axis=1)
        yield part, block, np.sqrt(squares + vanished + problem.x0)


def joint_radius(problem: JointProblem) -> float:
    """Return R = max |z| over the comparisons: x_i is in z twice."""
    return math.sqrt(2.0) * radius(problem.positive)


def radius(problem: SignedRows) -> float:
    """Return R = max |(x0, x_i)| over the examples."""
    about = problem.signs != 0
    with np.errstate(over="ignore", under="ignore"):
        lengths = np.concatenate([found for _, _, found in _blocks(problem)])
    longest = float(lengths[about].max())
    if 1e-140 < longest < 1e150:
        return longest
    # squares that overflowed or vanished
    return max(math.hypot(*_entries(problem, int(i)).values()) for i in np.flatnonzero(about))


def most_updates(
    problem: SignedRows, smallest: Fraction, w: Sequence[Fraction], *, times: int = 1
) -> int:
    """Return (R |w| / min z_i . w)^2 rounded down: no perceptron from zero makes more updates.

    By the theorem of Novikoff, for any rule w that separates. All is exact, so that the number is
    neither too small by rounding nor too large by caution. An update of a joint rule adds a row and
    takes it away elsewhere: then R^2 counts two `times`.
    """
    whole, denominator = _whole(w)
    square = Fraction(sum(v * v for v in whole if v)) / (smallest * denominator) ** 2
    return math.floor(times * _radius_squared(problem) * square)


def _radius_squared(problem: SignedRows) -> Fraction:
    """Return R^2 exactly; a little too large if too many rows may be the longest."""
    about = np.flatnonzero(problem.signs)
    with np.errstate(over="ignore", under="ignore"):
        lengths = np.concatenate([found for _, _, found in _blocks(problem)])[about]
    longest = float(lengths.max())
    share = (problem.n_features + 8) * 4 * UNIT  # more than what roundings can have done
    if 1e-140 < longest < 1e150:
        about = about[lengths >= longest * (1 - share)]
        if len(about) * problem.n_features > MOST_SQUARES:
            return Fraction(longest * (1 + share)) ** 2
    return max(
        sum((Fraction(x) ** 2 for x in _entries(problem, int(i)).values()), Fraction(0))
        for i in about
    )


def margin_of(smallest: Fraction, w: Sequence[Fraction]) -> float:
    """Return min z_i . w / |w|, rounded once."""
    whole, denominator = _whole(w)
    return _root((smallest * denominator) ** 2 / sum(v * v for v in whole if v))


def _root(square: Fraction) -> float:
    """Return the square root of a positive fraction to 60 bits or more, as a float."""
    p, q = square.numerator, square.denominator
    shift = max(0, 64 + (q.bit_length() - p.bit_length()) // 2 + 1)
    try:
        return float(Fraction(math.isqrt((p << (2 * shift)) // q), 1 << shift))
    except OverflowError:
        return math.inf
