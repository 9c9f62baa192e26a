"""What is read from a file or a built-in set: rows, labels, and the names of features.

Names are made when they are asked for: a million of them need not be stored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.markup import shortened
from rosenblatt.types import Dense, Floats, Labels, SparseRows

if TYPE_CHECKING:
    from rosenblatt.data.formats.svmlight import IndexedRecipe
    from rosenblatt.data.recipe import Recipe

MOST_NAMED = 10  # classes that a message lists


class Examples(NamedTuple):
    """The training data D of N examples.

    `X` is a dense array, a CSR array of floats, or a CSR array of bool (presence: every entry is
    1). `notes` says in sentences what was guessed and decided while reading. `recipe` makes the
    same features from another file, `texts` is the text column, when there is just one (an Arrow
    array). At prediction time, when a file has no labels, `y` is empty.

    Examples
    --------
    >>> from rosenblatt.data.builtin import load_builtin
    >>> examples = load_builtin("lecture")
    >>> examples.X.ravel(), examples.y
    (array([1., 2., 7., 8.]), array([-1, -1,  1,  1]))
    """

    X: Dense | SparseRows
    y: Labels
    feature_names: Sequence[str]
    source: str
    notes: tuple[str, ...] = ()
    recipe: Recipe | IndexedRecipe | None = None
    texts: object = None
    rounded: str = ""  # a sentence about a whole number of the file that float64 does not hold
    groups: Labels | None = None  # equal for rows that stay in one fold, if there is such a column
    times: Floats | None = None  # of each row, a number, to foretell later rows from earlier ones

    def of_classes(self, names: Sequence[str]) -> Examples:
        """Return the examples of two classes, named as they are printed.

        Examples
        --------
        >>> from rosenblatt.data.builtin import load_builtin
        >>> load_builtin("iris").of_classes(["setosa", "virginica"]).X.shape
        (100, 4)
        """
        different = {str(label): label for label in np.unique(self.y).tolist()}
        if len(set(names)) != 2:
            raise ParameterError(
                f"two different classes are needed, got {', '.join(names) or 'none'}",
                do="name two of them",
                in_shell="name them with --classes A,B",
            )
        for name in names:
            if name not in different:
                raise DataError(
                    f"{self.source} has no class {name!r}; its classes are "
                    f"{', '.join([*different][:MOST_NAMED])}"
                    f"{', ...' if len(different) > MOST_NAMED else ''}"
                )
        rows = np.flatnonzero(np.isin(self.y, [different[name] for name in names]))
        texts: Any = self.texts
        return self._replace(
            X=self.X[rows],
            y=self.y[rows],
            texts=None if texts is None else texts.take(rows),
            groups=None if self.groups is None else self.groups[rows],
            times=None if self.times is None else self.times[rows],
        )

    def __repr__(self) -> str:
        n, d = self.X.shape
        return (
            f"<Examples of {shortened(self.source)}: {counted(n, 'row')}, "
            f"{counted(d, 'feature')}, {'labelled' if len(self.y) else 'without labels'}>"
        )


class NamesOnDemand(Sequence[str]):
    """Names that are made, or looked up, one by one; `_name` gives that of feature j."""

    def _name(self, j: int) -> str:
        raise NotImplementedError

    @overload
    def __getitem__(self, j: int) -> str: ...
    @overload
    def __getitem__(self, j: slice) -> list[str]: ...
    def __getitem__(self, j: int | slice) -> str | list[str]:
        n = len(self)
        if isinstance(j, slice):
            return [self._name(k) for k in range(*j.indices(n))]
        if not -n <= j < n:
            raise IndexError(f"there are {n} names, asked for number {j}")
        return self._name(j % n)


class Numbered(NamesOnDemand):
    """The names "first", "first + 1", ...: features that have a number only.

    Examples
    --------
    >>> list(Numbered(1, 3)), Numbered(0, 1 << 20)[-1]
    (['1', '2', '3'], '1048575')
    """

    def __init__(self, first: int, n: int) -> None:
        self._numbers = range(first, first + n)

    def __len__(self) -> int:
        return len(self._numbers)

    def _name(self, j: int) -> str:
        return str(self._numbers[j])


class Joined(NamesOnDemand):
    """Several lists of names, one after the other.

    Examples
    --------
    >>> Joined([["age"], Numbered(1, 2)])[1:]
    ['1', '2']
    """

    def __init__(self, parts: Sequence[Sequence[str]]) -> None:
        self._parts = parts
        self._ends = list(accumulate(len(part) for part in parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _name(self, j: int) -> str:
        part = bisect_right(self._ends, j)
        return str(self._parts[part][j - (self._ends[part - 1] if part else 0)])
