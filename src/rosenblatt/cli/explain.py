"""`rosenblatt explain`: why a model says what it says."""

from itertools import islice
from math import fsum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rosenblatt.cli.options import (
    AsJson,
    Delimiter,
    Format,
    Missing,
    Model,
    examples_of,
    one_from_standard_input,
)
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError

if TYPE_CHECKING:
    from rosenblatt.workflows.explain import Explanation

EXAMPLES = examples_of(
    "rosenblatt fit breast-cancer -o cancer.rosenblatt",
    "rosenblatt explain cancer.rosenblatt",
    "rosenblatt explain cancer.rosenblatt breast-cancer --first 3",
    "rosenblatt explain cancer.rosenblatt --all",
)
MOST_SHOWN = 6  # contributions of an example; the others in one sum
DIGITS = 4


def explain_command(
    model: Model,
    data: Annotated[
        list[str] | None,
        typer.Argument(metavar="DATA", help="Examples to explain one by one."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything that is in the file, as text.")
    ] = False,
    first: Annotated[int | None, typer.Option(min=1, help="Explain only so many examples.")] = None,
    form: Format = None,
    missing: Missing = None,
    delimiter: Delimiter = None,
    as_json: AsJson = False,
) -> None:
    """Print the most telling features of MODEL; with DATA, why it says what it says, row by row.

    What each feature adds, with the intercept, adds up to the score. With two classes a score above
    0 means the second one; with more it says how far the class is ahead of the next.
    """
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes

    if everything:
        if data:
            raise ParameterError("--all takes no DATA, got both; leave out one of them")
        _show_all(model, as_json)
        return
    from rosenblatt.workflows import apply as applying
    from rosenblatt.workflows import explain as explaining
    from rosenblatt.workflows.explaining import MOST_FEATURES, facts_of_row

    one_from_standard_input(model, *(data or []))
    saved = applying.open_model(model)
    if not data:
        explaining.linear_form(saved.model)  # a model without weights is refused in words
        names = explaining.names_of(saved.model, saved.recipe)
        _show_features(
            explaining.telling(saved.model, names, most=MOST_FEATURES), saved.classes, as_json
        )
        meaning = explaining.meaning_of(saved.model)
        if meaning and not as_json:
            typer.echo(meaning)
        return
    with long_work():
        examples = applying.examples_for(
            saved, data, format=form, missing=missing, delimiter=delimiter
        )
        found = explaining.explain_rows(saved.model, saved.recipe, examples)
    tell_notes(examples.notes)
    for row, explanation in enumerate(islice(found, first)):
        if as_json:
            say_json(facts_of_row(row, explanation))
        else:
            typer.echo("\n".join(_words(row, explanation, len(saved.classes))))


def _show_all(model: str, as_json: bool) -> None:
    from rosenblatt.cli.speaking import say_json
    from rosenblatt.model_file.text import facts_in, text_of
    from rosenblatt.workflows.apply import open_model

    saved = open_model(model)
    if as_json:
        say_json(facts_in(*saved))
    else:
        typer.echo(text_of(*saved))


def _show_features(parts: Any, classes: Any, as_json: bool) -> None:
    from rosenblatt.cli.speaking import say_json
    from rosenblatt.workflows.explain import NOTHING_TELLS
    from rosenblatt.workflows.explaining import facts_of_features

    if as_json:
        say_json(facts_of_features(parts))
        return
    if not any(part.features for part in parts):
        typer.echo(NOTHING_TELLS)
        return
    for part in parts:
        against = f", against {classes[0]}" if len(classes) == 2 else ""
        typer.echo(f"most telling features for {part.label}{against}:")
        for name, weight in part.features:
            typer.echo(f"  {weight:+12.4f}  {name}")


def _words(row: int, why: "Explanation", n_classes: int) -> list[str]:
    from rosenblatt.workflows.explain import rounded_to_sum

    ahead = f", ahead of {why.rival}" if n_classes > 2 else ""
    shown, others = why.contributions[:MOST_SHOWN], why.contributions[MOST_SHOWN:]
    rows = list(shown)
    if others:
        rows.append((f"({counted(len(others), 'other')})", fsum(value for _, value in others)))
    rows.append(("(intercept)", why.intercept))
    total, parts = rounded_to_sum(why.score, [value for _, value in rows], DIGITS)
    lines = [f"row {row}: {why.label}, score {total}{ahead}"]
    return lines + [f"  {part:>12}  {name}" for part, (name, _) in zip(parts, rows, strict=True)]
