"""The proofs for more than two classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rosenblatt.proof.certificate import Contradiction, Separable
from rosenblatt.proof.question import Question


class Proofs(Mapping[Any, "Separable | Contradiction"]):
    """The proofs for more than two classes, by label or by pair of labels.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> proofs = prove([[0], [1], [5], [6], [9]], ["a", "a", "b", "b", "c"])
    >>> {label: proof.separable for label, proof in proofs.items()}
    {'a': True, 'b': False, 'c': True}
    >>> proofs.separable
    False
    """

    def __init__(self, proofs: Iterable[Separable | Contradiction]) -> None:
        self._proofs = {_key(proof.question): proof for proof in proofs}

    @property
    def separable(self) -> bool:
        """Whether every one of the questions has a separating rule."""
        return all(proof.separable for proof in self._proofs.values())

    def check(self, X: Any, y: Any) -> bool:
        """Verify every proof on the data; return True or raise a ProofError."""
        return all(proof.check(X, y) for proof in self._proofs.values())

    def to_json(self) -> str:
        """Return all of the proofs as JSON, with all numbers exact."""
        from rosenblatt.proof.files import to_json

        return to_json(self)

    def save(self, path: str | Path) -> None:
        """Write the proofs to one JSON file; `rosenblatt.load_proof` reads it."""
        from rosenblatt.proof.files import save

        save(self, path)

    def __getitem__(self, key: Any) -> Separable | Contradiction:
        return self._proofs[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._proofs)

    def __len__(self) -> int:
        return len(self._proofs)

    def __str__(self) -> str:
        lines = (f"{proof.question}: {proof}" for proof in self._proofs.values())
        return "\n".join(lines)


def _key(question: Question) -> Any:
    if question.negative is None:
        return question.positive
    return question.negative, question.positive
