"""The experiments of the lecture: exercise 1.4 with its picture, and a table of many runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt.checks.parameters import as_float, check_count, check_seed
from rosenblatt.choices import Rule
from rosenblatt.counting import counted
from rosenblatt.data.builtin import load_builtin
from rosenblatt.errors import ParameterError
from rosenblatt.lab.hypotheses import FeatureMap, error_in, expand
from rosenblatt.lab.learners import Classifier, Learner, run_learner
from rosenblatt.lab.seen_otherwise import NoisyTarget, WideTarget
from rosenblatt.lab.targets import CircleTarget, LineTarget, Target
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.shown import InSentences, Tabular
from rosenblatt.types import Array, Flags, Floats, Integers

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Numbers drawn in one go: 32 MB, so that a million runs need no more memory than a thousand
BATCH = 1 << 22
MEASURES = ("updates", "disagreement", "error_in", "error_out")


@dataclass(frozen=True, eq=False, repr=False)
class Exercise(InSentences):
    """What `exercise_1_4` drew and learned; weights are w0 first."""

    X: Floats
    y: Integers
    target: Floats
    learned: Floats
    n_updates: int

    @property
    def disagreement(self) -> float:
        """P[f != g] on the square that the points are drawn from."""
        return float(LineTarget(self.target, low=-10.0, high=10.0).disagreement(self.learned))

    def __str__(self) -> str:
        return (
            f"{counted(len(self.y), 'point')}, learned in {counted(self.n_updates, 'update')}: "
            f"f = {self.target.tolist()}, g = {self.learned.tolist()}, "
            f"P[f != g] = {self.disagreement:.4g}"
        )

    def plot(self, ax: Axes | None = None) -> Figure:
        """Draw the points in the colours and shapes of their classes, f in dashes and g.

        Parameters
        ----------
        ax : Axes or None, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        # a picture is asked for now and then; the experiments must not wait for matplotlib
        from rosenblatt.plot.planes import plane

        return plane(self.X, self.y, f=self.target, g=self.learned, ax=ax)


def exercise_1_4(seed: int = 0) -> Exercise:
    """Learn 20 points in [-10, 10]^2, labelled by w = (1, 2, 4), by PLA with rule "first".

    Parameters
    ----------
    seed : int, default=0
        Draws the points.

    Returns
    -------
    Exercise
        The points, their labels, both weights, and a `plot()` of them.

    Examples
    --------
    >>> from rosenblatt.lab import exercise_1_4
    >>> exercise = exercise_1_4(seed=0)
    >>> exercise.n_updates, exercise.learned.shape
    (7, (3,))
    """
    check_count(least=0, seed=seed)
    examples = load_builtin("exercise-1.4", seed)
    model = Perceptron(rule="first", max_epochs=None, max_updates=10_000_000)
    model.fit(examples.X, examples.y)
    learned = np.concatenate([model.intercept_, model.coef_[0]])
    return Exercise(
        np.asarray(examples.X, float),
        np.asarray(examples.y, int),
        np.array([1.0, 2.0, 4.0]),
        learned,
        int(model.n_updates_),
    )


class Summary(NamedTuple):
    """One measure over many runs; counts of updates are heavy-tailed, so not the mean alone."""

    mean: float
    standard_error: float
    lower_quartile: float
    median: float
    upper_quartile: float

    @classmethod
    def of(cls, values: Array) -> Summary:
        """Summarise the values of all runs."""
        quartiles = [float(q) for q in np.percentile(values, [25, 50, 75])]
        spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
        return cls(float(values.mean()), spread / len(values) ** 0.5, *quartiles)


@dataclass(frozen=True, eq=False, repr=False)
class RunTable(Tabular):
    """Measures of many independent runs, an entry for each.

    Attributes
    ----------
    n_points : int
        Points in each run.
    learner : str
        What learned from them.
    weights : ndarray of shape (runs, features + 1) or None
        The hypothesis g of each run, w0 first; None where g is not one linear rule.
    updates : ndarray of shape (runs,)
        Corrections made; 0 for learners that make none.
    disagreement : ndarray of shape (runs,)
        P[f != g], noise left aside.
    error_in, error_out : ndarray of shape (runs,)
        The share of wrong labels in the sample, and among all examples, noise included.
    converged : ndarray of shape (runs,)
        Whether nothing in the sample was misclassified in the end.

    Examples
    --------
    >>> from rosenblatt.lab import runs
    >>> table = runs(10, 2000, random_state=0)
    >>> table.summary()["updates"].median < table.summary()["updates"].mean
    True
    """

    n_points: int
    learner: str
    weights: Floats | None
    updates: Integers
    disagreement: Floats
    error_in: Floats
    error_out: Floats

    @property
    def converged(self) -> Flags:
        """Whether nothing in the sample was misclassified in the end."""
        return np.asarray(self.error_in == 0)

    def __len__(self) -> int:
        return len(self.updates)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each run: its measures and the weights of g.

        Returns
        -------
        pyarrow.Table
            With the weights and the measures.
        """
        import pyarrow

        columns = {name: getattr(self, name) for name in (*MEASURES, "converged")}
        if self.weights is not None:
            columns |= {f"w{j}": self.weights[:, j] for j in range(self.weights.shape[1])}
        return pyarrow.table(columns)

    def __repr__(self) -> str:
        about = f"{counted(len(self), 'run')}, N = {self.n_points}, {self.learner}"
        return f"<RunTable: {about}, a mean of {counted(self.updates.mean(), 'update', '.4g')}>"

    def summary(self) -> dict[str, Summary]:
        """Return mean, standard error, quartiles and median of each measure.

        Returns
        -------
        dict of str to Summary
            By the name of the measure.
        """
        return {name: Summary.of(getattr(self, name)) for name in MEASURES}

    def __str__(self) -> str:
        lines = [
            f"{counted(len(self), 'run')}, N = {self.n_points}, {self.learner}",
            f"{'':<13} {'mean':>10} {'± error':>10} {'25 %':>10} {'median':>10} {'75 %':>10}",
        ]
        noiseless = np.array_equal(self.disagreement, self.error_out)
        for name, summary in self.summary().items():
            if name != "disagreement" or not noiseless:
                lines.append(f"{name:<13} " + " ".join(f"{value:>10.4g}" for value in summary))
        if noiseless:
            lines.append("error_out is P[f != g]: the labels have no noise")
        return "\n".join(lines)


def runs(
    n_points: int,
    n_runs: int = 1000,
    learner: Learner | Classifier = "perceptron",
    *,
    rule: Rule | None = None,
    target: Target | None = None,
    dimension: int | None = None,
    noise: float = 0.0,
    margin: float = 0.0,
    features: FeatureMap = "linear",
    n_fresh: int = 1000,
    max_updates: int | None = None,
    random_state: Any = None,
) -> RunTable:
    """Repeat an experiment: draw points, learn g, and measure how wrong it is.

    Parameters
    ----------
    n_points : int
        Points in each run.
    n_runs : int, default=1000
        Independent runs.
    learner : str or classifier, default="perceptron"
        "perceptron" (PLA from zero), "pocket", "batch", "voted", "averaged",
        "passive-aggressive", "arow", "gaussian" (naive Bayes), "regression" (the sign of least
        squares) or "regression-perceptron" (PLA that starts from there); or any classifier, with
        the parameters that it has.
    rule : {"first", "cyclic", "random", "shuffled", "worst"} or None, default=None
        Which mistake PLA or the pocket corrects next; None picks at random.
    target : Target or None, default=None
        What is to be learned; by default a line through two random points of [-1, 1]^2, drawn
        anew for each run.
    dimension : int or None, default=None
        The features d of a point: the default target is then a hyperplane through d random
        points. None is 2, or what the target has.
    noise : float, default=0.0
        The share of the labels of each sample that is flipped, up to 0.5.
    margin : float, default=0.0
        No point is drawn nearer to the boundary of the target than this.
    features : {"linear", "quadratic"}, default="linear"
        What the learner sees: x1 and x2, or x1x2, x1^2 and x2^2 as well.
    n_fresh : int, default=1000
        Fresh points of each run for E_out where it is not known as an area.
    max_updates : int or None, default=None
        Budget of PLA or the pocket in each run. None is 1,000,000 for PLA on a line without
        noise, else 10,000, for there PLA would never end.
    random_state : int, RandomState, Generator or None, default=None
        Draws targets, points and picks.

    Returns
    -------
    RunTable
        `updates`, `disagreement`, `error_in`, `error_out` of each run, and their `summary()`.

    Examples
    --------
    >>> from rosenblatt.lab import runs
    >>> table = runs(100, 1000, "regression", random_state=0)
    >>> round(table.summary()["error_in"].mean, 2)
    0.04
    >>> from rosenblatt import PocketPerceptron
    >>> pocket = PocketPerceptron(max_updates=200)
    >>> table = runs(50, 100, pocket, noise=0.1, random_state=0)
    >>> round(table.summary()["error_in"].mean, 1)  # f itself is wrong about 5 of the 50
    0.1
    >>> bool((table.error_out >= 0.1).all())  # and nobody foresees the noise
    True
    """
    check_count(n_points=n_points, n_runs=n_runs, n_fresh=n_fresh)
    drawn = Drawing.of(target, dimension, noise, margin)
    how = run_learner(learner, rule, max_updates, may_end=drawn.is_separable(features))
    random = check_seed(random_state)
    width = max(n_points, n_fresh) * expand(np.zeros((1, drawn.dimension)), features).shape[1]
    size = max(1, BATCH // width)
    parts, lines = [], []
    for start in range(0, n_runs, size):
        n = min(size, n_runs - start)
        f = drawn.target_of(n, random)
        X, y = f.draw((n, n_points), random)
        fresh = f.points((n, 0 if how.is_linear else n_fresh), random)
        of_fresh = None if how.is_linear else expand(fresh, features)
        weights, updates, said, told = how.learn(expand(X, features), y, of_fresh, random)
        if weights is None:
            differ = np.not_equal(told, f(fresh)).mean(axis=1)
            inside = np.not_equal(said, y).mean(axis=1)
        else:
            differ = f.disagreement(weights, features, n_fresh=n_fresh, random_state=random)
            inside = error_in(weights, X, y, features)
        out = f.noise + (1 - 2 * f.noise) * differ
        lines += [] if weights is None else [weights]
        parts.append((updates, differ, inside, out))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    weights = np.concatenate(lines) if lines else None
    return RunTable(n_points, how.name, weights, **dict(zip(MEASURES, columns, strict=True)))


class Drawing(NamedTuple):
    """How the data of each run is drawn."""

    target: Target | None
    dimension: int
    noise: float
    margin: float

    @classmethod
    def of(
        cls, target: Any, dimension: int | None, noise: float = 0.0, margin: float = 0.0
    ) -> Drawing:
        """Check what an experiment is given; None stands for a random line, and its plane."""
        if not (target is None or isinstance(target, Target)):
            raise ParameterError(
                f"must be a Target from rosenblatt.lab or None, got {target!r}", about="target"
            )
        has = None if target is None else target.dimension
        if dimension is not None:
            check_count(dimension=dimension)
        if has is not None and dimension not in (None, has):
            raise ParameterError(
                f"is {dimension}, but the target has {counted(has, 'feature')}",
                about="dimension",
                do="leave out {dimension}",
            )
        if not 0 <= as_float(noise) <= 0.5:
            raise ParameterError(f"must be a share from 0 to 0.5, got {noise!r}", about="noise")
        if not 0 <= as_float(margin) < np.inf:
            raise ParameterError(f"must be a number from 0 on, got {margin!r}", about="margin")
        return cls(target, has or dimension or 2, noise, margin)

    def target_of(self, n: int, random: np.random.RandomState) -> Target:
        """Return the target of the next n runs."""
        f: Target = (
            LineTarget.through_random_points(random, n, dimension=self.dimension)
            if self.target is None
            else self.target
        )
        if self.margin:
            f = WideTarget(f, self.margin)
        return NoisyTarget(f, self.noise) if self.noise else f

    def is_separable(self, features: FeatureMap = "linear") -> bool:
        """Whether a linear rule can be right about everything that is drawn."""
        f = self.target
        while isinstance(f, WideTarget):
            f = f.target
        round_enough = isinstance(f, CircleTarget) and features == "quadratic"
        return not self.noise and (f is None or isinstance(f, LineTarget) or round_enough)
