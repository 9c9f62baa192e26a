"""Exact JSON: what the files of proofs hold, written without rounding and read back strictly.

Whole numbers, fractions and floats are texts, since JSON has neither fractions nor infinity, and
readers of JSON round. What was not expected is refused: a name that nobody would look at, a value
of another kind. Which proof the numbers make is for `loading` to say.
"""

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
from rosenblatt.files import replace_file
from rosenblatt.shown import InSentences
from rosenblatt.types import Array

FORMAT, VERSION = "rosenblatt proof", 2  # 1 had the bound on updates as a float
MODEL = b'"format":"rosenblatt model"'  # near the beginning of a model file
MOST_BYTES = 256 << 20
MOST_DIGITS = 1 << 20
WHOLE = re.compile(r"-?[0-9]+")
DIGEST = re.compile(r"[0-9a-f]{16}")


def to_json(content: dict[str, Any]) -> str:
    """Return what a proof says of itself as JSON text."""
    try:
        return json.dumps(
            {"format": FORMAT, "version": VERSION, **content}, indent=1, allow_nan=False
        )
    except TypeError as error:
        raise ProofError(f"labels must be text or numbers to be saved: {error}") from error


def write_proof(content: dict[str, Any], path: str | Path) -> None:
    """Write it to a file: the old file or the new one is there, never half of one."""
    replace_file(Path(path), [to_json(content).encode()])


def content_of(text: str) -> dict[str, Any]:
    """Return what JSON text says of a proof; text that is none, or of another version, is refused.

    Examples
    --------
    >>> content_of(to_json({"indices": [0, 3]}))
    {'indices': [0, 3]}
    """
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
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def text_of_bytes(content: bytes) -> str:
    """Return the bytes of a file as text; too many of them, or what is no text, are refused."""
    if len(content) > MOST_BYTES:
        raise ProofError(f"this is no proof: it has more than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProofError(f"this is no proof: {_what_else(content)}") from error


def _what_else(content: bytes) -> str:
    """Say what bytes that are no text may be."""
    is_model = MODEL in content[: 2 * len(MODEL)]
    return "it is a model; " * is_model + "a proof is a text file in JSON, saved by `prove`"


def whole_text(number: int) -> str:
    """Return a whole number of any length as text."""
    # Python itself refuses to write numbers of more than 4,300 digits
    return str(fmpz(number))


def fraction_texts(fractions: Sequence[Fraction]) -> list[str]:
    """Return fractions as texts.

    Examples
    --------
    >>> fraction_texts([Fraction(1, 2), Fraction(-3)])
    ['1/2', '-3/1']
    """
    return [f"{whole_text(v.numerator)}/{whole_text(v.denominator)}" for v in fractions]


def check_names(content: dict[str, Any], names: set[str]) -> None:
    """Refuse names that are missing, and names that nobody would look at."""
    for name in sorted(names ^ set(content)):
        word = "is missing" if name in names else "has no meaning here"
        raise ProofError(f"this proof is damaged: {name[:40]!r} {word}")


def read_list(value: Any) -> list[Any]:
    """Return a list as it is."""
    if not isinstance(value, list):
        raise _damaged(value, "no list")
    return value


def read_flag(value: Any) -> bool:
    """Return true or false as it is."""
    if not isinstance(value, bool):
        raise _damaged(value, "neither true nor false")
    return value


def read_count(value: Any) -> int:
    """Return a number of things as it is: no text, for it is short."""
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise _damaged(value, "no count")
    return value


def read_label(value: Any) -> Any:
    """Return a label as it is."""
    if not isinstance(value, (str, int, float)):
        raise _damaged(value, "no label")
    return value


def read_float(text: Any) -> float:
    """Return the float that Python writes like this."""
    if not isinstance(text, str) or repr(value := float(text)) != text:
        raise _damaged(text, "no number")
    return value


def read_digest(text: Any) -> str:
    """Return the digest of a run of rows as it is."""
    if not isinstance(text, str) or not DIGEST.fullmatch(text):
        raise _damaged(text, "no digest")
    return text


def read_whole(text: Any) -> int:
    """Return the whole number of a text."""
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not WHOLE.fullmatch(text):
        raise _damaged(text, "no whole number")
    return int(fmpz(text))


def read_fractions(texts: Any) -> tuple[Fraction, ...]:
    """Return the fractions of a list of texts."""
    return tuple(_fraction(text) for text in read_list(texts))


def _fraction(text: Any) -> Fraction:
    if not isinstance(text, str) or text.count("/") != 1:
        raise _damaged(text, "no fraction")
    numerator, denominator = text.split("/")
    return Fraction(read_whole(numerator), read_whole(denominator))


def _damaged(value: Any, what: str) -> ProofError:
    return ProofError(f"this proof is damaged: {str(value)[:40]!r} is {what}")


def rounded(fractions: tuple[Fraction, ...]) -> Array:
    """Round to floats; scaled down first if a number is too large for one."""
    try:
        return np.array([float(v) if v else 0.0 for v in fractions])
    except OverflowError:
        top = max(abs(v) for v in fractions)
        return np.array([float(v / top) for v in fractions])


def compare_rules(w: Array, proved: Array) -> None:
    """Raise a ProofError unless w is the rule that was proved."""
    if np.shape(w) != proved.shape:
        raise ProofError(f"w must have {len(proved)} weights, got an array of shape {np.shape(w)}")
    changed = np.flatnonzero(w != proved)
    if len(changed):
        raise ProofError(f"w is not the rule that was proved: weight {changed[0]} was changed")


class InJson(InSentences):
    """What can be saved, with all numbers exact."""

    def content(self) -> dict[str, object]:
        """Return what a file of it holds, numbers as exact texts."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Return it as JSON, with all numbers exact.

        Returns
        -------
        str
            What `save` writes.
        """
        return to_json(self.content())

    def save(self, path: str | Path) -> None:
        """Write it to a JSON file; `rosenblatt.load_proof` reads it.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced as a whole, or not at all.
        """
        write_proof(self.content(), path)
