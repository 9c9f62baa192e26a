"""What all linear classifiers share: scores, predictions, and how what was learned is kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rosenblatt.blocks import Blocks, as_blocks, nobody_yet
from rosenblatt.checks import check_rows
from rosenblatt.checks.labels import check_classes
from rosenblatt.checks.named import Named
from rosenblatt.checks.parameters import check_unchanged
from rosenblatt.choices import ClassWeight, Multiclass, Tie
from rosenblatt.counting import counted
from rosenblatt.decision.deciding import Deciding, threshold_of
from rosenblatt.elsewhere import is_elsewhere
from rosenblatt.errors import DataError, Said
from rosenblatt.export.leaving import Leaving, cannot_leave
from rosenblatt.export.rule import ARGMAX, SIGN, VOTES, ModelRule
from rosenblatt.linear.class_weight import check_class_weight, with_class_weight
from rosenblatt.linear.multiclass import decide, learned_tie, positive
from rosenblatt.linear.overflow import rescore
from rosenblatt.rows import scores_of
from rosenblatt.sklearn_base import BaseEstimator, ClassifierMixin
from rosenblatt.types import Array, Floats, Labels

# What a rule of each form would have to do, after "separable"
FORMS = {
    None: "",
    "joint": " by a joint linear rule, with a score for each class",
    "one-vs-rest": ", each class from the rest",
    "one-vs-one": ", each class from each other",
}

# Checks of scikit-learn that a learner which corrects row by row cannot pass, and why
NOT_A_COPY = dict.fromkeys(
    [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
    "a weight of 2 makes one correction twice as long; a row that comes twice is looked at again "
    "after its first correction, and may be right by then",
)


class NotConvergedWarning(Said, ConvergenceWarning):  # type: ignore[misc]  # untyped base
    """A fit ended with examples still misclassified.

    `by` says what kind of rule would separate them, `budget` what ended the fit.
    """

    by: str = ""
    budget: str = "the budget"

    def knowing(self, separable: bool) -> NotConvergedWarning:
        """Return the warning for somebody who knows whether there is a rule without mistakes."""
        if separable:
            known = NotConvergedWarning(
                self.problem,
                do=f"The data is separable{self.by}: raise {self.budget}.",
                in_shell=f"The data is separable{self.by}, but it takes more updates than these: "
                "raise --epochs or --updates; -a averaged often needs fewer for a good rule.",
            )
        else:
            known = NotConvergedWarning(
                self.problem,
                do=f"The data is not separable{self.by}: PocketPerceptron, VotedPerceptron and "
                "AveragedPerceptron are made for it.",
                in_shell=f"The data is not separable{self.by}: -a pocket, -a voted and "
                "-a averaged are made for it.",
            )
        known.by, known.budget = self.by, self.budget
        return known


Method = TypeVar("Method", bound=Callable[..., Any])


def _has_probabilities(model: Any) -> bool:
    """Whether there are probabilities, or will be after `fit`."""
    is_learned = hasattr(model, "classes_")
    return hasattr(model, "calibration_") or bool(model.probability and not is_learned)


def _if_probable(method: Method) -> Method:
    conditional: Method = available_if(_has_probabilities)(method)
    return conditional


class LinearClassifier(Leaving, Deciding, Named, ClassifierMixin, BaseEstimator):
    """Scores and predictions from `coef_` and `intercept_`, one row for each weight vector."""

    coef_: Floats
    intercept_: Floats
    n_features_in_: int
    feature_names_in_: Labels
    n_updates_: int
    n_epochs_: int
    multiclass: Multiclass  # where there is a choice
    tie: Tie  # likewise
    class_weight: ClassWeight = None  # likewise

    # Checks of scikit-learn that a rule cannot pass, each with the reason
    _expected_failed_checks: ClassVar[dict[str, str]] = {}

    def decision_function(self, X: Any) -> Floats:
        """Return the score of each row: w . x + b for two classes, one column per class for more.

        With two classes a score above 0 means `classes_[1]`, and so does 0 after learning with
        tie="+1"; if there is a `threshold_`, it is taken off.

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

    def predict(self, X: Any) -> Labels:
        """Return the label of each row: the class with the highest score, the lowest of equals.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The labels.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            # one class alone, met by partial_fit, is all there is to predict
            chosen = positive(scores, learned_tie(self)) & (len(self.classes_) > 1)
        else:
            chosen = scores.argmax(axis=1)
        return self.classes_.take(chosen)

    @_if_probable
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, a column each; there after `probability=True`.

        They are those of the model at the last `fit`: `partial_fit` goes on with the same
        calibration, until a new class ends it. A `threshold` does not change them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            They add up to 1 in each row.
        """
        check_is_fitted(self)
        return self._calibrated(X)

    @_if_probable
    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of `predict_proba`.

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
        return np.log(self._calibrated(X))

    if not TYPE_CHECKING:  # to a type checker every attribute would be there

        def __getattr__(self, name: str) -> Any:
            """Say why there are no probabilities, and how to get some."""
            if name in ("predict_proba", "predict_log_proba"):
                raise AttributeError(self._said_of_probabilities(name))
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _said_of_probabilities(self, name: str) -> str:
        """Say how to get what is not there."""
        return (
            f"{type(self).__name__} has no {name}: its scores are not calibrated; set "
            "probability=True and call fit"
        )

    def _rule(self, form: str) -> ModelRule:
        check_is_fitted(self)
        if len(self.classes_) < 2:
            raise cannot_leave(self, form, "it knows one class alone", "let it learn from two")
        way = VOTES if self._learned_way() == "one-vs-one" else ARGMAX
        return ModelRule(
            name=type(self).__name__,
            answer=SIGN if len(self.classes_) == 2 else way,
            classes=self.classes_,
            coef=np.asarray(self.coef_, dtype=np.float64),
            intercept=np.asarray(self.intercept_, dtype=np.float64),
            tie=learned_tie(self),
            threshold=threshold_of(self),
            calibration=vars(self).get("calibration_"),
        )

    def _raw_scores(self, X: Any) -> Array:
        check_is_fitted(self)
        return decide(self._scores(X), len(self.classes_), self._learned_way())

    def _learned_way(self) -> str:
        """Return how more than two classes were learned; `multiclass` may be another by now."""
        now = getattr(self, "multiclass", "joint")
        return str(getattr(self, "_learned_multiclass", now))

    def _check_goes_on(self) -> None:
        """Refuse parameters with which what was learned cannot be learned on."""
        if len(self.classes_) > 2:  # two are learned in the same way, whatever it is called
            check_unchanged(self)

    def _scores(self, X: Any) -> Array:
        """Return an array of shape (rows, weight vectors)."""
        rows, n_rows, n_features = check_rows(self, X, finite=False)
        w = np.ascontiguousarray(self.coef_.T, dtype=np.float64)
        b = np.ascontiguousarray(self.intercept_, dtype=np.float64)
        scores = scores_of(rows, n_rows, w[:, 0] if len(b) == 1 else w, b)
        scores = scores.reshape(n_rows, len(b))
        # A number that is not finite makes a score that is not, whatever its weight. So X, which
        # may be large, is looked at only if there is one; otherwise the score has overflowed.
        if not np.isfinite(scores).all():
            check_rows(self, X)
            rescore(rows, n_features, w, b, scores)
        return scores

    def _check(self, X: Any, y: Any, sample_weight: Any = None) -> Blocks:
        """Check what `fit` is given; return it, weighted by row and class."""
        check_class_weight(self.class_weight)
        self._check_decision()
        if is_elsewhere(X):
            self._check_in_passes()
        blocks = as_blocks(X, y, sample_weight, estimator=self)
        self._check_decision(len(blocks.classes))
        return with_class_weight(blocks, self.class_weight)

    def _check_in_passes(self) -> None:
        """Refuse, before they are read, rows that are not in memory, if all are looked at."""

    def _check_more(
        self, X: Any, y: Any, classes: Any, sample_weight: Any
    ) -> tuple[Blocks, Array | None]:
        """Check what `partial_fit` is given; return it with the classes known so far, if any."""
        check_class_weight(self.class_weight, in_batches=True)
        self._check_decision()
        before = self.classes_ if hasattr(self, "classes_") else None
        known = nobody_yet(X, y) if before is None else before
        if classes is not None:
            known = check_classes(classes)
            if before is not None and not np.isin(before, known).all():
                raise DataError(
                    f"classes must hold the known ones, {before.tolist()}, got {known.tolist()}"
                )
        blocks = as_blocks(
            X, y, sample_weight, estimator=self, known_classes=known, reset=before is None
        )
        self._check_decision(len(blocks.classes))
        return with_class_weight(blocks, self.class_weight, in_batches=True), before

    def _keep(self, data: Blocks, coef: Array, intercept: Array) -> None:
        """Write what was learned; the only place where a fit changes the model."""
        if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
            raise DataError(
                "the weights grew beyond what a float64 holds",
                do="scale the columns of X first, for example with "
                "sklearn.preprocessing.StandardScaler",
                in_shell="divide the columns by their size first",
            )
        self._keep_in_step(len(data.classes))
        self.classes_, self.coef_, self.intercept_ = data.classes, coef, intercept
        if hasattr(self, "multiclass"):
            self._learned_multiclass = self.multiclass
        if hasattr(self, "tie"):
            self._learned_tie = self.tie
        self.n_features_in_ = data.n_features
        if data.feature_names is not None:
            self.feature_names_in_ = data.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _warn_not_converged(self, n_updates: int, budget: str) -> None:
        warnings.warn(not_converged(self, n_updates, budget), stacklevel=3)


def not_converged(learner: Any, n_updates: int, budget: str) -> NotConvergedWarning:
    """Return the warning that a fit ended with examples still misclassified, and what to do."""
    # a trace, which is of two classes, leaves its learner without any
    many = len(getattr(learner, "classes_", ())) > 2
    way = learner._learned_way() if many else None
    call, options, by = "X, y", "", FORMS[way]
    if not learner.fit_intercept:
        call, options = f"{call}, fit_intercept=False", " --no-intercept"
    if way is not None:
        call, options = f'{call}, multiclass="{way}"', f"{options} --multiclass {way}"
    warning = NotConvergedWarning(
        f"{type(learner).__name__} stopped after {counted(n_updates, 'update')} with examples "
        "still misclassified.",
        do=f"The data may not be separable{by}: rosenblatt.prove({call}) tells. If it is, raise "
        f"{budget}; if not, PocketPerceptron, VotedPerceptron and AveragedPerceptron are made "
        "for it.",
        in_shell=f"The data may not be separable{by}: `rosenblatt prove{options}` tells. If it is "
        "not, -a pocket, -a voted and -a averaged are made for it.",
    )
    warning.by, warning.budget = by, budget
    return warning
