"""`rosenblatt trace`: every step of a learner."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.options import (
    AsJson,
    Category,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Missing,
    Target,
    Text,
    algorithm_option,
    check_files_apart,
    chosen,
    examples_of,
    kinds,
    read_examples,
    seed_option,
)
from rosenblatt.counting import at_most, counted

if TYPE_CHECKING:
    from rosenblatt.tracing.trace import Trace

EXAMPLES = examples_of(
    "rosenblatt trace exercise-1.4",
    "rosenblatt trace exercise-1.4 --animate pla.gif",
    "rosenblatt trace lecture -o lecture.json",
)


def trace_command(
    data: Data,
    target: Target = None,
    algorithm: Annotated[
        str,
        algorithm_option("perceptron, pocket, batch, voted, averaged, passive-aggressive or arow."),
    ] = "perceptron",
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the steps as .json or .arrow."),
    ] = None,
    animate: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the moving line as a .gif.")
    ] = None,
    thin: Annotated[int, typer.Option(min=1, help="Keep every so-many-th update.")] = 1,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
    seed: Annotated[int, seed_option("the orders of the examples, and picks")] = 0,
    as_json: AsJson = False,
) -> None:
    """Record every step of a learner on DATA with two classes, its numbers as they are."""
    from rosenblatt.cli.speaking import long_work, tell_notes
    from rosenblatt.workflows import trace as recording

    recording.check_outputs(output, animate)
    check_files_apart({"-o": output, "--animate": animate}, {"the data": data})
    with long_work() as tell:
        examples = read_examples(
            *(data, target, form, missing, delimiter),
            columns=kinds(text, category),
            **chosen(columns, drop),
        )
        tell("recording", 0.0)
        steps = recording.record(examples, algorithm, seed, thin)
        for path in (output, animate):
            if path is not None:
                tell(f"writing {path}", 0.5)
                recording.save_steps(steps, path)
    tell_notes(examples.notes)
    typer.echo(steps.to_json() if as_json else "\n".join(_words(steps)))


def _words(steps: "Trace") -> list[str]:
    n = int(steps.steps[-1])
    lines = [
        f"{counted(n, 'step')}, {len(steps.steps)} of them kept, the start included",
        f"E_in  {steps.errors[0]:.4f} at the start, {steps.errors[-1]:.4f} at the end, "
        f"{steps.pocket_errors[-1]:.4f} at best",
        "final weights, w0 first: "
        + ", ".join(f"{v:.6g}" for v in steps.final[:8])
        + (", ..." if len(steps.final) > 8 else ""),
    ]
    if steps.bound is not None:
        most = at_most(steps.bound, "update")
        lines.append(
            f"a perceptron that starts from zero makes at most {most} on these numbers, "
            "whatever the order of the rows"
        )
    else:
        lines.append(f"no bound on updates: {steps.no_bound}")
    return lines
