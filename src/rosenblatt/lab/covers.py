"""How many labellings of N points a linear rule can make: counted, and by Cover's formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.checks.parameters import check_count, check_flags, check_seed
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError
from rosenblatt.lab.experiments import BATCH
from rosenblatt.lab.separation import separable_runs
from rosenblatt.shown import Tabular
from rosenblatt.types import Floats, Integers

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PLACES = 16  # numbers of points for one dimension, unless they are given
LONGEST = 4  # times as many points as weights: there next to nothing can be separated


def labellings(n_points: int, n_weights: int) -> int:
    """Return how many of the 2^N labellings of N points a linear rule makes (Cover 1965).

        C(N, d) = 2 sum of binomial(N - 1, k) over k = 0 ... d - 1

    For points in general position, and rules with d weights: those of a threshold w0 and of
    d - 1 features, or of d features without one.

    Parameters
    ----------
    n_points : int
        N.
    n_weights : int
        d, the threshold included.

    Returns
    -------
    int
        The exact count.

    Examples
    --------
    >>> from rosenblatt.lab import labellings
    >>> labellings(4, 3)  # four points in the plane: all of 16 but the two of XOR
    14
    """
    check_count(n_points=n_points, n_weights=n_weights)
    return 2 * sum(comb(n_points - 1, k) for k in range(min(n_weights, n_points)))


@dataclass(frozen=True, eq=False, repr=False)
class CoverTable(Tabular):
    """The share of random labellings that can be separated, a row for each N and d.

    Attributes
    ----------
    n_runs : int
        Data sets behind each row.
    n_weights : ndarray of shape (rows,)
        d: the weights of a rule, the threshold included.
    n_points : ndarray of shape (rows,)
        N.
    separable : ndarray of shape (rows,)
        The share of the data sets that a linear rule separates, each of them proved.
    expected : ndarray of shape (rows,)
        C(N, d) / 2^N.
    """

    n_runs: int
    n_weights: Integers
    n_points: Integers
    separable: Floats
    expected: Floats

    @property
    def ratio(self) -> Floats:
        """N / d: at 2 it is one half, in any dimension."""
        return np.asarray(self.n_points / self.n_weights)

    @property
    def standard_error(self) -> Floats:
        """How far chance takes a share of so many data sets from the expected one."""
        return np.asarray(np.sqrt(self.expected * (1 - self.expected) / self.n_runs))

    def __len__(self) -> int:
        return len(self.n_points)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with the columns of `print`.

        Returns
        -------
        pyarrow.Table
            A row for each N and d.
        """
        import pyarrow

        names = ("n_weights", "n_points", "ratio", "separable", "expected", "standard_error")
        return pyarrow.table({name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        sets = counted(self.n_runs * len(self), "data set")
        return f"<CoverTable: {counted(len(self), 'row')}, {sets}>"

    def __str__(self) -> str:
        lines = [
            f"{counted(self.n_runs, 'random labelling')} of N random points each; d is the number "
            "of weights, the threshold included",
            f"{'d':>4} {'N':>5} {'N/d':>6} {'separable':>10} {'C(N, d)/2^N':>12} {'± error':>9}",
        ]
        columns = (self.n_weights, self.n_points, self.ratio, self.separable, self.expected)
        for d, n, ratio, share, expected, error in zip(*columns, self.standard_error, strict=True):
            lines.append(
                f"{d:>4} {n:>5} {ratio:>6.2f} {share:>10.3f} {expected:>12.3f} {error:>9.3f}"
            )
        return "\n".join(lines)

    def plot(self, ax: Axes | None = None) -> Figure:
        """Draw the shares against N / d, and the formula as a line.

        Parameters
        ----------
        ax : Axes or None, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from rosenblatt.plot.curves import separable_shares

        return separable_shares(self.n_weights, self.ratio, self.separable, self.expected, ax)


def cover(
    dimension: int | Sequence[int] = (2, 10),
    n_runs: int = 500,
    *,
    n_points: Sequence[int] | None = None,
    fit_intercept: bool = True,
    random_state: Any = None,
) -> CoverTable:
    """Draw points and labels at random; tell how often a linear rule separates them.

    Parameters
    ----------
    dimension : int or sequence of int, default=(2, 10)
        The features of a point, one or several.
    n_runs : int, default=500
        Data sets for each N and each dimension.
    n_points : sequence of int or None, default=None
        The numbers N of points; None goes from 1 to four times the number of weights.
    fit_intercept : bool, default=True
        Whether rules have a threshold, one weight more; without it they go through the origin.
    random_state : int, RandomState, Generator or None, default=None
        Draws points and labels.

    Returns
    -------
    CoverTable
        The share that can be separated beside Cover's formula.

    Examples
    --------
    >>> from rosenblatt.lab import cover
    >>> table = cover(2, 200, n_points=[3, 6], random_state=0)
    >>> table.separable[0], table.expected.tolist()
    (np.float64(1.0), [1.0, 0.5])
    """
    dimensions = list(dimension) if isinstance(dimension, Sequence) else [dimension]
    for d in dimensions:
        check_count(dimension=d)
    check_count(n_runs=n_runs)
    check_flags(fit_intercept=fit_intercept)
    for n in n_points or ():
        check_count(n_points=n)
    if not dimensions or (n_points is not None and not len(n_points)):
        empty = "n_points" if dimensions else "dimension"
        raise ParameterError("must name one number at least", about=empty)
    random = check_seed(random_state)
    rows = []
    for d in dimensions:
        n_weights = d + int(fit_intercept)
        for n in _places(n_weights) if n_points is None else n_points:
            found, size = 0, max(1, BATCH // (n * (d + 1)))
            for start in range(0, n_runs, size):
                shape = (min(size, n_runs - start), n)
                X = random.uniform(-1.0, 1.0, (*shape, d))
                y = random.choice([-1, 1], shape)
                found += int(separable_runs(X, y, fit_intercept=fit_intercept).sum())
            expected = float(Fraction(labellings(n, n_weights), 2**n))
            rows.append((n_weights, n, found / n_runs, expected))
    weights, points, share, formula = (np.array(column) for column in zip(*rows, strict=True))
    return CoverTable(n_runs, weights, points, share, formula)


def _places(n_weights: int) -> list[int]:
    """Return numbers of points from 1 to LONGEST times the weights, all or some of them."""
    most = LONGEST * n_weights
    return sorted(
        {round(n) for n in np.linspace(1, most, min(most, MOST_PLACES))} | {2 * n_weights}
    )
