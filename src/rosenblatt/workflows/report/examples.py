"""The parts of the page about single examples: mistakes and contradictions.

An example is shown by its text, or by the columns that count most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from rosenblatt.counting import counted
from rosenblatt.markup import (
    Html,
    count_cell,
    head,
    joined,
    number,
    number_head,
    plain,
    section,
    shown_label,
    shown_name,
    table,
    tag,
)
from rosenblatt.proof.certificate import Contradiction
from rosenblatt.proof.joint_certificate import JointContradiction
from rosenblatt.proof.question import Question
from rosenblatt.proof.words import short_weights
from rosenblatt.types import Array
from rosenblatt.workflows.explain import weights_if_any
from rosenblatt.workflows.forms import COLUMNS
from rosenblatt.workflows.report.facts import Facts

MOST_CONTRADICTIONS = 3
MOST_ROWS = 15  # of a contradiction
MOST_COLUMNS = 6  # of dense rows
MOST_ENTRIES = 8  # of a sparse row
LONGEST_TEXT = 320
IN_PAIRS = (
    "No linear rule has all examples of such a group right: with the weights given, the mean of "
    "the one side is exactly the mean of the other. Leave out any one of them, and there is a rule "
    "for the rest."
)
JOINTLY = (
    "No joint linear rule, with a score for each class, has all of these comparisons right, in "
    "which the class that an example is of should score higher than another: with the weights "
    "given, what raises a score of a class is exactly what lowers it. Leave out any one of them, "
    "and there is a rule for the rest."
)

if TYPE_CHECKING:
    from rosenblatt.workflows.fit_report import FitReport

Describe = Callable[[int], list[Html]]  # the cells of a row
ON_DISK = "The rows stayed on disk, so single examples are not shown."


def mistakes_section(facts: Facts) -> Html:
    """The mistakes that the model was surest of."""
    checked, title = facts.report.validation, "Worst mistakes"
    if checked is None:
        return section(
            "mistakes", title, tag("p", f"Nothing was validated: {facts.report.why_not_validated}.")
        )
    n_wrong = checked.n_wrong
    if n_wrong == 0:
        return section("mistakes", title, tag("p", "None: every validated example was right."))
    if facts.report.examples is None:
        word = f"{counted(n_wrong, 'validated mistake')}. {ON_DISK}"
        return section("mistakes", title, tag("p", word))
    heads, describe = describing(facts.report)
    rows = [
        (
            count_cell(one.row),
            tag("td", shown_label(one.right)),
            tag("td", shown_label(one.said)),
            count_cell(number(one.margin)),
            *describe(one.row),
        )
        for one in facts.mistakes
    ]
    caption = f"{len(rows)} of {counted(n_wrong, 'validated mistake')}, the surest first"
    whose = "the saved model before it learned from the example"
    whose = whose if facts.report.went_on else "a model that had not seen the example"
    words = f"Said by {whose}. The margin is how far it was ahead."
    first = [number_head("row"), head("is"), head("said"), number_head("margin")]
    return section("mistakes", title, tag("p", words), table(caption, [*first, *heads], rows))


def contradictions_section(facts: Facts) -> Html:
    """Examples that no linear rule has right together."""
    title, verdict = "Contradictory examples", facts.report.verdict
    if not facts.contradictions:
        word = "None are known: nothing was proved."
        if verdict is not None and verdict.separable is not None:
            said = verdict.sentence[0].upper() + verdict.sentence[1:]
            word = "None: the data is separable." if verdict.separable else f"{said}."
        return section("contradictions", title, tag("p", word))
    shown = facts.contradictions[:MOST_CONTRADICTIONS]
    left_out = len(facts.contradictions) - len(shown)
    return section(
        "contradictions",
        title,
        tag("p", JOINTLY if isinstance(shown[0], JointContradiction) else IN_PAIRS),
        *(_contradiction(proof, facts) for proof in shown),
        tag("p", f"Left out: {counted(left_out, 'more group')}.", class_="quiet")
        if left_out
        else None,
    )


def _contradiction(proof: Contradiction, facts: Facts) -> Html:
    heads, describe = describing(facts.report)
    examples: Any = facts.report.examples
    y, indices = examples.y, proof.indices.tolist()
    weights = short_weights(proof.weights)
    rivals: list[tuple[Html, ...]] = [()] * len(indices)
    if isinstance(proof, JointContradiction):
        rivals = [(tag("td", shown_label(rival)),) for rival in proof.rivals]
    rows = [
        (
            count_cell(i),
            tag("td", shown_label(y[i])),
            *rivals[k],
            count_cell(weights[k]),
            *describe(i),
        )
        for k, i in enumerate(indices[:MOST_ROWS])
    ]
    cut = f", the first {len(rows)} shown" if len(rows) < len(indices) else ""
    first = [number_head("row"), head("is"), number_head("weight")]
    if isinstance(proof, JointContradiction):
        first.insert(2, head("compared with"))
        caption = joined(f"All classes at once: {counted(len(indices), 'comparison')}{cut}")
    else:
        question: Any = proof.question
        caption = joined(*_sides(question), f": {counted(len(indices), 'example')}{cut}")
    return table(caption, [*first, *heads], rows)


def _sides(question: Question) -> list[Html | str]:
    other = "the rest" if question.negative is None else shown_label(question.negative)
    return [shown_label(question.positive), " against ", other]


def describing(report: FitReport) -> tuple[list[Html], Describe]:
    """Return heads of columns, and a function that gives the cells of an example."""
    examples: Any = report.examples  # single examples are shown of those in memory only
    if examples.texts is not None:
        texts = examples.texts
        return [head("text")], lambda i: [_cell_of_text(texts[i].as_py())]
    if sparse.issparse(examples.X):
        weights = _weights(report)
        return [head("entries")], lambda i: [_cell_of_entries(examples, weights, i)]
    columns = important(report)[:MOST_COLUMNS]
    heads = [number_head(shown_name(examples.feature_names[j])) for j in columns]
    X = examples.X
    return heads, lambda i: [count_cell(number(X[i, j])) for j in columns]


def important(report: FitReport) -> list[int]:
    """Return the columns of dense rows, the one that counts most first.

    By their weights for columns of equal spread; without weights by how far the classes' means
    are apart.
    """
    examples: Any = report.examples
    X = np.asarray(examples.X, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X.std(axis=0)
        weights = _weights(report)
        if weights is None:
            by = _apart(X, examples.y) / np.where(spread > 0, spread, np.inf)
        else:
            by = weights if report.form == COLUMNS else weights * spread
    order: list[int] = np.argsort(-np.nan_to_num(by), kind="stable").tolist()
    return order


def _weights(report: FitReport) -> Array | None:
    """Return how much each column counts for any class; None for a learner without weights."""
    form = weights_if_any(report.model)
    if form is None:
        return None
    coef = form.coef
    weights: Array = np.abs(coef - (coef.mean(axis=0) if len(coef) > 1 else 0)).sum(axis=0)
    return weights


def _apart(X: Array, y: Array) -> Array:
    means = np.array([X[y == label].mean(axis=0) for label in np.unique(y)])
    distances: Array = np.ptp(means, axis=0)
    return distances


def _cell_of_text(text: str | None) -> Html:
    return tag("td", plain(text or "", LONGEST_TEXT), class_="text", dir="auto")


def _cell_of_entries(examples: Any, weights: Array | None, i: int) -> Html:
    """Return the entries of a sparse row that count most, in their order."""
    X, names = examples.X, examples.feature_names
    here = slice(X.indptr[i], X.indptr[i + 1])
    columns, values = X.indices[here], np.asarray(X.data[here], dtype=np.float64)
    by = np.abs(values if weights is None else values * weights[columns])
    order = np.sort(np.argsort(-by, kind="stable")[:MOST_ENTRIES])
    shown = [_entry(names[int(columns[k])], values[k]) for k in order]
    rest = len(columns) - len(shown)
    more = [f"and {rest} more"] if rest else []
    return tag("td", joined(*_commas([*shown, *more])), class_="text")


def _entry(name: Any, value: float) -> Html:
    return shown_name(name) if value == 1 else joined(shown_name(name), " = ", number(value))


def _commas(parts: Sequence[Any]) -> list[Any]:
    return [part for k, one in enumerate(parts) for part in ((", ", one) if k else (one,))]
