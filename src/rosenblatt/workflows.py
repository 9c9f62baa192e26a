"""What the command line and the studio both call: fit a set, validate, report."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt._validation import check_choice
from rosenblatt.data.builtin import load_builtin
from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.linear.progress import Callback
from rosenblatt.linear.voted import VotedPerceptron

ALGORITHMS: dict[str, Any] = {
    "averaged": AveragedPerceptron,
    "batch": BatchPerceptron,
    "perceptron": Perceptron,
    "pocket": PocketPerceptron,
    "voted": VotedPerceptron,
}


@dataclass(frozen=True)
class FitReport:
    """What a fit found out."""

    examples: Examples
    model: Any  # a pipeline: scale, then learn
    error_in: float
    error_validated: float
    error_uncertainty: float  # standard error over the folds
    n_folds: int
    telling: list[tuple[str, float]]  # features by weight, the heaviest first

    @property
    def learner(self) -> Any:
        """The learner at the end of the pipeline."""
        return self.model[-1]


def fit(
    source: str, algorithm: str = "averaged", seed: int = 0, callback: Callback | None = None
) -> FitReport:
    """Learn from a built-in set: scale the columns, fit, cross-validate.

    Examples
    --------
    >>> from rosenblatt.workflows import fit
    >>> fit("lecture", algorithm="perceptron").error_in
    0.0
    """
    check_choice(algorithm, "algorithm", tuple(ALGORITHMS))
    examples = load_builtin(source, seed)
    learner = ALGORITHMS[algorithm](random_state=seed)
    model = make_pipeline(StandardScaler(), learner)
    model.fit(examples.X, examples.y, **{f"{model.steps[-1][0]}__callback": callback})
    errors = _validate(model, examples, seed)
    return FitReport(
        examples,
        model,
        error_in=float(1.0 - model.score(examples.X, examples.y)),
        error_validated=float(errors.mean()),
        error_uncertainty=float(errors.std(ddof=1) / np.sqrt(len(errors))),
        n_folds=len(errors),
        telling=_telling_features(learner, examples.feature_names),
    )


def _validate(model: Any, examples: Examples, seed: int) -> Any:
    """Return the error of each fold; as many folds as the rarest class allows, 5 at most."""
    n_folds = min(5, int(np.unique(examples.y, return_counts=True)[1].min()))
    if n_folds < 2:
        raise DataError(
            f"{examples.source} has a class with a single example; validation needs at least two"
        )
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples has said
        warnings.simplefilter("ignore", ConvergenceWarning)
        return 1.0 - cross_val_score(model, examples.X, examples.y, cv=folds)


def _telling_features(learner: Any, names: Sequence[str]) -> list[tuple[str, float]]:
    """Return the features of two classes by the size of their weights; none for more classes."""
    if len(learner.classes_) > 2:
        return []
    weights = learner.coef_[0]
    order = np.argsort(-np.abs(weights), kind="stable")
    return [(names[j], float(weights[j])) for j in order]
