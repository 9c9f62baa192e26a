"""Learn and predict one row at a time, without the full door for rows of the same kind.

What a learner carries along is kept in a `Stream` while single rows come, ready for the kernel. As
long as there is one the model has its attributes in it: who asks the model for one of them, or
changes something, ends the stream first, and the next row begins another. So a model is the same
for everybody else as after `partial_fit` with each row.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

from rosenblatt.checks.parameters import LEARNED
from rosenblatt.decision.deciding import threshold_of
from rosenblatt.errors import DataError
from rosenblatt.kernels.answers import UNSURE, answer_rows
from rosenblatt.kernels.compiler import entry_of
from rosenblatt.kernels.hypothesis import LabelledRows
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import ProblemBlock, learned_tie, splits
from rosenblatt.linear.one_row import (
    DenseRow,
    NamedRow,
    OneRow,
    RowOfBlock,
    as_table,
    check_named,
)
from rosenblatt.linear.rules import TIES
from rosenblatt.types import Array, Block, Label

NO_WEIGHTS = np.empty(0)
STREAM = "_stream"
# What Python says of a row of another kind, or a label that is new
OTHERWISE = (LookupError, TypeError, ValueError, OverflowError, struct.error)
Call = tuple[Callable[..., Any], tuple[Any, ...]]  # a kernel, and what it is called with


class MemoryShape(NamedTuple):
    """What a learner asks of blocks that its memory is for."""

    classes: Array
    n_features: int
    feature_names: Array | None = None


class Stream:
    """The memory of a learner, and one row, ready for its kernel."""

    def __init__(self, model: OneByOne, row: OneRow, *, learns: bool) -> None:
        self.row, self.learns = row, learns
        self.n_rows = self.n_updates = self.n_last = 0
        self._classes: Array = model.classes_
        self.labels = self._classes.tolist()
        self._problems = splits(len(self.labels), model._learned_way())
        self.codes = {label: code for code, label in enumerate(self.labels)}
        self._targets: dict[Any, list[tuple[int, int]]] = {}
        self._x0 = float(model.fit_intercept)
        self._memory = model._remembered()
        self._tie = TIES[learned_tie(model)]
        self._order, self._y = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
        self._answers, self._room = np.zeros(1, dtype=np.int64), -1
        self._is_moved = threshold_of(model) != 0.0  # kernels know the boundary at 0
        self._make_ready(model)
        # what is learned is late from here on
        known = {"classes_", *type(model)._get_param_names()}
        attributes = model.__dict__
        late = [name for name in attributes if name not in known and not name.startswith(LEARNED)]
        self.late = {name: attributes.pop(name) for name in late}

    def learn(self, model: OneByOne, x: Any, y: Any) -> bool:
        """Learn from a row; False, with nothing done, if the full door has to look at it."""
        try:
            targets = self._targets.get(y) or self._targets_of(y)
            if not self.row.take(x):
                return False
        except OTHERWISE:
            return False
        if self.row.X is not self._X or len(self.row.columns) > self._room:
            self._make_ready(model)
        n_updates = 0
        for problem, target in targets:
            self._y[0] = target
            visit, arguments = self._visits[problem]
            n_updates += visit(*arguments)
        self.n_last = n_updates
        self.n_updates += n_updates
        self.n_rows += 1
        return True

    def run(self, model: OneByOne, row: RowOfBlock, codes: Array) -> Array:
        """Predict each of the first rows of a block, then learn from it; return the answers.

        `codes` are the numbers of their classes. It is for models with one problem.
        """
        self.row, self._y = row, self._problems[0].targets(codes).astype(np.int32)
        self._make_ready(model)
        answers: Array = np.zeros(len(codes), dtype=np.int64)
        self.n_rows += len(codes)
        # one class alone is all there is to predict, and has nothing to be told from
        if len(self.labels) == 1 or self._answer is None:
            return answers
        order, found = self._order, self._answers
        (visit, arguments), (answer, asked) = self._visits[0], self._answer
        for i in range(len(codes)):
            order[0] = i
            answer(*asked)
            answers[i] = found[0]
            self.n_last = visit(*arguments)
            self.n_updates += self.n_last
        return answers

    def predict(self, model: OneByOne, x: Any) -> int:
        """Return the number of the class of a row; UNSURE if the full door has to look at it."""
        try:
            if not self.row.take(x, grows=False):
                return UNSURE
        except OTHERWISE:
            return UNSURE
        if len(self.labels) == 1:
            return 0
        if self.row.X is not self._X:
            self._make_ready(model)
        if self._answer is None:
            return UNSURE
        answer, arguments = self._answer
        answer(*arguments)
        return int(self._answers[0])

    def end(self, model: OneByOne) -> None:
        """Give the model its attributes as they are now."""
        model.__dict__.update(self.late)
        if self.n_rows == 0:
            return
        names = self.row.names if isinstance(self.row, NamedRow) else None
        if names is None:
            names = self.late.get("feature_names_in_")
        facts = MemoryShape(self._classes, len(self.row.columns), names)
        memory = put_into(model._blank(facts), self._memory)
        model._finish(facts, memory, model._states(memory, len(self._problems)))
        model.n_updates_ = self.late["n_updates_"] + self.n_updates
        model.n_epochs_ = self.late["n_epochs_"] + self.n_rows
        model.converged_ = self.n_last == 0

    def _targets_of(self, y: Any) -> list[tuple[int, int]]:
        """Return the problems that a label takes part in, and what it is there."""
        code = self.codes[y]
        targets = [
            (p, int(problem.targets(np.array([code]))[0]))
            for p, problem in enumerate(self._problems)
            if problem.classes is None or code in problem.classes
        ]
        self._targets[y] = targets
        return targets

    def _make_ready(self, model: OneByOne) -> None:
        """Make the memory large enough, and the arguments of the kernels, which are on it."""
        n_columns = len(self.row.columns)
        if n_columns > self._room:
            # twice as many: names come one by one, and each weight is moved a few times at most
            self._room = n_columns * (2 if isinstance(self.row, NamedRow) else 1)
            blank = model._blank(MemoryShape(self._classes, self._room))
            self._memory = put_into(blank, self._memory)
        self._X = self.row.X
        D = LabelledRows(self._X, self._y, NO_WEIGHTS, self._x0)
        block = Block(self._X, 1, self._y, self._classes, NO_WEIGHTS, self._order, n_columns, None)
        part = ProblemBlock(self._X, self._order, D, block)
        states = model._states(self._memory, len(self._problems))
        self._visits = [_ready(model._call(state, part, self._order)) for state in states]
        self._answer = None
        if len(states) == 1 and not self._is_moved:
            out = self._answers
            self._answer = _ready(model._answer(states[0], part, self._order, self._tie, out))


def _ready(call: Call) -> Call:
    function, arguments = call
    return entry_of(function, *arguments), arguments


def put_into(blank: Any, memory: Any) -> Any:
    """Write memory, arrays or one of them, into that of more or fewer columns, which is blank."""
    parts = [(blank, memory)]
    if isinstance(memory, tuple):
        parts = list(zip(blank, memory, strict=True))
    for new, old in parts:
        common = tuple(slice(min(sizes)) for sizes in zip(new.shape, old.shape, strict=True))
        new[common] = old[common]
    return blank


class OneByOne(LinearClassifier):
    """A learner that takes single rows, beside many at a time."""

    fit_intercept: bool

    if TYPE_CHECKING:  # what a learner brings that learns row by row
        _visit: Any
        _memory: Any

        def partial_fit(
            self, X: Any, y: Any = None, classes: Any = None, *, sample_weight: Any = None
        ) -> Self:
            """Learn from some rows."""

    def learn_one(self, x: Any, y: Any) -> Self:
        """Learn from one row, as `partial_fit` does, in a few microseconds; return self.

        Parameters
        ----------
        x : dict of {name: number}, list or array of numbers
            The row. A name that is not in it counts as 0; a new name becomes a new feature.
        y : label
            Its class, perhaps a new one.

        Returns
        -------
        self
            The same object.

        Examples
        --------
        >>> from rosenblatt import AveragedPerceptron
        >>> model = AveragedPerceptron()
        >>> for x, y in [({"free": 1}, "spam"), ({"hello": 1}, "ham"), ({"free": 2}, "spam")]:
        ...     model = model.learn_one(x, y)
        >>> model.predict_one({"free": 1, "friend": 1})
        'spam'
        """
        stream = self.__dict__.get(STREAM)
        if stream is None or not (stream.learns and stream.learn(self, x, y)):
            self._learn_carefully(x, y)
        return self

    def predict_one(self, x: Any) -> Label | None:
        """Return the label of one row, as `predict` does; None before anything was learned.

        Parameters
        ----------
        x : dict of {name: number}, list or array of numbers
            The row. Names that were never learned from count for nothing.

        Returns
        -------
        label or None
            As Python's own type.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> model = Perceptron()
        >>> print(model.predict_one([7]))
        None
        >>> model.learn_one([1], "low").learn_one([8], "high").predict_one([7])
        'high'
        """
        stream = self.__dict__.get(STREAM)
        if stream is None:
            if not hasattr(self, "classes_"):
                return None
            stream = self._begin(x)
        if stream is None or (code := stream.predict(self, x)) == UNSURE:
            return self._predict_carefully(x)
        label: Label = stream.labels[code]
        return label

    def _call(self, state: Any, part: ProblemBlock, piece: Array) -> Call:
        """Return a kernel that visits the rows of a piece and counts updates, and its arguments.

        A learner that says which spares each row what Numba asks before it calls a kernel.
        """
        return _count_updates, (self._visit, state, part, piece)

    def _answer(self, state: Any, part: ProblemBlock, piece: Array, tie: int, out: Array) -> Call:
        """Return a kernel that writes the classes of a piece into `out`, and its arguments."""
        return answer_rows, (part.D.X, piece, state.h, tie, out)

    def _remembered(self) -> Any:
        """Return the memory of what was learned so far."""
        return self._memory

    def _blank(self, blocks: Any) -> Any:
        """Return a memory in which nothing is learned, for the classes and columns of blocks."""
        raise NotImplementedError

    def _states(self, memory: Any, n_problems: int) -> list[Any]:
        """Return what each problem carries along: views of the memory."""
        raise NotImplementedError

    def _finish(self, blocks: Any, memory: Any, states: list[Any]) -> None:
        """Write what was learned."""
        raise NotImplementedError

    def _begin(self, x: Any, *, learns: bool = False) -> Stream | None:
        """Begin a stream of rows like this one, unless `multiclass` has changed since learning."""
        if len(self.classes_) > 2 and self._learned_way() != self.multiclass:
            return None
        if isinstance(x, Mapping):
            return self.begin_stream(NamedRow(self._known_names()), learns=learns)
        return self.begin_stream(DenseRow(self.n_features_in_), learns=learns)

    def begin_stream(self, row: OneRow, *, learns: bool) -> Stream:
        """Begin a stream of rows of this kind."""
        stream = Stream(self, row, learns=learns)
        self.__dict__[STREAM] = stream
        return stream

    def end_stream(self) -> None:
        """Write what single rows have taught; nothing is done where none have come."""
        stream = self.__dict__.pop(STREAM, None)
        if stream is not None:
            stream.end(self)

    def _known_names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        if names is None and hasattr(self, "classes_"):
            raise DataError(
                f"{type(self).__name__} learned from rows without names, got a dict",
                do="pass a list or an array of numbers",
                in_shell="",
            )
        return [] if names is None else names.tolist()

    def _learn_carefully(self, x: Any, y: Any) -> None:
        """Learn from a row by `partial_fit`; if that fails the model is as it was."""
        self.end_stream()
        before = dict(self.__dict__)
        try:
            if not isinstance(x, Mapping):
                self.partial_fit(as_table(x), [y])
            else:
                check_named(x)
                self._learn_named(x, y)
            if getattr(self, "class_weight", None) is None:
                self._begin(x, learns=True)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _learn_named(self, x: Mapping[str, Any], y: Any) -> None:
        row = NamedRow(self._known_names())
        n_known = len(row.columns)
        row.add(x)
        blocks = row.checked(x, y)
        if hasattr(self, "classes_") and len(row.columns) > n_known:
            self.widen(len(row.columns), row.names)
        self.partial_fit(blocks)

    def widen(self, n_features: int, names: Array | None = None) -> None:
        """Make place for more features, of which nothing is known yet."""
        facts = MemoryShape(self.classes_, n_features, names)
        memory = put_into(self._blank(facts), self._remembered())
        n_problems = len(splits(len(self.classes_), self._learned_way()))
        self._finish(facts, memory, self._states(memory, n_problems))

    def _predict_carefully(self, x: Any) -> Label:
        if not isinstance(x, Mapping):
            return cast(Label, self.predict(as_table(x)).tolist()[0])
        check_named(x)
        row = NamedRow(self._known_names())
        known = {name: value for name, value in x.items() if name in row.columns}
        nameless = copy(self)  # a matrix has no names, and scikit-learn would warn of that
        del nameless.feature_names_in_
        return cast(Label, nameless.predict(row.matrix(known)).tolist()[0])

    if not TYPE_CHECKING:  # to a type checker every attribute would be there

        def __getattr__(self, name: str) -> Any:
            """End the stream if what is asked for is in it."""
            stream = self.__dict__.get(STREAM)
            if stream is None or name not in stream.late:
                return super().__getattr__(name)
            self.end_stream()
            return getattr(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """End the stream before anything is changed from outside."""
        if STREAM in self.__dict__:
            self.end_stream()
        super().__setattr__(name, value)

    def __getstate__(self) -> Any:
        """End the stream: copies and files have attributes."""
        self.end_stream()
        return super().__getstate__()


def _count_updates(visit: Any, state: Any, part: ProblemBlock, piece: Array) -> int:
    return int(visit(state, part, piece).n_updates - state.n_updates)
