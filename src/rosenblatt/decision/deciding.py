"""What learners share that turn scores into probabilities and answers."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from rosenblatt.blocks import as_blocks
from rosenblatt.checks.parameters import check_flags
from rosenblatt.choices import Threshold
from rosenblatt.decision.calibration import Calibration, fit_calibration
from rosenblatt.decision.out_of_fold import out_of_fold
from rosenblatt.decision.threshold import check_threshold, check_two_classes, choose_threshold
from rosenblatt.types import Floats, Labels

KEPT = ("calibration_", "threshold_")


def threshold_of(learner: Any) -> float:
    """Return what is taken off the scores of a learner."""
    return float(getattr(learner, "threshold_", 0.0))


def weights_threshold_of(learner: Any) -> float:
    """Return what is taken off the intercept: 0 where scores are votes and not sums of weights."""
    return threshold_of(learner) if getattr(learner, "_scores_are_sums", True) else 0.0


class Decision(NamedTuple):
    """What is done with scores: both are None unless they were asked for."""

    calibration: Calibration | None = None
    threshold: float | None = None


class Deciding:
    """Learners with the parameters `probability` and `threshold`, or without."""

    probability: bool = False  # where there is a choice
    threshold: Threshold = None  # likewise
    _scores_are_sums: ClassVar[bool] = True
    classes_: Labels
    calibration_: Calibration
    threshold_: float

    def _raw_scores(self, X: Any) -> Floats:
        """Return the scores before a threshold is taken off; each model has its own."""
        raise NotImplementedError

    def _moved_scores(self, X: Any) -> Floats:
        """Return the scores with the boundary at 0."""
        scores, threshold = self._raw_scores(X), threshold_of(self)
        return scores - threshold if threshold else scores

    def _calibrated(self, X: Any) -> Floats:
        return self.calibration_.probabilities(self._raw_scores(X))

    def _check_decision(self, n_classes: int | None = None) -> None:
        """Refuse parameters that make no sense, or none for so many classes."""
        check_flags(probability=self.probability)
        check_threshold(self.threshold)
        if n_classes is not None:
            check_two_classes(self.threshold, n_classes)

    def _decision(self, X: Any, y: Any, sample_weight: Any) -> Decision:
        """Return what is to be done with scores, learned from what `fit` is given.

        Rows count by their sample weights alone: weights of classes are for learning, and
        probabilities are of the classes as often as they come.
        """
        threshold = self.threshold
        if not (self.probability or isinstance(threshold, str)):
            return Decision(None, None if threshold is None else float(threshold))
        blocks = as_blocks(X, y, sample_weight, estimator=self)
        found, calibration = out_of_fold(self, blocks), None
        if self.probability:
            calibration = fit_calibration(
                found.scores, found.labels, len(blocks.classes), found.weights
            )
        if isinstance(threshold, str):
            threshold = choose_threshold(threshold, found.scores, found.labels == 1, found.weights)
        return Decision(calibration, threshold)

    def _keep_decision(self, decision: Decision) -> None:
        """Write what was found; what was not asked for is there no longer."""
        for name, value in zip(KEPT, decision, strict=True):
            if value is not None:
                setattr(self, name, value)
            else:
                vars(self).pop(name, None)

    def _keep_in_step(self, n_classes: int) -> None:
        """Drop what is of another number of classes than there are by now.

        A threshold that is given as a number needs no scores: it is there whoever learns.
        """
        kept = vars(self).get("calibration_")
        if kept is not None and len(kept.offsets) != n_classes:
            del self.calibration_
        if n_classes > 2:
            vars(self).pop("threshold_", None)
        elif self.threshold is not None and not isinstance(self.threshold, str):
            self.threshold_ = float(self.threshold)
