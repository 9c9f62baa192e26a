"""The proofs for more than two classes, one for each question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rosenblatt.errors import ProofError
from rosenblatt.proof.certificate import Contradiction, Separable, verify_all


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
        self._proofs: dict[Any, Separable | Contradiction] = {}
        for proof in proofs:
            key = _key(proof)
            if key in self._proofs:
                raise ProofError(f"two proofs of one question: {proof.question}")
            self._proofs[key] = proof
        if not self._proofs:
            raise ProofError("this proof answers no question, so it proves nothing")

    @property
    def separable(self) -> bool:
        """Whether every one of the questions has a separating rule."""
        return all(proof.separable for proof in self._proofs.values())

    def check(self, X: Any, y: Any) -> bool:
        """Verify every proof on the data; return True or raise a ProofError.

        The questions must be those that the classes of the data raise, each answered once.
        """
        verify_all(list(self._proofs.values()), X, y)
        return True

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
        return "\n".join(proof.titled() for proof in self._proofs.values())


def answers_of(proof: Any) -> list[Separable | Contradiction]:
    """Return the proofs of all questions, one or several."""
    return list(proof.values()) if isinstance(proof, Proofs) else [proof]


def _key(proof: Separable | Contradiction) -> Any:
    question = proof.question
    if question.negative is None:
        return question.positive
    return question.negative, question.positive
