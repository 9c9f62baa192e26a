"""How sure an estimated error is: of one model on fresh rows, over folds, of the best of many.

What an interval has to hold is the error of the delivered model, which learned from all rows. The
tested models are others, and share most of what they learned from. So the binomial variance is
taken 1.3 times, and the square of the shift is added: by how much the delivered model seems to
differ from those that were tested (`validate`). Where rows belong together, or nobody delivers a
model, the variance is at least that between folds, with the factor of Nadeau and Bengio (Machine
Learning 52, 2003): of k folds the mean has (1/k + tested/learned) times it.

Measured with 10,000 fresh rows (tests/workflows/test_coverage.py, `make soak`), 200 runs in each of
five worlds of 30 to 2,000 rows, in which up to a tenth of the labels are drawn at random; in
percent of the runs, the perceptron in cyclic order. At least 95 are promised:

                          averaged  perceptron  regression  gaussian
    five folds                97.0        96.7        98.1      97.5    93.5 to 100 in a world
    a fifth held out          98.7        98.3        99.4      99.4    95 to 100
    Wilson's, five folds      89.1        76.5        92.0      91.6    65 to 96

So it is rather too wide, most of all where few rows are tested. The 1.3 was chosen on worlds like
these, not judged on others. There the interval was 1.2 times as wide as Wilson's for learners that
hardly change with a few rows; from the folds alone, with Student's t, it would have been twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from rosenblatt.types import Array

NORMAL_95 = 1.959963984540054
SHARED = 1.3  # times the binomial variance: folds share what they learn from
DRAWS = 1000  # of rows, to pick a winner in
FEWEST_DRAWS = 50
ROWS_DRAWN = 20_000_000  # in all of them, about
AT_A_TIME = 1 << 22  # counts of rows


def wilson(n_wrong: float, n: float) -> tuple[float, float]:
    """Return Wilson's interval for a share (JASA 22, 1927); it stays within 0 and 1.

    SciPy's `binomtest(...).proportion_ci("wilson")` differs in the last digit in half of the cases,
    which model files and JSON would show.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0, 10)]
    [0.0, 0.2775]
    """
    z = NORMAL_95
    p, room = n_wrong / n, z * z / n
    middle = (p + room / 2) / (1 + room)
    half = z * sqrt(p * (1 - p) / n + room / (4 * n)) / (1 + room)
    return max(0.0, middle - half), min(1.0, middle + half)


def variance_over_folds(values: Sequence[float], ratio: float) -> float:
    """Return the variance of the mean of what folds gave; `ratio` is tested to learned rows.

    Examples
    --------
    >>> round(variance_over_folds([0.1, 0.2], 1.0), 4)
    0.0075
    """
    k = len(values)
    return (1 / k + ratio) * float(np.var(values, ddof=1)) if k > 1 else 0.0


def variance_of_error(n_wrong: int, n: int, n_folds: int) -> float:
    """Return the variance of a validated error, of rows that have nothing to do with each other.

    Examples
    --------
    >>> round(variance_of_error(20, 200, 1), 6), round(variance_of_error(20, 200, 5), 6)
    (0.000481, 0.000625)
    """
    p = (n_wrong + 2) / (n + 4)  # not 0, for no mistake among ten says little
    return (SHARED if n_folds > 1 else 1.0) * p * (1 - p) / n


def wider(n_wrong: int, n: int, variance: float) -> tuple[float, float]:
    """Return Wilson's interval, or one of a given variance where that reaches further.

    Examples
    --------
    >>> [round(end, 3) for end in wider(20, 200, 0.0)]
    [0.066, 0.149]
    >>> [round(end, 3) for end in wider(20, 200, 0.03**2)]
    [0.041, 0.159]
    """
    (low, high), p, half = wilson(n_wrong, n), n_wrong / n, NORMAL_95 * sqrt(variance)
    return max(0.0, min(low, p - half)), min(1.0, max(high, p + half))


def are_apart(one: Array, other: Array, fold_sizes: Sequence[int], ratio: float) -> bool:
    """Tell whether two learners differ by more than chance, from their mistakes on the same rows.

    A paired test at 5 %: the variance of the difference is that of the rows or that over the folds,
    whichever is larger.

    Parameters
    ----------
    one, other : arrays of bool of shape (n_rows,)
        The mistakes, fold by fold.
    fold_sizes : sequence of int
        How many rows of each fold were tested; folds beyond the rows are left out.
    ratio : float
        Of tested to learned rows.

    Examples
    --------
    >>> good, bad = np.zeros(100, bool), np.arange(100) % 4 == 0
    >>> are_apart(bad, good, [50, 50], 0.25), are_apart(good, good, [50, 50], 0.25)
    (True, False)
    """
    difference = one.astype(float) - other
    n, ends = len(difference), np.cumsum(fold_sizes)
    by_fold = [float(part.mean()) for part in np.split(difference, ends[ends <= n])[:-1]]
    variance = max(float(np.var(difference)) / n, variance_over_folds(by_fold, ratio))
    return bool(abs(difference.mean()) > NORMAL_95 * sqrt(variance))


def picked_error(wrong: Array, units: Array, seed: int = 0) -> float:
    """Return the error of the best of several learners, corrected for having been picked.

    Rows are drawn with replacement, those of a unit together. The learner with the fewest mistakes
    among the drawn ones is judged by its mistakes among the others, which had no say (Tsamardinos,
    Greasidou and Borboudakis, Machine Learning 107, 2018). That is the mean over many draws.

    Parameters
    ----------
    wrong : array of bool of shape (n_rows, n_learners)
        The mistakes of models that had not seen the row.
    units : array of int of shape (n_rows,)
        Equal for rows that stay together.
    seed : int, default=0
        Of the draws.

    Examples
    --------
    >>> coins = np.random.default_rng(0).random((200, 50)) < 0.5
    >>> float(coins.mean(axis=0).min())  # 50 learners that guess, and the luckiest of them
    0.42
    >>> round(picked_error(coins, np.arange(200)), 2)
    0.5
    """
    units = np.unique(units, return_inverse=True)[1]
    n_rows, n_units = len(units), int(units.max()) + 1
    mistakes = wrong.astype(np.float32)
    random = np.random.default_rng(seed)
    n_draws = int(np.clip(ROWS_DRAWN // n_rows, FEWEST_DRAWS, DRAWS))
    size, errors = max(1, AT_A_TIME // n_rows), list[Array]()
    for first in range(0, n_draws, size):
        n = min(size, n_draws - first)
        places = random.integers(0, n_units, (n, n_units)) + n_units * np.arange(n)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=n * n_units).reshape(n, n_units)[:, units]
        best = (counts.astype(np.float32) @ mistakes).argmin(axis=1)
        others = (counts == 0).astype(np.float32)
        n_others = others.sum(axis=1)
        n_wrong = (others @ mistakes)[np.arange(n), best]
        errors.append(n_wrong[n_others > 0] / n_others[n_others > 0])
    found = np.concatenate(errors)
    return float(found.mean()) if len(found) else float(wrong.mean(axis=0).min())
