"""Is there a linear rule for these examples? Verdicts on a fit, and proofs for files.

A verdict brings a bound on the updates of the learner. What proofs say is in `proof_words`.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.blocks import Blocks
from rosenblatt.choices import Multiclass
from rosenblatt.counting import at_most
from rosenblatt.data.examples import Examples
from rosenblatt.data.source import STANDARD_INPUT
from rosenblatt.data.target import check_classes_of
from rosenblatt.errors import DataError, DataFileError, ProofError
from rosenblatt.files import open_regular, write_whole
from rosenblatt.proof.certificate import Contradiction, Proofs, Separable, answers_of, verify_all
from rosenblatt.proof.exact import smallest_score
from rosenblatt.proof.files import MOST_BYTES
from rosenblatt.proof.loading import from_bytes
from rosenblatt.proof.mistakes import FewestMistakes, fewest_mistakes
from rosenblatt.proof.packing import Packing, disjoint_contradictions
from rosenblatt.proof.prove import prove
from rosenblatt.proof.question import JOINT, REST, SignedRows
from rosenblatt.rows import matrix, row_digests
from rosenblatt.text.words import TFIDF
from rosenblatt.tracing.trace import why_no_bound
from rosenblatt.types import Block
from rosenblatt.workflows.algorithms import ALGORITHMS, name_of
from rosenblatt.workflows.explain import weights_as_read
from rosenblatt.workflows.forms import COLUMNS, LENGTH, PLAIN, form_by
from rosenblatt.workflows.proof_words import sentence_of
from rosenblatt.workflows.task import Tell, learner_of, step_of

ON_ROWS = {  # of each form
    PLAIN: "on these numbers",
    COLUMNS: "on the scaled columns",
    LENGTH: "on the rows of length 1",
    TFIDF: "on the weighed words",
}
# A verdict is about rows as they are read. Whether they can be separated does not depend on the
# scale of columns, but it does on the lengths of rows
AS_READ = {
    PLAIN: "",
    COLUMNS: "",
    LENGTH: " (about the rows as they are read; the learner got them with length 1)",
    TFIDF: " (about the words as they are read; the learner got them weighed)",
}


@dataclass(frozen=True)
class Verdict:
    """Whether a linear rule classifies every example right; None: not known in time."""

    separable: bool | None
    sentence: str
    proof: Any = None
    multiclass: Multiclass | None = None  # how more than two classes are told apart


@dataclass(frozen=True)
class UpdateBound:
    """A bound that is proved, and for which numbers; or why there is none."""

    most: int | None
    about: str
    reason: str = ""

    @property
    def sentence(self) -> str:
        """What there is to say, without a capital and a full stop."""
        if self.most is None:
            return f"none: {self.reason}"
        return (
            f"at most {at_most(self.most, 'update')} {self.about}, whatever the order of the rows"
        )


@dataclass(frozen=True)
class Findings:
    """A proof, and what else was asked for."""

    proof: Any
    fewest: FewestMistakes | None
    packing: Packing | None


def find_proofs(
    examples: Examples,
    *,
    fit_intercept: bool = True,
    multiclass: Multiclass = REST,
    time_limit: float | None = None,
    fewest: bool = False,
    several: bool = False,
    tell: Tell = lambda stage, share: None,
) -> Findings:
    """Prove, and if asked find the fewest mistakes and contradictions that share no example.

    Examples
    --------
    >>> from rosenblatt import read
    >>> print(find_proofs(read("xor"), fewest=True).fewest)
    The fewest mistakes of any linear rule: 1, proved.
    """
    X, y = examples.X, examples.y
    check_classes_of(y, getattr(examples.recipe, "target", None), examples.source)
    check_not_rounded(examples)
    options: Any = {"fit_intercept": fit_intercept, "time_limit": time_limit}

    def progress_of(stage: str) -> Any:
        # nobody knows how long a proof takes: the bar shows the time, if there is a limit
        return lambda p: tell(stage, p.seconds / time_limit if time_limit else 0.0)

    proof = prove(X, y, multiclass=multiclass, callback=progress_of("proving"), **options)
    mistakes = packing = None
    if fewest:
        mistakes = fewest_mistakes(X, y, callback=progress_of("fewest mistakes"), **options)
    if several:
        packing = disjoint_contradictions(X, y, callback=progress_of("contradictions"), **options)
    return Findings(proof, mistakes, packing)


def check_not_rounded(examples: Examples) -> None:
    """Refuse a proof about numbers that are not those of the file."""
    if examples.rounded:
        raise DataError(
            f"{examples.source}, {examples.rounded}, so a proof would be about other numbers than "
            "those in the file",
            do="leave the column out of the file, or take a constant off it",
        )


def verdict(X: Any, y: Any, learner: Any, seconds: float, tell: Tell) -> Verdict:
    """Prove within a time limit whether rules of the learner's form can be right everywhere.

    A learner that chooses among more than two classes by their scores alone has the joint form.
    """
    form = _form_of(learner) if len(np.unique(y)) > 2 else None
    try:
        proof = prove_form(learner, X, y, seconds, tell)
    except ProofError:
        sentence = f"not known within {seconds:g} s; --prove-seconds gives it more time"
        return Verdict(None, sentence, multiclass=form)
    return Verdict(proof.separable, sentence_of(proof) + _remark(learner), proof, form)


def verdict_in_passes(blocks: Blocks, fitted: Any, n_wrong: int) -> Verdict:
    """Say what passes over rows that are not in memory can tell, each in exact arithmetic.

    Two equal rows with different labels contradict each other. A rule that was learned without a
    mistake separates, if it does so in fractions, too.
    """
    learner, step = learner_of(fitted), step_of(fitted)
    form = _form_of(learner) if len(blocks.classes) > 2 else None
    pair = _equal_rows(blocks)
    if pair is not None:
        first, second = pair
        sentence = (
            f"not separable: rows {first} and {second} (the first is 0) are equal, but have "
            "different labels"
        )
        return Verdict(False, sentence + _remark(learner), multiclass=form)
    if n_wrong == 0 and form is None and _separates(blocks, fitted):
        sentence = "separable: the rule that was learned has every example right, checked exactly"
        return Verdict(True, sentence, multiclass=form)
    no_rule = "no rule without mistakes was met"
    if form_by(step) not in (PLAIN, COLUMNS):
        no_rule = f"the rule that was learned is one {ON_ROWS[form_by(step)]}"
    return Verdict(
        None,
        f"not known: no two equal rows have different labels, and {no_rule}; "
        "to look further, all examples have to be in memory",
        multiclass=form,
    )


def _equal_rows(blocks: Blocks) -> tuple[int, int] | None:
    """Return the numbers of two equal rows with different labels, if there are any."""
    parts = blocks.each(lambda block: (row_digests(block.rows, block.n_rows), block.labels))
    digests, labels = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(digests, kind="stable")
    same = digests[order][1:] == digests[order][:-1]
    others = np.flatnonzero(same & (labels[order][1:] != labels[order][:-1]))
    for k in others.tolist():
        pair = np.sort(order[k : k + 2])
        rows = [matrix(b.rows, b.n_features, float) for b in blocks.take(pair).one_pass()]
        dense = [
            row for part in rows for row in (part.toarray() if sparse.issparse(part) else part)
        ]
        if np.array_equal(*dense):  # digests of 64 bits may be equal by chance
            return int(pair[0]), int(pair[1])
    return None


def _separates(blocks: Blocks, fitted: Any) -> bool:
    """Check in fractions that a rule of two classes has every row right."""
    form, fit_intercept = weights_as_read(fitted), True
    if form is None:
        return False
    if form_by(step_of(fitted)) == PLAIN:
        fit_intercept = bool(getattr(learner_of(fitted), "fit_intercept", True))
    w = [Fraction(float(number)) for number in (form.intercept[0], *form.coef[0])]
    try:
        for block in blocks.one_pass():
            smallest_score(_signed(block, fit_intercept), w)
    except ProofError:
        return False
    return True


def _signed(block: Block, fit_intercept: bool) -> SignedRows:
    signs = (2 * block.labels - 1).astype(np.int8)
    return SignedRows(block.rows, signs, float(fit_intercept), block.n_features)


def prove_form(
    learner: Any, X: Any, y: Any, seconds: float, tell: Tell
) -> Separable | Contradiction | Proofs:
    """Prove what the form of a learner asks; a ProofError if there is no proof in time."""
    if sparse.issparse(X):
        X = X[:, np.unique(X.indices)]  # columns of zeros say nothing, and take their time
    found: Separable | Contradiction | Proofs = prove(
        X,
        y,
        bool(getattr(learner, "fit_intercept", True)),
        multiclass=_form_of(learner),
        time_limit=seconds,
        callback=lambda p: tell("proving", p.seconds / seconds),
    )
    return found


def _form_of(learner: Any) -> Multiclass:
    form: Multiclass = getattr(learner, "multiclass", JOINT)
    return form


def _remark(learner: Any) -> str:
    """Say of a learner whose rules are not linear that the verdict is not about them."""
    algorithm = ALGORITHMS.get(name_of(learner))
    if algorithm is None or algorithm.linear:
        return ""
    return f" (the rules of {type(learner).__name__} are not linear)"


def update_bound(
    learner: Any,
    verdict: Verdict | None,
    learned: Any,
    y: Any,
    seconds: float,
    tell: Tell,
    form: str = COLUMNS,
    *,
    from_zero: bool = True,
) -> UpdateBound | None:
    """Bound the updates of a learner on separable rows; None if they are not known to be so.

    The bound depends on the form of the rows, even where the verdict does not. So for rows that
    were `learned` in a form (None: the verdict is about these) there is a proof of its own.
    """
    if verdict is None or verdict.separable is not True:
        return None
    about = ON_ROWS[PLAIN if learned is None else form]
    reason = why_no_bound(learner, from_zero=from_zero)
    if reason:
        return UpdateBound(None, about, reason)
    proof = verdict.proof
    if learned is not None:
        try:
            proof = prove_form(learner, learned, y, seconds, tell)
        except ProofError:
            return UpdateBound(None, about, f"no proof {about} within {seconds:g} s")
    bounds = [part.updates_bound for part in answers_of(proof) if isinstance(part, Separable)]
    if not proof.separable:
        rounded = ", which are rounded" if form == COLUMNS else ""
        return UpdateBound(None, about, f"no margin is left {about}{rounded}")
    return UpdateBound(sum(bounds), about)


def save_proof(proof: Any, path: str | Path) -> None:
    """Write the proof, or the proofs of all classes, to one JSON file."""
    write_whole(path, proof.to_json().encode())


def read_proof(path: str | Path) -> Separable | Contradiction | Proofs:
    """Read a proof from a file; one that cannot be read, or is no proof at all, is a DataError."""
    try:
        with (
            nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else open_regular(path) as file
        ):
            content = file.read(MOST_BYTES + 1)
        return from_bytes(content)
    except OSError as error:
        raise DataFileError(
            f"{path} cannot be read as a proof: {error.strerror or error}"
        ) from error
    except ProofError as error:
        raise DataError(f"{path}: {error}; the proof comes first, then the data") from error


def verify_proof(
    proof: Separable | Contradiction | Proofs, examples: Examples
) -> Separable | Contradiction | Proofs:
    """Verify a proof of all questions on the data; return it or raise a ProofError."""
    check_not_rounded(examples)
    verify_all(answers_of(proof), examples.X, examples.y)
    return proof
