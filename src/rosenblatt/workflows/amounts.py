"""Learn amounts by least squares: errors, residuals, and a model that predicts numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from rosenblatt import model_file
from rosenblatt.as_json import json_line
from rosenblatt.blocks import as_blocks
from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.read import read, with_kinds
from rosenblatt.errors import DataError, LabelError, ParameterError
from rosenblatt.linear.least_squares import LeastSquares
from rosenblatt.logs import log_notes, log_stages
from rosenblatt.rows import row_digests
from rosenblatt.shown import InSentences
from rosenblatt.tracing.table import shown_number
from rosenblatt.types import Array, Floats, Integers
from rosenblatt.workflows.fit_report import MOST_WEIGHTS
from rosenblatt.workflows.folds import dealt, units_of
from rosenblatt.workflows.parameters import NAMES, PARAMETERS, split_parameters
from rosenblatt.workflows.task import Data, Tell

MOST_RESIDUALS = 5  # that are shown


@dataclass(frozen=True, kw_only=True, repr=False)
class AmountsReport(InSentences):
    """What a regression found out.

    Examples
    --------
    >>> import rosenblatt
    >>> found = rosenblatt.fit_amounts("lecture")
    >>> found.estimator.coef_.round(4), found.residuals.round(4)
    (array([[0.3243]]), array([ 0.1351, -0.1892,  0.1892, -0.1351]))
    """

    examples: Examples
    estimator: LeastSquares
    squared_error: float  # E_in: the mean of squared residuals
    squared_error_validated: float | None  # on examples not seen; None if there are too few
    squared_error_baseline: float  # of always saying the mean
    validated_by: str  # or why not
    residuals: Floats  # y - w . x of each example
    seed: int = 0

    @property
    def r2(self) -> float | None:
        """The share of the variance that is explained, 1 at best; None if all amounts are equal."""
        return _share(self.squared_error, self.squared_error_baseline)

    @property
    def weights(self) -> list[float] | None:
        """The rule, w0 first; None of more than 12 features."""
        if self.estimator.n_features_in_ > MOST_WEIGHTS:
            return None
        found: list[float] = [
            float(self.estimator.intercept_[0]),
            *self.estimator.coef_[0].tolist(),
        ]
        return found

    @property
    def largest_residuals(self) -> Integers:
        """The rows whose amounts are farthest from the rule, the farthest first."""
        order: Integers = np.argsort(-np.abs(self.residuals), kind="stable")[:MOST_RESIDUALS]
        return order

    def facts(self, output: str | None = None) -> dict[str, object]:
        """Return what came out, as `rosenblatt fit --regression --json` says it."""
        rows = self.largest_residuals
        return {
            "source": self.examples.source,
            "examples": len(self.examples.y),
            "features": self.estimator.n_features_in_,
            "algorithm": type(self.estimator).__name__,
            "alpha": getattr(self.estimator, "alpha_", self.estimator.alpha),
            "squared_error": self.squared_error,
            "squared_error_validated": self.squared_error_validated,
            "validated_by": self.validated_by,
            "squared_error_baseline": self.squared_error_baseline,
            "r2": self.r2,
            "weights": self.weights,
            "residuals": self.residuals,
            "largest_residuals": rows,
            "model": output,
        }

    def to_json(self) -> str:
        """Return what came out as JSON, the same as `rosenblatt fit --regression --json`."""
        return json_line(self.facts())

    def save(self, path: str | Path) -> None:
        """Write the model, for `rosenblatt.load` and `rosenblatt predict`."""
        made = {"algorithm": "LeastSquares", "data": self.examples.source, "seed": self.seed}
        made |= {"squared_error": self.squared_error, "rows": len(self.examples.y)}
        model_file.save(self.estimator, path, recipe=self.examples.recipe, made=made)

    def __str__(self) -> str:
        n, d = self.examples.X.shape
        base, checked = self.squared_error_baseline, self.squared_error_validated
        lines = [
            f"{self.examples.source}: {counted(n, 'example')}, {counted(d, 'feature')}, amounts "
            f"from {self.examples.y.min():.6g} to {self.examples.y.max():.6g}",
            f"LeastSquares, alpha {getattr(self.estimator, 'alpha_', self.estimator.alpha):.6g}",
            f"squared error    E_in   {self.squared_error:.6g}{_explained(self.r2)}",
        ]
        if checked is None:
            lines.append(f"validated        E_out  not known: {self.validated_by}")
        else:
            share = _explained(_share(checked, base))
            lines.append(f"validated        E_out  {checked:.6g}{share}  ({self.validated_by})")
        lines.append(f"baseline         {base:.6g}, always saying the mean")
        if self.weights is not None:
            lines.append(f"w, w0 first      ({', '.join(f'{v:.6g}' for v in self.weights)})")
        lines.append("residuals, the largest:")
        for row in self.largest_residuals.tolist():
            y, off = float(self.examples.y[row]), self.residuals[row]
            said = f"{shown_number(y, 6)}, and the rule says {shown_number(y - off, 6)}"
            lines.append(f"  {off:+12.6g}  row {row} is {said}")
        return "\n".join(lines)


def _share(error: float, base: float) -> float | None:
    return 1 - error / base if base > 0 else None


def _explained(r2: float | None) -> str:
    return "" if r2 is None else f", R^2 {r2:.4f}"


def fit_amounts(
    data: Data, *, seed: int = 0, tell: Tell | None = None, **others: Any
) -> AmountsReport:
    """Learn amounts by least squares: what `rosenblatt fit --regression` does.

    Parameters
    ----------
    data : str, path, list of them, frame or Examples
        As for `fit`; the labels are numbers.
    seed : int, default=0
        Draws the folds.
    tell : callable or None, default=None
        Told what is done, and the share of it that is finished; None tells the logger.
    **others
        Parameters of `LeastSquares`: `alpha`, `solver` and `fit_intercept`; and what `read` takes.

    Returns
    -------
    AmountsReport
        With `estimator`, `squared_error`, `squared_error_validated`, `residuals`; `to_json()`,
        and `save(path)`, which writes the model.

    Examples
    --------
    >>> import rosenblatt
    >>> print(str(rosenblatt.fit_amounts("lecture")).splitlines()[5])
    w, w0 first      (-1.45946, 0.324324)
    """
    tell = log_stages() if tell is None else tell
    given, reading = split_parameters(with_kinds(others))
    model = LeastSquares(**_checked(given))
    model._check_parameters()
    tell("reading", 0.0)
    examples = data if isinstance(data, Examples) else read(data, amounts=True, **reading)
    log_notes(examples.notes)
    y = _amounts(examples)
    tell("learning", 0.0)
    model.fit(examples.X, y)
    checked, way = _validated(model, examples.X, y, seed)
    error: Any = model.squared_error_
    return AmountsReport(
        examples=examples._replace(y=y),
        estimator=model,
        squared_error=float(error),
        squared_error_validated=checked,
        squared_error_baseline=float(np.mean((y - y.mean()) ** 2)),
        validated_by=way,
        residuals=y - model.predict(examples.X),
        seed=seed,
    )


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse parameters that least squares does not have."""
    has = [name for name in PARAMETERS if name in LeastSquares.__signature__.parameters]
    for name in given:
        if NAMES[name] not in has:
            raise ParameterError(
                "is not for a regression of amounts",
                about=name,
                do=f"it takes {', '.join(f'{{{one}}}' for one in has)}",
            )
    return dict(given)


def _amounts(examples: Examples) -> Floats:
    y = examples.y
    if len(y) == 0:
        raise LabelError(f"{examples.source} has no labels to learn from")
    if y.dtype.kind not in "iuf":
        raise LabelError(
            f"a regression learns amounts, and the labels of {examples.source} are no numbers, "
            f"{str(y[0])!r} for example",
            do="choose the column of the amounts with {target}, or learn classes: rosenblatt.fit",
            in_shell="choose the column of the amounts with --target, or leave out --regression",
        )
    amounts: Floats = y.astype(np.float64)
    return amounts


def _validated(model: LeastSquares, X: Any, y: Array, seed: int) -> tuple[float | None, str]:
    """Return the mean of squared errors on rows that were not learned from; copies together."""
    n = len(y)
    block = as_blocks(X, np.arange(n) % 2).whole if n > 1 else None
    if block is None:
        return None, "there is one example"
    units, _ = units_of(row_digests(block.rows, n))
    folds = dealt(np.zeros(n, dtype=np.int64), units, seed)
    if not folds.parts:
        return None, folds.why_none
    squares = []
    for train, test in folds.parts:
        try:
            part = clone(model).fit(X[train], y[train])
        except DataError as error:
            return None, str(error)
        squares.append((part.predict(X[test]) - y[test]) ** 2)
    return float(np.mean(np.concatenate(squares))), folds.way
