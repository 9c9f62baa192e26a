"""The question put to a few examples in exact arithmetic, for when floats cannot tell.

The simplex method, phase 1, on the program

    minimise   sum_j s_j   subject to   sum_i a_i z_i + s = 0,  sum_i a_i + s_last = 1,  all >= 0

with whole numbers only: every entry of the tableau is kept multiplied by the last pivot, and each
division comes out even (Bareiss 1968, Edmonds 1967). The steepest column enters; Bland's rule takes
over while the minimum does not move, so that it ends.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import fmpz, fmpz_mat

from rosenblatt.errors import ProofError
from rosenblatt.progress import ProofReporter
from rosenblatt.proof.program import chosen_rows
from rosenblatt.proof.question import SignedRows
from rosenblatt.types import Array

MOST_ENTRIES = 1 << 20  # of a tableau: some seconds for a pivot


class WholeNumbers:
    """Examples z_i as whole numbers, each column in a unit of its own."""

    def __init__(self, problem: SignedRows, chosen: Array) -> None:
        rows = chosen_rows(problem, chosen)
        rows = rows if isinstance(rows, np.ndarray) else rows.tocsc()
        self.columns = _used(rows)
        dense = rows[:, self.columns]
        dense = dense if isinstance(dense, np.ndarray) else dense.toarray()
        signs = problem.signs[chosen].tolist()
        self.constant = bool(problem.x0)
        self.n_features = problem.n_features
        self.units: list[int] = []  # column j holds x_j * 2^units[j]
        table = [signs] if self.constant else []
        for column in dense.T:
            mantissas, exponents = np.frexp(column)
            whole = np.ldexp(mantissas, 53).astype(np.int64)
            there = whole != 0
            least = int(exponents[there].min())
            shifts = np.where(there, exponents - least, 0).tolist()
            numbers = zip(signs, whole.tolist(), shifts, strict=True)
            table.append([s * (x << by) for s, x, by in numbers])
            self.units.append(53 - least)
        self.table = table  # coordinates x examples

    def rule(self, w: list[Fraction]) -> list[Fraction]:
        """Return a rule for these whole numbers as one for the given ones, w0 first."""
        out = [Fraction(0)] * (self.n_features + 1)
        if self.constant:
            out[0], w = w[0], w[1:]
        for j, v, unit in zip(self.columns.tolist(), w, self.units, strict=True):
            out[j + 1] = v * Fraction(2) ** unit
        return out


def _used(rows: Array) -> Array:
    there = (rows != 0).sum(axis=0)
    return np.flatnonzero(np.asarray(there).ravel())


def kernel_weights(problem: SignedRows, chosen: Array) -> list[int] | None:
    """Return the a > 0 with sum a_i z_i = 0 if there is one and it is the only one."""
    table = WholeNumbers(problem, chosen).table
    if not table:
        return [1] if len(chosen) == 1 else None
    basis, nullity = fmpz_mat(table).nullspace()
    if nullity != 1:
        return None
    weights = [int(basis[i, 0]) for i in range(len(chosen))]
    if all(a < 0 for a in weights):
        weights = [-a for a in weights]
    if not all(a > 0 for a in weights):
        return None
    return lowest(weights)


def lowest(weights: list[int]) -> list[int]:
    """Divide by the common factor."""
    common = math.gcd(*weights)
    return [a // common for a in weights]


def direction(w: list[Fraction]) -> Array:
    """Return a rule as floats, scaled so that its largest weight has size 1."""
    top = max(abs(v) for v in w)
    return np.array([float(v / top) for v in w])


def decide_exactly(
    problem: SignedRows, chosen: Array, reporter: ProofReporter
) -> dict[int, int] | list[Fraction]:
    """Return weights of a contradiction by example, or a rule w that separates the chosen."""
    whole = WholeNumbers(problem, chosen)
    m, n = len(whole.table) + 1, len(chosen)
    if (m + 1) * (n + m + 1) > MOST_ENTRIES:
        raise ProofError(
            f"floats cannot tell whether {n} examples of {m - 1} coordinates are separable, and "
            "they are too many for exact arithmetic; round the data or choose fewer columns"
        )
    tableau, basis = _start(whole.table, n)
    last, n_still = fmpz(1), 0
    while (entering := _entering(tableau, n, n_still > m)) is not None:
        reporter.tell("exact", n)
        leaving = _leaving(tableau, entering, basis)
        n_still = n_still + 1 if tableau[leaving, -1] == 0 else 0
        last = _pivot(tableau, leaving, entering, last)
        basis[leaving] = entering
    if tableau[-1, -1] != 0:
        # the costs of the artificial columns are 1 - y_j with y the dual solution; w = -y
        costs = [Fraction(int(v), int(last)) - 1 for v in tableau[-1, n : n + m - 1]]
        return whole.rule(costs)
    found = {j: int(tableau[row, -1]) for row, j in enumerate(basis) if j < n}
    found = {j: a for j, a in found.items() if a}
    weights = lowest(list(found.values()))
    return dict(zip(chosen[list(found)].tolist(), weights, strict=True))


def _start(table: list[list[int]], n: int) -> tuple[Array, list[int]]:
    """Return the tableau [Z | I | b] with the row of reduced costs below, artificial basis."""
    m = len(table) + 1
    tableau = np.full((m + 1, n + m + 1), fmpz(0), dtype=object)
    for j, row in enumerate(table):
        tableau[j, :n] = [fmpz(v) for v in row]
    tableau[m - 1, :n] = fmpz(1)
    for j in range(m):
        tableau[j, n + j] = fmpz(1)
    tableau[m - 1, -1] = fmpz(1)
    tableau[m, :n] = -tableau[:m, :n].sum(axis=0)
    tableau[m, -1] = fmpz(-1)
    return tableau, list(range(n, n + m))


def _entering(tableau: Array, n: int, by_bland: bool) -> int | None:
    """Return the example to enter, of a negative cost; artificial columns never come back."""
    costs = tableau[-1, :n]
    if by_bland:
        return next((j for j in range(n) if costs[j] < 0), None)
    steepest = min(range(n), key=costs.__getitem__)
    return steepest if costs[steepest] < 0 else None


def _leaving(tableau: Array, entering: int, basis: list[int]) -> int:
    best, ratio = -1, None
    for row in range(len(basis)):
        if tableau[row, entering] > 0:
            key = (Fraction(int(tableau[row, -1]), int(tableau[row, entering])), basis[row])
            if ratio is None or key < ratio:
                best, ratio = row, key
    return best


def _pivot(tableau: Array, row: int, column: int, last: fmpz) -> fmpz:
    pivot: fmpz = tableau[row, column]
    kept = tableau[row].copy()
    factors = tableau[:, column].copy()
    tableau *= pivot
    tableau -= np.multiply.outer(factors, kept)
    tableau //= last
    tableau[row] = kept
    return pivot
