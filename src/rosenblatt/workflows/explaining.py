"""Why: weights by their names, and what each feature adds to a score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from math import fsum
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt._validation import Array
from rosenblatt.data.examples import Examples
from rosenblatt.linear.multiclass import positive
from rosenblatt.workflows.contributions import Contributions, contributions, has_logs, linear_form
from rosenblatt.workflows.tasks import learner_of, rows, words_of

Names = Callable[[Any], list[str]]
NOTHING_TELLS = "no feature tells the classes apart: all weights are 0"
UNKNOWN = "#"  # begins the name of a hashed column of which no word is known


ENDS = {"category": "=", "text": ":"}  # after the name of a column, in the name of a feature


@dataclass(frozen=True)
class Telling:
    """The features with the most weight for a class, the heaviest first."""

    label: Any
    features: list[tuple[str, float]]


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


def telling(model: Any, names: Names, most: int = 5) -> list[Telling]:
    """Return the most telling features that have a name.

    By the size of the weight, for the class or against it: for `classes_[1]` of two; for each of
    more, compared with the mean of all.
    """
    classes, coef, _ = linear_form(model)
    if len(classes) == 2:
        return [Telling(classes[1], _heaviest(coef[0], np.abs(coef[0]), names, most))]
    mean = coef.mean(axis=0)
    return [
        Telling(label, _heaviest(w - mean, np.abs(w - mean), names, most))
        for label, w in zip(classes, coef, strict=True)
    ]


def explain(model: Any, recipe: Any, examples: Examples) -> Iterator[Explanation]:
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
