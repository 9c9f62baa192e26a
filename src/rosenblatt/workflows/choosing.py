"""Choose among learners and forms of rows by their errors inside of the training rows.

What is chosen so has seen no row that the fit is tested on: inside of each fold of a validation
the choice is made anew, from the rows of that fold alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.blocks import Blocks
from rosenblatt.errors import DataError
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block
from rosenblatt.workflows.forms import SAID

INNER_FOLDS = 3
AS_THEY_ARE = "rows as they are"
HELD_OUT_FROM = 20_000  # rows: of so many, one fold tells enough


class Contender(NamedTuple):
    """A learner, and the form in which it gets its rows."""

    algorithm: str
    form: str


class Chosen(NamedTuple):
    """The contender with the smallest error; of equally good ones the first."""

    winner: Contender
    errors: tuple[tuple[Contender, float], ...]  # of those that could take the rows, in their order
    n_tested: int  # rows that each was tested on; 0: there were none, and the first one won


Learn = Callable[[Contender, Blocks], Any]


def choose(contenders: Sequence[Contender], blocks: Blocks, learn: Learn, seed: int = 0) -> Chosen:
    """Let every contender learn from a part of the rows and be tested on the rest, in turn.

    `learn` gives the model of a contender for some blocks of rows. One that refuses the rows with a
    DataError is out; if all do, the error of the first is raised.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from rosenblatt.blocks import as_blocks
    >>> blocks = as_blocks([[1.0]] * 9, list("aaaaaabbb"))
    >>> def learn(contender, rows):
    ...     constant = DummyClassifier(strategy="constant", constant=contender.algorithm)
    ...     return constant.fit([[0.0]] * 2, ["a", "b"])
    >>> choice = choose([Contender("b", "plain"), Contender("a", "plain")], blocks, learn)
    >>> choice.winner.algorithm, [round(error, 2) for _, error in choice.errors]
    ('a', [0.67, 0.33])
    """
    labels = np.concatenate(list(blocks.each(lambda block: block.labels)))
    parts = list(inner_folds(labels, seed))
    n_tested = sum(len(test) for _, test in parts)
    if not n_tested or len(contenders) == 1:
        return Chosen(contenders[0], (), 0)
    wrong: dict[Contender, int] = dict.fromkeys(contenders, 0)
    refusals: list[DataError] = []
    for train, test in parts:
        some, others = blocks.take(train), blocks.take(test)
        for contender in list(wrong):
            try:
                wrong[contender] += _n_wrong(_quietly(learn, contender, some), others)
            except DataError as error:
                refusals.append(error)
                del wrong[contender]
    if not wrong:
        raise refusals[0]
    errors = tuple((contender, n / n_tested) for contender, n in wrong.items())
    return Chosen(min(errors, key=lambda pair: pair[1])[0], errors, n_tested)


def said_of_choice(choice: Chosen) -> str:
    """Say which learner or form won, and by which errors.

    Examples
    --------
    >>> one, other = Contender("averaged", "plain"), Contender("averaged", "tfidf")
    >>> said_of_choice(Chosen(other, ((one, 0.02), (other, 0.01)), 100))  # doctest: +ELLIPSIS
    'words weighed by tf-idf, rows of length 1: an error of 0.0100 on ..., 0.0200 with rows as ...'
    >>> third = Contender("arow", "tfidf")
    >>> said_of_choice(Chosen(other, ((third, 0.02), (other, 0.01)), 100))  # doctest: +ELLIPSIS
    'averaged: an error of 0.0100 on training examples that were held out, 0.0200 with arow'
    """
    contenders = [contender for contender, _ in choice.errors] or [choice.winner]
    algorithms = {contender.algorithm for contender in contenders}
    forms = {SAID[contender.form] for contender in contenders}

    def name(contender: Contender) -> str:
        form = SAID[contender.form] or AS_THEY_ARE
        if len(algorithms) == 1:
            return form
        every_form = len(contenders) > len(algorithms) and len(forms) > 1
        return f"{contender.algorithm}, {form}" if every_form else contender.algorithm

    if not choice.errors:
        return f"{name(choice.winner)}: every class has too few examples to choose by"
    errors = dict(choice.errors)
    mine = errors.pop(choice.winner)
    others = [f"{error:.4f} with {name(contender)}" for contender, error in errors.items()]
    head = f"{name(choice.winner)}: an error of {mine:.4f} on training examples that were held out"
    return ", ".join([head, *others])


def inner_folds(labels: Array, seed: int = 0) -> Iterator[tuple[Array, Array]]:
    """Yield rows to learn from and rows to test on; of many rows once, else until all were tested.

    Each class is spread evenly over the folds. Rows of a class that has fewer than there are folds
    are always learned from.

    Examples
    --------
    >>> labels = np.array([0, 1, 0, 1, 0, 1, 2])
    >>> [sorted(labels[test].tolist()) for _, test in inner_folds(labels)]
    [[0, 1], [0, 1], [0, 1]]
    """
    drawn = np.random.RandomState(seed).permutation(len(labels))
    by_class = drawn[np.argsort(labels[drawn], kind="stable")]
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    fold = np.empty(len(labels), dtype=np.int64)
    # within its class each row has a number: the folds take turns
    fold[by_class] = (np.arange(len(labels)) - np.repeat(starts, sizes)) % INNER_FOLDS
    fold[sizes[labels] < INNER_FOLDS] = -1
    n_folds = INNER_FOLDS if len(labels) < HELD_OUT_FROM else 1
    for number in range(n_folds):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def _quietly(learn: Learn, contender: Contender, blocks: Blocks) -> Any:
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples says
        warnings.simplefilter("ignore", ConvergenceWarning)
        return learn(contender, blocks)


def _n_wrong(model: Any, blocks: Blocks) -> int:
    def count(block: Block) -> int:
        said = model.predict(matrix(block.rows, block.n_features))
        return int((said != block.classes[block.labels]).sum())

    return sum(blocks.each(count))
