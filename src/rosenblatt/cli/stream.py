"""`rosenblatt stream`: predict each row, then learn from it, as they come."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.options import (
    AsJson,
    Bits,
    Category,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Missing,
    Symbols,
    Target,
    Text,
    algorithm_option,
    check_files_apart,
    chosen,
    column,
    examples_of,
    kinds,
)
from rosenblatt.counting import counted
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm

if TYPE_CHECKING:
    from rosenblatt.workflows.drift import Rise
    from rosenblatt.workflows.stream import Streaming, Tick

EXAMPLES = examples_of(
    "rosenblatt stream breast-cancer",
    "rosenblatt stream digits -a perceptron --every 500 --drift",
    "rosenblatt stream iris -o iris.rosenblatt --json",
)
THOSE = [name for name, entry in ALGORITHMS.items() if entry.row_by_row]
HEAD = f"{'rows':>12}  error so far  last 1,000 rows"


def stream_command(
    data: Data,
    target: Target = None,
    algorithm: Annotated[
        str, algorithm_option(f"{', '.join(THOSE[:-1])} or {THOSE[-1]}.")
    ] = "averaged",
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="MODEL", help="Save the model here at the end."),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(min=1, help="Rows between two lines.  [default: some 20 lines in all]"),
    ] = None,
    drift: Annotated[bool, typer.Option("--drift", help="Say when the error rises.")] = False,
    ngrams: Annotated[
        int, typer.Option(min=1, max=8, help="Words in a row that are a feature, at most.")
    ] = 1,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
    bits: Bits = 20,
    symbols: Symbols = False,
    as_json: AsJson = False,
) -> None:
    """Predict each row of DATA, then learn from it; print how often the answers were wrong.

    The rows are gone through once, in their order, block by block: DATA may be larger than memory,
    and - is read as its lines come. The error is an honest one, since each row is predicted before
    it is learned from. How columns become features is learned from the first 256 KB. Ctrl-C ends
    the stream, with the summary so far.
    """
    check_algorithm(algorithm)
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.data.example_stream import stream_examples
    from rosenblatt.workflows.drift import Rise
    from rosenblatt.workflows.stream import Streaming, check_streams

    check_streams(algorithm)
    check_files_apart({"-o": output}, {"the data": data})
    with stream_examples(
        data,
        target=column(target),
        format=form,
        missing=missing,
        delimiter=delimiter,
        bits=bits,
        symbols=symbols,
        columns=kinds(text, category),
        **chosen(columns, drop),
    ) as examples:
        run = Streaming(examples, algorithm, ngrams=ngrams)
        is_first = True
        with long_work():
            for event in run.events(every, drift=drift):
                if as_json:
                    say_json(_facts_of(event))
                    continue
                if is_first:
                    typer.echo(HEAD)
                    is_first = False
                typer.echo(_risen(event) if isinstance(event, Rise) else _line(event))
        notes = (*examples.notes, *run.notes)
    if output is not None:
        run.save(output)
    tell_notes(notes)
    if as_json:
        say_json(_facts(run, examples.source, output))
    else:
        typer.echo("\n".join(_words(run, examples.source, output)))


def _facts_of(event: "Tick | Rise") -> dict[str, object]:
    """Return one line, for machines; a rise has a row where it was noticed."""
    if hasattr(event, "since"):
        return event._asdict()
    error, recent = event.error, event.recent_error
    return {"rows": event.n_rows, "wrong": event.n_wrong, "error": error, "recent_error": recent}


def _line(tick: "Tick") -> str:
    return f"{tick.n_rows:>12,}  {tick.error:>12.4f}  {tick.recent_error:>15.4f}"


def _risen(rise: "Rise") -> str:
    before, after = f"{100 * rise.before:.1f} %", f"{100 * rise.after:.1f} %"
    return f"row {rise.row:,}: the error rose from {before} to {after}, since row {rise.since:,}"


def _facts(run: "Streaming", source: str, output: str | None) -> dict[str, object]:
    """Return the summary, for machines."""
    learner = run.learner
    return {
        "source": source,
        "rows": run.n_rows,
        "features": learner.n_features_in_,
        "classes": learner.classes_,
        "algorithm": type(learner).__name__,
        "updates": learner.n_updates_,
        "error": run.tick.error,
        "recent_error": run.tick.recent_error,
        "interrupted": run.is_interrupted,
        "model": output,
    }


def _words(run: "Streaming", source: str, output: str | None) -> list[str]:
    """Return the summary, for people."""
    learner, tick = run.learner, run.tick
    n_features, n_classes = learner.n_features_in_, len(learner.classes_)
    so_far = ", so far" if run.is_interrupted else ""
    lines = [
        f"{source}: {counted(tick.n_rows, 'row')}{so_far}, {counted(n_features, 'feature')}, "
        f"{counted(n_classes, 'class')}",
        f"{type(learner).__name__}: {counted(learner.n_updates_, 'update')}",
        f"progressive error  {tick.error:.4f}  ({tick.n_wrong} of {tick.n_rows} answers were "
        f"wrong), in the last {counted(tick.n_recent, 'row')} {tick.recent_error:.4f}",
    ]
    return lines + ([f"saved              {output}"] if output is not None else [])
