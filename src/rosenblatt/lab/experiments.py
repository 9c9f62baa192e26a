"""The experiments of the lecture: exercise 1.4 with its picture, and a table of many runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from rosenblatt.checks.parameters import check_choice, check_count, check_seed
from rosenblatt.counting import counted
from rosenblatt.data.builtin import load_builtin
from rosenblatt.errors import ParameterError
from rosenblatt.lab.hypotheses import FeatureMap, error_in, expand
from rosenblatt.lab.runs import perceptron_runs
from rosenblatt.lab.targets import LineTarget, Target
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.shown import InSentences, Tabular
from rosenblatt.types import Array, Flags, Floats, Integers

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# What `runs` does to many data sets at once, by itself; the names are those of the table in
# `workflows/algorithms`, which is above the lab and says of each whether the lab has it
Learner = Literal["perceptron", "regression", "regression-perceptron"]
LEARNERS: tuple[Learner, ...] = get_args(Learner)
# Numbers drawn in one go: 32 MB, so that a million runs need no more memory than a thousand
BATCH = 1 << 22
# Above this condition of Z'Z the normal equations would lose half of the digits
WORST_CONDITION = 1e8
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
    weights : ndarray of shape (runs, features + 1)
        The hypothesis g of each run, w0 first.
    updates : ndarray of shape (runs,)
        Corrections made; 0 for regression alone.
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
    weights: Floats
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
    learner: Learner = "perceptron",
    *,
    target: Target | None = None,
    features: FeatureMap = "linear",
    n_fresh: int = 1000,
    max_updates: int = 1_000_000,
    random_state: Any = None,
) -> RunTable:
    """Repeat an experiment: draw points, learn g, and measure how wrong it is.

    Parameters
    ----------
    n_points : int
        Points in each run.
    n_runs : int, default=1000
        Independent runs.
    learner : {"perceptron", "regression", "regression-perceptron"}, default="perceptron"
        PLA with random picks from zero; the sign of least squares; PLA that starts from the
        weights of least squares.
    target : Target or None, default=None
        What is to be learned; by default a line through two random points of [-1, 1]^2, drawn
        anew for each run.
    features : {"linear", "quadratic"}, default="linear"
        What the learner sees: x1 and x2, or x1x2, x1^2 and x2^2 as well.
    n_fresh : int, default=1000
        Fresh points of each run for E_out where it is not known as an area.
    max_updates : int, default=1_000_000
        Budget of PLA in each run; without it, noisy labels would never end.
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
    """
    check_count(n_points=n_points, n_runs=n_runs, n_fresh=n_fresh, max_updates=max_updates)
    check_choice(learner, "learner", LEARNERS)
    if not (target is None or isinstance(target, Target)):
        raise ParameterError(
            f"must be a Target from rosenblatt.lab or None, got {target!r}", about="target"
        )
    random = check_seed(random_state)
    width = max(n_points, n_fresh) * expand(np.zeros((1, 2)), features).shape[1]
    size = max(1, BATCH // width)
    parts = []
    for start in range(0, n_runs, size):
        n = min(size, n_runs - start)
        f = LineTarget.through_random_points(random, n) if target is None else target
        X, y = f.draw((n, n_points), random)
        weights, updates = _learn(expand(X, features), y, learner, max_updates, random)
        differ = f.disagreement(weights, features, n_fresh=n_fresh, random_state=random)
        out = f.noise + (1 - 2 * f.noise) * differ
        parts.append((weights, updates, differ, error_in(weights, X, y, features), out))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return RunTable(n_points, learner, columns[0], **dict(zip(MEASURES, columns[1:], strict=True)))


def _learn(
    Z: Array, y: Array, learner: str, max_updates: int, random: np.random.RandomState
) -> tuple[Array, Array]:
    """Return the weights and the number of updates of each run."""
    start = None if learner == "perceptron" else least_squares_of_runs(Z, y)
    if start is not None and learner == "regression":
        return start, np.zeros(len(Z), dtype=np.int64)
    done = perceptron_runs(Z, y, start=start, max_updates=max_updates, random_state=random)
    return done.weights, done.n_updates


def least_squares_of_runs(Z: Array, y: Array) -> Array:
    """Return weights of shape (runs, d + 1), w0 first, of least squares on each data set.

    By the normal equations of all runs at once; where they are ill-conditioned, or have no single
    answer, by the pseudo-inverse, which gives the shortest weights.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.lab.experiments import least_squares_of_runs
    >>> least_squares_of_runs(np.array([[[-1.0], [1.0]]]), np.array([[-1, 1]])).round(9) + 0.0
    array([[0., 1.]])
    """
    n_runs, n_points, n_features = Z.shape
    columns = np.ones((n_runs, n_features + 1, n_points))
    columns[:, 1:] = Z.transpose(0, 2, 1)
    moments = np.matmul(columns, y[..., np.newaxis].astype(np.float64))
    values, vectors = np.linalg.eigh(np.matmul(columns, columns.transpose(0, 2, 1)))
    fine = values[:, 0] * WORST_CONDITION > values[:, -1]
    weights = np.empty((n_runs, n_features + 1))
    along = np.matmul(vectors[fine].transpose(0, 2, 1), moments[fine]) / values[fine, :, np.newaxis]
    weights[fine] = np.matmul(vectors[fine], along)[..., 0]
    if not fine.all():
        inverse = np.linalg.pinv(columns[~fine].transpose(0, 2, 1))
        weights[~fine] = np.matmul(inverse, y[~fine, :, np.newaxis])[..., 0]
    return weights
