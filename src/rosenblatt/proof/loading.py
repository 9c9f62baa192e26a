"""From a file to a proof that holds: which proof the JSON makes, verified again on the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rosenblatt.errors import ProofError
from rosenblatt.files import open_regular
from rosenblatt.proof.certificate import (
    Contradiction,
    Proofs,
    Separable,
    answers_of,
    verify_all,
)
from rosenblatt.proof.files import MOST_BYTES, check_names, content_of, read_list, text_of_bytes
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.joint_certificate import JointContradiction, JointSeparable
from rosenblatt.proof.question import JointQuestion, Question

ANSWERS = {"separable": Separable, "contradiction": Contradiction}
JOINT_ANSWERS = {"separable": JointSeparable, "contradiction": JointContradiction}


def load_proof(path: str | Path, X: Any, y: Any = None) -> Separable | Contradiction | Proofs:
    """Read a proof from a JSON file and verify it on the data it is about.

    A file that is no proof, a proof of other data, or one that does not hold is a ProofError; so
    is one that does not answer all questions that the classes of the data raise, each once.

    Parameters
    ----------
    path : str or path
        A file that `save` of a proof or `rosenblatt prove -o` wrote.
    X : array-like or sparse matrix of shape (n_examples, n_features), or Blocks
        The examples that it is about.
    y : array-like of shape (n_examples,) or None, default=None
        Their labels; None for blocks, which have them.

    Returns
    -------
    Separable, Contradiction or Proofs
        The proof, which holds.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rosenblatt import load_proof, prove
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "xor.json"
    ...     prove(X, y).save(path)
    ...     load_proof(path, X, y).weights
    (1, 1, 1, 1)
    """
    try:
        with open_regular(path) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ProofError(f"{path} cannot be read as a proof: {error.strerror or error}") from error
    try:
        proof = from_bytes(content)
    except ProofError as error:
        raise ProofError(f"{path}: {error}") from error
    verify_all(answers_of(proof), X, y)
    return proof


def from_bytes(content: bytes) -> Separable | Contradiction | Proofs:
    """Read a proof from the bytes of a file; it is not verified before its `check` is called."""
    return from_json(text_of_bytes(content))


def from_json(text: str) -> Separable | Contradiction | Proofs:
    """Read a proof from JSON text; it is not verified before its `check` is called."""
    content = content_of(text)
    try:
        if "proofs" not in content:
            return _proof(content)
        check_names(content, {"proofs"})
        return Proofs(_part(each) for each in read_list(content["proofs"]))
    except (KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        if isinstance(error, ProofError):
            raise
        raise ProofError(f"this proof is damaged: {type(error).__name__} {error}") from error


def _part(content: Any) -> Separable | Contradiction:
    if not isinstance(content, dict) or "multiclass" in content:
        raise ProofError("this proof is damaged: a part of it is no proof of its own")
    return _proof(content)


def _proof(content: dict[str, Any]) -> Separable | Contradiction:
    joint, verdict = "multiclass" in content, content["verdict"]
    if verdict not in tuple(ANSWERS):
        raise ProofError(f"this proof has no known verdict, got {str(verdict)[:40]!r}")
    asked: Any = JointQuestion if joint else Question
    answer: Any = (JOINT_ANSWERS if joint else ANSWERS)[verdict]
    check_names(content, {"verdict", "fit_intercept", "data", *asked.names, *answer.names})
    question, mark = asked.read(content), Fingerprint.read(content["data"])
    proof: Separable | Contradiction = answer.read(content, question, mark)
    return proof
