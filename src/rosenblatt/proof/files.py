"""Proofs as JSON: numbers as exact strings, read back strictly, verified again on the data."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpz

from rosenblatt.errors import ProofError
from rosenblatt.files import open_regular, replace_file
from rosenblatt.proof.certificate import (
    Contradiction,
    Proof,
    Proofs,
    Separable,
    answers_of,
    rounded,
    verify_all,
)
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.joint_certificate import JointContradiction, JointSeparable, rounded_rows
from rosenblatt.proof.question import JOINT, AnyQuestion, JointQuestion, Question

FORMAT, VERSION = "rosenblatt proof", 2  # 1 had the bound on updates as a float
FLOATS = ("margin", "radius")
MODEL = b'"format":"rosenblatt model"'  # near the beginning of a model file
MOST_BYTES = 256 << 20
MOST_DIGITS = 1 << 20
WHOLE = re.compile(r"-?[0-9]+")
DIGEST = re.compile(r"[0-9a-f]{16}")


def to_json(proof: Proof | Proofs) -> str:
    """Return the proof, or all of several, as JSON text."""
    content: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    if isinstance(proof, Proofs):
        content["proofs"] = [_content(each) for each in proof.values()]
    else:
        content |= _content(proof)
    try:
        return json.dumps(content, indent=1, allow_nan=False)
    except TypeError as error:
        raise ProofError(f"labels must be text or numbers to be saved: {error}") from error


def _content(proof: Proof) -> dict[str, Any]:
    mark = proof.fingerprint
    content: dict[str, Any] = {
        "verdict": "separable" if proof.separable else "contradiction",
        **_asked(proof.question),
        "fit_intercept": proof.question.fit_intercept,
        "data": {
            "rows": mark.n_rows,
            "features": mark.n_features,
            "digests": list(mark.rows),
            "signs": list(mark.signs),
        },
    }
    if isinstance(proof, Separable):
        joint = isinstance(proof, JointSeparable)
        w = proof.fractions
        content["w"] = [_ratios(row) for row in w] if joint else _ratios(w)
        # as text: JSON has no infinity
        for name in FLOATS:
            content[name] = repr(getattr(proof, name))
        content["updates_bound"] = _text(proof.updates_bound)
    elif isinstance(proof, Contradiction):
        content["indices"] = proof.indices.tolist()
        if isinstance(proof, JointContradiction):
            content["rivals"] = list(proof.rivals)
        content["weights"] = [_text(a) for a in proof.weights]
    return content


def _asked(question: AnyQuestion) -> dict[str, Any]:
    if isinstance(question, JointQuestion):
        return {"multiclass": JOINT, "classes": list(question.classes)}
    return {"positive": question.positive, "negative": question.negative}


def _ratios(fractions: Sequence[Fraction]) -> list[str]:
    return [f"{_text(v.numerator)}/{_text(v.denominator)}" for v in fractions]


def save(proof: Proof | Proofs, path: str | Path) -> None:
    """Write the proof to a file: the old file or the new one is there, never half of one."""
    replace_file(Path(path), [to_json(proof).encode()])


def load_proof(path: str | Path, X: Any, y: Any) -> Separable | Contradiction | Proofs:
    """Read a proof from a JSON file and verify it on the data it is about.

    A file that is no proof, a proof of other data, or one that does not hold is a ProofError; so
    is one that does not answer all questions that the classes of the data raise, each once.

    Parameters
    ----------
    path : str or path
        A file that `save` of a proof or `rosenblatt prove -o` wrote.
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples that it is about.
    y : array-like of shape (n_examples,)
        Their labels.

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
    if len(content) > MOST_BYTES:
        raise ProofError(f"this is no proof: it has more than {MOST_BYTES:,} bytes")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProofError(f"this is no proof: {_what_else(content)}") from error
    return from_json(text)


def _what_else(content: bytes) -> str:
    """Say what bytes that are no text may be."""
    is_model = MODEL in content[: 2 * len(MODEL)]
    return "it is a model; " * is_model + "a proof is a text file in JSON, saved by `prove`"


def from_json(text: str) -> Separable | Contradiction | Proofs:
    """Read a proof from JSON text; it is not verified before its `check` is called."""
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"this is no proof: not JSON ({error})") from error
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise ProofError(f"this is no proof: its format is not {FORMAT!r}")
    version = content.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise ProofError(
            f"this proof is of version {str(version)[:40]}, this library reads {VERSION}; prove "
            "the data again"
        )
    try:
        if "proofs" not in content:
            return _proof(content)
        _check_names(content, {"proofs"})
        return Proofs(_part(each) for each in _list(content["proofs"]))
    except (KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        if isinstance(error, ProofError):
            raise
        raise ProofError(f"this proof is damaged: {type(error).__name__} {error}") from error


def _part(content: Any) -> Separable | Contradiction:
    if not isinstance(content, dict) or "multiclass" in content:
        raise ProofError("this proof is damaged: a part of it is no proof of its own")
    return _proof(content)


def _proof(content: dict[str, Any]) -> Separable | Contradiction:
    joint = "multiclass" in content
    verdict = content["verdict"]
    if verdict not in ("separable", "contradiction"):
        raise ProofError(f"this proof has no known verdict, got {str(verdict)[:40]!r}")
    names = {"verdict", "fit_intercept", "data"}
    names |= {"multiclass", "classes"} if joint else {"positive", "negative"}
    if verdict == "separable":
        names |= {"w", "updates_bound", *FLOATS}
    else:
        names |= {"indices", "weights", *(["rivals"] if joint else [])}
    _check_names(content, names)
    question, mark = _question(content), _fingerprint(content["data"])
    if verdict == "contradiction":
        indices = np.array([_count(i) for i in _list(content["indices"])], dtype=np.int64)
        weights = tuple(_integer(a) for a in _list(content["weights"]))
        if isinstance(question, Question):
            return Contradiction(indices, weights, question, mark)
        rivals = tuple(_label(rival) for rival in _list(content["rivals"]))
        return JointContradiction(indices, weights, question, mark, rivals)
    margin, radius = (_float(content[name]) for name in FLOATS)
    bound = _integer(content["updates_bound"])
    if isinstance(question, Question):
        w = _fractions(content["w"])
        return Separable(rounded(w), margin, radius, bound, w, question, mark)
    W = tuple(_fractions(row) for row in _list(content["w"]))
    return JointSeparable(rounded_rows(W), margin, radius, bound, W, question, mark)


def _question(content: dict[str, Any]) -> AnyQuestion:
    fit_intercept = _flag(content["fit_intercept"])
    if "multiclass" not in content:
        negative = content["negative"]
        negative = None if negative is None else _label(negative)
        return Question(_label(content["positive"]), negative, fit_intercept)
    if content["multiclass"] != JOINT:
        raise ProofError(f"this proof is damaged: multiclass is not {JOINT!r}")
    return JointQuestion(tuple(_label(one) for one in _list(content["classes"])), fit_intercept)


def _fingerprint(data: Any) -> Fingerprint:
    if not isinstance(data, dict):
        raise ProofError("this proof is damaged: nothing is said about the data")
    _check_names(data, {"rows", "features", "digests", "signs"})
    return Fingerprint(
        _count(data["rows"]),
        _count(data["features"]),
        tuple(_digest(text) for text in _list(data["digests"])),
        tuple(_digest(text) for text in _list(data["signs"])),
    )


def _check_names(content: dict[str, Any], names: set[str]) -> None:
    """Refuse names that are missing, and names that nobody would look at."""
    for name in sorted(names ^ set(content)):
        word = "is missing" if name in names else "has no meaning here"
        raise ProofError(f"this proof is damaged: {name[:40]!r} {word}")


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ProofError(f"this proof is damaged: {str(value)[:40]!r} is no list")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ProofError(f"this proof is damaged: {str(value)[:40]!r} is neither true nor false")
    return value


def _text(number: int) -> str:
    # Python itself refuses to write numbers of more than 4,300 digits
    return str(fmpz(number))


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ProofError(f"this proof is damaged: {str(value)[:40]!r} is no count")
    return value


def _label(value: Any) -> Any:
    if not isinstance(value, (str, int, float)):
        raise ProofError(f"this proof is damaged: {str(value)[:40]!r} is no label")
    return value


def _float(text: Any) -> float:
    if not isinstance(text, str) or repr(value := float(text)) != text:
        raise ProofError(f"this proof is damaged: {str(text)[:40]!r} is no number")
    return value


def _digest(text: Any) -> str:
    if not isinstance(text, str) or not DIGEST.fullmatch(text):
        raise ProofError(f"this proof is damaged: {str(text)[:40]!r} is no digest")
    return text


def _integer(text: Any) -> int:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not WHOLE.fullmatch(text):
        raise ProofError(f"this proof is damaged: {str(text)[:40]!r} is no whole number")
    return int(fmpz(text))


def _fraction(text: Any) -> Fraction:
    if not isinstance(text, str) or text.count("/") != 1:
        raise ProofError(f"this proof is damaged: {str(text)[:40]!r} is no fraction")
    numerator, denominator = text.split("/")
    return Fraction(_integer(numerator), _integer(denominator))


def _fractions(texts: Any) -> tuple[Fraction, ...]:
    return tuple(_fraction(text) for text in _list(texts))
