"""What a fit found out, for those who read it: in Python, as JSON, as a page."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.as_json import json_line
from rosenblatt.blocks import Blocks
from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.store import MEGABYTE
from rosenblatt.markup import shortened
from rosenblatt.model_file.table_model import TableModel
from rosenblatt.rows import row_digests
from rosenblatt.shown import InSentences
from rosenblatt.types import Integers, Labels
from rosenblatt.workflows.calibrate import Decided
from rosenblatt.workflows.explain import Names, Telling, weights_as_read
from rosenblatt.workflows.forms import SAID
from rosenblatt.workflows.measures import Baseline, ClassQuality, baseline_of, quality_of
from rosenblatt.workflows.prove import UpdateBound, Verdict
from rosenblatt.workflows.task import learner_of
from rosenblatt.workflows.validate import Validation

if TYPE_CHECKING:
    from rosenblatt.data.formats.svmlight import IndexedRecipe
    from rosenblatt.data.recipe import Recipe
    from rosenblatt.model_file import Learner
    from rosenblatt.sklearn_base import Pipeline

MOST_WEIGHTS = 12  # features: up to here a rule is told in full


@dataclass(frozen=True, kw_only=True, repr=False)
class FitReport(InSentences):
    """What a fit found out: an object for Python, JSON for machines, a page for people.

    Examples
    --------
    >>> import rosenblatt
    >>> found = rosenblatt.fit("iris", prove_seconds=0)
    >>> found.estimator.feature_names_in_.tolist()[:2]
    ['sepal length (cm)', 'sepal width (cm)']
    >>> import json
    >>> json.loads(found.to_json())["classes"]
    ['setosa', 'versicolor', 'virginica']
    """

    source: str
    n_examples: int
    notes: tuple[str, ...]  # what was guessed and decided while they were read
    recipe: Recipe | IndexedRecipe | None  # how to make the same features from another file
    examples: Examples | None  # None: the rows stayed on disk
    classes: Labels  # labels of the examples
    counts: Integers  # examples of each class
    digest_on_disk: str | None  # of rows that stayed on disk
    blocks: Blocks | None  # the rows, unless they stayed on disk
    algorithm: str
    model: Learner | Pipeline  # takes what `task.inputs` makes of examples
    form: str  # of the rows that the learner sees: see `forms`
    error_in: float
    validation: Validation | None  # None when no example can be spared
    decided: Decided | None = None  # None where there are no validated scores
    verdict: Verdict | None  # None when nobody asked
    bound: UpdateBound | None = None  # None unless the rows are known to be separable
    telling: list[Telling]
    naming: Names  # of the columns that the learner sees
    went_on: bool = False  # from a saved model; then the validation is that of the old one
    learned_before: tuple[str, ...] = ()  # digests of what the saved model has learned from
    why_not_validated: str = ""
    memory: int | None = None  # bytes that were allowed, if there was a limit
    stored: int = 0  # bytes of the rows on disk
    parts: int | None = None  # of rows that workers had
    seed: int = 0  # that drew the orders and the folds
    output: str | None = None  # where the model was saved

    @property
    def estimator(self) -> TableModel:
        """The model as `rosenblatt.load` gives it when it is saved: of a table, it takes frames."""
        return TableModel(self.model, self.recipe)

    @property
    def said_of_form(self) -> str:
        """What was done to the rows before they were learned from; "" if nothing."""
        return SAID[self.form]

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """What else there is to say, each with its head."""
        said = [] if self.decided is None else self.decided.remarks
        if self.parts is not None:
            said = [*said, ("cluster", f"rows in {counted(self.parts, 'part')}, held by workers")]
        if self.memory is None:
            return said
        size, stored = f"{self.memory / MEGABYTE:.0f} MB", f"{self.stored / MEGABYTE:.1f} MB"
        beside = f"at most {size} for rows and weights, beside the program itself"
        return [*said, ("memory", f"{beside}; {stored} of rows on disk")]

    @property
    def baseline(self) -> Baseline:
        """The error of always saying the commonest class."""
        return baseline_of(self.classes, self.counts)

    @property
    def quality(self) -> list[ClassQuality]:
        """How well each class is told from the others, on tested examples."""
        return quality_of(self.validation, self.classes)

    @property
    def digest(self) -> str:
        """A digest of the rows and labels, in their order."""
        return self.digest_on_disk if self.blocks is None else digest_of(self.blocks)  # type: ignore[return-value]  # one is there

    @property
    def learner(self) -> Learner:
        """The learner at the end of the model."""
        learner: Learner = learner_of(self.model)
        return learner

    @property
    def weights(self) -> dict[str | float, list[float]] | None:
        """The rule for rows as they are read, of few features: a label with its weights, w0 first.

        Of two classes that of the second; None where there are many features, or no such rule.
        """
        form = weights_as_read(self.model)
        if form is None or form.coef.shape[1] > MOST_WEIGHTS:
            return None
        labels: list[str | float] = form.classes.tolist()[-len(form.coef) :]
        rules = np.column_stack([form.intercept, form.coef])
        return dict(zip(labels, rules.tolist(), strict=True))

    @property
    def squared_error(self) -> float | None:
        """Of a regression, the mean of squared errors on the labels as -1 and +1; else None."""
        error: float | None = getattr(self.learner, "squared_error_", None)
        return error

    def facts(self) -> dict[str, object]:
        """Return what came out, as `rosenblatt fit --json` says it.

        Returns
        -------
        dict
            The fields in docs/shell.md.
        """
        learner, checked, decided = self.learner, self.validation, self.decided
        base, quality = self.baseline, self.quality
        return {
            "source": self.source,
            "examples": self.n_examples,
            "features": learner.n_features_in_,
            "classes": learner.classes_,
            "algorithm": type(learner).__name__,
            "rows": self.form,
            "updates": getattr(learner, "n_updates_", None),
            "epochs": getattr(learner, "n_epochs_", None),
            "converged": getattr(learner, "converged_", None),
            "error_in": self.error_in,
            "squared_error": self.squared_error,
            "error_validated": checked and checked.error,
            "error_uncertainty": checked and checked.standard_error,
            "error_interval": checked and checked.interval,
            "validated_by": checked and checked.way,
            "error_baseline": base.error,
            "commonest_class": base.label,
            "precision": {part.label: part.precision for part in quality} or None,
            "recall": {part.label: part.recall for part in quality} or None,
            "auc": {part.label: part.auc for part in quality} or None,
            "not_validated": None if checked else self.why_not_validated,
            "brier_score": decided and decided.brier,
            "log_loss": decided and decided.log_loss,
            "boundary": decided and decided.threshold,
            "boundary_moved": (decided and decided.moved) or None,
            "separable": self.verdict and self.verdict.separable,
            "multiclass": self.verdict and self.verdict.multiclass,
            "verdict": self.verdict and self.verdict.sentence,
            "updates_bound": self.bound and self.bound.most,
            "updates_bound_about": self.bound and self.bound.about,
            "no_updates_bound": (self.bound and self.bound.reason) or None,
            "weights": self.weights,
            "telling": {str(part.label): part.features for part in self.telling},
            "memory": self.memory,
            "parts": self.parts,
            "model": self.output,
        }

    def to_json(self) -> str:
        """Return what came out as JSON, the same as `rosenblatt fit --json`.

        Returns
        -------
        str
            On one line.
        """
        return json_line(self.facts())

    def save(self, page: str | os.PathLike[str]) -> None:
        """Write an HTML page about the fit, the same as `rosenblatt fit --report`.

        Parameters
        ----------
        page : str or path
            The file to write.
        """
        from rosenblatt.workflows.report.page import write_report

        write_report(self, page, seed=self.seed)

    def __str__(self) -> str:
        lines = [
            f"{self.source}: {counted(self.n_examples, 'example')}, "
            f"{counted(self.learner.n_features_in_, 'feature')}, "
            f"{counted(len(self.learner.classes_), 'class')}",
            f"{type(self.learner).__name__}, in-sample error {self.error_in:.4f}",
        ]
        checked = self.validation
        if checked is None:
            lines.append(f"validated error not known: {self.why_not_validated}")
        else:
            low, high = checked.interval
            lines.append(
                f"validated error {checked.error:.4f}, 95 %: {low:.4f} to {high:.4f} "
                f"({checked.way})"
            )
        if self.verdict is not None:
            lines.append(shortened(self.verdict.sentence))
        return "\n".join(lines)


def digest_of(blocks: Blocks) -> str:
    """Return a digest of the rows and labels, in their order."""
    whole = hashlib.sha256()
    for digests in blocks.each(lambda block: row_digests(block.rows, block.n_rows)):
        whole.update(digests.tobytes())
    joint = ""
    for labels in blocks.each(lambda block: block.classes[block.labels]):
        whole.update((joint + "\n".join(map(str, labels))).encode())
        joint = "\n"
    return whole.hexdigest()
