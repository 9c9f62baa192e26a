"""Record a fit step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt._parameters import check_count
from rosenblatt._validation import Array, TrainingSet, check_training_set
from rosenblatt.errors import DataError, ProofError
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.proof.clock import Clock
from rosenblatt.proof.margin import MaxMargin, solve_margin
from rosenblatt.proof.widest import TOLERANCE
from rosenblatt.regression.solve import matrix_of
from rosenblatt.tracing.bound import why_no_bound
from rosenblatt.tracing.recorder import Recorded, check_learner, count_errors, recorded, tie_of
from rosenblatt.tracing.trace import Trace

# for the largest margin; any rule that separates gives bounds that hold, the best gives the closest
MARGIN_SECONDS = 2.0


def trace(
    learner: LinearClassifier, X: Any, y: Any, *, sample_weight: Any = None, thin: int = 1
) -> Trace:
    """Fit a copy of the learner's parameters to two classes and record every `thin`-th update.

    Takes `Perceptron`, `PocketPerceptron`, `BatchPerceptron` (a step is an epoch),
    `VotedPerceptron` and `AveragedPerceptron` (the weights are the mean so far). The learner
    itself is not changed. `final` holds the weights that `fit` ends with, bit for bit.

    Parameters
    ----------
    learner : Perceptron, PocketPerceptron, BatchPerceptron, VotedPerceptron or AveragedPerceptron
        Its parameters are used.
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,)
        Their labels, of two classes.
    sample_weight : array-like of shape (n_examples,) or None, default=None
        What the update of each example is multiplied by; None is 1.
    thin : int, default=1
        Record every so-many-th update, to save memory.

    Returns
    -------
    Trace
        The steps, in arrays.

    Examples
    --------
    >>> import rosenblatt
    >>> t = rosenblatt.trace(rosenblatt.BatchPerceptron(), [[0], [1], [3], [4]], [0, 0, 1, 1])
    >>> float(t.errors[0]), float(t.errors[-1])
    (1.0, 0.0)
    """
    check_count(thin=thin)
    check_learner(learner)
    data = learner._check(X, y, {"sample_weight": sample_weight})
    if len(data.classes) > 2:
        raise DataError(
            f"a trace shows two classes, got {len(data.classes)}",
            do="choose the rows of two of them, or one against the rest: y == {label!r}",
            in_shell="`rosenblatt studio` shows the steps of all of them; for a trace keep the "
            "rows of two classes",
            label=data.classes.tolist()[0],
        )
    (record,) = recorded(learner, data, thin)
    return _finish(learner, data, record)


def _finish(learner: Any, data: TrainingSet, record: Recorded) -> Trace:
    start, final, steps = record.start, record.final, record.steps
    weights = np.vstack([start, record.weights])
    D, members, _ = record.problem
    errors = record.errors
    if errors is None:
        errors = count_errors(weights, record.problem, tie_of(learner))
    X = matrix_of(data.rows, data.n_features)
    best = _margin(X[members], D.y[members], learner.fit_intercept)
    cosine = cosine_bound = bound = None
    no_bound = why_no_bound(learner, from_zero=not start.any(), weighted=len(D.s) > 0)
    all_steps = np.concatenate([[0], steps])
    if best is not None:
        length = np.linalg.norm(weights, axis=1)
        with np.errstate(invalid="ignore"):
            cosine = weights @ best.w / (length * best.B)
        if not no_bound:
            bound = best.updates_bound
            # a cosine is bounded by (R B)^2 itself, not by what is left of it without a fraction
            cosine_bound = np.sqrt(all_steps) / (best.radius * best.B)
    elif not no_bound:
        no_bound = "no rule that separates the examples was found"
    return Trace(
        weights,
        record.picked,
        all_steps,
        errors,
        np.minimum.accumulate(errors),
        final,
        cosine,
        cosine_bound,
        bound,
        X,
        D.y,
        no_bound,
    )


def _margin(X: Any, y: Array, fit_intercept: bool) -> MaxMargin | None:
    """Return the largest margin; None when nothing separates or no rule was found in time."""
    try:
        data = check_training_set(BaseEstimator(), X, y)
        return solve_margin(data, fit_intercept, TOLERANCE, Clock(MARGIN_SECONDS))
    except ProofError:
        return None
