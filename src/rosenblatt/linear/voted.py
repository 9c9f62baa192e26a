"""The voted perceptron as an estimator."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from scipy import sparse

from rosenblatt.blocks.orders import draw_order
from rosenblatt.checks import check_rows
from rosenblatt.checks.parameters import check_choice, check_count, check_flags, check_seed
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.kernels.voted import count_votes, voted_pass
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import WAYS, Problem, assemble, n_vectors, problems
from rosenblatt.linear.overflow import LARGE, exponents, in_own_units
from rosenblatt.progress import FitOptions, Reporter
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array, Rows

# Products held at a time while predicting: 64 MB
N_PRODUCTS = 1 << 23


class Ballot(NamedTuple):
    """The hypotheses of one problem, as the updates that made them."""

    which: Array  # for each update, its place among the examples kept
    step: Array  # what the example was multiplied with
    sides: tuple[Array, Array]  # joint: the classes it was added to and taken from
    survival: Array  # c_k, one more than updates


class VotedPerceptron(LinearClassifier):
    """Let every hypothesis that the perceptron went through vote, by how long it survived.

    A hypothesis is the sum of the examples it erred on; only those are kept. Predicting costs a
    product with each of them: for speed use `AveragedPerceptron`.

    Parameters
    ----------
    epochs : int, default=10
        Passes over the data; each goes on from the last hypothesis of the one before.
    shuffle : bool, default=False
        Draw a new order of the rows for each pass.
    first_vote : {0, 1}, default=0
        The survival count that a new hypothesis begins with: 0 in the lecture, 1 in the paper.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned. Joint hypotheses vote for a class; the others
        compare sums of votes.
    fit_intercept : bool, default=True
        Learn the threshold w0.
    random_state : int, RandomState instance or None, default=None
        Draws the orders.

    Attributes
    ----------
    survival_ : ndarray of shape (n_hypotheses_,)
        c_k: how many examples in a row each hypothesis got right, the zero vector first. With
        several problems (one-vs-rest, one-vs-one) a list with an array for each.
    mistakes_ : ndarray of shape (n_updates_,)
        The example behind each update; likewise.
    n_hypotheses_ : int
        How many hypotheses vote.
    coef_, intercept_ : ndarray of shape (n_vectors, n_features) and (n_vectors,)
        The last hypothesis.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    n_updates_, n_epochs_ : int
        Updates and passes made.
    converged_ : bool
        Whether the last pass made no update.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import VotedPerceptron
    >>> model = VotedPerceptron(epochs=5).fit([[1], [2], [7], [8]], [-1, -1, 1, 1])
    >>> model.mistakes_
    array([0, 2, 0, 1, 0, 1, 2, 0, 1, 1])
    >>> model.survival_
    array([0., 1., 1., 0., 2., 0., 0., 1., 0., 3., 2.])
    """

    def __init__(
        self,
        *,
        epochs: int = 10,
        shuffle: bool = False,
        first_vote: int = 0,
        multiclass: str = "joint",
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.epochs = epochs
        self.shuffle = shuffle
        self.first_vote = first_vote
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **options: Unpack[FitOptions]) -> Self:
        """Make `epochs` passes over the rows and write down the mistakes; return self.

        Takes `sample_weight` (scales the update and the vote; 0 leaves the example out) and
        `callback` (called with a `Progress` now and then) by keyword.
        """
        check_count(epochs=self.epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(shuffle=self.shuffle, fit_intercept=self.fit_intercept)
        if not isinstance(self.first_vote, Hashable) or self.first_vote not in (0, 1):
            raise ParameterError(f"first_vote must be 0 or 1, got {self.first_vote!r}")
        data = self._check(X, y, options)
        random_state = check_seed(self.random_state) if self.shuffle else None
        start = np.zeros((n_vectors(len(data.classes), self.multiclass), data.n_features + 1))
        parts = list(problems(data, self.multiclass, start, self.fit_intercept))
        reporter = Reporter(options.get("callback"), len(parts))
        records = [self._learn(part, random_state, reporter) for part in parts]
        self._keep(data, *assemble([part.h for part in parts]))
        self._learned_fit_intercept = self.fit_intercept
        mistakes = [record[0] for record in records]
        kept = np.unique(np.concatenate(mistakes))
        self._kept = _matrix(data.rows, kept, data.n_features)
        self._ballots = [
            _ballot(part, record, kept) for part, record in zip(parts, records, strict=True)
        ]
        survival = [ballot.survival for ballot in self._ballots]
        self.mistakes_ = mistakes[0] if len(parts) == 1 else mistakes
        self.survival_ = survival[0] if len(parts) == 1 else survival
        self.n_hypotheses_ = sum(map(len, survival))
        self.n_updates_ = sum(map(len, mistakes))
        self.n_epochs_ = self.epochs
        self.converged_ = all(record[-1] for record in records)
        return self

    def _learn(
        self, problem: Problem, random_state: np.random.RandomState | None, reporter: Reporter
    ) -> tuple[Array, Array, Array, bool]:
        """Return (mistakes, rivals, survival counts, whether the last pass made no update)."""
        D, members, h = problem
        size = rows_per_slice(D.X, len(h.b))
        vote = np.zeros(1)
        record = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32), np.empty(size)
        found: list[tuple[Array, Array, Array]] = []
        n_updates = 0
        for epoch in range(1, self.epochs + 1):
            before = n_updates
            order = members if random_state is None else draw_order(members, random_state)
            for piece in slices(order, size):
                n = voted_pass(D, piece, h, vote, float(self.first_vote), record)
                found.append((record[0][:n].copy(), record[1][:n].copy(), record[2][:n].copy()))
                n_updates += n
                reporter.tell(n_updates, epoch, (epoch - 1) / self.epochs)
        reporter.finish(n_updates, self.epochs)
        mistakes, rivals, survival = (np.concatenate(part) for part in zip(*found, strict=True))
        return mistakes, rivals, np.append(survival, vote), n_updates == before

    def _scores(self, X: Any) -> Array:
        rows, n_rows, n_features = check_rows(self, X)
        joint = len(self._ballots) == 1 and len(self.classes_) > 2
        x0 = float(getattr(self, "_learned_fit_intercept", self.fit_intercept))
        votes = np.zeros((n_rows, len(self.classes_) if joint else len(self._ballots)))
        scores = np.empty(len(self.classes_))
        size = max(1, N_PRODUCTS // max(1, self._kept.shape[0]))
        for piece in slices(np.arange(n_rows), size):
            block = slice(piece[0], piece[-1] + 1)
            products = self._products(_matrix(rows, piece, n_features), x0)
            for k, ballot in enumerate(self._ballots):
                out = votes[block] if joint else votes[block, k]
                _vote(products, ballot, scores, out)
        return votes

    def _products(self, rows: Any, x0: float) -> Array:
        """Return the products (x0, x) . (1, x_k) with the kept examples, perhaps in other units."""
        with np.errstate(over="ignore", invalid="ignore"):
            products = _products(rows, self._kept)
            products += x0
        n_steps = max(np.abs(ballot.step).sum() for ballot in self._ballots)
        room = LARGE - int(np.frexp(n_steps)[1])
        if products.max(initial=0.0) < 2.0**room and products.min(initial=0.0) > -(2.0**room):
            return products
        # a vote depends on the sign of a sum of products: their unit does not matter
        rows, of_rows = in_own_units(rows.astype(np.float64))
        kept, of_kept = in_own_units(self._kept.astype(np.float64))
        products = np.ldexp(_products(rows, kept), of_kept - of_kept.max())
        true = of_rows + of_kept.max()
        units = np.minimum(true, room - exponents(products))
        scaled: Array = np.ldexp(products, units[:, np.newaxis])
        scaled += np.ldexp(x0, units - true)[:, np.newaxis]
        return scaled


def _ballot(problem: Problem, record: tuple[Array, Array, Array, bool], kept: Array) -> Ballot:
    D, _, h = problem
    mistakes, rivals, survival, _ = record
    step = D.s[mistakes] if len(D.s) else np.ones(len(mistakes))
    right = D.y[mistakes]
    if h.w.ndim == 1:
        step = step * right
    return Ballot(np.searchsorted(kept, mistakes), step, (right, rivals), survival)


def _vote(products: Array, ballot: Ballot, scores: Array, votes: Array) -> None:
    """Add the votes of one problem on a block of rows: in slices, as there may be many voters."""
    steps = max(1, len(ballot.which)) * (len(scores) if votes.ndim == 2 else 1)
    size = max(1, N_PRODUCTS // steps)
    for start in range(0, len(products), size):
        piece = slice(start, start + size)
        count_votes(products[piece], *ballot, scores, votes[piece])


def _matrix(rows: Rows, which: Array, n_features: int) -> Any:
    """Return the rows `which` as a matrix of their own."""
    if isinstance(rows, np.ndarray):
        return rows[which]
    shape = (len(rows.indptr) - 1, n_features)
    if isinstance(rows, Presence):
        rows = CSR(np.ones(len(rows.indices), dtype=bool), *rows)
    return sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=shape)[which]


def _products(rows: Any, kept: Any) -> Array:
    """Return the products of all rows with all kept examples, in float64 as while learning."""
    # the kept examples in pieces, so that float32 data is not held twice
    products = np.empty((rows.shape[0], kept.shape[0]))
    rows = rows.astype(np.float64)
    for start in range(0, kept.shape[0], 4096):
        piece = rows @ kept[start : start + 4096].astype(np.float64).T
        products[:, start : start + 4096] = piece.toarray() if sparse.issparse(piece) else piece
    return products
