"""A saved model on more data: predict, score; and saving it in the first place."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import model_file
from rosenblatt.counting import counted
from rosenblatt.data.example_blocks import ExampleBlocks, open_examples
from rosenblatt.data.examples import Examples
from rosenblatt.data.read import read
from rosenblatt.data.source import STANDARD_INPUT, Paths, paths_of
from rosenblatt.errors import DataError, LabelError, ModelFileError, ParameterError
from rosenblatt.linear.least_squares import LeastSquares
from rosenblatt.linear.least_squares_classifier import LeastSquaresClassifier
from rosenblatt.mail.filter.file import CLASS as MAIL_FILTER
from rosenblatt.model_file import Saved
from rosenblatt.model_file.table_model import inputs
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import ALGORITHMS, name_of
from rosenblatt.workflows.fit_report import FitReport
from rosenblatt.workflows.task import decision_scores, learner_of
from rosenblatt.workflows.uncertainty import wilson


@dataclass(frozen=True)
class Score:
    """How a model did on labelled examples."""

    classes: Array
    confusion: Array  # rows: what is right; columns: what was said

    @property
    def n(self) -> int:
        """Examples."""
        return int(self.confusion.sum())

    @property
    def n_wrong(self) -> int:
        """Wrong answers."""
        return self.n - int(np.trace(self.confusion))

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall for the second of two classes."""
        if len(self.classes) != 2:
            return None
        hits = int(self.confusion[1, 1])
        return 2 * hits / max(1, int(self.confusion[:, 1].sum() + self.confusion[1].sum()))

    @property
    def error(self) -> float:
        """The share of wrong answers."""
        return self.n_wrong / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Where the error is with a probability of 95 %."""
        return wilson(self.n_wrong, self.n)


def open_model(path: str | Path) -> Saved:
    """Load a model file; "-" is standard input."""
    with _file_of(path) as file:
        return model_file.read_model(file)


def model_to_go_on_from(path: str | Path, algorithm: str | None) -> Saved:
    """Open a model that is to learn more."""
    saved = open_model(path)
    check_takes_data(saved)
    check_has_classes(saved)
    learner = learner_of(saved.model)
    if algorithm not in (None, name_of(learner)):
        raise ParameterError(
            f"{path} holds {name_of(learner)}, another learner",
            do="leave out {algorithm}",
            in_shell="leave out -a {asked}",
            asked=algorithm,
        )
    return saved


def check_goes_on(learner: Any) -> None:
    """Refuse a learner that would have to begin anew."""
    # least squares keeps its sums only when it learned by `partial_fit` from the start
    is_solved = isinstance(learner, LeastSquaresClassifier) and not hasattr(learner, "_sums")
    if is_solved or not hasattr(learner, "partial_fit"):
        *others, last = (name for name, entry in ALGORITHMS.items() if entry.goes_on)
        raise DataError(
            f"{type(learner).__name__} cannot go on from where it ended "
            f"({', '.join(others)} and {last} can); fit again with all examples"
        )


def check_takes_data(saved: Saved) -> None:
    """Raise a DataError if it is a mail filter: messages are no rows, and it may be unsure."""
    if _is_mail_filter(saved):
        raise _of_its_own()


def _of_its_own() -> DataError:
    return DataError(
        "the model is a mail filter, with commands of its own: `rosenblatt mail filter` "
        "judges messages, `mail evaluate` counts what it gets right, `mail explain` says "
        "why, and `mail learn` corrects it"
    )


def _is_mail_filter(saved: Saved) -> bool:
    return type(saved.model).__name__ == MAIL_FILTER


def is_of_amounts(saved: Saved) -> bool:
    """Whether a model predicts amounts, and not classes."""
    return isinstance(learner_of(saved.model), LeastSquares)


def check_has_classes(saved: Saved) -> None:
    """Raise a DataError if a model is of amounts."""
    if is_of_amounts(saved):
        raise DataError(
            "the model is of amounts, not of classes: `rosenblatt predict` gives them, `rosenblatt "
            "score` tells their error, and `rosenblatt explain --all` shows the weights"
        )


def examples_for(saved: Saved, path: Any, **options: Any) -> Examples:
    """Read a file with the features that a model learned from."""
    check_takes_data(saved)
    examples = read(path, recipe=saved.recipe, **options)
    expected = getattr(saved.model, "n_features_in_", None)
    found = getattr(inputs(saved.model, examples), "shape", (0, None))[-1]
    if saved.recipe is None and None not in (expected, found) and expected != found:
        raise DataError(
            f"the model learned from {expected}, but {examples.source} has "
            f"{counted(int(found or 0), 'feature')}"
        )
    return examples


@contextmanager
def _file_of(path: str | Path) -> Iterator[str | Path]:
    """Give a file that can be mapped: a copy of what comes from standard input."""
    if path != STANDARD_INPUT:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="rosenblatt-") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        try:
            yield copy.name
        except ModelFileError as error:
            error.problem = error.problem.replace(copy.name, "standard input")
            raise


def save_report(report: FitReport, path: str | Path, seed: int) -> None:
    """Save the model of a fit with its recipe and what is known about it."""
    model_file.save(report.model, path, recipe=report.recipe, made=_made(report, seed))


@contextmanager
def open_examples_for(
    saved: Saved, path: Paths, **options: Any
) -> Iterator[ExampleBlocks | Whole | MailFor]:
    """Give the examples of a file with the features that a model learned from, block by block."""
    if _is_mail_filter(saved):
        yield MailFor(saved, path, **options)
        return
    if saved.recipe is None:
        yield Whole(examples_for(saved, path, **options))
        return
    with open_examples(path, saved.recipe, **options) as blocks:
        yield blocks


class Whole:
    """All examples as one block: those of a model that does not know how files are read."""

    def __init__(self, examples: Examples) -> None:
        self.source, self.notes = examples.source, examples.notes
        self._examples = examples

    def __iter__(self) -> Iterator[Examples]:
        return iter([self._examples])


class MailFor:
    """Mailboxes and messages for a mail filter, which takes no rows: none of them needs a label."""

    notes: tuple[str, ...] = ()

    def __init__(
        self,
        saved: Saved,
        path: Paths,
        format: str | None = None,  # noqa: A002 - as users say it
        **options: Any,
    ) -> None:
        asked = options | {"format": None if format == "mail" else format}
        others = [f"{{{name}}}" for name, value in asked.items() if value is not None]
        if others:
            raise ParameterError(
                "the model is a mail filter, and judges mail",
                do=f"leave out {' and '.join(others)}",
            )
        self._memory, self._paths = saved.model.memory(), paths_of(path)

    def __iter__(self) -> Iterator[Any]:
        """Refuse to give rows: who scores a filter, or learns from it, takes its own commands."""
        raise _of_its_own()

    def predictions(self) -> Iterator[Prediction]:
        """Yield what the filter says of each message: spam, ham or unsure."""
        from rosenblatt.mail.filter.estimator import message_scores
        from rosenblatt.mail.filter.reading import messages_of

        for path in self._paths:
            messages = (features for _, features in messages_of(str(path)))
            for score in message_scores(self._memory, messages).tolist():
                yield Prediction(self._memory.label_of(score), score, None, None)


def predictions(saved: Saved, blocks: Iterable[Examples] | MailFor) -> Iterator[Any]:
    """Yield the label of each example."""
    if isinstance(blocks, MailFor):
        yield from (found.label for found in blocks.predictions())
        return
    for examples in blocks:
        yield from saved.model.predict(inputs(saved.model, examples)).tolist()


def predictions_in_full(saved: Saved, blocks: Iterable[Examples] | MailFor) -> Iterator[Prediction]:
    """Yield label, score and probabilities of each example."""
    if isinstance(blocks, MailFor):
        yield from blocks.predictions()
        return
    for examples in blocks:
        X = inputs(saved.model, examples)
        if is_of_amounts(saved):
            for amount in saved.model.predict(X).tolist():
                yield Prediction(amount, None, None, None)
            continue
        labels, scores = saved.model.predict(X), decision_scores(saved.model, X).tolist()
        mine: list[Any] = [None] * len(labels)
        likely = list(mine)
        if hasattr(saved.model, "predict_proba"):
            p = saved.model.predict_proba(X)
            places = np.searchsorted(saved.classes, labels)
            mine, likely = p[np.arange(len(p)), places].tolist(), p.tolist()
        yield from map(Prediction, labels.tolist(), scores, mine, likely)


class Prediction(NamedTuple):
    """What a model says of an example."""

    label: Any
    score: Any  # one for two classes (above 0: the second), else one for each class
    probability: float | None  # of the label; None if it is a model without
    probabilities: list[float] | None  # of each class; likewise


def check_has_probabilities(saved: Saved) -> None:
    """Refuse a model whose scores are not calibrated."""
    if not hasattr(saved.model, "predict_proba"):
        raise DataError(
            f"the model, {type(learner_of(saved.model)).__name__}, has no probabilities",
            do="learn it with probability=True",
            in_shell="learn it with `rosenblatt fit`, which keeps them, or leave out --probability",
        )


def score(saved: Saved, blocks: Iterable[Examples]) -> Score:
    """Compare the answers of a model with the labels."""
    classes = saved.classes
    confusion, first = np.zeros((len(classes), len(classes)), dtype=np.int64), 0
    for examples in blocks:
        y = examples.y
        _check_labels(saved, examples, first)
        predicted = saved.model.predict(inputs(saved.model, examples))
        np.add.at(confusion, (np.searchsorted(classes, y), np.searchsorted(classes, predicted)), 1)
        first += len(y)
    return Score(classes, confusion)


class AmountScore(NamedTuple):
    """How near a model of amounts came to what is right."""

    n: int
    squared_error: float
    baseline: float  # of always saying the mean of these

    @property
    def r2(self) -> float | None:
        """The share of the variance that is explained; None if there is none."""
        return 1 - self.squared_error / self.baseline if self.baseline > 0 else None


def score_amounts(saved: Saved, blocks: Iterable[Examples]) -> AmountScore:
    """Compare the amounts that a model says with the labels."""
    right, said = [], []
    for examples in blocks:
        if len(examples.y) == 0 or examples.y.dtype.kind not in "iuf":
            raise LabelError(f"{examples.source} has no amounts to compare with")
        right.append(np.asarray(examples.y, dtype=np.float64))
        said.append(saved.model.predict(inputs(saved.model, examples)))
    y = np.concatenate(right)
    error = float(np.mean((np.concatenate(said) - y) ** 2))
    return AmountScore(len(y), error, float(np.mean((y - y.mean()) ** 2)))


def _check_labels(saved: Saved, examples: Examples, first: int) -> None:
    """Refuse examples without labels, or with labels that the model does not know."""
    y, classes = examples.y, saved.classes
    if len(y) == 0:
        column = getattr(saved.recipe, "target", None)
        named = f" (column {column!r})" if column else ""
        raise LabelError(f"{examples.source} has no labels{named} to compare with")
    new = np.flatnonzero(~np.isin(y, classes))
    if len(new):
        known = ", ".join(map(str, classes[:8])) + (", ..." if len(classes) > 8 else "")
        raise LabelError(
            f"{examples.source}, row {first + new[0]} (the first is 0): label "
            f"{y[new[0]].item()!r} was not there in training; the model knows {known}"
        )


def _made(report: FitReport, seed: int) -> dict[str, Any]:
    """Return how a model was made, as plain data."""
    checked, verdict = report.validation, report.verdict
    return {
        "algorithm": report.algorithm,
        "data": report.source,
        "digest": report.digest,
        "learned_before": list(report.learned_before),
        "rows": report.n_examples,
        "seed": seed,
        "error_in": report.error_in,
        "error_validated": checked.error if checked else None,
        "error_interval": list(checked.interval) if checked else None,
        "validated_by": checked.way if checked else None,
        "separable": verdict.separable if verdict else None,
        "multiclass": verdict.multiclass if verdict else None,
        "telling": [[str(t.label), [list(f) for f in t.features]] for t in report.telling],
        **({} if report.decided is None else report.decided.facts),
    }
