"""How many updates PLA makes, beside what the theorem allows, over many data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.checks.parameters import check_count, check_seed
from rosenblatt.choices import Rule
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError
from rosenblatt.lab.experiments import BATCH, Drawing, Summary
from rosenblatt.lab.learners import run_learner
from rosenblatt.lab.separation import margins_of_runs
from rosenblatt.lab.targets import Target
from rosenblatt.shown import Tabular
from rosenblatt.types import Floats, Integers

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class BoundTable(Tabular):
    """Updates and their bound, an entry for each data set.

    Attributes
    ----------
    n_points, dimension : int
        Points in each data set, and their features.
    updates : ndarray of shape (runs,)
        What PLA from zero made.
    margin, radius : ndarray of shape (runs,)
        The largest margin 1/B, and R, the longest row (1, x).
    """

    n_points: int
    dimension: int
    updates: Integers
    margin: Floats
    radius: Floats

    @property
    def bound(self) -> Floats:
        """(R B)^2, which `updates` cannot exceed."""
        return np.asarray((self.radius / self.margin) ** 2)

    @property
    def share(self) -> Floats:
        """The part of the bound that was used."""
        return np.asarray(self.updates / self.bound)

    @property
    def n_runs(self) -> int:
        """How many data sets there are."""
        return len(self.updates)

    def __len__(self) -> int:
        return len(self.updates)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each data set.

        Returns
        -------
        pyarrow.Table
            With the updates, the margin, the radius, the bound and the share of it.
        """
        import pyarrow

        names = ("updates", "margin", "radius", "bound", "share")
        return pyarrow.table({name: getattr(self, name) for name in names})

    def summary(self) -> dict[str, Summary]:
        """Return mean, standard error, quartiles and median of each column.

        Returns
        -------
        dict of str to Summary
            By the name of the column.
        """
        names = ("updates", "bound", "share")
        return {name: Summary.of(getattr(self, name)) for name in names}

    def __repr__(self) -> str:
        most = f"at most {self.share.max():.3g} of the bound"
        return f"<BoundTable: {counted(len(self), 'data set')}, N = {self.n_points}, {most}>"

    def __str__(self) -> str:
        lines = [
            f"{counted(len(self), 'data set')}, N = {self.n_points}, d = {self.dimension}: "
            "PLA from zero, and the bound (R B)²",
            f"{'':<8} {'least':>10} {'25 %':>10} {'median':>10} {'75 %':>10} {'most':>10}",
        ]
        for name in ("updates", "bound", "share"):
            at = np.percentile(getattr(self, name), [0, 25, 50, 75, 100])
            lines.append(f"{name:<8} " + " ".join(f"{value:>10.4g}" for value in at))
        above = int((self.updates > self.bound).sum())
        lines.append(
            f"above the bound: {above}; in the median PLA needs "
            f"{np.median(self.share):.2%} of what the theorem allows"
        )
        return "\n".join(lines)

    def plot(self, ax: Axes | None = None) -> Figure:
        """Draw the updates of each data set against its bound.

        Parameters
        ----------
        ax : Axes or None, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from rosenblatt.plot.curves import updates_against_bound

        return updates_against_bound(self.updates, self.bound, ax)


def bound(
    n_points: int = 20,
    n_runs: int = 1000,
    *,
    rule: Rule | None = None,
    target: Target | None = None,
    dimension: int | None = None,
    margin: float = 0.0,
    random_state: Any = None,
) -> BoundTable:
    """Count the updates of PLA on many data sets, beside the bound (R B)^2 of each.

    Parameters
    ----------
    n_points : int, default=20
        Points in each data set.
    n_runs : int, default=1000
        Data sets.
    rule : {"first", "cyclic", "random", "shuffled", "worst"} or None, default=None
        Which mistake is corrected next; None picks at random. The bound holds for each of them.
    target : Target or None, default=None
        A line, or None for a random one for each data set.
    dimension : int or None, default=None
        The features of a point; None is 2, or what the target has.
    margin : float, default=0.0
        No point is drawn nearer to the target's boundary than this: the bound is lower then.
    random_state : int, RandomState, Generator or None, default=None
        Draws targets, points and picks.

    Returns
    -------
    BoundTable
        `updates`, `margin`, `radius` and `bound` of each data set.

    Examples
    --------
    >>> from rosenblatt.lab import bound
    >>> table = bound(20, 200, random_state=0)
    >>> bool((table.updates <= table.bound).all())
    True
    """
    check_count(n_points=n_points, n_runs=n_runs)
    drawn = Drawing.of(target, dimension, 0.0, margin)
    if not drawn.is_separable():
        raise ParameterError(
            f"must be a line: where no linear rule is right there is no bound, got {target!r}",
            about="target",
        )
    how = run_learner("perceptron", rule, None, may_end=True)
    random = check_seed(random_state)
    size = max(1, BATCH // (n_points * (drawn.dimension + 1)))
    parts = []
    for start in range(0, n_runs, size):
        n = min(size, n_runs - start)
        X, y = drawn.target_of(n, random).draw((n, n_points), random)
        parts.append((how.learn(X, y, None, random).updates, *margins_of_runs(X, y)))
    updates, reached, radius = (np.concatenate(column) for column in zip(*parts, strict=True))
    return BoundTable(n_points, drawn.dimension, updates, reached, radius)
