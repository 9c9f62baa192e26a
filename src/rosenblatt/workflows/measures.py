"""How good validated answers are: beside always saying one class, and for each class.

The baseline is the error of always saying the commonest class. Precision and recall of a class come
from the counts of its answers, the area under the ROC curve from the scores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.types import Array
from rosenblatt.workflows.validate import Validation


class Baseline(NamedTuple):
    """Always saying the commonest class."""

    label: object
    error: float


class ClassQuality(NamedTuple):
    """How well one class is told from the others; None where nothing can be counted."""

    label: object
    n: int  # examples that were tested
    precision: float | None
    recall: float | None
    auc: float | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; 0 if the class was never said."""
        if self.recall is None:
            return None
        both = (self.precision or 0.0) + self.recall
        return 2 * (self.precision or 0.0) * self.recall / both if both else 0.0


def baseline_of(classes: Array, counts: Array) -> Baseline:
    """Return the error of always saying the commonest of the classes; the first of equal ones.

    Examples
    --------
    >>> baseline_of(np.array(["ham", "spam"]), np.array([3, 1]))
    Baseline(label='ham', error=0.25)
    """
    most = int(np.argmax(counts))
    return Baseline(classes[most].item(), 1 - int(counts[most]) / int(counts.sum()))


def quality_of(checked: Validation | None, classes: Array) -> list[ClassQuality]:
    """Return the quality of each class on tested examples; nothing if answers were not counted."""
    if checked is None or checked.confusion is None or len(checked.confusion) != len(classes):
        return []
    confusion = checked.confusion
    areas = _areas(checked, len(classes))
    return [
        ClassQuality(
            label.item(),
            int(confusion[k].sum()),
            _share(confusion[k, k], confusion[:, k].sum()),
            _share(confusion[k, k], confusion[k].sum()),
            areas[k],
        )
        for k, label in enumerate(classes)
    ]


def _share(part: int, of: int) -> float | None:
    return int(part) / int(of) if of else None


def _areas(checked: Validation, n_classes: int) -> list[float | None]:
    scores, labels = checked.scores, checked.labels
    if scores is None or labels is None or not np.isfinite(scores).all():
        return [None] * n_classes
    columns = np.column_stack([-scores, scores]) if scores.ndim == 1 else ahead(scores)
    if columns.shape[1] != n_classes:
        return [None] * n_classes
    return [area_under_roc(labels == k, columns[:, k]) for k in range(n_classes)]


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


def area_under_roc(positive: Array, scores: Array) -> float | None:
    """Return how often a positive example has the higher score of two; equal ones count half.

    Examples
    --------
    >>> area_under_roc(np.array([False, True, True]), np.array([1.0, 1.0, 2.0]))
    0.75
    """
    # by ranks, as Mann and Whitney have it: scikit-learn's takes 0.1 s to load
    n, n_positive = len(positive), int(positive.sum())
    if n_positive in (0, n):
        return None
    _, places, times = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[places]  # the mean rank of equal ones
    above = float(ranks[positive].sum()) - n_positive * (n_positive + 1) / 2
    return above / (n_positive * (n - n_positive))


def mean_of(parts: list[ClassQuality], name: str) -> float | None:
    """Return the mean over the classes of a measure; None if it is unknown for all of them."""
    known = [value for part in parts if (value := getattr(part, name)) is not None]
    return sum(known) / len(known) if known else None
