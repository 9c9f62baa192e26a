"""The two verdicts: a rule that separates, or examples that contradict each other.

Each holds what has been checked in exact arithmetic, checks itself again on the data, and says
what a file of it holds. More than two classes raise several questions; `Proofs` has a verdict for
each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.counting import at_most
from rosenblatt.errors import ProofError
from rosenblatt.proof import exact
from rosenblatt.proof.bound import margin_of, most_updates, radius
from rosenblatt.proof.files import (
    InJson,
    compare_rules,
    fraction_texts,
    read_count,
    read_float,
    read_fractions,
    read_list,
    read_whole,
    rounded,
    whole_text,
)
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.problem import AskedRows, check_data
from rosenblatt.proof.question import AnyQuestion, Question, SignedRows, check_all_asked
from rosenblatt.proof.words import contradiction_by_rows, listed, weighted
from rosenblatt.types import Array, Floats, Integers, Label

ZERO = Fraction(0)
FLOATS = ("margin", "radius")


class Proof(InJson):
    """What both verdicts share: whom they are about, and checking."""

    separable: ClassVar[bool]
    names: ClassVar[tuple[str, ...]]  # of what a file says beside the question and the data
    question: AnyQuestion
    fingerprint: Fingerprint

    def check(self, X: Any, y: Any = None) -> bool:
        """Verify the proof on the data, in exact arithmetic; return True or raise a ProofError.

        Nothing of the search that found the proof is used.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or Blocks
            The examples of the proof.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None for blocks, which have them.

        Returns
        -------
        bool
            True; what does not hold is a ProofError.
        """
        data = check_data(X, y)
        # the labels come after the shape: what was read wrongly is best told by its shape
        self.fingerprint.compare_shape(data)
        problem = data.put(self.question)
        (mark,) = Fingerprint.of_each(data, [self.question])
        self.verify(problem, mark)
        return True

    def verify(self, problem: AskedRows, mark: Fingerprint) -> None:
        """Raise a ProofError unless the proof holds for its question, put to data of this mark."""
        self.fingerprint.compare(mark)
        self._check(problem)

    def content(self) -> dict[str, object]:
        """Return what a file of the proof holds, numbers as exact texts."""
        return {
            "verdict": "separable" if self.separable else "contradiction",
            **self.question.content(),
            "fit_intercept": self.question.fit_intercept,
            "data": self.fingerprint.content(),
            **self._numbers(),
        }

    def titled(self) -> str:
        """Return what is proved, with the question, which may be one of several."""
        return f"{self.question}: {self}"

    def _check(self, problem: Any) -> None:
        raise NotImplementedError

    def _numbers(self) -> dict[str, Any]:
        raise NotImplementedError


def verify_all(answers: Sequence[Proof], X: Any, y: Any = None) -> None:
    """Raise a ProofError unless all questions that the data raises are answered, once and right."""
    data = check_data(X, y)
    for answer in answers:
        answer.fingerprint.compare_shape(data)
    check_all_asked({answer.question: None for answer in answers}, data.classes)
    marks = Fingerprint.of_each(data, [answer.question for answer in answers])
    for answer, mark in zip(answers, marks, strict=True):
        answer.verify(data.put(answer.question), mark)


@dataclass(frozen=True, eq=False, repr=False)
class Separable(Proof):
    """A linear rule that classifies every example right, none on its boundary.

    Attributes
    ----------
    w : ndarray of shape (d + 1,)
        The weights, w0 first. They are what was checked, unless no vector of floats separates the
        data: then `fractions` are, and `w` is rounded.
    margin : float
        min z_i . w / |w| over the examples z_i = y_i (1, x_i).
    radius : float
        R = max |(1, x_i)|.
    updates_bound : int
        (R / margin)^2 in exact arithmetic, rounded down: no perceptron that starts from zero makes
        more updates on these numbers. `prove` looks for the rule of largest margin, whose bound is
        the smallest.
    fractions : tuple of Fraction
        The weights as exact numbers.
    question : Question
        The class that is +1, the class that is -1, and whether there is an intercept.
    fingerprint : Fingerprint
        Digests of the data.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> X, y = [[1], [2], [7], [8]], [0, 0, 1, 1]
    >>> proof = prove(X, y)
    >>> proof.separable, proof.check(X, y)
    (True, True)
    """

    w: Floats
    margin: float
    radius: float
    updates_bound: int
    fractions: tuple[Fraction, ...] | tuple[tuple[Fraction, ...], ...]
    question: AnyQuestion
    fingerprint: Fingerprint
    separable: ClassVar[bool] = True
    names: ClassVar[tuple[str, ...]] = ("w", *FLOATS, "updates_bound")

    @classmethod
    def of(cls, problem: Any, question: Any, w: Any, mark: Fingerprint) -> Self:
        """Check a rule, floats or fractions; raise a ProofError if it does not separate."""
        fractions = cls._fractions(w)
        numbers = cls._measured(problem, fractions)
        return cls(cls._floats(fractions), *numbers, fractions, question, mark)

    @classmethod
    def read(cls, content: dict[str, Any], question: Any, mark: Fingerprint) -> Self:
        """Make one of what a file holds; it is not checked before `check` is called."""
        margin, radius = (read_float(content[name]) for name in FLOATS)
        bound, fractions = read_whole(content["updates_bound"]), cls._read(content["w"])
        return cls(cls._floats(fractions), margin, radius, bound, fractions, question, mark)

    # what the joint form does to each of its vectors

    @staticmethod
    def _fractions(w: Any) -> tuple[Any, ...]:
        given = w.tolist() if isinstance(w, np.ndarray) else w
        return tuple(Fraction(v) if v else ZERO for v in given)  # most words have no weight

    _read = staticmethod(read_fractions)
    _texts = staticmethod(fraction_texts)

    @staticmethod
    def _floats(fractions: tuple[Any, ...]) -> Array:
        return rounded(fractions)

    @staticmethod
    def _measured(problem: Any, fractions: tuple[Any, ...]) -> tuple[float, float, int]:
        """Return margin, radius and bound of a rule; raise a ProofError if it does not separate."""
        smallest = exact.smallest_score(problem, fractions)
        bound = most_updates(problem, smallest, fractions)
        return margin_of(smallest, fractions), radius(problem), bound

    def _numbers(self) -> dict[str, Any]:
        floats = {name: repr(getattr(self, name)) for name in FLOATS}
        exact_rule: Any = self.fractions
        return {
            "w": self._texts(exact_rule),
            **floats,
            "updates_bound": whole_text(self.updates_bound),
        }

    def _check(self, problem: Any) -> None:
        compare_rules(self.w, self._floats(self.fractions))
        *floats, bound = self._measured(problem, self.fractions)
        for name, found in zip(FLOATS, floats, strict=True):
            stated = getattr(self, name)
            if not abs(stated - found) <= 1e-12 * abs(found) and stated != found:
                raise ProofError(f"the {name} is {found!r}, not {stated!r} as stated")
        if self.updates_bound != bound:
            raise ProofError(f"the updates_bound is {bound}, not {self.updates_bound} as stated")

    def titled(self) -> str:
        """Return what is proved, with the question, which is part of it."""
        return str(self)

    def __str__(self) -> str:
        return (
            f"Separable, {self.question}: a linear rule classifies every example right.\n"
            f"Its margin is {self.margin:.4g} (R = {self.radius:.4g}), so a perceptron that starts "
            f"from zero makes at most {at_most(self.updates_bound, 'update')} on these numbers, "
            "whatever the order of the rows."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Contradiction(Proof):
    """A few examples that no linear rule can classify right together.

    Their weighted sum is zero, sum a_i y_i (1, x_i) = 0 with all a_i > 0, so no w can have
    y_i w . (1, x_i) > 0 for all of them. Leave out any one, and a rule for the others exists.

    Attributes
    ----------
    indices : ndarray of int
        The examples, at most d + 2 of them, in ascending order.
    weights : tuple of int
        Their weights a_i, whole numbers above 0 without a common factor.
    question : Question
        The class that is +1, the class that is -1, and whether there is an intercept.
    fingerprint : Fingerprint
        Digests of the data.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> proof = prove(X, y)
    >>> proof.indices, proof.weights
    (array([0, 1, 2, 3]), (1, 1, 1, 1))
    >>> print(proof)
    Not separable: these 4 examples contradict each other (weights 1, 1, 1, 1): 0, 1, 2, 3.
    Any linear rule makes at least 1 mistake among them.
    """

    indices: Integers
    weights: tuple[int, ...]
    question: AnyQuestion
    fingerprint: Fingerprint
    separable: ClassVar[bool] = False
    names: ClassVar[tuple[str, ...]] = ("indices", "weights")

    @classmethod
    def of(
        cls,
        problem: AskedRows | SignedRows,
        question: Question,
        found: dict[int, int],
        mark: Fingerprint,
    ) -> Contradiction:
        """Check weighted examples; raise a ProofError if they do not contradict each other."""
        indices = sorted(found)
        weights = tuple(found[i] for i in indices)
        exact.check_contradiction(problem, indices, weights)
        return cls(np.array(indices), weights, question, mark)

    @classmethod
    def read(cls, content: dict[str, Any], question: Any, mark: Fingerprint) -> Contradiction:
        """Make one of what a file holds; it is not checked before `check` is called."""
        indices = np.array([read_count(i) for i in read_list(content["indices"])], dtype=np.int64)
        weights = tuple(read_whole(a) for a in read_list(content["weights"]))
        return cls(indices, weights, question, mark)

    def _numbers(self) -> dict[str, Any]:
        weights = [whole_text(a) for a in self.weights]
        return {"indices": self.indices.tolist(), "weights": weights}

    def _check(self, problem: Any) -> None:
        exact.check_contradiction(problem, self.indices.tolist(), self.weights)

    def explain(self, X: Any, y: Any = None, names: Any = None) -> str:
        """Say which examples contradict each other, with their rows, columns or messages.

        Parameters
        ----------
        X : array-like, sparse matrix, list of str or Blocks
            The data of the proof, or the texts it was made from.
        y : array-like or None, default=None
            Their labels, to be said with them.
        names : list of str or None, default=None
            The names of the columns.

        Returns
        -------
        str
            A line for each example.
        """
        return contradiction_by_rows(self, X, y, names)

    def __str__(self) -> str:
        n = len(self.indices)
        if n == 1:
            return (
                f"Not separable: example {self.indices[0]} is zero, so every rule through the "
                "origin has it on its boundary.\nAny linear rule makes at least 1 mistake there."
            )
        return (
            f"Not separable: these {n} examples contradict each other ({weighted(self.weights)}): "
            f"{listed(self.indices.tolist())}.\n"
            "Any linear rule makes at least 1 mistake among them."
        )


class Proofs(InJson, Mapping["Label | tuple[Label, Label]", "Separable | Contradiction"]):
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
        self._proofs: dict[Label | tuple[Label, Label], Separable | Contradiction] = {}
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

    def check(self, X: Any, y: Any = None) -> bool:
        """Verify every proof on the data; return True or raise a ProofError.

        The questions must be those that the classes of the data raise, each answered once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or Blocks
            The examples of the proof.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None for blocks, which have them.

        Returns
        -------
        bool
            True; what does not hold is a ProofError.
        """
        verify_all(list(self._proofs.values()), X, y)
        return True

    def content(self) -> dict[str, object]:
        """Return what a file of the proofs holds."""
        return {"proofs": [proof.content() for proof in self._proofs.values()]}

    def __getitem__(self, key: Label | tuple[Label, Label]) -> Separable | Contradiction:
        return self._proofs[key]

    def __iter__(self) -> Iterator[Label | tuple[Label, Label]]:
        return iter(self._proofs)

    def __len__(self) -> int:
        return len(self._proofs)

    def __str__(self) -> str:
        return "\n".join(proof.titled() for proof in self._proofs.values())


def answers_of(proof: Any) -> list[Separable | Contradiction]:
    """Return the proofs of all questions, one or several."""
    return list(proof.values()) if isinstance(proof, Proofs) else [proof]


def _key(proof: Separable | Contradiction) -> Label | tuple[Label, Label]:
    first, *second = proof.question.labels
    return (first, second[0]) if second else first
