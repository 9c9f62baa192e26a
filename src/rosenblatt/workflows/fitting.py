"""Learn from examples, validate, prove, and say what came out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm, name_of
from rosenblatt.workflows.explaining import Telling, names_of, naming, telling
from rosenblatt.workflows.proving import Verdict, verdict
from rosenblatt.workflows.tasks import (
    LEARNER,
    Task,
    Tell,
    inputs,
    learner_of,
    make_task,
    rows,
    scores_of,
    words_of,
)
from rosenblatt.workflows.validating import Validation, splits, validate

PROVE_SECONDS = 2.0


@dataclass(frozen=True)
class FitReport:
    """What a fit found out."""

    examples: Examples
    algorithm: str
    model: Any  # takes what `tasks.inputs` makes of examples
    is_scaled: bool
    error_in: float
    validation: Validation | None  # None when a class has a single example
    verdict: Verdict | None  # None when nobody asked
    telling: list[Telling]
    went_on: bool = False  # from a saved model; then the validation is that of the old one

    @property
    def learner(self) -> Any:
        """The learner at the end of the model."""
        return learner_of(self.model)


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
    >>> from rosenblatt.workflows.fitting import fit
    >>> report = fit(read("lecture"), "perceptron")
    >>> report.error_in, report.verdict.separable
    (0.0, True)
    """
    check_algorithm(algorithm)
    task = make_task(examples, ngrams)
    fitted = _learn(task, algorithm, seed, tell)
    way, parts = splits(task.y, seed)
    validation = validate(task, algorithm, way, parts, seed, tell) if parts else None
    known = verdict(task.X, task.y, prove_seconds, tell) if prove_seconds > 0 else None
    model = task.model(fitted)
    return FitReport(
        examples,
        algorithm,
        model,
        task.is_scaled(algorithm),
        error_in=float((fitted.predict(task.X) != task.y).mean()),
        validation=validation,
        verdict=known,
        telling=telling_features(model, examples),
    )


def learn_more(
    model: Any,
    examples: Examples,
    *,
    prove_seconds: float = PROVE_SECONDS,
    tell: Tell = lambda stage, share: None,
) -> FitReport:
    """Go on from a fitted model with one pass over new examples.

    They are new to the model, so its answers before it learns from them validate it. The scaling
    of the columns stays as it was.
    """
    learner = learner_of(model)
    check_goes_on(learner)
    if len(examples.y) == 0:
        raise DataError(f"{examples.source} has no labels to learn from")
    before = _before(model, examples)
    tell("learning", 0.0)
    words = words_of(model)
    if words is not None:
        words.partial_fit(examples.texts)
    Z = rows(model, examples)
    learner.partial_fit(Z, examples.y)
    tell("learning", 1.0)
    known = verdict(Z, examples.y, prove_seconds, tell) if prove_seconds > 0 else None
    wrong = learner.predict(Z) != examples.y
    return FitReport(
        examples,
        name_of(learner),
        model,
        isinstance(model, Pipeline) and words is None,
        error_in=float(wrong.mean()),
        validation=before,
        verdict=known,
        telling=telling_features(model, examples),
        went_on=True,
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
    if ALGORITHMS[algorithm].watched:
        prefix = f"{LEARNER}__" if isinstance(learner, Pipeline) else ""
        options = {f"{prefix}callback": lambda progress: tell("learning", progress.share)}
    tell("learning", 0.0)
    return learner.fit(task.X, task.y, **options)


def _before(model: Any, examples: Examples) -> Validation:
    X = inputs(model, examples)
    predicted, scores = model.predict(X), scores_of(model, X)
    wrong = predicted != examples.y
    places = np.arange(len(wrong))
    way = "the saved model, on these examples"
    return Validation(way, places, predicted, wrong, (float(wrong.mean()),), 0.0, 0, scores)


def telling_features(model: Any, examples: Examples, most: int = 5) -> list[Telling]:
    """Return the most telling features of a model by their names; none if it has no weights."""
    names = names_of(model, examples.recipe)
    if words_of(model) is None:
        names = naming(examples.feature_names)
    try:
        return telling(model, names, most)
    except DataError:
        return []  # a learner without weights
