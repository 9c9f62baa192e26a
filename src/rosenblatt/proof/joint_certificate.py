"""The two verdicts about all classes at once: a vector for each, or comparisons that contradict."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from rosenblatt.counting import at_most, counted
from rosenblatt.errors import ProofError
from rosenblatt.proof import exact
from rosenblatt.proof.bound import joint_radius, margin_of, most_updates
from rosenblatt.proof.certificate import Contradiction, Separable
from rosenblatt.proof.files import fraction_texts, read_fractions, read_label, read_list, rounded
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.problem import AskedRows
from rosenblatt.proof.question import JointQuestion
from rosenblatt.proof.words import listed, weighted
from rosenblatt.types import Array


@dataclass(frozen=True, eq=False, repr=False)
class JointSeparable(Separable):
    """A vector for each class, so that every example has its highest score with its own class.

    Attributes
    ----------
    w : ndarray of shape (n_classes, d + 1)
        The weights of each class, w0 first.
    margin : float
        The least by which a right class is ahead, divided by the length of all weights together.
    radius : float
        R = max |z| = sqrt(2) max |(1, x_i)|.
    updates_bound : int
        (R / margin)^2 in exact arithmetic, rounded down: no joint perceptron that starts from zero
        makes more updates on these numbers.
    fractions : tuple of tuples of Fraction
        The weights as exact numbers.
    question : JointQuestion
        The classes, and whether there is an intercept.
    fingerprint : Fingerprint
        Digests of the data.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> X, y = [[0], [1], [4], [5], [8]], ["a", "a", "b", "b", "c"]
    >>> proof = prove(X, y, multiclass="joint")
    >>> proof.separable, proof.w.shape, proof.check(X, y)
    (True, (3, 2), True)
    >>> (proof.w @ [1, 4.5]).argmax()  # between 4 and 5 the second class is ahead
    np.int64(1)
    """

    question: JointQuestion

    @staticmethod
    def _fractions(w: Any) -> tuple[Any, ...]:
        return tuple(tuple(Fraction(v) for v in vector) for vector in w)

    @staticmethod
    def _read(texts: Any) -> tuple[Any, ...]:
        return tuple(read_fractions(row) for row in read_list(texts))

    @staticmethod
    def _texts(fractions: Any) -> list[Any]:
        return [fraction_texts(row) for row in fractions]

    @staticmethod
    def _floats(fractions: tuple[Any, ...]) -> Array:
        try:
            return rounded(_flat(fractions)).reshape(len(fractions), -1)
        except ValueError:
            raise ProofError("the classes have weights of different numbers") from None

    @staticmethod
    def _measured(problem: Any, fractions: tuple[Any, ...]) -> tuple[float, float, int]:
        lead, flat = exact.smallest_lead(problem, fractions), _flat(fractions)
        bound = most_updates(problem.positive, lead, flat, times=2)
        return margin_of(lead, flat), joint_radius(problem), bound

    def _check(self, problem: Any) -> None:
        try:
            super()._check(problem)
        except exact.NotAheadError as error:
            label = self.question.classes[error.rival]
            raise exact.NotAheadError(error.example, error.rival, label) from None

    def __str__(self) -> str:
        return (
            f"Separable, {self.question}: a joint linear rule, with a score for each class, "
            "classifies every example right.\n"
            f"Its margin is {self.margin:.4g} (R = {self.radius:.4g}), so a joint perceptron that "
            f"starts from zero makes at most {at_most(self.updates_bound, 'update')} on these "
            "numbers, whatever the order of the rows."
        )


@dataclass(frozen=True, eq=False, repr=False)
class JointContradiction(Contradiction):
    """Comparisons of a few examples with other classes that no joint linear rule can all win.

    Example i of class y wins against class c if w_y . (1, x_i) > w_c . (1, x_i). The weighted sum
    of (e_y - e_c) (1, x_i), one for each comparison, is zero, all weights a_i > 0, so no vectors
    win all of them. Leave out any one comparison, and vectors for the others exist.

    Attributes
    ----------
    indices : ndarray of int
        The example of each comparison, in ascending order; one may be compared with several
        classes.
    rivals : tuple
        The class (a label) that it is compared with.
    weights : tuple of int
        The weights a_i, whole numbers above 0 without a common factor.
    question : JointQuestion
        The classes, and whether there is an intercept.
    fingerprint : Fingerprint
        Digests of the data.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> X, y = [[0], [1], [2], [1]], ["a", "b", "a", "c"]
    >>> proof = prove(X, y, multiclass="joint")
    >>> proof.indices, proof.rivals, proof.weights
    (array([1, 3]), ('c', 'b'), (1, 1))
    >>> print(proof)
    Not separable: these 2 comparisons of 2 examples contradict each other (weights 1, 1):
    1 with 'c', 3 with 'b'.
    Any joint linear rule, with a score for each class, makes at least 1 mistake among them.
    """

    question: JointQuestion
    rivals: tuple[Any, ...]
    names: ClassVar[tuple[str, ...]] = ("indices", "rivals", "weights")

    @classmethod
    def of_duels(
        cls,
        problem: AskedRows,
        question: JointQuestion,
        found: dict[tuple[int, int], int],
        mark: Fingerprint,
    ) -> JointContradiction:
        """Check weighted comparisons, by example and number of the rival class."""
        duels = sorted(found)
        weights = tuple(found[duel] for duel in duels)
        indices, numbers = [i for i, _ in duels], [c for _, c in duels]
        exact.check_joint_contradiction(problem, indices, numbers, weights)
        rivals = tuple(question.classes[c] for c in numbers)
        return cls(np.array(indices), weights, question, mark, rivals)

    @classmethod
    def read(cls, content: dict[str, Any], question: Any, mark: Fingerprint) -> JointContradiction:
        """Make one of what a file holds; it is not checked before `check` is called."""
        part = Contradiction.read(content, question, mark)
        rivals = tuple(read_label(rival) for rival in read_list(content["rivals"]))
        return cls(part.indices, part.weights, question, mark, rivals)

    def _numbers(self) -> dict[str, Any]:
        numbers = super()._numbers()
        return {"indices": numbers["indices"], "rivals": list(self.rivals), **numbers}

    def _check(self, problem: AskedRows) -> None:
        classes = list(self.question.classes)
        unknown = [rival for rival in self.rivals if rival not in classes]
        if unknown:
            raise ProofError(f"an example is compared with {unknown[0]!r}, which is no class")
        numbers = [classes.index(rival) for rival in self.rivals]
        exact.check_joint_contradiction(problem, self.indices.tolist(), numbers, self.weights)

    def __str__(self) -> str:
        duels = zip(self.indices.tolist(), self.rivals, strict=True)
        n, among = len(self.weights), counted(len(np.unique(self.indices)), "example")
        last = "Any joint linear rule, with a score for each class, makes at least 1 mistake "
        if n == 1:
            return (
                f"Not separable: example {self.indices[0]} is zero, so every rule through the "
                f"origin gives it the same score with all classes.\n{last}there."
            )
        return (
            f"Not separable: these {n} comparisons of {among} contradict each other "
            f"({weighted(self.weights)}):\n"
            f"{listed([f'{i} with {rival!r}' for i, rival in duels])}.\n{last}among them."
        )


def _flat(fractions: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...]:
    return tuple(v for w in fractions for v in w)
