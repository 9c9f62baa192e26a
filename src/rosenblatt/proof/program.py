"""The question put to a few examples as a linear program, in floats, solved by HiGHS.

    minimise   sum_j (s_j + t_j)   subject to   sum_i a_i z_i + s - t = 0,  sum_i a_i = 1,  all >= 0

If the minimum is 0, the a_i contradict each other. If not, the dual solution -w has z_i . w >= the
minimum for all of the examples. HiGHS works to a tolerance: either answer is but a proposal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
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
