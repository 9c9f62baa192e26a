"""Is there a linear rule for these examples? Verdicts on a fit, and proofs for files.

A verdict brings a bound on the updates of the learner. What proofs say is in `proof_words`.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.choices import Multiclass
from rosenblatt.counting import at_most, counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.source import STANDARD_INPUT
from rosenblatt.data.store import FileBlocks
from rosenblatt.data.target import check_classes_of
from rosenblatt.errors import (
    SHELL,
    DataError,
    DataFileError,
    NoProofInTimeError,
    ProofError,
    said_in,
)
from rosenblatt.files import open_regular, write_whole
from rosenblatt.progress import Progress
from rosenblatt.proof.certificate import Contradiction, Proofs, Separable, answers_of, verify_all
from rosenblatt.proof.files import MOST_BYTES
from rosenblatt.proof.loading import from_bytes
from rosenblatt.proof.mistakes import FewestMistakes, fewest_mistakes
from rosenblatt.proof.packing import Packing, disjoint_contradictions
from rosenblatt.proof.prove import prove
from rosenblatt.proof.question import JOINT, REST
from rosenblatt.text.words import TFIDF
from rosenblatt.tracing.trace import why_no_bound
from rosenblatt.types import Array, Block
from rosenblatt.workflows.algorithms import ALGORITHMS, name_of
from rosenblatt.workflows.forms import COLUMNS, LENGTH, PLAIN
from rosenblatt.workflows.proof_words import sentence_of
from rosenblatt.workflows.task import Tell

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
    examples: Examples | FileBlocks,
    *,
    fit_intercept: bool = True,
    multiclass: Multiclass = REST,
    time_limit: float | None = None,
    fewest: bool = False,
    several: bool = False,
    tell: Tell = lambda stage, share: None,
) -> Findings:
    """Prove, and if asked find the fewest mistakes and contradictions that share no example.

    Of rows on disk there are proofs only: the others need all rows in memory.

    Examples
    --------
    >>> from rosenblatt import read
    >>> print(find_proofs(read("xor"), fewest=True).fewest)
    The fewest mistakes of any linear rule: 1, proved.
    """
    X, y = _rows_of(examples)
    check_not_rounded(examples)
    options: Any = {"fit_intercept": fit_intercept, "time_limit": time_limit}

    def progress_of(stage: str) -> Any:
        # nobody knows how long a proof takes: the bar shows the time, if there is a limit
        return lambda p: tell(stage_of(stage, p), p.seconds / time_limit if time_limit else 0.0)

    proof = prove(X, y, multiclass=multiclass, callback=progress_of("proving"), **options)
    mistakes = packing = None
    if fewest:
        mistakes = fewest_mistakes(X, y, callback=progress_of("fewest mistakes"), **options)
    if several:
        packing = disjoint_contradictions(X, y, callback=progress_of("contradictions"), **options)
    return Findings(proof, mistakes, packing)


def _rows_of(examples: Examples | FileBlocks) -> tuple[Any, Any]:
    """Return X and y, or the blocks, which have their labels."""
    if isinstance(examples, FileBlocks):
        return examples.blocks, None
    check_classes_of(examples.y, getattr(examples.recipe, "target", None), examples.source)
    return examples.X, examples.y


def check_not_rounded(examples: Examples | FileBlocks) -> None:
    """Refuse a proof about numbers that are not those of the file."""
    if examples.rounded:
        raise DataError(
            f"{examples.source}, {examples.rounded}, so a proof would be about other numbers than "
            "those in the file",
            do="leave the column out of the file, or take a constant off it",
        )


def verdict(blocks: Blocks, learner: Any, seconds: float, tell: Tell) -> Verdict:
    """Prove within a time limit whether rules of the learner's form can be right everywhere.

    A learner that chooses among more than two classes by their scores alone has the joint form.
    """
    form = _form_of(learner) if len(blocks.classes) > 2 else None
    try:
        proof = prove_form(learner, blocks, seconds, tell)
    except ProofError as error:
        sentence = f"not known within {seconds:g} s; --prove-seconds gives it more time"
        if not isinstance(error, NoProofInTimeError):
            sentence = f"not known: {said_in(SHELL, error)}"
        return Verdict(None, sentence, multiclass=form)
    except MemoryError:  # what was learned is not lost for it
        sentence = "not known: there is not enough memory for the search of a proof"
        return Verdict(None, sentence, multiclass=form)
    return Verdict(proof.separable, sentence_of(proof) + _remark(learner), proof, form)


def prove_form(
    learner: Any, blocks: Blocks, seconds: float, tell: Tell
) -> Separable | Contradiction | Proofs:
    """Prove what the form of a learner asks; a ProofError if there is no proof in time."""
    found: Separable | Contradiction | Proofs = prove(
        # columns of zeros say nothing, and take their time
        blocks if blocks.is_dense else _of_used_columns(blocks),
        fit_intercept=bool(getattr(learner, "fit_intercept", True)),
        multiclass=_form_of(learner),
        time_limit=seconds,
        callback=lambda p: tell(stage_of("proving", p), p.seconds / seconds),
    )
    return found


def stage_of(stage: str, progress: Progress) -> str:
    """Return what is done, with the passes over rows that are not in memory.

    Examples
    --------
    >>> stage_of("proving", Progress("search", 0.5, 1.0, n_passes=7, n_working=132))
    'proving: pass 7, 132 rows in the working set'
    """
    if not progress.n_passes:
        return stage
    return (
        f"{stage}: pass {progress.n_passes}, {counted(progress.n_working or 0, 'row')} in the "
        "working set"
    )


def _of_used_columns(blocks: Blocks) -> Blocks:
    """Return sparse rows without the columns that no row has."""
    used = blocks.total(_used, np.logical_or)
    places = np.cumsum(used, dtype=np.int32) - np.int32(1)
    n = int(used.sum())

    def narrow(block: Block) -> Block:
        rows: Any = block.rows
        rows = rows._replace(indices=places[rows.indices])
        return block._replace(rows=rows, n_features=n, feature_names=None)

    found = blocks.changed(narrow)
    found.n_features, found.feature_names = n, None
    return found


def _used(so_far: Array | None, block: Block) -> Array:
    rows: Any = block.rows
    used = np.zeros(block.n_features, dtype=bool) if so_far is None else so_far
    used[rows.indices] = True
    return used


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
    learned: Blocks | None,
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
            proof = prove_form(learner, learned, seconds, tell)
        except ProofError:
            return UpdateBound(None, about, f"no proof {about} within {seconds:g} s")
        except MemoryError:
            return UpdateBound(None, about, f"not enough memory for a proof {about}")
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
    proof: Separable | Contradiction | Proofs, examples: Examples | FileBlocks
) -> Separable | Contradiction | Proofs:
    """Verify a proof of all questions on the data; return it or raise a ProofError."""
    check_not_rounded(examples)
    X, y = (examples.blocks, None) if isinstance(examples, FileBlocks) else (examples.X, examples.y)
    verify_all(answers_of(proof), X, y)
    return proof
