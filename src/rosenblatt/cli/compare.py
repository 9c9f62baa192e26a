"""`rosenblatt compare`: every learner on the same data, best first."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.options import (
    AsJson,
    Bits,
    ByTime,
    Category,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Group,
    Missing,
    Symbols,
    Target,
    Text,
    chosen,
    examples_of,
    kinds,
    read_examples,
    seed_option,
)
from rosenblatt.counting import counted
from rosenblatt.errors import SHELL, said_in

if TYPE_CHECKING:
    from rosenblatt.workflows.compare import Comparison

EXAMPLES = examples_of("rosenblatt compare iris", "rosenblatt compare breast-cancer --seed 1")


def compare_command(
    data: Data,
    target: Target = None,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
    group: Group = None,
    by_time: ByTime = None,
    bits: Bits = 20,
    symbols: Symbols = False,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Time for each learner; 0: no limit.")
    ] = 20.0,
    seed: Annotated[int, seed_option("the orders of the examples, and the folds")] = 0,
    as_json: AsJson = False,
) -> None:
    """Print every learner's validated error, time and size in one table, best first.

    The candidates are fixed. Tables: averaged, perceptron, pocket, voted, batch,
    passive-aggressive, arow, regression and four kinds of naive Bayes, all with their defaults.
    Texts: averaged, perceptron, pocket, voted, batch, passive-aggressive, arow, bernoulli and
    multinomial on words; averaged, perceptron, bernoulli and multinomial on words and pairs of
    neighbours (--ngrams 2); naive Bayes with alpha 0.01. All see the same splits. Learners that the
    tested examples do not tell apart from the best have rank 1 as well. The best of many looks
    better than it is: below the table is its error, corrected for having been picked. A learner
    that needs more than --seconds is judged by the folds that it got done.
    """
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import compare as comparing

    with long_work() as tell:
        examples = read_examples(
            *(data, target, form, missing, delimiter, bits, kinds(text, category)),
            symbols=symbols,
            **chosen(columns, drop),
            group=group,
            by_time=by_time,
        )
        table = comparing.compare(examples, seed=seed, seconds=seconds or None, tell=tell)
    tell_notes(table.notes)
    if as_json:
        say_json(table.facts(SHELL))
    else:
        typer.echo("\n".join(_words(table)))
        said = ((name, said_in(SHELL, reason)) for name, reason in table.left_out)
        tell_notes(f"{name} is left out: {reason}" for name, reason in said)


def _words(table: "Comparison") -> list[str]:
    label = f"F1 {table.classes[-1]}"
    within = "" if table.seconds is None else f", at most {table.seconds:g} s for each learner"
    width = max(len(row.candidate.options) for row in table.rows)
    both = len(table.classes) == 2
    n, k = len(table.examples.y), len(table.classes)
    head = f"rank  {'fit -a':<{width}}  error  +-        accuracy" + (f"  {label}" if both else "")
    lines = [
        f"{table.examples.source}: {counted(n, 'example')}, {counted(k, 'class')}, {table.way}"
        f"{within}",
        f"{head}  fit, s    size",
    ]
    for row in table.rows:
        error, spread = row.validation.error, row.validation.standard_error
        score = f"  {row.f1:>{len(label)}.4f}" if both else ""
        way = row.validation.way
        name = f"{row.rank:>4}  {row.candidate.options:<{width}}"
        lines.append(
            f"{name}  {error:.4f} +- {spread:.4f}  {1 - error:>8.4f}"
            f"{score}  {row.validation.seconds:>6.3f}  {_size(row.validation.n_bytes):>6}"
            + ("" if way == table.way else f"  {way}")
        )
    tied = sum(row.rank == 1 for row in table.rows) > 1
    foot = ["rank 1: not told apart from the best on these examples"] if tied else []
    picked = f"the winner, corrected for having been picked: {table.picked_error:.4f}"
    return [*lines, *foot, picked]


def _size(n_bytes: int) -> str:
    size, units = float(n_bytes), ["B", "kB", "MB", "GB"]
    while size >= 999.5 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{size:.0f} {units[0]}"
