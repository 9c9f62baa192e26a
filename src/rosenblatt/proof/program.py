"""The question put to a few examples as a linear program, in floats, solved by HiGHS.

    minimise   sum_j (s_j + t_j)   subject to   sum_i a_i z_i + s - t = 0,  sum_i a_i = 1,  all >= 0

If the minimum is 0, the a_i contradict each other. If not, the dual solution -w has z_i . w >= the
minimum for all of the examples. HiGHS works to a tolerance: either answer is but a proposal.

For when floats cannot tell, the same in exact arithmetic: the simplex method, phase 1, on

    minimise   sum_j s_j   subject to   sum_i a_i z_i + s = 0,  sum_i a_i + s_last = 1,  all >= 0

with whole numbers only: every entry of the tableau is kept multiplied by the last pivot, and each
division comes out even (Bareiss 1968, Edmonds 1967). The steepest column enters; Bland's rule takes
over while the minimum does not move, so that it ends.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz, fmpz_mat
from scipy import sparse
from scipy.optimize import linprog

from rosenblatt.errors import ProofError
from rosenblatt.progress import ProofReporter
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import matrix, take
from rosenblatt.types import Array

TOLERANCE = 1e-10  # the finest that HiGHS takes
SHORT = 50_000  # numbers of a program that is solved in less than a tenth of a second
NARROW = 2000  # features up to which a few examples are dense
MOST_ENTRIES = 1 << 20  # of a tableau: some seconds for a pivot


class Proposal(NamedTuple):
    """What the program found: weights a of the examples, a rule w, and its smallest score."""

    a: Array  # (examples,), for examples scaled to length 1
    w: Array  # (d + 1,), w0 first
    least: float  # 0 for a contradiction


class NotSolvedError(ProofError):
    """HiGHS gave up."""


class Frame(NamedTuple):
    """Coordinates in which columns of very different size are alike: (x 2^-large - centre) 2^small.

    Exponents, not factors: the factor of a column of 5e-324 would be too large for a float.
    """

    columns: Array  # the features that are not constant in these examples
    large: Array
    centre: Array
    small: Array

    def weights(self, problem: SignedRows, w: Array) -> Array:
        """Return a rule of these coordinates, w0 first, as one of the given ones, up to size 1."""
        inside = np.ldexp(w[1:], self.small)
        values = np.append(w[0] - inside @ self.centre, inside)
        powers = np.append(0, -self.large)
        top = int((np.frexp(values)[1] + powers)[values != 0].max(initial=-(1 << 30)))
        out = np.zeros(problem.n_features + 1)
        out[np.append(0, 1 + self.columns)] = np.ldexp(values, powers - top)
        return out


def chosen_rows(problem: SignedRows, chosen: Array) -> Array | sparse.csr_array:
    """Return the chosen rows in float64, dense if they are narrow."""
    rows = matrix(take(problem.rows, chosen), problem.n_features, float)
    rows = rows.astype(np.float64)
    return rows.toarray() if sparse.issparse(rows) and problem.n_features <= NARROW else rows


def solve(problem: SignedRows, chosen: Array, reporter: ProofReporter) -> Proposal:
    """Solve the program for the chosen examples."""
    frame, Z = framed(problem, chosen_rows(problem, chosen))
    Z = sparse.csr_array(Z)
    lengths = np.sqrt(Z.multiply(Z).sum(axis=1))
    lengths[lengths == 0] = 1.0
    Z = sparse.diags_array(problem.signs[chosen] / lengths) @ Z
    n, m = Z.shape
    answer = reporter.wait(lambda: _minimum(Z), "linear program", n, short=Z.nnz < SHORT)
    if answer.status != 0:
        raise NotSolvedError(f"the program of {n} examples was not solved: {answer.message}")
    w = -answer.eqlin.marginals[:m]
    if not problem.x0:
        w = np.concatenate([[0.0], w])
    return Proposal(answer.x[:n], frame.weights(problem, w), float(answer.fun))


def _minimum(Z: sparse.csr_array) -> Any:
    n, m = Z.shape
    unit = sparse.eye_array(m)
    ones = sparse.csr_array(np.ones((1, n)))
    A = sparse.block_array([[Z.T, unit, -unit], [ones, None, None]], format="csc")
    b = np.zeros(m + 1)
    b[m] = 1.0
    cost = np.concatenate([np.zeros(n), np.ones(2 * m)])
    # without presolve: the problem has nothing to be left out
    options = {
        "primal_feasibility_tolerance": TOLERANCE,
        "dual_feasibility_tolerance": TOLERANCE,
        "presolve": False,
    }
    return linprog(cost, A_eq=A, b_eq=b, method="highs-ds", options=options)


def framed(problem: SignedRows, rows: Array | sparse.csr_array) -> tuple[Frame, Array]:
    """Return coordinates for these rows, and (x0, x_i) in them."""
    top = abs(rows).max(axis=0)
    top = top.toarray().ravel() if sparse.issparse(rows) else top
    columns = np.flatnonzero(top)
    large = _exponents(top[columns])
    scaled: Any = rows[:, columns]
    if sparse.issparse(scaled):
        scaled.data = np.ldexp(scaled.data, -large[scaled.indices])
        nothing = np.zeros(len(columns), dtype=np.int64)
        return Frame(columns, large, nothing, nothing), _with_constant(problem, scaled)
    scaled = np.ldexp(scaled, -large)
    # only an intercept can take up a shift
    centre = scaled.mean(axis=0) if problem.x0 else np.zeros(len(columns))
    scaled -= centre
    spread = np.sqrt((scaled * scaled).mean(axis=0))
    kept = np.flatnonzero(spread)
    small = -_exponents(spread[kept])
    frame = Frame(columns[kept], large[kept], centre[kept], small)
    return frame, _with_constant(problem, np.ldexp(scaled[:, kept], small))


def _exponents(sizes: Array) -> Array:
    found: Array = np.frexp(sizes)[1].astype(np.int64)
    return found


def _with_constant(problem: SignedRows, rows: Array | sparse.csr_array) -> Array | sparse.csr_array:
    if not problem.x0:
        return rows
    ones = np.ones((rows.shape[0], 1))
    return sparse.hstack([ones, rows]) if sparse.issparse(rows) else np.hstack([ones, rows])


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
