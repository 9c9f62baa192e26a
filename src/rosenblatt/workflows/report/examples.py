"""The parts of the page about single examples: mistakes and contradictions."""

from __future__ import annotations

from rosenblatt._counting import counted
from rosenblatt.proof.certificate import Contradiction
from rosenblatt.proof.joint_certificate import JointContradiction
from rosenblatt.proof.question import Question
from rosenblatt.proof.words import short_weights
from rosenblatt.workflows.report.facts import Facts
from rosenblatt.workflows.report.markup import Html, joined, number, tag
from rosenblatt.workflows.report.rows import describing, label_of
from rosenblatt.workflows.report.tables import count_cell, head, number_head, section, table

MOST_CONTRADICTIONS = 3
MOST_ROWS = 15
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


def mistakes_section(facts: Facts) -> Html:
    """The mistakes that the model was surest of."""
    checked, title = facts.report.validation, "Worst mistakes"
    if checked is None:
        return section(
            "mistakes", title, tag("p", f"Nothing was validated: {facts.report.why_not_validated}.")
        )
    n_wrong = int(checked.wrong.sum())
    if n_wrong == 0:
        return section("mistakes", title, tag("p", "None: every validated example was right."))
    heads, describe = describing(facts.report)
    rows = [
        (
            count_cell(one.row),
            tag("td", label_of(one.right)),
            tag("td", label_of(one.said)),
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
        known = verdict is not None and verdict.separable
        word = "None: the data is separable." if known else "None are known: nothing was proved."
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
    y, indices = facts.report.examples.y, proof.indices.tolist()
    weights = short_weights(proof.weights)
    rivals: list[tuple[Html, ...]] = [()] * len(indices)
    if isinstance(proof, JointContradiction):
        rivals = [(tag("td", label_of(rival)),) for rival in proof.rivals]
    rows = [
        (count_cell(i), tag("td", label_of(y[i])), *rivals[k], count_cell(weights[k]), *describe(i))
        for k, i in enumerate(indices[:MOST_ROWS])
    ]
    cut = f", the first {len(rows)} shown" if len(rows) < len(indices) else ""
    first = [number_head("row"), head("is"), number_head("weight")]
    if isinstance(proof, JointContradiction):
        first.insert(2, head("compared with"))
        caption = joined(f"All classes at once: {counted(len(indices), 'comparison')}{cut}")
    else:
        caption = joined(*_sides(proof.question), f": {counted(len(indices), 'example')}{cut}")
    return table(caption, [*first, *heads], rows)


def _sides(question: Question) -> list[Html | str]:
    other = "the rest" if question.negative is None else label_of(question.negative)
    return [label_of(question.positive), " against ", other]
