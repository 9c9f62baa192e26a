"""What the page shows beyond what the fit found: curves, counts and single examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve

from rosenblatt._validation import Array
from rosenblatt.proof.certificate import Contradiction
from rosenblatt.proof.proofs import answers_of
from rosenblatt.workflows.explaining import Telling
from rosenblatt.workflows.fitting import FitReport, naming_of, telling_features
from rosenblatt.workflows.report.learning import LearningCurve, learning_curve
from rosenblatt.workflows.tasks import Tell
from rosenblatt.workflows.validating import Validation

MOST_CURVES = 6
MOST_CORNERS = 300  # of one curve
MOST_MISTAKES = 12
MOST_TELLING = 16


class Roc(NamedTuple):
    """One class against the others, on validated scores."""

    label: Any
    false_positives: Array  # shares
    true_positives: Array
    area: float


class Mistake(NamedTuple):
    """A validated example that was given the wrong label."""

    row: int
    right: Any
    said: Any
    margin: float  # how far the wrong label was ahead


@dataclass(frozen=True)
class Facts:
    """All that goes onto the page."""

    report: FitReport
    classes: Array
    counts: Array  # examples of each class
    confusion: Array | None  # rows: what is right; columns: what was said
    curve: LearningCurve | None
    rocs: list[Roc]
    mistakes: list[Mistake]
    telling: list[Telling]
    contradictions: list[Contradiction]


def gather(report: FitReport, seed: int, tell: Tell) -> Facts:
    """Find out what the page shows."""
    y, checked = report.examples.y, report.validation
    classes = np.unique(np.concatenate([report.learner.classes_, np.unique(y)]))
    proof = report.verdict.proof if report.verdict else None
    found = [] if proof is None else [p for p in answers_of(proof) if isinstance(p, Contradiction)]
    most = MOST_TELLING if len(classes) == 2 else MOST_TELLING // 2
    return Facts(
        report,
        classes,
        np.bincount(np.searchsorted(classes, y), minlength=len(classes)),
        confusion=None if checked is None else confusion(classes, y, checked),
        curve=learning_curve(report, seed, tell),
        rocs=[] if checked is None else rocs(report.learner.classes_, y, checked),
        mistakes=[] if checked is None else mistakes(report.learner.classes_, y, checked),
        telling=telling_features(report.model, naming_of(report.model, report.examples), most),
        contradictions=found,
    )


def confusion(classes: Array, y: Array, checked: Validation) -> Array:
    """Count what was said, in columns, for what is right, in rows."""
    counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
    right = np.searchsorted(classes, y[checked.tested])
    np.add.at(counts, (right, np.searchsorted(classes, checked.predicted)), 1)
    return counts


def rocs(known: Array, y: Array, checked: Validation) -> list[Roc]:
    """Return the curve of the second of two classes; of more, those of the hardest classes."""
    scores = checked.scores
    if len(known) < 2 or not np.isfinite(scores).all():
        return []
    labels = y[checked.tested]
    columns = [(1, scores)] if scores.ndim == 1 else list(enumerate(ahead(scores).T))
    curves = [_roc(known[k], labels == known[k], column) for k, column in columns]
    found = [curve for curve in curves if curve is not None]
    hardest = sorted(found, key=lambda curve: curve.area)[:MOST_CURVES]
    return [curve for curve in found if any(curve is one for one in hardest)]


def ahead(scores: Array) -> Array:
    """Return how far each class is ahead of the best of the others: what decides.

    Examples
    --------
    >>> ahead(np.array([[3.0, 5.0, 4.0]]))
    array([[-2.,  1., -1.]])
    """
    best_two = np.sort(scores, axis=1)[:, -2:]
    first = np.arange(len(scores)), scores.argmax(axis=1)
    margins: Array = scores - best_two[:, 1:]
    margins[first] = best_two[:, 1] - best_two[:, 0]
    return margins


def _roc(label: Any, positive: Array, scores: Array) -> Roc | None:
    if positive.all() or not positive.any():
        return None
    false, true, _ = roc_curve(positive, scores)
    if len(false) > MOST_CORNERS:
        kept = np.linspace(0, len(false) - 1, MOST_CORNERS).astype(int)
        false, true = false[kept], true[kept]
    return Roc(label, false, true, float(roc_auc_score(positive, scores)))


def mistakes(known: Array, y: Array, checked: Validation) -> list[Mistake]:
    """Return the validated mistakes in which the wrong label was farthest ahead."""
    places = np.flatnonzero(checked.wrong)
    margins = margins_of(known, y, checked)[places]
    worst = np.lexsort((checked.tested[places], -margins))[:MOST_MISTAKES]
    return [
        Mistake(int(i), y[i], checked.predicted[k], float(margin))
        for k, i, margin in zip(
            places[worst], checked.tested[places[worst]], margins[worst], strict=True
        )
    ]


def margins_of(known: Array, y: Array, checked: Validation) -> Array:
    """Return how far the label that was said is ahead of the right one; 0 where it is right.

    For a label that the model does not know: how far ahead of the next one.
    """
    scores = checked.scores
    if scores.ndim == 1:
        return np.abs(scores) * checked.wrong
    n = np.arange(len(scores))
    right = np.searchsorted(known, y[checked.tested]).clip(max=len(known) - 1)
    new = known[right] != y[checked.tested]
    others = np.where(new, np.sort(scores, axis=1)[:, -2], scores[n, right])
    ahead: Array = scores[n, np.searchsorted(known, checked.predicted)] - others
    return ahead
