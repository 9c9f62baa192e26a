"""What a fit makes of the scores that its validation has: probabilities, and where the boundary is.

The scores are of rows that the models had not seen. The calibration and the threshold of the
delivered model come from all of them; how good they are is told by those that a fold gets from the
scores of the other folds (of a single held-out part, a half from the other half).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar, get_args

import numpy as np

from rosenblatt.checks.parameters import check_choice
from rosenblatt.choices import Balance
from rosenblatt.counting import counted
from rosenblatt.decision.calibration import Calibration, fit_calibration
from rosenblatt.decision.deciding import KEPT
from rosenblatt.decision.out_of_fold import stratified
from rosenblatt.decision.threshold import MISTAKES, choose_threshold
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array
from rosenblatt.workflows.uncertainty import variance_of_error
from rosenblatt.workflows.validate import Validation

BALANCES = get_args(Balance)
N_BINS = 10
T = TypeVar("T")


class Bin(NamedTuple):
    """Rows with about the same probability."""

    said: float  # the mean of their probabilities
    came: float  # the share of them in which it came true
    n: int


@dataclass(frozen=True, kw_only=True)
class Decided:
    """Probabilities and the boundary of a model, and how good they are on rows not seen."""

    calibration: Calibration
    threshold: float  # of two classes; 0 where it stays
    brier: float  # of two classes that of the second; of more the sum over all
    log_loss: float
    bins: list[Bin]  # of the second of two classes; of more, of the most probable one
    moved: str = ""  # what a moved threshold brings, and costs

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """What there is to say about it, each with its head."""
        said = [("calibration", f"Brier score {self.brier:.4f}, log loss {self.log_loss:.4f}")]
        return [*said, ("boundary", self.moved)] if self.moved else said

    @property
    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "brier_score": self.brier,
            "log_loss": self.log_loss,
            "boundary": self.threshold,
        }

    def teach(self, learner: Any) -> None:
        """Give a learner its probabilities, and its boundary if that has moved."""
        learner.calibration_ = self.calibration
        if self.threshold:
            learner.threshold_ = self.threshold


def has_decided(learner: Any) -> bool:
    """Whether a learner has probabilities or a boundary that were learned from scores."""
    return any(name in vars(learner) for name in KEPT)


def said_of_going_on(learner: Any, has_decided_before: bool) -> list[str]:
    """Say what becomes of probabilities and boundary when a saved model learns more."""
    if not has_decided_before:
        return []
    if not has_decided(learner):
        return [
            "with the new class the probabilities of the saved model are gone; to have some again, "
            "fit all examples anew"
        ]
    return [
        "probabilities and boundary are still those of the saved model before it learned more; fit "
        "all examples anew to learn them again"
    ]


def check_balance(balance: Any, n_classes: int | None) -> None:
    """Refuse to balance by another measure, more than two classes, or (None) a saved model."""
    if balance is None:
        return
    check_choice(balance, "balance", BALANCES)
    if n_classes is None:
        raise ParameterError(
            "chooses the boundary while a model is validated, and a saved one keeps its own",
            about="balance",
            do="leave {balance} out, or fit all examples anew",
        )
    if n_classes > 2:
        raise ParameterError(
            f"moves the boundary between two classes, got {n_classes}",
            about="balance",
            do="leave {balance} out",
        )


def learn_decision(
    checked: Validation | None, classes: Array, balance: str | None, *, alone: bool = True
) -> tuple[Decided | None, Validation | None]:
    """Return what the scores of a validation lead to, and the validation with moved answers.

    None if there are no scores. `balance` is "f1" or "balanced"; without it the boundary moves only
    where that saves more mistakes than chance does, and some where other folds choose it; of more
    than two classes never, nor of rows that are not `alone`: copies say the same thing twice.
    """
    if checked is None or checked.scores is None or not any(checked.alike):
        if balance is not None:
            raise DataError(
                "there are no validated scores to choose the boundary by",
                do="leave {balance} out, or allow more {memory}",
            )
        return None, checked
    k = len(classes)
    scored = _Scored.of(checked)
    way = balance or (MISTAKES if k == 2 and alone else None)
    threshold = 0.0
    moved = ""
    if way is not None:
        threshold = choose_threshold(way, scored.scores, scored.labels == 1)
    after = _with_threshold(checked, classes, str(way)) if threshold else checked
    if balance is None and after.n_wrong >= checked.n_wrong:
        threshold = 0.0  # other folds would not have chosen it, or not gained by it
    if threshold:
        moved = _said_of_move(checked, after, classes, threshold)
        checked = after
    probabilities = scored.crossed(
        lambda scores, labels: fit_calibration(scores, labels, k),
        lambda found, scores: found.probabilities(scores),
    )
    decided = Decided(
        calibration=fit_calibration(scored.scores, scored.labels, k),
        threshold=threshold,
        brier=brier_score(probabilities, scored.labels),
        log_loss=float(-np.log(probabilities[np.arange(len(probabilities)), scored.labels]).mean()),
        bins=bins_of(probabilities, scored.labels),
        moved=moved,
    )
    return decided, checked


class _Scored(NamedTuple):
    """Scores of rows that the models had not seen, and the part that each row is judged with."""

    scores: Array
    labels: Array
    folds: Array
    is_tested: Array  # which of the tested rows these are

    @classmethod
    def of(cls, checked: Validation) -> _Scored:
        """Return the scores of those folds whose models are like the delivered one."""
        sizes = checked.fold_sizes
        folds = np.repeat(np.arange(len(sizes)), sizes)
        tested = np.repeat(checked.alike, sizes)
        scores, labels, folds = checked.scores[tested], checked.labels[tested], folds[tested]
        if len(np.unique(folds)) == 1:
            folds = stratified(labels, 2)
        return cls(scores, labels, folds, tested)

    def crossed(
        self, learn: Callable[[Array, Array], T], use: Callable[[T, Array], Array]
    ) -> Array:
        """Return what is made of the scores of each part by what the other parts teach."""
        parts, found = [], []
        for fold in np.unique(self.folds):
            here = np.flatnonzero(self.folds == fold)
            others = self.folds != fold
            found.append(use(learn(self.scores[others], self.labels[others]), self.scores[here]))
            parts.append(here)
        back = np.argsort(np.concatenate(parts), kind="stable")
        together: Array = np.concatenate(found)[back]
        return together


def _with_threshold(checked: Validation, classes: Array, way: str) -> Validation:
    """Return the validation with answers by thresholds that other folds chose."""
    scored, scores = _Scored.of(checked), np.array(checked.scores)
    scores[scored.is_tested] = scored.crossed(
        lambda others, labels: choose_threshold(way, others, labels == 1),
        lambda found, here: here - found,
    )
    # a fold with another kind of model has scores in other units
    said = (scores > 0.0).astype(np.int64)
    wrong = said != checked.labels
    ends = np.cumsum(checked.fold_sizes)[:-1]
    n_wrong, n_folds = int(wrong.sum()), len(checked.fold_sizes)
    more = variance_of_error(n_wrong, len(wrong), n_folds) - variance_of_error(
        checked.n_wrong, checked.n_tested, n_folds
    )
    in_memory = checked.predicted is not None
    return replace(
        checked,
        n_wrong=n_wrong,
        fold_errors=tuple(float(part.mean()) for part in np.split(wrong, ends)),
        variance=None if checked.variance is None else max(0.0, checked.variance + more),
        confusion=np.bincount(2 * checked.labels + said, minlength=4).reshape(2, 2),
        predicted=classes[said] if in_memory else None,
        wrong=wrong if in_memory else None,
        scores=scores,
    )


def _said_of_move(before: Validation, after: Validation, classes: Array, threshold: float) -> str:
    """Say what a moved boundary brings and costs, on rows that had no say in where it is."""
    caught = []
    for each in (before, after):
        confusion = each.confusion
        if confusion is None:
            return ""
        caught.append(confusion[1, 1] / max(1, confusion[1].sum()))
    more = after.n_wrong - before.n_wrong
    mistakes = f"{counted(after.n_wrong, 'mistake', ',')} in all"
    if more:
        share = f"{abs(more) / max(1, before.n_wrong):.1%} {'more' if more > 0 else 'fewer'}"
        than = f", {share} than {before.n_wrong:,}"
    else:
        than = ", as many as before"
    label = classes[1].item() if hasattr(classes[1], "item") else classes[1]
    return (
        f"moved from 0 to {threshold:.4g}: catches {caught[1]:.1%} of {label!r} "
        f"instead of {caught[0]:.1%}, and makes {mistakes}{than}"
    )


def brier_score(probabilities: Array, labels: Array) -> float:
    """Return the mean squared error of probabilities.

    Of two classes it is that of the second one, of more the sum over all, as scikit-learn has it.

    Examples
    --------
    >>> round(brier_score(np.array([[0.1, 0.9], [0.8, 0.2]]), np.array([1, 1])), 4)
    0.325
    """
    rest = probabilities.copy()
    rest[np.arange(len(rest)), labels] -= 1.0
    total = float((rest**2).sum(axis=1).mean())
    return total / 2.0 if probabilities.shape[1] == 2 else total


def bins_of(probabilities: Array, labels: Array) -> list[Bin]:
    """Return what was said and what came, in ten steps of probability."""
    if probabilities.shape[1] == 2:
        said, came = probabilities[:, 1], labels == 1
    else:
        best = probabilities.argmax(axis=1)
        said, came = probabilities[np.arange(len(best)), best], labels == best
    place = np.minimum((said * N_BINS).astype(np.int64), N_BINS - 1)
    return [
        Bin(float(said[here].mean()), float(came[here].mean()), int(here.sum()))
        for here in (place == k for k in range(N_BINS))
        if here.any()
    ]
