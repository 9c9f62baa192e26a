"""The voted perceptron as an estimator."""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Integral
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from rosenblatt.blocks import Blocks, numbers_of
from rosenblatt.checks import check_rows
from rosenblatt.choices import ClassWeight, Multiclass, Threshold
from rosenblatt.errors import ParameterError
from rosenblatt.export.leaving import cannot_leave
from rosenblatt.export.rule import ModelRule
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.voted import count_votes, voted_pass
from rosenblatt.linear.base import NOT_A_COPY
from rosenblatt.linear.multiclass import (
    ProblemBlock,
    assemble,
    hypotheses,
    layout,
    n_vectors,
    splits,
)
from rosenblatt.linear.online import EpochClassifier
from rosenblatt.linear.overflow import LARGE, exponents, in_own_units
from rosenblatt.rows import matrix, part_of, slices
from rosenblatt.types import Array, Floats, Integers, Seed

# Products held at a time while predicting: 64 MB
N_PRODUCTS = 1 << 23


class Ballot(NamedTuple):
    """The hypotheses of one problem, as the updates that made them."""

    which: Array  # for each update, its place among the examples kept
    step: Array  # what the example was multiplied with
    sides: tuple[Array, Array]  # joint: the classes it was added to and taken from
    survival: Array  # c_k, one more than updates


class _Mistakes(NamedTuple):
    """The updates of some rows, in their order."""

    numbers: Array  # of the examples, among all rows
    right: Array  # what they are, to the problem
    rivals: Array  # joint: what they were taken for
    step: Array  # sample weights
    survival: Array  # of the hypotheses that erred


class Votes(NamedTuple):
    """The last hypothesis of one problem, its votes so far, and the updates that led to it."""

    h: Hypothesis
    vote: Array
    first_vote: float
    mistakes: list[_Mistakes]
    n_updates: int = 0

    def joined(self) -> _Mistakes:
        """Return all updates."""
        return _Mistakes(*(np.concatenate(part) for part in zip(*self.mistakes, strict=True)))


class VotedPerceptron(EpochClassifier):
    """Let every hypothesis that the perceptron went through vote, by how long it survived.

    A hypothesis is the sum of the examples it erred on; only those are kept. Predicting costs a
    product with each of them: for speed use `AveragedPerceptron`.

    Parameters
    ----------
    epochs : int, default=10
        Passes over the data; each goes on from the last hypothesis of the one before.
    shuffle : bool, default=True
        Draw a new order of the rows for each pass. The lecture goes through them as they come,
        which fails where they are sorted by class.
    first_vote : {0, 1}, default=0
        The survival count that a new hypothesis begins with: 0 in the lecture, 1 in the paper.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned. Joint hypotheses vote for a class; the others
        compare sums of votes.
    fit_intercept : bool, default=True
        Learn the threshold w0.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the weight of each row by that of its class: a dict of label: weight (1 for a
        label that it leaves out), or N / (k N_class), where rows count by their sample weights.
    probability : bool, default=False
        Learn probabilities from the scores of 5 folds, each by a model that has not seen it, which
        takes five more fits; then there is `predict_proba`.
    threshold : {"f1", "balanced", "mistakes"}, float or None, default=None
        Two classes only: the score above which `classes_[1]` is said. A name chooses it by the
        scores of such folds: for the largest F1 of `classes_[1]`, for the largest balanced
        accuracy, or for the fewest mistakes where that saves more of them than chance. None is 0.
    random_state : int, RandomState, Generator or None, default=None
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
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import VotedPerceptron
    >>> model = VotedPerceptron(epochs=5, shuffle=False)
    >>> model = model.fit([[1], [2], [7], [8]], [-1, -1, 1, 1])
    >>> model.mistakes_
    array([0, 2, 0, 1, 0, 1, 2, 0, 1, 1])
    >>> model.survival_
    array([0., 1., 1., 0., 2., 0., 0., 1., 0., 3., 2.])
    >>> model.hypotheses(2)  # after the updates for examples 0 and 2
    array([0., 6.])
    """

    _scores_are_sums = False  # but votes
    mistakes_: Integers | list[Integers]
    survival_: Floats | list[Floats]

    _expected_failed_checks: ClassVar[dict[str, str]] = NOT_A_COPY | {
        "check_class_weight_classifiers": "10 passes over 50 rows are too few: a correction moves "
        "the threshold by 1, and the rows lie 40 apart; with epochs=100 all heavy rows are right"
    }

    def __init__(
        self,
        *,
        epochs: int = 10,
        shuffle: bool = True,
        first_vote: int = 0,
        multiclass: Multiclass = "joint",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.epochs = epochs
        self.shuffle = shuffle
        self.first_vote = first_vote
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def hypotheses(self, k: int) -> Floats:
        """Return w_k, which votes with the weight c_k.

        Parameters
        ----------
        k : int
            From 0, the zero vector, to `n_hypotheses_` - 1; of several problems (one-vs-rest,
            one-vs-one) the hypotheses of the first come first.

        Returns
        -------
        ndarray of shape (n_features + 1,), joint with more classes (n_classes, n_features + 1)
            The weights, w0 first.
        """
        check_is_fitted(self)
        if not isinstance(k, Integral) or not 0 <= k < self.n_hypotheses_:
            last = self.n_hypotheses_ - 1
            raise ParameterError(f"must be a whole number from 0 to {last}, got {k!r}", about="k")
        n_before = 0
        for ballot in self._ballots:
            if k < n_before + len(ballot.survival):
                break
            n_before += len(ballot.survival)
        return self._hypothesis(ballot, int(k) - n_before)

    def _hypothesis(self, ballot: Ballot, n_updates: int) -> Floats:
        """Return the sum of the examples of the first updates of a problem."""
        joint = len(self._ballots) == 1 and len(self.classes_) > 2
        w: Floats = np.zeros((len(self.classes_) if joint else 1, self.n_features_in_ + 1))
        x0 = float(getattr(self, "_learned_fit_intercept", self.fit_intercept))
        for j in range(n_updates):
            row = self._kept[[ballot.which[j]]]
            x = ballot.step[j] * np.append(x0, row.toarray() if sparse.issparse(row) else row)
            w[ballot.sides[0][j] if joint else 0] += x
            if joint:
                w[ballot.sides[1][j]] -= x
        return w if joint else w[0]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self._milestones is not None:
            raise ParameterError(
                "has the weights of a learner, and VotedPerceptron keeps all that it ever had",
                about="checkpoint",
                do="leave it out, or use AveragedPerceptron",
                in_shell="leave it out, or use -a averaged",
            )
        if not isinstance(self.first_vote, Hashable) or self.first_vote not in (0, 1):
            raise ParameterError(f"must be 0 or 1, got {self.first_vote!r}", about="first_vote")

    def _rule(self, form: str) -> ModelRule:
        raise cannot_leave(
            self,
            form,
            "it answers by the votes of all weights that it ever had, not by one rule",
            "use AveragedPerceptron, whose rule is their mean, or keep it with rosenblatt.save",
        )

    def _blank(self, blocks: Blocks) -> Array:
        shape = (n_vectors(len(blocks.classes), self.multiclass), blocks.n_features + 1)
        return np.zeros(shape, order=layout(len(splits(len(blocks.classes), self.multiclass))))

    def _states(self, memory: Array, n_problems: int) -> list[Votes]:
        weights, first = hypotheses(memory, n_problems, is_ours=True), float(self.first_vote)
        return [Votes(h, np.zeros(1), first, []) for h in weights]

    @staticmethod
    def _visit(state: Votes, part: ProblemBlock, piece: Array) -> Votes:
        D, size = part.D, len(piece)
        record = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32), np.empty(size)
        n = voted_pass(D, piece, state.h, state.vote, state.first_vote, record)
        places, rivals, survival = (array[:n].copy() for array in record)
        step = D.s[places] if len(D.s) else np.ones(n)
        numbers = numbers_of(part.block, places)
        state.mistakes.append(_Mistakes(numbers, D.y[places], rivals, step, survival))
        return state._replace(n_updates=state.n_updates + n)

    def _finish(self, blocks: Blocks, memory: Array, states: list[Votes]) -> None:
        self._keep(blocks, *assemble([state.h for state in states]))
        self._learned_fit_intercept = self.fit_intercept
        records = [state.joined() for state in states]
        mistakes = [record.numbers for record in records]
        kept = np.unique(np.concatenate(mistakes))
        self._kept = _rows_of(blocks, kept)
        self._ballots = [
            _ballot(state, record, kept) for state, record in zip(states, records, strict=True)
        ]
        survival = [ballot.survival for ballot in self._ballots]
        self.mistakes_ = mistakes[0] if len(states) == 1 else mistakes
        self.survival_ = survival[0] if len(states) == 1 else survival
        self.n_hypotheses_ = sum(map(len, survival))

    def _scores(self, X: Any) -> Array:
        rows, n_rows, n_features = check_rows(self, X)
        joint = len(self._ballots) == 1 and len(self.classes_) > 2
        x0 = float(getattr(self, "_learned_fit_intercept", self.fit_intercept))
        votes = np.zeros((n_rows, len(self.classes_) if joint else len(self._ballots)))
        scores = np.empty(len(self.classes_))
        size = max(1, N_PRODUCTS // max(1, self._kept.shape[0]))
        for piece in slices(np.arange(n_rows), size):
            first, last = int(piece[0]), int(piece[-1]) + 1
            block = slice(first, last)
            products = self._products(matrix(part_of(rows, first, last), n_features), x0)
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


def _ballot(state: Votes, record: _Mistakes, kept: Array) -> Ballot:
    step = record.step * record.right if state.h.w.ndim == 1 else record.step
    which, survival = np.searchsorted(kept, record.numbers), np.append(record.survival, state.vote)
    return Ballot(which, step, (record.right, record.rivals), survival)


def _rows_of(blocks: Blocks, kept: Array) -> Any:
    """Return the examples behind the updates as a matrix."""
    parts = list(blocks.take(kept).each(lambda block: matrix(block.rows, block.n_features)))
    if len(parts) < 2:
        return parts[0] if parts else None
    return sparse.vstack(parts) if sparse.issparse(parts[0]) else np.concatenate(parts)


def _vote(products: Array, ballot: Ballot, scores: Array, votes: Array) -> None:
    """Add the votes of one problem on a block of rows: in slices, as there may be many voters."""
    steps = max(1, len(ballot.which)) * (len(scores) if votes.ndim == 2 else 1)
    size = max(1, N_PRODUCTS // steps)
    for start in range(0, len(products), size):
        piece = slice(start, start + size)
        count_votes(products[piece], *ballot, scores, votes[piece])


def _products(rows: Any, kept: Any) -> Array:
    """Return the products of all rows with all kept examples, in float64 as while learning."""
    # the kept examples in pieces, so that float32 data is not held twice
    products = np.empty((rows.shape[0], kept.shape[0]))
    rows = rows.astype(np.float64)
    for start in range(0, kept.shape[0], 4096):
        piece = rows @ kept[start : start + 4096].astype(np.float64).T
        products[:, start : start + 4096] = piece.toarray() if sparse.issparse(piece) else piece
    return products
