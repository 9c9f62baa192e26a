"""`rosenblatt trace`: every step of a learner."""

from typing import Annotated, Any

import typer

from rosenblatt.cli.learner_options import with_parameters
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
    algorithm_option,
    check_files_apart,
    chosen,
    examples_of,
    kinds,
    of_two_classes,
    read_examples,
    seed_option,
)
from rosenblatt.workflows.parameters import OF_TRACES

EXAMPLES = examples_of(
    "rosenblatt trace lecture",
    "rosenblatt trace lecture --rule cyclic --proof",
    "rosenblatt trace iris --classes versicolor,virginica -a pocket -o steps.csv",
    "rosenblatt trace exercise-1.4 --animate pla.gif",
)


@with_parameters(*OF_TRACES)
def trace_command(
    data: Data,
    target: Target = None,
    algorithm: Annotated[
        str,
        algorithm_option("perceptron, pocket, batch, voted, averaged, passive-aggressive or arow."),
    ] = "perceptron",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Save the steps as .csv, .json or .arrow."
        ),
    ] = None,
    animate: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the moving line as a .gif.")
    ] = None,
    proof: Annotated[
        bool, typer.Option("--proof", help="The quantities of the convergence proof, too.")
    ] = False,
    classes: Classes = None,
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
    *,
    parameters: dict[str, Any],
) -> None:
    """Print every step of a learner on DATA with two classes, as the lecture writes it down.

    The numbers of DATA stay as they are. A step: the example that is picked, its row, 0 first,
    (1, x) and y; the weights before and after, w0 first; y(w.x) before and after; and the share of
    mistakes. At the end is what the convergence theorem says. The perceptron picks the first
    mistake, as in the notes; an option that the chosen learner does not have is refused.
    """
    from rosenblatt.cli.speaking import long_work, tell_notes
    from rosenblatt.tracing.table import lecture_table
    from rosenblatt.workflows import trace as recording

    recording.check_outputs(output, animate)
    recording.learner_to_watch(algorithm, seed, parameters)  # before anything is read
    check_files_apart({"-o": output, "--animate": animate}, {"the data": data})
    with long_work() as tell:
        examples = read_examples(
            *(data, target, form, missing, delimiter),
            columns=kinds(text, category),
            **chosen(columns, drop),
        )
        examples = of_two_classes(examples, classes)
        tell("recording", 0.0)
        steps = recording.record(examples, algorithm, seed, thin, **parameters)
        for path in (output, animate):
            if path is not None:
                tell(f"writing {path}", 0.5)
                recording.save_steps(steps, path)
    tell_notes(examples.notes)
    typer.echo(steps.to_json() if as_json else lecture_table(steps, proof=proof))
