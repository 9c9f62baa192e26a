"""Proofs in words: the verdict in one line, what a file proves, examples with their rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.store import FileBlocks
from rosenblatt.markup import shortened
from rosenblatt.proof.certificate import Contradiction, Proofs, Separable, answers_of
from rosenblatt.proof.joint_certificate import JointContradiction, JointSeparable
from rosenblatt.proof.mistakes import FewestMistakes
from rosenblatt.proof.question import PAIRS, way_of
from rosenblatt.workflows.task import has_texts_alone

MOST_ROWS = 20  # that are shown
MOST_CLASSES = 10
MOST_WEIGHTS = 12
JOINT_RULE = "joint linear rule, with a score for each class,"


def sentence_of(proof: Separable | Contradiction | Proofs) -> str:
    """Return the verdict in one line, with the form of the rules that it is about.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> X, y = [[0], [1], [4], [5], [8]], ["a", "a", "b", "b", "c"]
    >>> for way in ("one-vs-rest", "one-vs-one", "joint"):
    ...     print(sentence_of(prove(X, y, multiclass=way)))
    not separable from the rest by a linear rule: b; separable from it: a, c
    separable in pairs: a linear rule tells each class from each other
    separable: a joint linear rule, with a score for each class, classifies every example right
    """
    if isinstance(proof, Proofs):
        return _sentence_of_several(proof)
    rule = "linear rule"
    if isinstance(proof, (JointSeparable, JointContradiction)):
        rule = JOINT_RULE
    if isinstance(proof, Separable):
        return f"separable: a {rule} classifies every example right"
    n = len(np.unique(proof.indices))
    if n == 1:
        return f"not separable: example {proof.indices[0]} is zero, no {rule} has it right"
    return f"not separable: {n} examples contradict each other, no {rule} has all of them right"


def _sentence_of_several(proofs: Proofs) -> str:
    yes = [key for key, part in proofs.items() if part.separable]
    no: list[Any] = [key for key, part in proofs.items() if not part.separable]
    if way_of([part.question for part in proofs.values()]) == PAIRS:
        if not no:
            return "separable in pairs: a linear rule tells each class from each other"
        pairs = _listed([f"{low} from {high}" for low, high in no])
        return f"not separable in pairs: no linear rule tells {pairs}"
    if not no:
        return "separable: a linear rule tells each class from all others"
    apart = f"; separable from it: {_listed(yes)}" if yes else ""
    return f"not separable from the rest by a linear rule: {_listed(no)}{apart}"


def _listed(names: list[Any]) -> str:
    more = len(names) - MOST_CLASSES
    return ", ".join(map(str, names[:MOST_CLASSES])) + (f" and {more} more" if more > 0 else "")


def holding(proof: Separable | Contradiction | Proofs) -> dict[str, Any]:
    """Return what a proof says: verdict, classes, kind of rules, rows, and each answer."""
    answers = answers_of(proof)
    asked, mark = [one.question for one in answers], answers[0].fingerprint
    labels = list(dict.fromkeys(label for question in asked for label in question.labels))
    return {
        "separable": proof.separable,
        "classes": labels,
        "multiclass": way_of(asked) if len(labels) > 2 else None,
        "fit_intercept": asked[0].fit_intercept,
        "rows": mark.n_rows,
        "features": mark.n_features,
        "answers": [{"question": str(one.question), "separable": one.separable} for one in answers],
    }


def what_holds(proof: Separable | Contradiction | Proofs) -> str:
    """Return what a proof says in some lines.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> print(what_holds(prove([[0], [1]], ["no", "yes"])))
    verdict  separable: a linear rule classifies every example right
    classes  no, yes
    rules    with an intercept
    data     2 rows, 1 feature
    """
    facts = holding(proof)
    rules = "with an intercept" if facts["fit_intercept"] else "through the origin"
    lines = [
        f"verdict  {sentence_of(proof)}",
        f"classes  {_listed(facts['classes'])}",
        f"rules    {rules}",
        f"data     {counted(facts['rows'], 'row')}, {counted(facts['features'], 'feature')}",
    ]
    return "\n".join(lines)


def explain_proof(
    proof: Separable | Contradiction | Proofs, examples: Examples | FileBlocks
) -> str:
    """Return a proof in sentences; a contradiction with its rows, by column or as messages."""
    shown = []
    for part in answers_of(proof):
        if isinstance(part, Contradiction):
            head = f"{part.question}: " if isinstance(proof, Proofs) else ""
            shown.append(head + _cut(_explained(part, examples), len(part.indices)))
        else:
            shown.append(str(part))
    return "\n".join(shown)


def _cut(text: str, n_rows: int) -> str:
    """Return what is said about a contradiction with the first of its rows only."""
    if n_rows <= MOST_ROWS:
        return text
    lines = text.splitlines()
    kept = lines[: len(lines) - n_rows + MOST_ROWS]
    return "\n".join([*kept, f"... and {counted(n_rows - MOST_ROWS, 'row')} more; --json has all"])


def _explained(proof: Contradiction, examples: Examples | FileBlocks) -> str:
    if isinstance(examples, FileBlocks):
        names = getattr(examples.recipe, "feature_names", None)
        return proof.explain(examples.blocks, names=None if names is None else list(names))
    if has_texts_alone(examples):
        texts: Any = examples.texts  # an Arrow array
        return proof.explain(texts.to_pylist(), examples.y)
    return proof.explain(examples.X, examples.y, list(examples.feature_names))


def explain_mistakes(found: FewestMistakes, examples: Examples) -> str:
    """Return the fewest mistakes, the examples that they are, and the rule that makes them.

    Examples
    --------
    >>> from rosenblatt import fewest_mistakes, read
    >>> xor = read("xor")
    >>> print(explain_mistakes(fewest_mistakes(xor.X, xor.y), xor))
    The fewest mistakes of any linear rule: 1, proved.
    the rule that makes them: 1 if -0.5 +0.75 x1 -0.75 x2 > 0, else -1
    wrong: row 1, which is 1
    """
    rows = found.examples.tolist()
    lines = [str(found), _rule(found, examples)]
    lines += [f"wrong: row {i}, which is {examples.y[i]!s}" for i in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        lines.append(f"... and {counted(len(rows) - MOST_ROWS, 'row')} more; --json has all")
    return "\n".join(lines)


def _rule(found: FewestMistakes, examples: Examples) -> str:
    """Return w, the largest weights first if there are many."""
    low, high = np.unique(examples.y).tolist()
    w, names = found.w, examples.feature_names
    there = np.flatnonzero(w[1:])
    largest = there[np.argsort(-np.abs(w[1:][there]), kind="stable")[:MOST_WEIGHTS]]
    chosen = there if len(there) <= MOST_WEIGHTS else largest
    terms = [f"{w[0]:+.6g}"] * bool(w[0] or not len(there))
    terms += [f"{w[1 + j]:+.6g} {shortened(str(names[j]), 40)}" for j in chosen]
    more = len(there) - len(chosen)
    last = f" and {more} smaller weights; --json has all" * (more > 0)
    return f"the rule that makes them: {high} if {' '.join(terms)}{last} > 0, else {low}"
