"""The parts of the page about the data and the model as a whole, the confusion matrix included."""

from __future__ import annotations

from typing import Any

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
    scrolling,
    section,
    shown_label,
    shown_name,
    table,
    tag,
)
from rosenblatt.types import Array
from rosenblatt.workflows.explain import NOTHING_TELLS
from rosenblatt.workflows.forms import MEANT
from rosenblatt.workflows.report.charts import (
    bar,
    can_be_drawn,
    learning_chart,
    legend,
    plane_chart,
    plane_legend,
    reliability_chart,
    roc_chart,
    roc_legend,
)
from rosenblatt.workflows.report.examples import important
from rosenblatt.workflows.report.facts import MOST_CURVES, Facts

MOST_CLASSES = 20
MOST_NOTES = 8
MOST_COLUMNS = 8
LONGEST_NOTE = 400
LARGEST_MATRIX = 26  # classes; a larger one is a list of its largest cells
MOST_PAIRS = 20
UNSEEN = "a model that had not seen it"
MANY = 6  # classes, from which on the names stand upright


def data_section(facts: Facts) -> Html:
    """What was learned from."""
    order = np.argsort(-facts.counts, kind="stable")[:MOST_CLASSES]
    rows = [
        (
            tag("th", shown_label(facts.classes[k]), scope="row"),
            count_cell(facts.counts[k]),
            count_cell(f"{facts.counts[k] / facts.counts.sum():.1%}"),
            tag("td", bar(facts.counts[k], facts.counts.max(), two_sided=False, color="c2")),
        )
        for k in order
    ]
    some = f", the {len(order)} largest of {len(facts.classes)}"
    caption = "Classes" + (some if len(order) < len(facts.classes) else "")
    heads = [head("class"), number_head("examples"), number_head("share"), head("")]
    notes = [tag("li", plain(note, LONGEST_NOTE)) for note in facts.report.notes[:MOST_NOTES]]
    return section(
        "data",
        "Data",
        tag("p", _shape(facts)),
        tag("ul", *notes, class_="notes") if notes else None,
        table(caption, heads, rows, "bars"),
        _columns(facts),
    )


def _shape(facts: Facts) -> str:
    report = facts.report
    n_examples = counted(report.n_examples, "example", ",")
    start = f"{n_examples}, {counted(report.learner.n_features_in_, 'feature', ',')}"
    if report.examples is not None and sparse.issparse(report.examples.X):
        X: Any = report.examples.X
        return f"{start}, of which an example has {X.nnz / X.shape[0]:.1f} on average."
    return start + "."


def _columns(facts: Facts) -> Html | None:
    examples = facts.report.examples
    if examples is None or sparse.issparse(examples.X):
        return None
    X, names = np.asarray(examples.X), examples.feature_names
    chosen = important(facts.report)[:MOST_COLUMNS]
    with np.errstate(over="ignore"):
        rows = [
            (
                tag("th", shown_name(names[j]), scope="row"),
                *(count_cell(number(f(X[:, j]))) for f in (np.min, np.mean, np.max)),
            )
            for j in chosen
        ]
    few = X.shape[1] <= MOST_COLUMNS
    caption = "Features" if few else f"The {MOST_COLUMNS} features that count most"
    heads = [head("feature"), *map(number_head, ("least", "mean", "greatest"))]
    return table(caption, heads, rows)


def verdict_section(facts: Facts) -> Html:
    """Whether a linear rule can have all examples right."""
    verdict = facts.report.verdict
    if verdict is None:
        return section("verdict", "Separability", tag("p", "Nobody asked for a proof."))
    known = {True: "yes", False: "no", None: "unknown"}[verdict.separable]
    sentence = verdict.sentence[:1].upper() + verdict.sentence[1:]
    more = []
    bound = facts.report.bound
    if bound is not None and bound.most is not None:
        more = [f"A perceptron that starts from zero makes {bound.sentence}."]
    elif bound is not None:
        more = [f"No bound on updates: {bound.reason}."]
    return section(
        "verdict",
        "Separability",
        tag("p", plain(sentence, LONGEST_NOTE), ".", class_=f"verdict {known}"),
        *(tag("p", text) for text in more),
        tag("p", "Proved in exact arithmetic on the numbers as given.", class_="quiet")
        if verdict.separable is not None
        else None,
    )


def plane_section(facts: Facts) -> Html | None:
    """The points and the regions, if there are two features."""
    if not can_be_drawn(facts.report):
        return None
    chart = plane_chart(facts.report)
    key = plane_legend(facts.report.learner.classes_)
    words = tag("figcaption", "The examples, on the colour of the class that the model says.")
    return section("plane", "The plane", tag("figure", chart, key, words))


def curves_sections(facts: Facts) -> Html:
    """The learning curve and the ROC, side by side if there is room."""
    return tag("div", learning_section(facts), roc_section(facts), class_="pair")


def learning_section(facts: Facts) -> Html:
    """How the errors change with more examples."""
    title = "Learning curve"
    if facts.curve is None:
        word = "there are too few examples of a class to learn from less."
        if facts.report.went_on:
            word = "a saved model went on learning, its first examples are not here."
        elif facts.report.examples is None:
            word = "the rows stayed on disk, and it would take many more passes over them."
        return section("learning", title, tag("p", "No learning curve: ", word))
    n_folds = facts.curve.error_in.shape[1]
    folds = "one split" if n_folds == 1 else f"the mean of {n_folds} splits"
    band = "" if n_folds == 1 else "; the band reaches from the best split to the worst"
    keys = legend([("c1", None, "validated error"), ("c0", "7 4", "in-sample error")])
    words = tag("figcaption", f"Each point is {folds}{band}.")
    return section("learning", title, tag("figure", learning_chart(facts.curve), keys, words))


def roc_section(facts: Facts) -> Html:
    """Hits against false alarms, for every threshold of the score."""
    if not facts.rocs:
        word = "No ROC: there are no validated scores for both sides of a class."
        if facts.report.examples is None:
            word = "No ROC: the rows stayed on disk, and their scores were not kept."
        return section("roc", "ROC", tag("p", word))
    n = len(facts.classes)
    which = f"the {MOST_CURVES} hardest classes" if n > MOST_CURVES else "each class"
    against = "" if n == 2 else f": how far {which} came out ahead of the best other"
    words = f"From validated scores{against}. Dotted: chance."
    parts = (roc_chart(facts.rocs), roc_legend(facts.rocs), tag("figcaption", words))
    return section("roc", "ROC", tag("figure", *parts))


def calibration_section(facts: Facts) -> Html | None:
    """How often what is said to be probable comes true."""
    decided = facts.report.decided
    if decided is None:
        return None
    two = len(facts.classes) == 2
    name = f"probability of {plain(facts.classes[1], 40)}" if two else "probability of the label"
    summed = "" if two else " (summed over the classes)"
    scores = f"Brier score {decided.brier:.4f}{summed}, log loss {decided.log_loss:.4f}."
    words = (
        "Ten steps of probability, a larger dot for more examples; dotted: as it should be. No "
        "example had a say in its own probability."
    )
    return section(
        "calibration",
        "Probabilities",
        tag("p", scores),
        tag("p", "The boundary ", plain(decided.moved, LONGEST_NOTE), ".")
        if decided.moved
        else None,
        tag("figure", reliability_chart(decided.bins, name), tag("figcaption", words)),
    )


def telling_section(facts: Facts) -> Html:
    """The features with the most weight."""
    examples, recipe = facts.report.examples, facts.report.recipe
    is_of_words = getattr(recipe, "has_texts_alone", False)
    is_of_words = is_of_words or (examples is not None and examples.texts is not None)
    title = "Most telling " + ("words" if is_of_words else "features")
    if not facts.telling:
        return section("telling", title, tag("p", "This learner has no weight for each feature."))
    if not any(part.features for part in facts.telling):
        return section(
            "telling", title, tag("p", f"{NOTHING_TELLS[0].upper()}{NOTHING_TELLS[1:]}.")
        )
    two = len(facts.telling) == 1
    shown = facts.telling[: MOST_CLASSES if not two else 1]
    meaning = MEANT[facts.report.form]
    scaled = f" {meaning}" if meaning else ""
    meant = (
        joined("To the right: for ", shown_label(facts.classes[-1]), "; to the left: for ",
               shown_label(facts.classes[0]), ".", scaled)
        if two
        else plain(f"To the right: for the class; to the left: against it.{scaled}")
    )  # fmt: skip
    tables = tag("div", *(_weights(part, two) for part in shown), class_=None if two else "grid")
    left_out = len(facts.telling) - len(shown)
    more = (
        tag("p", f"Left out: {counted(left_out, 'class')}.", class_="quiet") if left_out else None
    )
    return section("telling", title, tag("p", meant), tables, more)


def _weights(part: Any, two: bool) -> Html:
    largest = max((abs(weight) for _, weight in part.features), default=0.0)
    rows = [
        (
            tag("th", shown_name(name), scope="row"),
            tag("td", bar(weight, largest, two_sided=True)),
            count_cell(("+" if weight > 0 else "") + number(weight)),
        )
        for name, weight in sorted(part.features, key=lambda f: -f[1])
    ]
    caption = "Weights, from the greatest down" if two else shown_label(part.label)
    return table(caption, [head("feature"), head(""), number_head("weight")], rows, "bars")


def confusion_section(facts: Facts) -> Html:
    """What was said for what is right."""
    title, counts = "Confusion matrix", facts.confusion
    checked = facts.report.validation
    if counts is None or checked is None:
        word = f"Nothing was validated: {facts.report.why_not_validated}."
        return section("confusion", title, tag("p", word))
    whose = "the saved model before it learned from it" if facts.report.went_on else UNSEEN
    words = f"{counted(counts.sum(), 'example', ',')}, each predicted by {whose}"
    shown = (
        confusion_table(facts.classes, counts)
        if len(counts) <= LARGEST_MATRIX
        else _pairs(facts, counts)
    )
    way = "" if facts.report.went_on else f" ({checked.way})"
    ways = f"{words}{way}. Rows: what is right; columns: what was said."
    return section("confusion", title, tag("p", ways), shown)


def quality_section(facts: Facts) -> Html | None:
    """How well each class is told from the others; of many classes, the worst."""
    parts = facts.report.quality
    if not parts:
        return None
    parts = sorted(parts, key=lambda part: part.f1 or 0.0)[:MOST_CLASSES]
    rows = [
        (
            tag("th", shown_label(part.label), scope="row"),
            count_cell(f"{part.n:,}"),
            *map(_measure, (part.precision, part.recall, part.f1, part.auc)),
        )
        for part in parts
    ]
    some = f", the {len(parts)} worst of {len(facts.classes)}"
    caption = "On tested examples" + (some if len(parts) < len(facts.classes) else "")
    heads = [head("class"), *map(number_head, ("tested", "precision", "recall", "F1", "AUC"))]
    words = (
        "Precision: how many of those that were called so are so. Recall: how many of those that "
        "are so were called so. AUC: how often one of the class has a higher score than another."
    )
    return section("quality", "Each class", table(caption, heads, rows), tag("p", words))


def _measure(value: float | None) -> Html:
    return count_cell("-" if value is None else f"{value:.4f}")


def confusion_table(classes: Array, counts: Array) -> Html:
    """Return the whole table, rows for what is right."""
    said, right = counts.sum(axis=0), counts.sum(axis=1)
    heads = tag(
        "tr",
        tag("th", "is \\ said", scope="col"),
        *(tag("th", tag("span", shown_label(c)), scope="col") for c in classes),
        tag("th", tag("span", "recall"), scope="col", class_="edge"),
    )
    rows = [
        tag(
            "tr",
            tag("th", shown_label(label), scope="row"),
            *(_cell(counts[k, j], right[k], k == j) for j in range(len(classes))),
            _share(counts[k, k], right[k]),
        )
        for k, label in enumerate(classes)
    ]
    edge = tag(
        "tr",
        tag("th", "precision", scope="row", class_="edge"),
        *(_share(counts[j, j], said[j]) for j in range(len(classes))),
        tag("td", class_="edge"),
    )
    look = "confusion many" if len(classes) > MANY else "confusion"
    inner = tag("table", tag("thead", heads), tag("tbody", *rows, edge), class_=look)
    return scrolling(inner)


def _cell(count: int, of: int, is_right: bool) -> Html:
    share = 100 * count / of if of else 0.0
    # a mistake is rare: without the root nobody would see its colour
    strength = 10 + 60 * np.sqrt(share / 100) if count else 0
    color = "--right" if is_right else "--wrong"
    style = f"background:color-mix(in srgb,var({color}) {strength:.0f}%,transparent)"
    return tag("td", count, class_="number", style=style if count else None)


def _share(part: int, of: int) -> Html:
    return tag("td", f"{part / of:.1%}" if of else "-", class_="number edge")


def _pairs(facts: Facts, counts: Array) -> Html:
    off = counts.copy()
    np.fill_diagonal(off, 0)
    order = np.argsort(-off, axis=None, kind="stable")[:MOST_PAIRS]
    places = [np.unravel_index(place, off.shape) for place in order if off.flat[place]]
    rows = [
        (
            tag("td", shown_label(facts.classes[k])),
            tag("td", shown_label(facts.classes[j])),
            count_cell(off[k, j]),
        )
        for k, j in places
    ]
    caption = f"The pairs of the {len(counts)} classes that are confused most"
    return table(caption, [head("is"), head("said"), number_head("examples")], rows)
