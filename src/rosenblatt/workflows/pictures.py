"""A picture of data: points, the regions of a rule, its line, and what is known of them."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.counting import counted
from rosenblatt.data.builtin import TARGETS
from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.model_file import Saved
from rosenblatt.plot import plane
from rosenblatt.plot.style import TEXT, label, verbatim
from rosenblatt.proof.margin import MaxMargin, max_margin
from rosenblatt.proof.prove import prove
from rosenblatt.proof.question import JOINT, REST
from rosenblatt.text.pipeline import words_of
from rosenblatt.tracing.trace import Trace, trace
from rosenblatt.types import Array
from rosenblatt.workflows.apply import is_of_amounts
from rosenblatt.workflows.forms import COLUMNS, form_by
from rosenblatt.workflows.task import learner_of, step_of
from rosenblatt.workflows.trace import check_features, learner_to_watch

MOST_PREVIOUS = 6  # lines before the last one that are drawn


class Picture(NamedTuple):
    """A figure of matplotlib, and what is on it in a sentence."""

    figure: Any
    sentence: str


class _Shown(NamedTuple):
    """What is drawn beside the points."""

    model: Any
    previous: Array | None
    said: str


def draw(
    examples: Examples,
    *,
    saved: Saved | None = None,
    algorithm: str = "perceptron",
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    margin: bool = False,
    contradiction: bool = False,
) -> Picture:
    """Draw examples with the rule of a saved model, or one that is learned from them now.

    Examples
    --------
    >>> from rosenblatt import read
    >>> draw(read("exercise-1.4")).sentence
    'the plane of x1 and x2: 20 examples, the target f, g of perceptron after 7 updates'
    """
    X = _dense(examples)
    if saved is not None and is_of_amounts(saved):
        return _of_amounts(X, examples, saved)
    if len(examples.y) == 0:
        raise DataError(f"{examples.source} has no labels to draw")
    two, d = len(np.unique(examples.y)) == 2, X.shape[1]
    street = _street(examples) if margin else None
    clash = _clash(examples, X) if contradiction else None
    if saved is not None:
        shown = _Shown(_as_read(saved.model, d), None, f"{type(learner_of(saved.model)).__name__}")
    else:
        shown = _learned(X, examples.y, algorithm, parameters or {}, seed)
    f, g = TARGETS.get(examples.source) if d == 2 else None, None
    if street is not None and d > 2:
        # the street is upright in a plane along its own w only
        g = street.geometric_w
    figure = plane(
        X,
        examples.y,
        f=f,
        g=g,
        model=shown.model if g is None else None,
        margin=False if street is None else street,
        contradiction=clash,
        previous=shown.previous if d <= 2 and two else None,
        arrow=two,
    )
    (ax,) = figure.axes
    names = [str(name) for name in examples.feature_names]
    if d <= 2:
        label(ax, *([*names, ""][:2]))
    place = _place(names, d)
    ax.set_title(verbatim(f"{examples.source}: {place}"), fontsize=TEXT, loc="left")
    parts = [counted(len(X), "example")]
    parts += ["the target f"] if f is not None else []
    parts.append(f"g of {shown.said}" if g is None else "g in the middle of the widest street")
    parts += ["the widest street"] if street is not None and g is None else []
    if clash is not None:
        parts.append(f"{counted(len(np.unique(clash)), 'example')} that contradict each other")
    parts += ["axes of different scales"] if d > 1 and ax.get_aspect() == "auto" else []
    return Picture(figure, f"{place}: {', '.join(parts)}")


def _of_amounts(X: Array, examples: Examples, saved: Saved) -> Picture:
    """Draw amounts beside what a regression says; the residuals are the sticks between them."""
    from rosenblatt.plot.amounts import amounts

    if len(examples.y) == 0 or examples.y.dtype.kind not in "iuf":
        raise DataError(f"{examples.source} has no amounts to draw")
    names = [str(name) for name in examples.feature_names]
    y, said = np.asarray(examples.y, dtype=np.float64), saved.model.predict(X)
    x, across = (X[:, 0], names[0]) if len(names) == 1 else (said, "what the rule says")
    figure = amounts(x, y, said, across, str(getattr(examples.recipe, "target", None) or "y"))
    error = float(np.mean((said - y) ** 2))
    sentence = f"{counted(len(y), 'example')} and their residuals, squared error {error:.6g}"
    return Picture(figure, sentence)


def _place(names: list[str], d: int) -> str:
    if d == 1:
        return f"the line of {names[0]}"
    if d == 2:
        return f"the plane of {names[0]} and {names[1]}"
    return f"a projection of {d} features, in which the boundary is exact"


def _learned(X: Array, y: Array, algorithm: str, given: Mapping[str, Any], seed: int) -> _Shown:
    """Learn from the numbers as they are; of two classes, step by step."""
    learner = learner_to_watch(algorithm, seed, given)
    previous, n = None, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the sentence below says it
        if len(np.unique(y)) == 2:
            steps = trace(learner, X, y)
            previous, n = _lines_before(steps), int(steps.steps[-1])
        learner.fit(X, y)
    wrong = int((learner.predict(X) != y).sum())
    said = f"{algorithm} after {counted(n or learner.n_updates_, 'update')}"
    said += f", {counted(wrong, 'example')} on the wrong side" if wrong else ""
    return _Shown(learner, previous, said)


def _lines_before(steps: Trace) -> Array:
    """Return the last lines before the last one that have a direction."""
    rows = steps.weights[:-1]
    return np.asarray(rows[np.any(rows[:, 1:] != 0, axis=1)][-MOST_PREVIOUS:])


def _dense(examples: Examples) -> Array:
    check_features(examples, "a picture")
    X: Any = examples.X
    return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)


def _street(examples: Examples) -> MaxMargin:
    return max_margin(examples.X, examples.y)


def _clash(examples: Examples, X: Array) -> Array:
    """Return the rows that contradict each other."""
    way: Any = REST if len(np.unique(examples.y)) == 2 else JOINT
    proof: Any = prove(X, examples.y, multiclass=way)
    if proof.separable:
        raise DataError(
            f"{examples.source} is separable: no examples contradict each other",
            do="leave out {contradiction}",
            in_shell="leave out --contradiction",
        )
    return np.asarray(proof.indices)


def _as_read(model: Any, n_features: int) -> Any:
    """Return a model for rows as they are read; scaled columns go into the weights."""
    if words_of(model) is not None:
        raise DataError(
            "a model of words has too many features for a picture; `rosenblatt explain` shows "
            "what it learned"
        )
    step, learner = step_of(model), learner_of(model)
    if step is None or form_by(step) != COLUMNS or not hasattr(learner, "coef_"):
        return model
    plain = copy.copy(learner)
    plain.coef_ = learner.coef_ / step.scale_
    plain.intercept_ = learner.intercept_ - plain.coef_ @ step.mean_
    plain.n_features_in_ = n_features
    return plain
