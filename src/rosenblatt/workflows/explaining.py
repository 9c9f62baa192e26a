"""Why a model says what it says, from Python: the answers of `rosenblatt explain`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from rosenblatt.as_json import json_line
from rosenblatt.checks.parameters import check_count
from rosenblatt.counting import counted
from rosenblatt.data.formats import FormatName
from rosenblatt.data.frames import is_frame
from rosenblatt.data.missing import Missing
from rosenblatt.errors import ParameterError
from rosenblatt.files import write_whole
from rosenblatt.logs import log_notes
from rosenblatt.markup import Html, whole_page
from rosenblatt.model_file import Saved
from rosenblatt.model_file.table_model import TableModel
from rosenblatt.shown import Tabular
from rosenblatt.types import Array, ArrowStream
from rosenblatt.workflows.apply import examples_for, open_model
from rosenblatt.workflows.explain import (
    Explanation,
    Telling,
    explain_rows,
    linear_form,
    meaning_of,
    names_of,
    telling,
)
from rosenblatt.workflows.fit_report import FitReport

if TYPE_CHECKING:
    import pyarrow

MOST_FEATURES = 20  # of each class


class _Shown(Tabular):
    """What an explanation of either kind does: a table that is saved as a page."""

    title: str

    def save(self, page: str | os.PathLike[str]) -> None:
        """Write the table as an HTML page; of texts it shows words, so it is its owner's.

        Parameters
        ----------
        page : str or path
            The file to write.
        """
        content = whole_page(self.title, Html(self._repr_html_()))
        write_whole(page, content.encode(), private=True)


class TellingFeatures(_Shown):
    """The features with the most weight for each class, the heaviest first."""

    def __init__(self, parts: list[Telling], classes: Array, meaning: str) -> None:
        self.parts, self.classes, self.meaning = parts, classes, meaning
        self.title = "most telling features"

    def to_json(self) -> str:
        """Return them as JSON, the same as `rosenblatt explain MODEL --json`.

        Returns
        -------
        str
            On one line.
        """
        return json_line(facts_of_features(self.parts))

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each feature of a class.

        Returns
        -------
        pyarrow.Table
            With the columns label, feature and weight.
        """
        import pyarrow

        rows = [(str(part.label), *feature) for part in self.parts for feature in part.features]
        labels, names, weights = zip(*rows, strict=True) if rows else ((), (), ())
        return pyarrow.table(
            {
                "label": pyarrow.array(labels, pyarrow.string()),
                "feature": pyarrow.array(names, pyarrow.string()),
                "weight": pyarrow.array(weights, pyarrow.float64()),
            }
        )

    def __repr__(self) -> str:
        n = sum(len(part.features) for part in self.parts)
        return f"<TellingFeatures: {counted(n, 'feature')} of {counted(len(self.parts), 'class')}>"


class Explanations(_Shown, Sequence[Explanation]):
    """Why each row gets its label: what its features add to the score."""

    def __init__(self, found: list[Explanation]) -> None:
        self.title = "why each row gets its label"
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, row: int) -> Explanation: ...
    @overload
    def __getitem__(self, row: slice) -> list[Explanation]: ...
    def __getitem__(self, row: int | slice) -> Explanation | list[Explanation]:
        return self._found[row]

    def to_json(self) -> str:
        """Return a line of JSON for each row, as `rosenblatt explain MODEL DATA --json` does.

        Returns
        -------
        str
            With the fields in docs/shell.md.
        """
        return "\n".join(json_line(facts_of_row(row, one)) for row, one in enumerate(self._found))

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a line for each feature that matters in a row.

        Returns
        -------
        pyarrow.Table
            With the columns row, label, score, feature and adds.
        """
        import pyarrow

        return pyarrow.Table.from_pylist(list(self._lines()))

    def _lines(self) -> Iterator[dict[str, Any]]:
        for row, why in enumerate(self._found):
            about = {"row": row, "label": str(why.label), "score": why.score}
            for name, adds in [*why.contributions, ("(intercept)", why.intercept)]:
                yield about | {"feature": name, "adds": float(adds)}

    def __repr__(self) -> str:
        return f"<Explanations of {counted(len(self), 'row')}>"


def facts_of_features(parts: list[Telling]) -> dict[str, Any]:
    """Return the features of each class for JSON."""
    return {str(part.label): part.features for part in parts}


def facts_of_row(row: int, why: Explanation) -> dict[str, Any]:
    """Return what is said of a row for JSON."""
    return {"row": row, **vars(why)}


def explain(
    model: Any,
    data: str | os.PathLike[str] | ArrowStream | None = None,
    *,
    first: int | None = None,
    format: FormatName | None = None,  # noqa: A002 - as users say it
    missing: Missing | None = None,
    delimiter: str | None = None,
) -> TellingFeatures | Explanations:
    """Say why a model says what it says: what `rosenblatt explain` does.

    Parameters
    ----------
    model : str, path, FitReport or estimator
        A file that `rosenblatt fit -o` or `save` wrote, what `fit` found, or what `load` gave.
    data : str, path, frame or None, default=None
        Examples to explain one by one; None gives the most telling features of the model.
    first : int or None, default=None
        Explain only so many examples.
    format : str or None, default=None
        Of the data, as for `read`; None guesses.
    missing : {"error", "drop", "mean"} or None, default=None
        What to do about missing values, as for `read`; None is what the model learned with.
    delimiter : str or None, default=None
        What separates columns; None guesses.

    Returns
    -------
    TellingFeatures or Explanations
        With `to_json()`, `save(page)`, `to_pandas()`; of data, a sequence with an `Explanation`
        for each row. What its features add, with the intercept, adds up to its score.

    Examples
    --------
    >>> import rosenblatt
    >>> found = rosenblatt.fit("breast-cancer", prove_seconds=0)
    >>> why = rosenblatt.explain(found, "breast-cancer", first=1)[0]
    >>> total = sum(adds for _, adds in why.contributions) + why.intercept
    >>> abs(total - why.score) < 1e-9
    True
    """
    if first is not None:
        check_count(first=first)
    saved = _saved(model)
    reading = {"format": format, "missing": missing, "delimiter": delimiter}
    if data is None:
        given = [name for name, value in {"first": first, **reading}.items() if value is not None]
        if given:
            name = given[0]
            raise ParameterError(
                f"{name} is about data, and there is none", do="give the data", in_shell=""
            )
        linear_form(saved.model)  # a model without weights is refused in words
        names = names_of(saved.model, saved.recipe)
        found = telling(saved.model, names, most=MOST_FEATURES)
        return TellingFeatures(found, saved.classes, meaning_of(saved.model))
    path = data if isinstance(data, str) or is_frame(data) else os.fspath(data)  # type: ignore[arg-type]  # a frame is none by now
    examples = examples_for(saved, path, **reading)
    log_notes(examples.notes)
    return Explanations(list(islice(explain_rows(saved.model, saved.recipe, examples), first)))


def _saved(model: Any) -> Saved:
    if isinstance(model, FitReport):
        return Saved(model.model, model.recipe, {})
    if isinstance(model, TableModel):
        return Saved(model.fitted, model.recipe, {})
    if isinstance(model, str | os.PathLike):
        return open_model(os.fspath(model))
    return Saved(model, None, {})
