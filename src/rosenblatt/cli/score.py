"""`rosenblatt score`: say how often a model is right."""

from typing import TYPE_CHECKING

import typer

from rosenblatt.cli.options import (
    AsJson,
    Cluster,
    Data,
    Delimiter,
    Format,
    Missing,
    Model,
    examples_of,
    one_from_standard_input,
)
from rosenblatt.counting import counted

if TYPE_CHECKING:
    from rosenblatt.workflows.apply import Score

EXAMPLES = examples_of(
    "rosenblatt fit iris -o iris.rosenblatt", "rosenblatt score iris.rosenblatt iris"
)


def score_command(
    model: Model,
    data: Data,
    form: Format = None,
    missing: Missing = None,
    delimiter: Delimiter = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Print the error of MODEL on DATA with its interval, and which classes it confuses."""
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import apply as applying
    from rosenblatt.workflows.places import open_answers

    one_from_standard_input(model, *data)
    with long_work() as tell:
        saved = applying.open_model(model)
        how = {"format": form, "missing": missing, "delimiter": delimiter}
        with open_answers(saved, data, cluster, **how) as asked:
            tell("scoring", 0.0)
            if applying.is_of_amounts(saved):
                near = asked.score_amounts()
            else:
                result = asked.score()
            notes = asked.notes
    tell_notes(notes)
    if applying.is_of_amounts(saved):
        if as_json:
            say_json({"examples": near.n, "squared_error": near.squared_error, "r2": near.r2})
            return
        share = "" if near.r2 is None else f", R^2 {near.r2:.4f}"
        typer.echo(
            f"squared error  {near.squared_error:.6g}{share}  ({counted(near.n, 'example')})"
        )
        return
    if as_json:
        facts = {
            "examples": result.n,
            "error": result.error,
            "error_interval": result.interval,
            "f1": result.f1,
            "classes": result.classes,
            "confusion": result.confusion,
        }
        say_json(facts)
    else:
        typer.echo("\n".join(_words(result)))


def _words(result: "Score") -> list[str]:
    low, high = result.interval
    wrong = f"{result.n_wrong} of {result.n}"
    lines = [
        f"error     {result.error:.4f}  ({wrong}; 95 %: {low:.4f} to {high:.4f})",
        f"accuracy  {1 - result.error:.4f}",
    ]
    if result.f1 is not None:
        lines.append(f"F1        {result.f1:.4f}  ({result.classes[1]})")
    names = [str(label) for label in result.classes]
    width = max(*map(len, names), *(len(str(n)) for n in result.confusion.ravel()), 5)
    lines.append("confusion, a row for each true class, a column for each answer:")
    lines.append(" " * width + "".join(f"  {name:>{width}}" for name in names))
    for name, counts in zip(names, result.confusion.tolist(), strict=True):
        lines.append(f"{name:>{width}}" + "".join(f"  {count:>{width}}" for count in counts))
    return lines
