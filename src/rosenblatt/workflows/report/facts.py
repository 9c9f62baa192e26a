"""What the page shows beyond what the fit found: confusions, curves, and the worst mistakes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve

from rosenblatt.errors import DataError
from rosenblatt.proof.certificate import Contradiction, answers_of
from rosenblatt.text.pipeline import words_of
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array
from rosenblatt.workflows.explain import Telling, telling
from rosenblatt.workflows.folds import Split, folds_of
from rosenblatt.workflows.measures import ahead
from rosenblatt.workflows.task import Task, Tell, make_task
from rosenblatt.workflows.validate import Validation, answers_to

if TYPE_CHECKING:
    from rosenblatt.workflows.fit_report import FitReport

MOST_CURVES = 6  # that hits are drawn against false alarms in
MOST_CORNERS = 300  # of one of them
MOST_MISTAKES = 12
MOST_TELLING = 16
# of the learning curve
N_SIZES = 6
FEWEST, FEWEST_OF_CLASS = 10, 3  # examples to begin with
SECONDS = 8.0  # of learning, about


class LearningCurve(NamedTuple):
    """The error in the sample and the validated one, by the number of examples; sizes by folds."""

    sizes: Array
    error_in: Array
    error_out: Array


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


def gather_facts(report: FitReport, seed: int, tell: Tell) -> Facts:
    """Find out what the page shows."""
    checked, examples = report.validation, report.examples
    classes = np.unique(np.concatenate([report.learner.classes_, report.classes]))
    counts = np.zeros(len(classes), dtype=np.int64)
    counts[np.searchsorted(classes, report.classes)] = report.counts
    y = None if examples is None else examples.y
    proof = report.verdict.proof if report.verdict else None
    found = [] if proof is None else [p for p in answers_of(proof) if isinstance(p, Contradiction)]
    most = MOST_TELLING if len(classes) == 2 else MOST_TELLING // 2
    return Facts(
        report,
        classes,
        counts,
        confusion=_confusion(classes, y, checked),
        curve=learning_curve(report, seed, tell),
        rocs=[] if y is None or checked is None else rocs(report.learner.classes_, y, checked),
        mistakes=[]
        if y is None or checked is None
        else mistakes(report.learner.classes_, y, checked),
        telling=telling(report.model, report.naming, most),
        contradictions=found,
    )


def _confusion(classes: Array, y: Array | None, checked: Validation | None) -> Array | None:
    if checked is None or y is None:
        return None if checked is None else checked.confusion
    found: Array = confusion_matrix(y[checked.tested], checked.predicted, labels=classes)
    return found


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
        return np.asarray(np.abs(scores) * checked.wrong)
    n = np.arange(len(scores))
    right = np.searchsorted(known, y[checked.tested]).clip(max=len(known) - 1)
    new = known[right] != y[checked.tested]
    others = np.where(new, np.sort(scores, axis=1)[:, -2], scores[n, right])
    ahead: Array = scores[n, np.searchsorted(known, checked.predicted)] - others
    return ahead


def learning_curve(report: FitReport, seed: int, tell: Tell) -> LearningCurve | None:
    """Learn from more and more of the training part of each fold; test on the rest of it.

    As many folds as `SECONDS` allow, of which the validation knows how long they take. None if
    there is nothing to split, or too little of it.
    """
    checked = report.validation
    if checked is None or report.went_on or report.examples is None:
        return None
    words = words_of(report.model)
    task = replace(make_task(report.examples, _ngrams(words)), form=report.form)
    parts = folds_of(task, seed).parts
    longest = max(len(train) for train, _ in parts)
    parts = [part for part in parts if 2 * len(part[0]) > longest]  # early cuts in time are short
    # all sizes together take about twice the time of the largest
    n_folds = int(np.clip(SECONDS / (2 * checked.seconds + 1e-9), 1, len(parts)))
    share = min(1.0, SECONDS / (checked.seconds + 1e-9))
    n = min(len(train) for train, _ in parts)
    sizes = _sizes(max(FEWEST, FEWEST_OF_CLASS * len(np.unique(task.y))), int(share * n))
    if len(sizes) < 3:
        return None
    try:
        folds = []
        for number, part in enumerate(parts[:n_folds]):
            tell("learning curve", number / n_folds)
            folds.append(_errors(task, report.algorithm, seed, part, sizes))
    except DataError:
        return None  # a learner that needs more than a few examples
    errors = np.array(folds).transpose(2, 1, 0)
    return LearningCurve(sizes, errors[0], errors[1])


def _sizes(first: int, last: int) -> Array:
    if first >= last:
        return np.empty(0, dtype=np.int64)
    sizes: Array = np.unique(np.geomspace(first, last, N_SIZES).round().astype(np.int64))
    return sizes


def _ngrams(words: BagOfWords | None) -> int:
    if words is None:
        return 1
    return words.ngrams if isinstance(words.ngrams, int) else words.ngrams[1]


def evenly_mixed(y: Array) -> Array:
    """Return an order in which every beginning has the classes in about the shares of the whole.

    Examples
    --------
    >>> evenly_mixed(np.array(["a", "a", "a", "a", "b", "b"]))
    array([0, 4, 1, 2, 5, 3])
    """
    place = np.empty(len(y))
    for label in np.unique(y):
        here = np.flatnonzero(y == label)
        place[here] = (np.arange(len(here)) + 0.5) / len(here)
    return np.argsort(place, kind="stable")


def _errors(
    task: Task, algorithm: str, seed: int, part: Split, sizes: Array
) -> list[tuple[float, float]]:
    train, test = part
    train = np.random.default_rng(seed).permutation(train)  # files may be sorted
    train = train[evenly_mixed(task.y[train])]
    return [_error(task, algorithm, seed, train[:size], test) for size in sizes]


def _error(
    task: Task, algorithm: str, seed: int, chosen: Array, test: Array
) -> tuple[float, float]:
    # in order: the whole part then is learned in the order of the validation
    chosen = np.sort(chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = task.learn(algorithm, seed, chosen)
    found = [
        answers_to(model, task.blocks.take(rows), all_of_them=False) for rows in (chosen, test)
    ]
    return found[0].n_wrong / found[0].n, found[1].n_wrong / found[1].n
