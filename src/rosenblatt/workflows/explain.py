"""Why a model says what it says: weights by their names, and what each feature adds to a score.

    linear rules           w_j x_j
    naive Bayes            log p(x_j | class): a feature that is 0 adds something, too

For Bernoulli and multinomial naive Bayes the second is a form of the first, and they have weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.data.examples import Examples
from rosenblatt.decision.deciding import weights_threshold_of
from rosenblatt.errors import DataError
from rosenblatt.linear.multiclass import learned_tie, positive
from rosenblatt.text.pipeline import words_of
from rosenblatt.types import Array
from rosenblatt.workflows.forms import COLUMNS, MEANT, PLAIN, form_by
from rosenblatt.workflows.task import Task, learner_of, of_rows, rows, step_of

Names = Callable[[Any], list[str]]
NOTHING_TELLS = "no feature tells the classes apart: all weights are 0"
UNKNOWN = "#"  # begins the name of a hashed column of which no word is known
ENDS = {"category": "=", "text": ":"}  # after the name of a column, in the name of a feature


@dataclass(frozen=True)
class Telling:
    """The features with the most weight for a class, the heaviest first."""

    label: Any
    features: list[tuple[str, float]]


@dataclass(frozen=True)
class Explanation:
    """One prediction. The contributions and the intercept add up to the score.

    With two classes the score is that of the second of `classes_`, which is predicted when it is
    above 0, or 0 after learning with tie="+1". With more it is how far the predicted class is
    ahead of the `rival`.
    """

    label: Any
    rival: Any
    score: float
    intercept: float
    contributions: list[tuple[str, float]]  # the largest first


class LinearForm(NamedTuple):
    """The weights of a learner: a row for two classes, else one for each class."""

    classes: Array
    coef: Array
    intercept: Array


class Contributions(NamedTuple):
    """What features add, and what is there without them.

    `of(i)` gives the columns that matter in row i and a matrix of what they add: a row for each
    class, or one row alone, which is how far the second of two classes is ahead. A score of 0 is
    for the first of two classes, unless `tie` says otherwise.
    """

    classes: Array
    intercept: Array
    of: Callable[[int], tuple[Array, Array]]
    tie: str = "mistake"


def names_of(model: Any, recipe: Any) -> Names:
    """Return a function that names columns as the learner sees them."""
    words = words_of(model)
    if words is not None:
        return words.feature_names
    given = getattr(learner_of(model), "feature_names_in_", None)
    given = getattr(model, "feature_names_in_", None) if given is None else given
    if given is None and getattr(recipe, "feature_names", None) is not None:
        given = recipe.feature_names
    if given is None:
        # numbers come before categories, words after both; see `rosenblatt.data.recipe`
        columns = sorted(getattr(recipe, "columns", ()), key=lambda c: c.kind == "category")
        given = [name for column in columns for name in column.feature_names]
    return naming(given)


def naming(names: Sequence[str]) -> Names:
    """Return a function that takes names from a list, and says "#17" beyond its end."""
    n = len(names)
    return lambda columns: [str(names[int(j)]) if j < n else f"{UNKNOWN}{int(j)}" for j in columns]


def names_of_task(model: Any, task: Task) -> Names:
    """Return the same for the model of a task, whose examples know more names."""
    if words_of(model) is not None:
        return names_of(model, task.recipe)
    if task.examples is not None:
        return naming(task.examples.feature_names)
    return _with_words(names_of(model, task.recipe), task)


def _with_words(known: Names, task: Task) -> Names:
    """Return names of columns with those of words, which stand behind all other features."""
    if task.names is None or not task.names.bags:
        return known
    n_columns = sum(len(column.feature_names) for column in task.recipe.columns)
    bags = [(f"{name}:", bag) for name, bag in task.names.bags.items()]

    def names(columns: Any) -> list[str]:
        named = known(columns)
        for k, (prefix, bag) in enumerate(bags):
            first = n_columns + k * bag.n_columns
            here = [i for i, j in enumerate(columns) if 0 <= j - first < bag.n_columns]
            asked = [columns[i] - first for i in here]
            for i, name in zip(here, bag.feature_names(asked), strict=True):
                named[i] = f"{prefix}{name}"
        return named

    return names


def telling(model: Any, names: Names, most: int = 5) -> list[Telling]:
    """Return the most telling features that have a name; of a model without weights none.

    By the size of the weight, for the class or against it: for `classes_[1]` of two; for each of
    more, compared with the mean of all.
    """
    form = weights_if_any(model)
    if form is None:
        return []
    classes, coef, _ = form
    if len(classes) == 2:
        return [Telling(classes[1], _heaviest(coef[0], np.abs(coef[0]), names, most))]
    mean = coef.mean(axis=0)
    return [
        Telling(label, _heaviest(w - mean, np.abs(w - mean), names, most))
        for label, w in zip(classes, coef, strict=True)
    ]


def _heaviest(w: Array, by: Array, names: Names, most: int) -> list[tuple[str, float]]:
    n = min(len(w), 8 * most)
    while True:
        # a part of a million is found faster than the order of all
        top = np.argpartition(-by, n - 1)[:n] if n < len(w) else np.arange(len(w))
        top = top[np.lexsort((top, -by[top]))]
        top = top[by[top] > 0]
        known = [
            (name, float(w[j]))
            for j, name in zip(top, names(top), strict=True)
            if not name.startswith(UNKNOWN)
        ]
        if len(known) >= most or len(top) < n or n == len(w):
            return known[:most]
        n = min(len(w), 8 * n)


def said_of_deciding(recipe: Any, telling: list[Telling]) -> str:
    """Say that columns of categories or words are among what tells most; "" if none is.

    Where a single column of texts is all there is, nothing has to be said.
    """
    if getattr(recipe, "has_texts_alone", True):
        return ""
    names = [name for part in telling for name, _ in part.features]
    found = [
        f"{column.name!r} ({'categories' if column.kind == 'category' else 'words'})"
        for column in recipe.columns
        if column.kind in ENDS and any(n.startswith(column.name + ENDS[column.kind]) for n in names)
    ]
    if not found:
        return ""
    decide = "decides" if len(found) == 1 else "decide"
    return f"{', '.join(found)} {decide}, as read; --text and --category read columns otherwise"


def meaning_of(model: Any) -> str:
    """Say what a weight of a model means, where rows are not as they are read; else ""."""
    return MEANT[form_by(step_of(of_rows(model)))]


def weights_if_any(model: Any) -> LinearForm | None:
    """Return the weights of a model's learner; None if it has none for each class."""
    learner = learner_of(model)
    # asked for once: naive Bayes computes them anew each time
    coef, intercept = getattr(learner, "coef_", None), getattr(learner, "intercept_", None)
    n_classes = len(getattr(learner, "classes_", ()))
    if coef is None or intercept is None or n_classes < 2:
        return None
    is_of_pairs = len(coef) != (1 if n_classes == 2 else n_classes)
    moved = intercept - weights_threshold_of(learner)
    return None if is_of_pairs else LinearForm(learner.classes_, coef, moved)


def weights_as_read(model: Any) -> LinearForm | None:
    """Return the weights for rows as they are read, before their columns are scaled; or None."""
    form, step = weights_if_any(model), step_of(of_rows(model))
    if form is None or form_by(step) not in (PLAIN, COLUMNS):
        return None
    if form_by(step) == PLAIN:
        return form
    coef = form.coef / step.scale_
    return form._replace(coef=coef, intercept=form.intercept - coef @ step.mean_)


def linear_form(model: Any) -> LinearForm:
    """Return the weights of a model's learner; if it has none, a DataError says so."""
    form = weights_if_any(model)
    if form is not None:
        return form
    learner = learner_of(model)
    name = type(learner).__name__
    if hasattr(learner, "coef_") and not hasattr(learner, "classes_"):
        raise DataError(
            f"{name} predicts amounts, and has no classes to explain",
            do="its weights are `coef_`",
            in_shell="`rosenblatt explain --all` shows its weights",
        )
    if hasattr(learner, "coef_") and len(learner.classes_) > 2:
        raise DataError("a model of pairs of classes (one-vs-one) has no weights for each class")
    raise DataError(f"{name} has no weights for its features", do=INSTEAD.get(name, ""))


def explain_rows(model: Any, recipe: Any, examples: Examples) -> Iterator[Explanation]:
    """Say of each example what each of its features adds to the score."""
    if not has_logs(model):
        linear_form(model)  # a model that cannot be explained is refused before any work
    Z = rows(model, examples)
    added, n_features = contributions(model, Z), Z.shape[1]
    names = names_of(model, recipe)
    if words_of(model) is None and len(examples.feature_names) == n_features:
        names = naming(examples.feature_names)  # they know the words of these examples
    all_matter = has_logs(model) or not sparse.issparse(Z)
    used = np.arange(n_features) if all_matter else np.unique(Z.indices)
    named = dict(zip(used.tolist(), names(used), strict=True))
    return (_explanation(added, i, named) for i in range(Z.shape[0]))


def _explanation(added: Contributions, i: int, names: dict[int, str]) -> Explanation:
    classes, intercept, of, tie = added
    columns, matrix = of(i)
    if len(classes) == 2:
        alone = len(matrix) == 1
        parts = matrix[0] if alone else matrix[1] - matrix[0]
        b = intercept[0] if alone else intercept[1] - intercept[0]
        score = fsum([b, *parts])
        first, second = (1, 0) if positive(np.array(score), tie) else (0, 1)
    else:
        scores = matrix.sum(axis=1) + intercept
        first, second = np.argsort(-scores, kind="stable")[:2]
        parts, b = matrix[first] - matrix[second], intercept[first] - intercept[second]
        score = fsum([b, *parts])
    order = np.argsort(-np.abs(parts), kind="stable")
    listed = [(names[int(columns[k])], float(parts[k])) for k in order]
    return Explanation(classes[first], classes[second], score, float(b), listed)


def rounded_to_sum(total: float, parts: Sequence[float], digits: int) -> tuple[str, list[str]]:
    """Round the parts of a sum so that, as printed, they add up to the total as printed.

    Examples
    --------
    >>> rounded_to_sum(1.0, [1 / 3, 1 / 3, 1 / 3], 2)
    ('+1.00', ['+0.34', '+0.33', '+0.33'])
    """
    unit = Decimal(1).scaleb(-digits)
    whole = Decimal(total).quantize(unit)
    down = [Decimal(part).quantize(unit, ROUND_FLOOR) for part in parts]
    short = int((whole - sum(down)) / unit)
    # those that lost the most by rounding down get a unit back
    order = sorted(range(len(parts)), key=lambda k: (down[k] - Decimal(parts[k]), k))
    for k in order[:short]:
        down[k] += unit
    return f"{whole:+}", [f"{part:+}" for part in down]


def has_logs(model: Any) -> bool:
    """Whether all features of a row add something, zeros too: what a naive Bayes adds up."""
    return type(learner_of(model)).__name__ in NAIVE


def contributions(model: Any, Z: Any) -> Contributions:
    """Return what the features of each row add, as the learner at the end of a model sees them."""
    learner = learner_of(model)
    logs_of = NAIVE.get(type(learner).__name__)
    if logs_of is None:
        classes, coef, intercept = linear_form(model)
        tie = learned_tie(learner)
        return Contributions(classes, intercept, lambda i: _weighted(coef, *_entries(Z, i)), tie)
    logs = logs_of(learner)

    def of(i: int) -> tuple[Array, Array]:
        parts = logs(_dense(Z, i))
        if not np.isfinite(parts).all():
            raise DataError(
                f"row {i} (the first is 0): it was never seen in some class and has probability 0 "
                "there, which no sum explains; learn with more smoothing"
            )
        columns = np.flatnonzero((parts != 0).any(axis=0))
        return columns, parts[:, columns]

    with np.errstate(divide="ignore"):
        intercept = np.log(learner.class_prior_)
    intercept[-1] -= weights_threshold_of(learner)
    return Contributions(learner.classes_, intercept, of)


def _weighted(coef: Array, columns: Array, values: Array) -> tuple[Array, Array]:
    return columns, coef[:, columns] * values


def _entries(Z: Any, i: int) -> tuple[Array, Array]:
    """Return the columns of row i that are not 0, and their values."""
    if sparse.issparse(Z):
        here = slice(Z.indptr[i], Z.indptr[i + 1])
        return Z.indices[here], Z.data[here].astype(np.float64)
    row = np.asarray(Z[i], dtype=np.float64)
    columns = np.flatnonzero(row)
    return columns, row[columns]


def _dense(Z: Any, i: int) -> Array:
    row: Array = Z[[i]].toarray()[0] if sparse.issparse(Z) else np.asarray(Z[i])
    return row.astype(np.float64)


def _gaussian(learner: Any) -> Callable[[Array], Array]:
    """Log p(x_j | class) = -log(2 pi v) / 2 - (x_j - mean)^2 / 2 v."""
    certain = learner.var_ == 0
    v = np.where(certain, 1.0, learner.var_)

    def logs(x: Array) -> Array:
        found = -0.5 * (np.log(2 * np.pi * v) + (x - learner.mean_) ** 2 / v)
        return np.where(certain, np.where(x == learner.mean_, 0.0, -np.inf), found)

    return logs


def _categorical(learner: Any) -> Callable[[Array], Array]:
    """Log p(x_j | class) from the table of its column; a category that is new adds nothing."""

    def logs(x: Array) -> Array:
        found = np.zeros((len(learner.classes_), len(x)))
        for j, (values, p) in enumerate(
            zip(learner.categories_, learner.category_prob_, strict=True)
        ):
            at = int(np.searchsorted(values, x[j]))
            if at < len(values) and values[at] == x[j]:
                with np.errstate(divide="ignore"):
                    found[:, j] = np.log(p[:, at])
        return found

    return logs


NAIVE = {"GaussianNaiveBayes": _gaussian, "CategoricalNaiveBayes": _categorical}
INSTEAD = dict.fromkeys(NAIVE, "give DATA, to see what they add") | {
    "MailFilter": "`rosenblatt mail explain` shows the words that decide about a message",
    "EmpiricalBayes": "it looks a whole row up in a table",
    "BayesClassifier": "it compares densities of whole rows",
}
