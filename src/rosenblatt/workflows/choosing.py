"""Choose among learners and forms of rows by their errors inside of the training rows.

What is chosen so has seen no row that the fit is tested on: inside of each fold of a validation
the choice is made anew, from the rows of that fold alone. Inside, too, copies of a row and rows of
one group stay together, and by time later rows are foretold from earlier ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sklearn.exceptions import ConvergenceWarning

from rosenblatt.blocks import Blocks
from rosenblatt.errors import DataError
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block
from rosenblatt.workflows.algorithms import (
    ALGORITHMS,
    AUTO,
    CONTENDERS,
    OF_OTHER_ROWS,
    check_algorithm,
)
from rosenblatt.workflows.folds import Folds, folds_of
from rosenblatt.workflows.forms import OTHER_FORM, PLAIN, SAID, form_of
from rosenblatt.workflows.task import Task

INNER_FOLDS = 3
AS_THEY_ARE = "rows as they are"


class Contender(NamedTuple):
    """A learner, and the form in which it gets its rows."""

    algorithm: str
    form: str


class Chosen(NamedTuple):
    """The contender with the smallest error; of equally good ones the first."""

    winner: Contender
    errors: tuple[tuple[Contender, float], ...]  # of those that could take the rows, in their order
    n_tested: int  # rows that each was tested on; 0: there were none, and the first one won
    why_none: str = ""  # why there were none


Learn = Callable[[Contender, Array], Any]


def learn_best(
    task: Task, algorithm: str, seed: int, rows: Array | None = None, callback: Any = None
) -> Any:
    """Return a model of all rows, or some, by what is best inside of them if there is a choice.

    Examples
    --------
    >>> from rosenblatt import read
    >>> from rosenblatt.workflows.task import make_task
    >>> learn_best(make_task(read("lecture")), "perceptron", seed=0).predict([[7.0]])
    array([1])
    """
    contenders = contenders_for(task, algorithm)
    algorithm, form = contenders[0]
    if len(contenders) > 1:
        algorithm, form = choose(task, contenders, seed, rows, callback).winner
    return task.learn(algorithm, seed, rows, callback, form)


def contenders_for(task: Task, algorithm: str) -> list[Contender]:
    """Return what "auto" may choose from; of equally good ones it takes the first.

    An algorithm gets its rows as it likes them, or, where their form is "auto", plain or not.
    """
    names: Sequence[str] = (algorithm,)
    if algorithm == AUTO:
        few = CONTENDERS.get(task.kind, OF_OTHER_ROWS)
        names = [name for name in few if ALGORITHMS[name].for_wide or not task.is_wide]
    forms: Sequence[str | None] = (task.form,)
    if task.form == AUTO:
        forms = (PLAIN, OTHER_FORM[task.kind])
    return [
        Contender(name, form or form_of(task.kind, name))
        for name in names
        for form in forms
        if form in (None, PLAIN) or check_algorithm(name).scaled
    ]


def choose(
    task: Task,
    contenders: Sequence[Contender],
    seed: int,
    rows: Array | None = None,
    callback: Any = None,
) -> Chosen:
    """Return which learner and form is best inside of all rows, or some, by an inner validation."""

    def learn(contender: Contender, some: Array) -> Any:
        return task.learn(contender.algorithm, seed, some, callback, contender.form)

    return best_of(contenders, task.blocks, folds_of(task, seed, rows, INNER_FOLDS), learn)


def best_of(contenders: Sequence[Contender], blocks: Blocks, folds: Folds, learn: Learn) -> Chosen:
    """Let every contender learn from a part of the rows and be tested on the rest, in turn.

    `learn` gives the model of a contender for some rows, by their numbers. One that refuses the
    rows with a DataError is out; if all do, the error of the first is raised.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from rosenblatt.blocks import as_blocks
    >>> blocks = as_blocks([[1.0]] * 9, list("aaaaaabbb"))
    >>> thirds = np.split(np.arange(9), 3)
    >>> folds = Folds("3-fold", [(np.delete(np.arange(9), third), third) for third in thirds])
    >>> def learn(contender, rows):
    ...     constant = DummyClassifier(strategy="constant", constant=contender.algorithm)
    ...     return constant.fit([[0.0]] * 2, ["a", "b"])
    >>> choice = best_of([Contender("b", "plain"), Contender("a", "plain")], blocks, folds, learn)
    >>> choice.winner.algorithm, [round(error, 2) for _, error in choice.errors]
    ('a', [0.67, 0.33])
    """
    n_tested = sum(len(test) for _, test in folds.parts)
    if not n_tested or len(contenders) == 1:
        return Chosen(contenders[0], (), 0, folds.why_none)
    wrong: dict[Contender, int] = dict.fromkeys(contenders, 0)
    refusals: list[DataError] = []
    for train, test in folds.parts:
        others = blocks.take(test)
        for contender in list(wrong):
            try:
                wrong[contender] += _n_wrong(_quietly(learn, contender, train), others)
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
    if not choice.errors:
        winner, form = choice.winner
        return f"{winner}, {SAID[form] or AS_THEY_ARE}: nothing to choose by, {choice.why_none}"
    contenders = [contender for contender, _ in choice.errors]
    algorithms = {contender.algorithm for contender in contenders}
    forms = {SAID[contender.form] for contender in contenders}

    def name(contender: Contender) -> str:
        form = SAID[contender.form] or AS_THEY_ARE
        if len(algorithms) == 1:
            return form
        every_form = len(contenders) > len(algorithms) and len(forms) > 1
        return f"{contender.algorithm}, {form}" if every_form else contender.algorithm

    errors = dict(choice.errors)
    mine = errors.pop(choice.winner)
    others = [f"{error:.4f} with {name(contender)}" for contender, error in errors.items()]
    head = f"{name(choice.winner)}: an error of {mine:.4f} on training examples that were held out"
    return ", ".join([head, *others])


def _quietly(learn: Learn, contender: Contender, rows: Array) -> Any:
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples says
        warnings.simplefilter("ignore", ConvergenceWarning)
        return learn(contender, rows)


def _n_wrong(model: Any, blocks: Blocks) -> int:
    def count(block: Block) -> int:
        said = model.predict(matrix(block.rows, block.n_features))
        return int((said != block.classes[block.labels]).sum())

    return sum(blocks.each(count))
