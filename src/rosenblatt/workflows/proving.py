"""Verdicts for people, proofs for files."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt._counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.source import STANDARD_INPUT
from rosenblatt.errors import DataError, ProofError
from rosenblatt.proof.certificate import Contradiction, Separable
from rosenblatt.proof.files import MOST_BYTES, from_json
from rosenblatt.proof.mistakes import FewestMistakes, fewest_mistakes
from rosenblatt.proof.packing import Packing, disjoint_contradictions
from rosenblatt.proof.proofs import Proofs
from rosenblatt.proof.separable import prove
from rosenblatt.workflows.tasks import Tell, has_texts_alone
from rosenblatt.workflows.writing import write_whole

MOST_ROWS = 20  # of a contradiction that are shown


@dataclass(frozen=True)
class Verdict:
    """Whether a linear rule classifies every example right; None: not known in time."""

    separable: bool | None
    sentence: str
    proof: Any = None


@dataclass(frozen=True)
class Findings:
    """A proof, and what else was asked for."""

    proof: Any
    fewest: FewestMistakes | None
    packing: Packing | None


def find(
    examples: Examples,
    *,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    fewest: bool = False,
    several: bool = False,
    tell: Tell = lambda stage, share: None,
) -> Findings:
    """Prove, and if asked find the fewest mistakes and contradictions that share no example.

    Examples
    --------
    >>> from rosenblatt import read
    >>> print(find(read("xor"), fewest=True).fewest)
    The fewest mistakes of any linear rule: 1, proved.
    """
    X, y = examples.X, examples.y
    options: Any = {"fit_intercept": fit_intercept, "time_limit": time_limit}

    def watch(stage: str) -> Any:
        # nobody knows how long a proof takes: the bar shows the time, if there is a limit
        return lambda p: tell(stage, p.seconds / time_limit if time_limit else 0.0)

    proof = prove(X, y, callback=watch("proving"), **options)
    mistakes = packing = None
    if fewest:
        mistakes = fewest_mistakes(X, y, callback=watch("fewest mistakes"), **options)
    if several:
        packing = disjoint_contradictions(X, y, callback=watch("contradictions"), **options)
    return Findings(proof, mistakes, packing)


def verdict(X: Any, y: Any, seconds: float, tell: Tell) -> Verdict:
    """Prove within a time limit, and put the answer in one line."""
    if sparse.issparse(X):
        X = X[:, np.unique(X.indices)]  # columns of zeros say nothing, and take their time
    try:
        proof = prove(
            X, y, time_limit=seconds, callback=lambda p: tell("proving", p.seconds / seconds)
        )
    except ProofError:
        return Verdict(None, f"not known within {seconds:g} s; --prove-seconds gives it more time")
    return Verdict(proof.separable, _sentence(proof), proof)


def _sentence(proof: Any) -> str:
    if isinstance(proof, Proofs):
        yes = [str(label) for label, part in proof.items() if part.separable]
        no = [str(label) for label, part in proof.items() if not part.separable]
        if not no:
            return "separable: a linear rule tells each class from all others"
        apart = f"; separable from the rest: {', '.join(yes)}" if yes else ""
        return f"not separable from the rest: {', '.join(no)}{apart}"
    if isinstance(proof, Separable):
        return "separable: a linear rule classifies every example right"
    n = len(proof.indices)
    return f"not separable: {n} examples contradict each other, no linear rule has all of them"


def parts(proof: Any) -> list[Separable | Contradiction]:
    """Return the proofs of all questions, one or several."""
    return list(proof.values()) if isinstance(proof, Proofs) else [proof]


def explain_proof(proof: Any, examples: Examples) -> str:
    """Return a proof in sentences; a contradiction with its rows, by column or as messages."""
    shown = []
    for part in parts(proof):
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


def _explained(proof: Contradiction, examples: Examples) -> str:
    if has_texts_alone(examples):
        return proof.explain(examples.texts.to_pylist(), examples.y)
    return proof.explain(examples.X, examples.y, list(examples.feature_names))


def save_proof(proof: Any, path: str | Path) -> None:
    """Write the proof, or the proofs of all classes, to one JSON file."""
    write_whole(path, proof.to_json().encode())


def verify(path: str | Path, examples: Examples) -> int:
    """Verify the proofs of a file on the data; return their number or raise a ProofError.

    A file that cannot be read, or is no proof at all, is a DataError.
    """
    proofs = _read(path)
    for proof in proofs:
        proof.check(examples.X, examples.y)
    return len(proofs)


def _read(path: str | Path) -> list[Any]:
    try:
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise DataError(f"{path} has more bytes than any proof ({MOST_BYTES})")
        return parts(from_json(content.decode("utf-8")))
    except OSError as error:
        raise DataError(f"{path} cannot be read as a proof: {error.strerror or error}") from error
    except UnicodeDecodeError:
        raise DataError(
            f"{path} is no proof, which is a text in JSON", do="`rosenblatt prove -o` writes one"
        ) from None
    except ProofError as error:
        raise DataError(f"{path}: {error}") from error
