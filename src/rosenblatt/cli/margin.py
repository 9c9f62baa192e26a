"""`rosenblatt margin`: say which line is better."""

from typing import Annotated

import typer

from rosenblatt.cli.learner_options import numbers_in
from rosenblatt.cli.options import (
    AsJson,
    Category,
    Classes,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Missing,
    Target,
    Text,
    chosen,
    examples_of,
    kinds,
    of_two_classes,
    read_examples,
)
from rosenblatt.errors import ParameterError

EXAMPLES = examples_of(
    "rosenblatt margin lecture --line -7,3 --line -4.5,1",
    "rosenblatt margin iris --classes setosa,virginica",
    "rosenblatt margin exercise-1.4 --line 1,2,4 --json",
)


def margin_command(
    data: Data,
    target: Target = None,
    line: Annotated[
        list[str] | None,
        typer.Option("--line", metavar="W0,W1,...", help="A line to compare; may be repeated."),
    ] = None,
    classes: Classes = None,
    no_intercept: Annotated[
        bool, typer.Option("--no-intercept", help="Rules through the origin.")
    ] = False,
    time_limit: Annotated[float | None, typer.Option(min=0.0, help="Seconds to search.")] = None,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
    as_json: AsJson = False,
) -> bool:
    """Print the largest margin between two classes of DATA, and which line is how good.

    The margin of a line is the distance of the nearest example from it; below 0, some are on the
    wrong side. Beside it is the margin in canonical form, where w0 counts in the length of w: the
    convergence theorem is about that one. PLA is the perceptron of the notes, which picks the first
    mistake. Exit code 1: not separable.
    """
    given = [_numbers(one) for one in line or []]
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows.margins import compare_lines

    with long_work() as tell:
        examples = read_examples(
            *(data, target, form, missing, delimiter),
            columns=kinds(text, category),
            **chosen(columns, drop),
        )
        examples = of_two_classes(examples, classes)
        tell("searching", 0.0)
        found = compare_lines(
            examples, given, fit_intercept=not no_intercept, time_limit=time_limit or None
        )
    tell_notes(examples.notes)
    if as_json:
        say_json(found.facts)
    else:
        typer.echo(str(found))
    return found.best is not None


def _numbers(line: str) -> list[float]:
    try:
        return numbers_in(line)
    except ValueError as error:
        raise ParameterError(
            f"--line must be finite numbers with commas between them, w0 first, got {line!r}"
        ) from error
