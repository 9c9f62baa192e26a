"""Proofs as JSON: numbers as exact strings, read back strictly, verified again on the data."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpz

from rosenblatt._whole_file import replace_file
from rosenblatt.errors import ProofError
from rosenblatt.proof.certificate import Contradiction, Proof, Separable, rounded
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.proofs import Proofs
from rosenblatt.proof.question import Question

FORMAT, VERSION = "rosenblatt proof", 1
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
    question, mark = proof.question, proof.fingerprint
    content: dict[str, Any] = {
        "verdict": "separable" if proof.separable else "contradiction",
        "positive": question.positive,
        "negative": question.negative,
        "fit_intercept": question.fit_intercept,
        "data": {
            "rows": mark.n_rows,
            "features": mark.n_features,
            "digests": list(mark.rows),
            "signs": list(mark.signs),
        },
    }
    if isinstance(proof, Separable):
        content["w"] = [f"{_text(v.numerator)}/{_text(v.denominator)}" for v in proof.fractions]
        # as text: JSON has no infinity
        for name in ("margin", "radius", "updates_bound"):
            content[name] = repr(getattr(proof, name))
    elif isinstance(proof, Contradiction):
        content["indices"] = proof.indices.tolist()
        content["weights"] = [_text(a) for a in proof.weights]
    return content


def save(proof: Proof | Proofs, path: str | Path) -> None:
    """Write the proof to a file: the old file or the new one is there, never half of one."""
    replace_file(Path(path), [to_json(proof).encode()])


def load_proof(path: str | Path, X: Any, y: Any) -> Separable | Contradiction | Proofs:
    """Read a proof from a JSON file and verify it on the data it is about.

    A file that is no proof, a proof of other data, or one that does not hold is a ProofError.

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
        size = Path(path).stat().st_size
        if size > MOST_BYTES:
            raise ProofError(f"{path} has {size} bytes, more than any proof ({MOST_BYTES})")
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProofError(f"{path} cannot be read as a proof: {error}") from error
    proof = from_json(text)
    proof.check(X, y)
    return proof


def from_json(text: str) -> Separable | Contradiction | Proofs:
    """Read a proof from JSON text; it is not verified before its `check` is called."""
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"this is no proof: not JSON ({error})") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ProofError(f"this is no proof: its format is not {FORMAT!r}")
    if content.get("version") != VERSION:
        raise ProofError(
            f"this proof is of version {content.get('version')!r}, this library reads {VERSION}"
        )
    try:
        if "proofs" in content:
            return Proofs(_proof(each) for each in content["proofs"])
        return _proof(content)
    except (KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        if isinstance(error, ProofError):
            raise
        raise ProofError(f"this proof is damaged: {type(error).__name__} {error}") from error


def _proof(content: dict[str, Any]) -> Separable | Contradiction:
    data = content["data"]
    mark = Fingerprint(
        _count(data["rows"]),
        _count(data["features"]),
        tuple(_digest(text) for text in data["digests"]),
        tuple(_digest(text) for text in data["signs"]),
    )
    question = Question(
        _label(content["positive"]), _label(content["negative"]), _flag(content["fit_intercept"])
    )
    if content["verdict"] == "contradiction":
        indices = np.array([_count(i) for i in content["indices"]], dtype=np.int64)
        weights = tuple(_integer(a) for a in content["weights"])
        return Contradiction(indices, weights, question, mark)
    if content["verdict"] != "separable":
        raise ProofError(f"this proof has no known verdict, got {content['verdict']!r}")
    fractions = tuple(_fraction(text) for text in content["w"])
    margin, radius = float(content["margin"]), float(content["radius"])
    bound = float(content["updates_bound"])
    return Separable(rounded(fractions), margin, radius, bound, fractions, question, mark)


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
    if value is not None and not isinstance(value, (str, int, float)):
        raise ProofError(f"this proof is damaged: {str(value)[:40]!r} is no label")
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
