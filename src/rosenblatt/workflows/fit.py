"""Learn from examples, validate, prove, and say what came out."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.linear.base import NotConvergedWarning
from rosenblatt.proof.question import check_data
from rosenblatt.rows import row_digests
from rosenblatt.workflows.algorithms import check_algorithm, name_of
from rosenblatt.workflows.explain import Names, Telling, names_of, naming, telling
from rosenblatt.workflows.prove import UpdateBound, Verdict, unknown_verdict, update_bound, verdict
from rosenblatt.workflows.task import (
    SCALE,
    Task,
    Tell,
    fit_scaled,
    inputs,
    is_watched,
    learner_of,
    make_task,
    rows,
    scores_of,
    words_of,
)
from rosenblatt.workflows.validate import Estimate, Validation, splits, validate

PROVE_SECONDS = 2.0
SEEN = "the saved model has learned from these very examples before"


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What a fit found out, wherever its examples are."""

    algorithm: str
    model: Any  # takes what `tasks.inputs` makes of examples
    is_scaled: bool
    error_in: float
    validation: Estimate | None  # None when a class has a single example
    verdict: Verdict | None  # None when nobody asked
    bound: UpdateBound | None = None  # None unless the rows are known to be separable
    telling: list[Telling]
    went_on: bool = False  # from a saved model; then the validation is that of the old one
    learned_before: tuple[str, ...] = ()  # digests of what the saved model has learned from
    why_not_validated: str = "a class has a single example"
    memory: int | None = None  # bytes that were allowed, if there was a limit

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """What else there is to say, each with its head."""
        return []

    @property
    def learner(self) -> Any:
        """The learner at the end of the model."""
        return learner_of(self.model)


@dataclass(frozen=True, kw_only=True)
class FitReport(Learned):
    """What a fit found out about examples in memory."""

    examples: Examples
    rows: Any  # that were learned from, before they were scaled
    validation: Validation | None

    @property
    def source(self) -> str:
        """Where the examples are from."""
        return self.examples.source

    @property
    def n_examples(self) -> int:
        """How many there are."""
        return len(self.examples.y)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and decided while they were read."""
        return self.examples.notes

    @property
    def recipe(self) -> Any:
        """How to make the same features from another file."""
        return self.examples.recipe

    @property
    def digest(self) -> str:
        """A digest of the rows and labels, in their order."""
        return digest(self.rows, self.examples.y)


def fit(
    examples: Examples,
    algorithm: str = "averaged",
    *,
    ngrams: int = 1,
    seed: int = 0,
    prove_seconds: float = PROVE_SECONDS,
    tell: Tell = lambda stage, share: None,
) -> FitReport:
    """Learn from examples, validate, and prove what can be proved in `prove_seconds`.

    Examples
    --------
    >>> from rosenblatt import read
    >>> from rosenblatt.workflows.fit import fit
    >>> report = fit(read("lecture"), "perceptron")
    >>> report.error_in, report.verdict.separable
    (0.0, True)
    """
    check_algorithm(algorithm)
    task = make_task(examples, ngrams)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = _learn(task, algorithm, seed, tell)
    way, parts = splits(task.y, seed)
    validation = validate(task, algorithm, way, parts, seed, tell) if parts else None
    known = unknown_verdict(examples)
    if known is None and prove_seconds > 0:
        known = verdict(task.X, task.y, learner_of(fitted), prove_seconds, tell)
    _pass_on([warning.message for warning in caught], known)
    scaled = fitted[SCALE].transform(task.X) if task.is_scaled(algorithm) else None
    bound = update_bound(learner_of(fitted), known, scaled, task.y, prove_seconds, tell)
    model = task.model(fitted)
    return FitReport(
        examples=examples,
        rows=task.X,
        algorithm=algorithm,
        model=model,
        is_scaled=task.is_scaled(algorithm),
        error_in=float((fitted.predict(task.X) != task.y).mean()),
        validation=validation,
        verdict=known,
        bound=bound,
        telling=telling(model, naming_of(model, examples)),
    )


def learn_more(
    model: Any,
    examples: Examples,
    *,
    before: Sequence[str] = (),
    prove_seconds: float = PROVE_SECONDS,
    tell: Tell = lambda stage, share: None,
) -> FitReport:
    """Go on from a fitted model with one pass over more examples.

    `before` are the digests of what it has learned from. If these examples are not one of them,
    its answers before it learns from them validate the model as it was. (A part of them that it
    knew already, or another order, is not noticed.) The scaling of the columns stays as it was.
    """
    learner = learner_of(model)
    check_goes_on(learner)
    if len(examples.y) == 0:
        raise DataError(f"{examples.source} has no labels to learn from")
    answers = _answers(model, examples)
    tell("learning", 0.0)
    words = words_of(model)
    if words is not None:
        words.partial_fit(examples.texts)
    Z = rows(model, examples)
    X = examples.X if words is None else Z  # not scaled, as in `fit`
    is_known = digest(X, examples.y) in before
    learner.partial_fit(Z, examples.y)
    tell("learning", 1.0)
    known = unknown_verdict(examples)
    if known is None and prove_seconds > 0:
        known = verdict(X, examples.y, learner, prove_seconds, tell)
    is_scaled = isinstance(model, Pipeline) and words is None
    scaled = Z if is_scaled else None
    bound = update_bound(learner, known, scaled, examples.y, prove_seconds, tell, from_zero=False)
    wrong = learner.predict(Z) != examples.y
    return FitReport(
        examples=examples,
        rows=X,
        algorithm=name_of(learner),
        model=model,
        is_scaled=is_scaled,
        error_in=float(wrong.mean()),
        validation=None if is_known else answers,
        why_not_validated=SEEN,
        verdict=known,
        bound=bound,
        telling=telling(model, naming_of(model, examples)),
        went_on=True,
        learned_before=tuple(before),
    )


def check_goes_on(learner: Any) -> None:
    """Refuse a learner that would have to begin anew."""
    # least squares keeps its sums only when it learned by `partial_fit` from the start
    kept = hasattr(learner, "_sums") or type(learner).__name__ != "LeastSquaresClassifier"
    if not hasattr(learner, "partial_fit") or not kept:
        can = "averaged, perceptron, bernoulli, multinomial, gaussian and categorical can"
        raise DataError(
            f"{type(learner).__name__} cannot go on from where it ended ({can}); "
            "fit again with all examples"
        )


def _learn(task: Task, algorithm: str, seed: int, tell: Tell) -> Any:
    learner, options = task.learner(algorithm, seed), {}
    if is_watched(learner):
        options = {"callback": lambda progress: tell("learning", progress.share)}
    tell("learning", 0.0)
    return fit_scaled(learner, task.X, task.y, **options)


def _pass_on(messages: list[Any], known: Verdict | None) -> None:
    """Warn as the learner did, with what is known by now."""
    is_separable = None if known is None else known.separable
    for message in messages:
        can_know = is_separable is not None and isinstance(message, NotConvergedWarning)
        warnings.warn(message.knowing(is_separable) if can_know else message, stacklevel=3)


def digest(X: Any, y: Any) -> str:
    """Return a digest of the rows and labels, in their order."""
    data = check_data(X, y)
    whole = hashlib.sha256(row_digests(data.rows, data.n_rows).tobytes())
    whole.update("\n".join(map(str, y)).encode())
    return whole.hexdigest()


def _answers(model: Any, examples: Examples) -> Validation:
    """Return what a model says of examples before it learns from them."""
    X = inputs(model, examples)
    predicted, scores = model.predict(X), scores_of(model, X)
    wrong = predicted != examples.y
    places = np.arange(len(wrong))
    way = "of the saved model, before it learned from these examples"
    return Validation(way, places, predicted, wrong, (float(wrong.mean()),), 0.0, 0, scores)


def naming_of(model: Any, examples: Examples) -> Names:
    """Return a function that names columns as the learner sees them."""
    if words_of(model) is not None:
        return names_of(model, examples.recipe)
    return naming(examples.feature_names)
