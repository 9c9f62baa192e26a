"""The question that a proof answers: can a linear rule tell these examples from those.

In canonical form example i is z_i = y_i (x0, x_i) with x0 = 1, or 0 without an intercept. The data
is separable if some w has z_i . w > 0 for every example.

The joint question is about all classes at once: is there a vector w_c for each class c, so that
every example has a higher score with the vector of its own class than with that of any other?
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple, get_args

import numpy as np

from rosenblatt.checks import check_block
from rosenblatt.checks.exact_numbers import check_exact
from rosenblatt.checks.parameters import check_choice
from rosenblatt.choices import Multiclass
from rosenblatt.errors import ParameterError, ProofError
from rosenblatt.proof.files import read_flag, read_label, read_list
from rosenblatt.rows import take
from rosenblatt.types import Array, Block, Label, Rows

WAYS: tuple[Multiclass, ...] = get_args(Multiclass)
JOINT, REST, PAIRS = WAYS
OTHER_DATA = "this proof is about other data: "
MOST_LISTED = 5  # questions and classes in a sentence


class Data(NamedTuple):
    """What a user passed, checked."""

    rows: Rows
    labels: Array  # int32: the number of the class of each row
    classes: list[Any]
    n_features: int
    digests: Array | None = None  # of the rows, where they have been taken
    first: int = 0  # the number of its first row: this may be one of several blocks

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.labels)

    def number_of(self, label: Any) -> int:
        """Return the number of a class; a label that no row has is a ProofError."""
        if label not in self.classes:
            raise ProofError(
                f"{OTHER_DATA}no row has the label {label!r}; the labels here are "
                f"{enumerated(self.classes)}"
            )
        return self.classes.index(label)


class SignedRows(NamedTuple):
    """The examples z_i, not multiplied out: rows, signs and the constant coordinate."""

    rows: Rows
    signs: Array  # int8: y_i, or 0 for a row that the question is not about
    x0: float
    n_features: int
    digests: Array | None = None
    first: int = 0

    @property
    def n_rows(self) -> int:
        """The rows of the data, those that the question is not about included."""
        return len(self.signs)

    @property
    def marks(self) -> Array:
        """What the labels are to the question."""
        return self.signs

    def take(self, chosen: Array) -> SignedRows:
        """Return the problem of some of the rows alone, which are then numbered anew."""
        rows, signs = take(self.rows, chosen), self.signs[chosen]
        return SignedRows(rows, signs, self.x0, self.n_features)


class JointProblem(NamedTuple):
    """Rows, the numbers of their classes and the constant coordinate."""

    rows: Rows
    labels: Array  # int32
    n_classes: int
    x0: float
    n_features: int
    digests: Array | None = None
    first: int = 0

    @property
    def n_rows(self) -> int:
        """The rows of the data."""
        return len(self.labels)

    @property
    def marks(self) -> Array:
        """What the labels are to the question."""
        return self.labels

    @property
    def positive(self) -> SignedRows:
        """The rows alone, each with the sign +1."""
        signs = np.ones(self.n_rows, np.int8)
        place = self.digests, self.first
        return SignedRows(self.rows, signs, self.x0, self.n_features, *place)

    def take(self, chosen: Array) -> JointProblem:
        """Return the problem of some of the rows alone, which are then numbered anew."""
        rows, labels = take(self.rows, chosen), self.labels[chosen]
        return JointProblem(rows, labels, self.n_classes, self.x0, self.n_features)


@dataclass(frozen=True)
class Question:
    """Which labels are +1, which are -1, and whether a rule has an intercept."""

    positive: Label
    negative: Label | None  # None for all others
    fit_intercept: bool = True
    names: ClassVar[tuple[str, ...]] = ("positive", "negative")  # in a file

    def of(self, data: Data) -> SignedRows:
        """Put the question to the data; labels that it does not have are a ProofError."""
        if self.positive == self.negative:
            raise ProofError(f"this proof is about {self.positive!r} on both sides")
        positive = data.labels == data.number_of(self.positive)
        negative = ~positive
        if self.negative is not None:
            negative = data.labels == data.number_of(self.negative)
        signs = positive.astype(np.int8) - negative.astype(np.int8)
        place = data.digests, data.first
        return SignedRows(data.rows, signs, float(self.fit_intercept), data.n_features, *place)

    @classmethod
    def read(cls, content: dict[str, Any]) -> Question:
        """Make one of what a file of a proof holds."""
        fit_intercept, negative = read_flag(content["fit_intercept"]), content["negative"]
        negative = None if negative is None else read_label(negative)
        return cls(read_label(content["positive"]), negative, fit_intercept)

    def content(self) -> dict[str, Any]:
        """Return what is asked, for a file of a proof."""
        return {"positive": self.positive, "negative": self.negative}

    @property
    def labels(self) -> list[Label]:
        """The labels that are named."""
        return [self.positive] if self.negative is None else [self.negative, self.positive]

    def __str__(self) -> str:
        against = "the rest" if self.negative is None else repr(self.negative)
        return f"{self.positive!r} against {against}"


@dataclass(frozen=True)
class JointQuestion:
    """The classes that all have a vector of their own, and whether a rule has intercepts."""

    classes: tuple[Label, ...]
    fit_intercept: bool = True
    names: ClassVar[tuple[str, ...]] = ("multiclass", "classes")  # in a file

    def of(self, data: Data) -> JointProblem:
        """Put the question to the data; other classes than its own are a ProofError."""
        for label in self.classes:
            data.number_of(label)
        if list(self.classes) != data.classes:
            raise ProofError(
                f"{OTHER_DATA}its classes are {enumerated(self.classes)}, those here are "
                f"{enumerated(data.classes)}"
            )
        facts = len(data.classes), float(self.fit_intercept), data.n_features
        place = data.digests, data.first
        return JointProblem(data.rows, data.labels, *facts, *place)

    @classmethod
    def read(cls, content: dict[str, Any]) -> JointQuestion:
        """Make one of what a file of a proof holds."""
        fit_intercept = read_flag(content["fit_intercept"])
        if content["multiclass"] != JOINT:
            raise ProofError(f"this proof is damaged: multiclass is not {JOINT!r}")
        return cls(tuple(read_label(one) for one in read_list(content["classes"])), fit_intercept)

    def content(self) -> dict[str, Any]:
        """Return what is asked, for a file of a proof."""
        return {"multiclass": JOINT, "classes": list(self.classes)}

    @property
    def labels(self) -> list[Label]:
        """The labels that are named."""
        return list(self.classes)

    def __str__(self) -> str:
        return f"{len(self.classes)} classes jointly"


AnyQuestion = Question | JointQuestion


def check_exact_block(X: Any, y: Any, asked_by: str = "a proof") -> Block:
    """Check rows and labels; refuse numbers that a float64 does not hold."""
    block = check_block(asked_by, X, y)
    check_exact(X)
    return block


def check_exact_data(X: Any, y: Any) -> Data:
    """Check rows and labels; labels become plain Python values."""
    block = check_exact_block(X, y)
    return Data(block.rows, block.labels, plain_labels(block.classes), block.n_features)


def plain_labels(classes: Array) -> list[Any]:
    """Return labels as Python's own values."""
    return [label.item() if hasattr(label, "item") else label for label in classes]


def questions(classes: Sequence[Any], fit_intercept: bool, multiclass: str) -> list[AnyQuestion]:
    """Return the questions that the classes raise: one for two classes, perhaps more for more."""
    check_choice(multiclass, "multiclass", WAYS)
    if len(classes) == 2:
        return [question_of_two(classes, fit_intercept)]
    fit_intercept = _check_flag(fit_intercept)
    if multiclass == JOINT:
        return [JointQuestion(tuple(classes), fit_intercept)]
    if multiclass == REST:
        return [Question(label, None, fit_intercept) for label in classes]
    return [Question(b, a, fit_intercept) for a, b in combinations(classes, 2)]


def question_of_two(classes: Sequence[Any], fit_intercept: bool) -> Question:
    """Return the one question that two classes raise."""
    low, high = classes
    return Question(high, low, _check_flag(fit_intercept))


def _check_flag(fit_intercept: Any) -> bool:
    if not isinstance(fit_intercept, (bool, np.bool_)):
        raise ParameterError(f"must be True or False, got {fit_intercept!r}", about="fit_intercept")
    return bool(fit_intercept)


def way_of(asked: Collection[AnyQuestion]) -> Multiclass:
    """Return how several classes are told apart by these questions."""
    if any(isinstance(question, JointQuestion) for question in asked):
        return JOINT
    return REST if any(getattr(q, "negative", None) is None for q in asked) else PAIRS


def check_all_asked(asked: Collection[AnyQuestion], classes: Sequence[Any]) -> None:
    """Raise a ProofError unless these are all the questions that the classes raise."""
    intercepts = {question.fit_intercept for question in asked}
    if len(intercepts) > 1:
        raise ProofError(
            "some answers of this proof are about rules with an intercept, some about rules "
            "through the origin; it must be one or the other"
        )
    expected = dict.fromkeys(questions(classes, intercepts.pop(), way_of(asked)))
    unknown = [one for question in asked for one in question.labels if one not in classes]
    if unknown:
        raise ProofError(
            f"{OTHER_DATA}no row has the label {unknown[0]!r}; the labels here are "
            f"{enumerated(classes)}"
        )
    foreign = [question for question in asked if question not in expected]
    if foreign:
        raise ProofError(
            f"this proof answers {enumerated(foreign)}, but what is asked about the classes "
            f"{enumerated(classes)} is {enumerated(list(expected))}"
        )
    missing = [question for question in expected if question not in asked]
    if missing:
        raise ProofError(
            f"this proof answers {len(asked)} of the {len(expected)} questions; it says nothing "
            f"about {enumerated(missing)}"
        )
    if list(asked) != list(expected):
        raise ProofError(f"the questions must be in their order: {enumerated(list(expected))}")


def enumerated(listed: Sequence[Any]) -> str:
    """Return questions or labels for a sentence; a long list is cut short.

    Examples
    --------
    >>> enumerated(["a", "b", "c"])
    "'a', 'b' and 'c'"
    """
    shown = [repr(one) if isinstance(one, str) else str(one) for one in listed]
    if len(shown) > MOST_LISTED:
        shown = [*shown[: MOST_LISTED - 1], f"{len(shown) - MOST_LISTED + 1} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
