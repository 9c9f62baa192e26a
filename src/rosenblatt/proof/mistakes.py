"""The fewest mistakes that any linear rule makes, or bounds of them.

To leave out examples until the rest is separable is to hit every contradiction; the smallest set
that hits them all is the answer. There are too many to list, so they are found as needed:

    repeat:  H <- a smallest set that hits all contradictions found so far (HiGHS, whole numbers)
             nobody makes fewer than |H| mistakes
             if the rest is separable, its rule makes just |H| mistakes: done
             if not, it holds contradictions that are new

(Parker and Ryan 1996.) Every contradiction is exact, and the program of H has whole numbers only:
no constant "large enough" is guessed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from rosenblatt.checks.parameters import check_callback, check_seed, check_time_limit
from rosenblatt.errors import NoProofInTimeError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.progress import Callback, Deadline, ProofReporter
from rosenblatt.proof.packing import Result, Weights, pack, two_classes
from rosenblatt.proof.plane import fewest_in_the_plane
from rosenblatt.proof.program import chosen_rows, direction, framed
from rosenblatt.proof.question import SignedRows, check_exact_data
from rosenblatt.rows import row_digests, scores_of
from rosenblatt.shown import InSentences
from rosenblatt.types import Array, Floats, Integers

SHORT = 50  # cuts that are hit in less than a tenth of a second
POCKET_NUMBERS = 1 << 22  # of the sample that the pocket looks at; all rows count its rule
MOST_IN_THE_PLANE = 20_000  # examples: some minutes


@dataclass(frozen=True, eq=False, repr=False)
class FewestMistakes(InSentences):
    """Bounds of the fewest mistakes of any linear rule, and the best rule found.

    Attributes
    ----------
    lower, upper : int
        No rule makes fewer mistakes than `lower`; `w` makes `upper`.
    mistakes : int
        The mistakes of `w`, the same as `upper`. A point on the boundary is one.
    w : ndarray of shape (d + 1,)
        The weights, w0 first.
    examples : ndarray of int
        The examples that `w` gets wrong.
    proved : bool
        Whether the bounds meet, so that no rule is better.

    Examples
    --------
    >>> from rosenblatt import fewest_mistakes
    >>> print(fewest_mistakes([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    The fewest mistakes of any linear rule: 1, proved.
    """

    lower: int
    upper: int
    w: Floats
    examples: Integers

    @property
    def mistakes(self) -> int:
        """The mistakes of w."""
        return self.upper

    @property
    def proved(self) -> bool:
        """Whether no rule is better."""
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.proved:
            return f"The fewest mistakes of any linear rule: {self.upper}, proved."
        return f"The fewest mistakes of any linear rule: between {self.lower} and {self.upper}."


def fewest_mistakes(
    X: Any,
    y: Any,
    time_limit: float | None = None,
    *,
    fit_intercept: bool = True,
    random_state: Any = 0,
    callback: Any = None,
) -> FewestMistakes:
    """Find the smallest number of mistakes that any linear rule makes, and a rule that makes it.

    Exact on small data, or on larger data where few mistakes are enough. With one or two features
    the answer comes in polynomial time. In general the problem is NP-hard: give a `time_limit`, and
    the answer then is a lower and an upper bound.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,)
        Their labels, of two classes.
    time_limit : float or None, default=None
        Seconds to search; those in which kernels are compiled do not count.
    fit_intercept : bool, default=True
        False asks about rules through the origin.
    random_state : int, RandomState, Generator or None, default=0
        For the pocket perceptron and the order in which examples are looked at.
    callback : callable or None, default=None
        Is told a `Progress` when a bound gets better.

    Returns
    -------
    FewestMistakes
        With `lower`, `upper`, `w`, `mistakes` and `proved`.

    Examples
    --------
    >>> from rosenblatt import fewest_mistakes
    >>> found = fewest_mistakes([[1], [2], [3], [7], [8], [9]], [0, 1, 0, 1, 1, 1])
    >>> found.lower, found.upper, found.proved, found.examples.tolist()
    (1, 1, True, [1])
    """
    data = check_exact_data(X, y)
    question = two_classes(data, fit_intercept)
    problem = question.of(data)
    callback, rng = check_callback(callback), check_seed(random_state)
    deadline = Deadline(check_time_limit(time_limit), working_time)
    search = MistakesSearch(problem, rng, deadline, callback)
    with suppress(NoProofInTimeError):  # the bounds so far are the answer
        search.run()
    return FewestMistakes(
        search.lower, search.upper, search.w, np.flatnonzero(search.wrong(search.w))
    )


class Core(NamedTuple):
    """The examples, each once, with how often it was there."""

    problem: SignedRows
    digests: Array
    costs: Array


class MistakesSearch:
    """The bounds so far, and what tightens them."""

    def __init__(
        self,
        problem: SignedRows,
        rng: np.random.RandomState,
        deadline: Deadline,
        callback: Callback | None,
    ) -> None:
        self.problem, self.rng, self.deadline, self.callback = problem, rng, deadline, callback
        self.reporter = ProofReporter(deadline)  # the callback is told of better bounds only
        self.lower, self.upper = 0, problem.n_rows + 1
        self.w = np.zeros(problem.n_features + 1)
        self._improve(self.w)
        if problem.x0:
            for side in (-1.0, 1.0):
                self._improve(np.concatenate([[side], np.zeros(problem.n_features)]))

    def run(self) -> None:
        """Tighten the bounds until they meet."""
        self._improve(self._pocket())
        if self.problem.n_features <= 2 and self.problem.n_rows <= MOST_IN_THE_PLANE:
            self._turn()
        else:
            self._cover()

    def _turn(self) -> None:
        """Find the answer in the plane."""
        about = np.flatnonzero(self.problem.signs)
        rows = chosen_rows(self.problem, about)

        def tell(lower: int, upper: int, share: float) -> None:
            self.reporter.tell("plane", len(about))

        found = fewest_in_the_plane(
            rows,
            self.problem.signs[about],
            fit_intercept=bool(self.problem.x0),
            callback=tell,
        )
        self._improve(found.w)
        self._raise_to(found.lower)

    def _cover(self) -> None:
        """Hit contradictions until the smallest set that does so leaves none."""
        digests = row_digests(self.problem.rows, self.problem.n_rows)
        # equal examples are right or wrong together
        keys = digests * np.uint64(2) + (self.problem.signs > 0)
        about = np.flatnonzero(self.problem.signs)
        _, first, costs = np.unique(keys[about], return_index=True, return_counts=True)
        core = Core(self.problem.take(about[first]), digests[about[first]], costs)
        cuts: list[Weights] = []
        hit = np.zeros(len(first), dtype=bool)
        while self._extend(core, cuts, hit) and self.lower < self.upper:
            hit, bound = smallest_hitting_set(cuts, costs, self.reporter)
            self._raise_to(bound)

    def _extend(self, core: Core, cuts: list[Weights], hit: Array) -> bool:
        """Hit more examples until the rest is separable; tell if there was any need to."""
        n_at_first, hit, disjoint = len(cuts), hit.copy(), 0
        while True:
            left = self.rng.permutation(np.flatnonzero(~hit))
            n_before = len(cuts)
            finder = Result(pack(core.problem, core.digests, left, self.reporter))
            for cut in finder:
                cuts.append(cut)
                if not n_before:
                    # the first contradictions share no example: each costs a mistake of its own
                    disjoint += int(core.costs[list(cut)].min())
                    self._raise_to(disjoint)
            if len(cuts) == n_before:
                self._improve(direction(finder.result))
                return len(cuts) > n_at_first
            for cut in cuts[n_before:]:
                hit[max(cut, key=cut.__getitem__)] = True
            if core.costs[hit].sum() >= self.upper:
                return True  # no better rule can come of this

    def _pocket(self) -> Array:
        """Return the rule of a pocket perceptron, in coordinates in which columns are alike."""
        problem = self.problem
        about = np.flatnonzero(problem.signs)
        most = max(1000, POCKET_NUMBERS // problem.n_features)
        if len(about) > most:
            about = np.sort(self.rng.choice(about, most, replace=False))
        frame, Z = framed(problem, chosen_rows(problem, about))
        if not Z.shape[1]:
            return np.zeros(problem.n_features + 1)  # rows of zeros, and no intercept
        model = PocketPerceptron(fit_intercept=False, random_state=self.rng)
        model.fit(
            Z, problem.signs[about], callback=lambda _: self.reporter.tell("pocket", len(about))
        )
        w = model.coef_[0]
        return frame.weights(problem, w if problem.x0 else np.concatenate([[0.0], w]))

    def wrong(self, w: Array) -> Array:
        """Tell which examples a rule gets wrong, by the library's own scores."""
        scores = scores_of(self.problem.rows, self.problem.n_rows, w[1:].copy(), w[:1].copy())
        found: Array = (self.problem.signs != 0) & ~(self.problem.signs * scores > 0)
        return found

    def _improve(self, w: Array) -> None:
        n = int(self.wrong(w).sum())
        if n < self.upper:
            self.upper, self.w = n, w
            self._tell()

    def _raise_to(self, bound: int) -> None:
        if bound > self.lower:
            self.lower = bound
            self._tell()

    def _tell(self) -> None:
        if self.callback is not None:
            bounds = {"lower": self.lower, "upper": self.upper}
            self.callback(self.deadline.progress("mistakes", **bounds))


def smallest_hitting_set(
    cuts: list[Weights], costs: Array, reporter: ProofReporter
) -> tuple[Array, int]:
    """Return a cheapest set that hits all cuts, and what it costs at least."""
    n = len(costs)
    if not cuts:
        return np.zeros(n, dtype=bool), 0
    rows = np.repeat(np.arange(len(cuts)), [len(cut) for cut in cuts])
    columns = np.concatenate([list(cut) for cut in cuts])
    A = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(cuts), n))
    options = {"mip_rel_gap": 0.0}
    if reporter.deadline.left < np.inf:
        options["time_limit"] = max(0.05, reporter.deadline.left - 0.2)
    answer = reporter.wait(
        lambda: milp(
            costs,
            integrality=np.ones(n),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(A, lb=1),
            options=options,
        ),
        "hitting set",
        len(cuts),
        short=len(cuts) < SHORT,
    )
    # the bound is a float near a whole number, or below one
    bound = int(np.ceil(answer.mip_dual_bound - 1e-6)) if answer.mip_dual_bound else 0
    hit = np.zeros(n, dtype=bool) if answer.x is None else answer.x > 0.5
    return hit, bound
