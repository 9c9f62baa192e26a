"""What all Bayes classifiers share: priors, posteriors, and how they learn and forget."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes.probability import check_priors, check_smoothing, log, normalised
from rosenblatt.bayes.record import Record, check_learned, example_keys
from rosenblatt.blocks import Blocks, as_blocks, nobody_yet, numbers_of
from rosenblatt.checks import check_block, check_rows
from rosenblatt.checks.labels import check_classes
from rosenblatt.checks.named import Named
from rosenblatt.checks.parameters import check_unchanged
from rosenblatt.decision.deciding import Deciding
from rosenblatt.errors import DataError
from rosenblatt.export.leaving import Leaving
from rosenblatt.kernels.rows import CSR
from rosenblatt.rows import place_of_value
from rosenblatt.sklearn_base import BaseEstimator, ClassifierMixin
from rosenblatt.types import Array, Block, Floats, Labels, Rows


class Posterior(Leaving, Deciding, Named, ClassifierMixin, BaseEstimator):
    """Choose the class with the largest p(x|class) p(class)."""

    class_prior_: Floats

    def predict(self, X: Any) -> Labels:
        """Return the most probable class of each row, the lowest of equals.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The labels.
        """
        scores = self._moved_scores(X)
        chosen = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_.take(chosen)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return log p(class|x), one column per class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            At most 0.
        """
        check_is_fitted(self)
        if hasattr(self, "calibration_"):
            return np.log(self._calibrated(X))
        odds = self._odds(X)
        if odds is not None:
            both: Array = -np.logaddexp(0.0, np.column_stack([odds, -odds]))
            return both
        return normalised(self._settled(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return p(class|x), one column per class.

        A row that is impossible in every class gets the prior. After `probability=True` they are
        calibrated, as of the last `fit`: `partial_fit` and `forget` go on with the same
        calibration, until there are more or fewer classes. A `threshold` does not change them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            They add up to 1 in each row.
        """
        return np.exp(self.predict_log_proba(X))

    def _raw_scores(self, X: Any) -> Floats:
        """Return the log odds of `classes_[1]` for two classes, log posteriors for more."""
        check_is_fitted(self)
        odds = self._odds(X)
        if odds is not None:
            return odds
        joint = self._settled(X)
        if joint.shape[1] == 2:
            return np.subtract(joint[:, 1], joint[:, 0])
        posterior = normalised(joint)
        return posterior[:, 0] if joint.shape[1] == 1 else posterior

    def _odds(self, X: Any) -> Array | None:
        """Return the log odds if there is a shorter way to them than the joint probabilities."""
        return None

    def _settled(self, X: Any) -> Array:
        joint = self._joint(X)
        lost = joint.max(axis=1) == -np.inf
        joint[lost] = log(self.class_prior_)
        return joint

    def _joint(self, X: Any) -> Array:
        """Return log p(x, class), -inf where that is impossible; each model has its own."""
        raise NotImplementedError


class Decisive(Posterior):
    """A posterior with scikit-learn's `decision_function`."""

    def decision_function(self, X: Any) -> Floats:
        """Return the log odds of `classes_[1]` for two classes, log posteriors for more.

        If there is a `threshold_`, it is taken off.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            One column for two classes.
        """
        return self._moved_scores(X)


class _Counted(NamedTuple):
    """A tally, and the keys of the examples in it."""

    tally: Any
    keys: list[Array]

    def plus(self, more: _Counted) -> _Counted:
        return _Counted(self.tally.plus(more.tally), self.keys + more.keys)


class CountingBayes(Posterior):
    """A Bayes classifier whose distributions come from a tally of the data."""

    priors: Any
    n_features_in_: int
    class_count_: Floats
    feature_names_in_: Labels
    _tally: Any
    _named: Array
    _record: Record

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Estimate all distributions from the rows of X and the labels y; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            A weight of 2 is the same as the row twice.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        self._check_decision()
        blocks = as_blocks(X, y, sample_weight, estimator=self)
        self._check_decision(len(blocks.classes))
        decision = self._decision(X, y, sample_weight)
        tally, keys = self._counted(blocks)
        named = blocks.classes[:0]
        self._keep(blocks, blocks.classes, tally, named, Record().plus(keys))
        self._keep_decision(decision)
        return self

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn more rows; the result is that of one `fit` on all of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        classes : array-like or None, default=None
            Labels to come; a label that was not named becomes a new class.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            As for `fit`.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        self._check_decision()
        check_unchanged(self)
        before = self.classes_ if hasattr(self, "classes_") else None
        named = nobody_yet(X, y) if before is None else self._named
        if classes is not None:
            named = check_classes(classes)
            if before is not None and not np.isin(before, named).all():
                raise DataError(
                    f"classes must hold the known ones, {before.tolist()}, got {named.tolist()}"
                )
        known = named if before is None else np.union1d(before, named)
        blocks = as_blocks(
            X, y, sample_weight, estimator=self, known_classes=known, reset=before is None
        )
        self._check_decision(len(blocks.classes))
        (tally, keys), record = self._counted(blocks), Record()
        if before is not None:
            where = np.searchsorted(blocks.classes, before)
            tally = self._tally.spread(where, len(blocks.classes)).plus(tally)
            record = self._record
        return self._keep(blocks, blocks.classes, tally, named, record.plus(keys))

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Unlearn rows, with the labels and weights they were learned with; return self.

        Afterwards the model is what it would be without them, to the last bit. A class whose last
        row goes is dropped, unless `classes` or `priors` named it; if nothing is left at all, the
        classes stay, equally probable.

        A row that was never learned with this label and weight, or not as often as it is to be
        forgotten, is a DataError, and nothing is changed. To count, a weight of 2 is the row
        twice; to forget, it is not: what was learned with weight 2 is forgotten with weight 2.
        Rows of weight 0 were not learned, and there is nothing to forget. The model knows rows
        by digests of 64 bits, of what is counted: with `binarize`, that is 0 and 1.

        Counts are exact for weights and values that are whole numbers, halves, quarters ... with
        sums below 2^53 of the smallest part. Others, such as 0.1, round the counts, which then
        refuse to forget; only the sums of `GaussianNaiveBayes` are exact for all numbers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,)
            Their labels.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Those they were learned with.

        Returns
        -------
        self
            The same object.
        """
        check_is_fitted(self)
        self._check_parameters()
        check_unchanged(self)
        data = self._prepared(
            check_block(self, X, y, sample_weight, known_classes=self.classes_, reset=False)
        )
        record, keys = self._record.sorted(), example_keys(data)
        check_learned(record, data, keys)
        tally = self._tally.minus(self._add(None, data))
        classes, left = self.classes_, tally.n_rows > 0
        if self.priors is None and left.any():
            stay = np.flatnonzero(left | np.isin(classes, self._named))
            classes, tally = classes[stay], tally.keep(stay)
        return self._keep(data, classes, tally, self._named, record.minus(keys))

    def log_likelihood(self, X: Any, y: Any) -> float:
        """Return the joint log-likelihood of the rows, sum of log p(y_i) + log p(x_i|y_i).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,)
            Their labels.

        Returns
        -------
        float
            At most 0 for counts; densities may be above 1.
        """
        check_is_fitted(self)
        data = check_block(self, X, y, known_classes=self.classes_, reset=False)
        if len(data.classes) > len(self.classes_):
            return -np.inf  # a class that does not exist has probability 0
        joint = self._joint(X)
        return float(joint[np.arange(data.n_rows), data.labels].sum())

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _joint(self, X: Any) -> Array:
        rows, n_rows, _ = check_rows(self, X)
        return self._joint_of(self._check_values(rows), n_rows)

    def _counted(self, blocks: Blocks) -> tuple[Any, Array]:
        """Return the tally of all rows, and a key for each."""
        prepared = blocks.changed(self._prepared)
        counted = prepared.total(self._add_with_keys, _Counted.plus)
        return counted.tally, np.concatenate(counted.keys)

    def _add_with_keys(self, so_far: _Counted | None, block: Block) -> _Counted:
        keys = example_keys(block)
        if so_far is None:
            return _Counted(self._add(None, block), [keys])
        return _Counted(self._add(so_far.tally, block), [*so_far.keys, keys])

    def _prepared(self, data: Block) -> Block:
        return data._replace(rows=self._check_values(data.rows, data))

    def _keep(
        self, data: Blocks | Block, classes: Array, tally: Any, named: Array, record: Record
    ) -> Self:
        """Write what was learned; the only place where the model changes."""
        prior = self._prior(classes, tally.weight)
        learned = self._estimate(tally, data.n_features)
        for name, value in learned.items():
            setattr(self, name, value)
        self._keep_in_step(len(classes))
        self.classes_, self.class_prior_ = classes, prior
        self.class_count_ = tally.weight
        self._tally, self._named, self._record = tally, named, record
        self.n_features_in_ = data.n_features
        if data.feature_names is not None:
            self.feature_names_in_ = data.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _prior(self, classes: Array, weight: Array) -> Array:
        if self.priors is None:
            total = weight.sum()
            return weight / total if total > 0 else np.full(len(weight), 1 / len(weight))
        return check_priors(self.priors, len(classes), f"the classes {classes.tolist()}")

    def _check_parameters(self) -> None:
        check_smoothing(alpha=getattr(self, "alpha", 0.0))

    def _check_values(self, rows: Rows, block: Block | None = None) -> Rows:
        """Refuse values that the model has no meaning for; a block tells where its rows are."""
        return rows

    def _add(self, tally: Any, block: Block) -> Any:
        """Return the tally with these examples, or of them alone; it may be changed in place."""
        raise NotImplementedError

    def _estimate(self, tally: Any, n_features: int) -> dict[str, Any]:
        """Return the attributes that follow from the tally; each model has its own."""
        raise NotImplementedError

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        """Return log p(x, class) of checked rows; each model has its own."""
        raise NotImplementedError


def value_error(
    what: str,
    rows: Array | CSR,
    place: int,
    block: Block | None,
    model: Any,
    *,
    do: str,
    in_shell: str,
) -> DataError:
    """Say which row and column hold a value that is refused, and what to do."""
    row, column = place_of_value(rows, place)
    names = getattr(model, "feature_names_in_", None)
    if block is not None:
        row = int(numbers_of(block, np.array([row]))[0])
        names = block.feature_names if block.feature_names is not None else names
    where = column if names is None else repr(str(names[column]))
    value = rows.reshape(-1)[place] if isinstance(rows, np.ndarray) else rows.data[place]
    return DataError(f"{what}, got {value} at row {row}, column {where}", do=do, in_shell=in_shell)
