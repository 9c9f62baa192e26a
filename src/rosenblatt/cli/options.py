"""What several commands take: the data, how to read it, and how to speak.

On top are the functions that a shell asks when the tab key is pressed. Nothing here loads the
numerical libraries, nor does any command before it has something to compute. The files of commands
do without `from __future__ import annotations`: Typer would compile every annotation again, a tenth
of the time that `rosenblatt --help` takes.
"""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from functools import wraps
from glob import escape, glob
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rosenblatt.errors import ParameterError
from rosenblatt.files import check_output
from rosenblatt.workflows.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from rosenblatt.data.examples import Examples

# as in `rosenblatt.data`, which takes its time to load
SETS = (
    *("lecture", "and", "or", "xor", "iris", "breast-cancer", "wine", "digits", "exercise-1.4"),
    "spam-lecture",
)
FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "text", "mail")

QUIET: ContextVar[bool] = ContextVar("quiet", default=False)  # whether nobody wants to hear notes
QUIETLY = "No notes and no progress; results and errors stay."


def be_quiet(value: bool) -> None:
    """Say no more notes, if that is asked for."""
    if value:
        QUIET.set(True)


Quiet = Annotated[bool, typer.Option("-q", "--quiet", callback=be_quiet, help=QUIETLY)]


def quietly(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the option that all of them have, `-q`.

    Examples
    --------
    >>> def add_command(one: int = 1) -> int:
    ...     return one + 1
    >>> list(inspect.signature(quietly(add_command)).parameters)
    ['one', 'quiet']
    """

    @wraps(command)
    def called(*arguments: Any, quiet: bool = False, **options: Any) -> Any:
        return command(*arguments, **options)

    signature = inspect.signature(command)
    named = inspect.Parameter.KEYWORD_ONLY
    option = inspect.Parameter("quiet", named, default=False, annotation=Quiet)
    parameters = [*signature.parameters.values(), option]
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # what Typer reads
    called.__annotations__ = {**command.__annotations__, "quiet": Quiet}
    return called


def one_of(*words: str) -> Callable[[str], list[str]]:
    """Return a function that completes one of some words.

    Examples
    --------
    >>> one_of("drop", "mean")("m")
    ['mean']
    """

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def complete_data(incomplete: str) -> list[str]:
    """Complete the name of a built-in set, or of a file.

    Where no set fits nothing is offered, and the shell falls back on the names of files.

    Examples
    --------
    >>> complete_data("breast")
    ['breast-cancer']
    """
    sets = [name for name in SETS if name.startswith(incomplete)]
    return sets + sorted(glob(f"{escape(incomplete)}*")) if sets else []


Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        autocompletion=complete_data,
        help="A file, several of them, or a pattern as 'logs/*.csv': CSV, TSV, JSON lines, "
        "Parquet, Arrow, svmlight, label<TAB>text lines, also packed; a folder of mail (a mailbox "
        f"for each label), - for standard input, or a built-in set: {', '.join(SETS)}.",
    ),
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A file that `fit -o` wrote, or -.")]
Target = Annotated[
    str | None,
    typer.Option(
        "-t", "--target", metavar="LABEL", help="Column of the labels, by name or number (0 first)."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}; else guessed.",
        autocompletion=one_of(*FORMATS),
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        help="Missing values and bad cells: error, drop (the row) or mean.",
        autocompletion=one_of("error", "drop", "mean"),
    ),
]
Delimiter = Annotated[
    str | None, typer.Option("--delimiter", help="What separates columns; else guessed.")
]
Text = Annotated[
    list[str] | None,
    typer.Option("--text", metavar="COLUMN", help="Read this column as text; may be repeated."),
]
Category = Annotated[
    list[str] | None,
    typer.Option(
        "--category", metavar="COLUMN", help="Read this column as categories; may be repeated."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns", metavar="A,B,...", help="Learn from these columns only; may be repeated."
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop", metavar="A,B,...", help="Do not learn from these columns; may be repeated."
    ),
]
Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COLUMN",
        help="Rows with the same value here stay in one fold; the column is not learned from.",
    ),
]
ByTime = Annotated[
    str | None,
    typer.Option(
        "--by-time",
        metavar="COLUMN",
        help="Validate forward: learn from the earlier rows, test on the later ones. Dates, "
        "timestamps or numbers; the column is not learned from.",
    ),
]
Classes = Annotated[
    str | None,
    typer.Option("--classes", metavar="A,B", help="Take the rows of two of the classes."),
]
Bits = Annotated[int, typer.Option("--bits", help="A text column has 2^bits hashed words.")]
Symbols = Annotated[
    bool, typer.Option("--symbols", help='Make words of "$", "!" and other symbols in texts, too.')
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Keep rows on disk; they and the weights take 500M, 2G, ...",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|N",
        help="Leave the work to Dask: to the workers of tcp://HOST:8786, or to N started here.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for machines.")]


def algorithm_option(help_text: str) -> Any:
    """Return the option `-a`, which a shell can complete."""
    return typer.Option("-a", "--algorithm", help=help_text, autocompletion=one_of(*ALGORITHMS))


def seed_option(draws: str) -> Any:
    """Return the option `--seed`, which says what it draws in this command."""
    return typer.Option("--seed", min=0, help=f"Draws {draws}.")


def examples_of(*commands: str) -> str:
    """Return the end of a help text: commands that work as typed."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


def one_from_standard_input(*paths: str | None) -> None:
    """Refuse to read two things from standard input."""
    if paths.count("-") > 1:
        raise ParameterError("- is given twice; only one thing can come from standard input")


def read_examples(
    data: Sequence[str],
    target: str | None = None,
    form: Any = None,  # `read` checks the words
    missing: Any = None,
    delimiter: str | None = None,
    bits: int = 20,
    columns: Any = None,
    **others: Any,
) -> "Examples":
    """Read the data; what was guessed is in its notes, to be told when all went well."""
    from rosenblatt.data.read import read

    return read(
        data,
        target=column(target),
        format=form,
        missing=missing,
        delimiter=delimiter,
        bits=bits,
        columns=columns,
        **others,
    )


def examples_or_blocks(
    data: Sequence[str], memory: str | None, cluster: str | None, *how: Any, **others: Any
) -> Any:
    """Give the data in memory, or with its rows on disk or on workers; to be used in a `with`."""
    if memory is None and cluster is None:
        return nullcontext(read_examples(data, *how, **others))
    target, form, missing, delimiter, bits, columns = how
    reading = {"format": form, "missing": missing, "delimiter": delimiter, "bits": bits, **others}
    reading |= {"memory": memory, "target": column(target), "columns": columns}
    if cluster is not None:
        from rosenblatt.workflows.places import open_spread

        return open_spread(data, cluster, **reading)
    from rosenblatt.data.store import open_blocks

    return open_blocks(data, **reading)


def chosen(columns: list[str] | None, drop: list[str] | None) -> dict[str, Any]:
    """Return which columns are learned from; a name with a comma in it stands in quotes.

    Examples
    --------
    >>> chosen(["age,size", '"a, b"'], None)
    {'only': ['age', 'size', 'a, b'], 'drop': None}
    """
    return {"only": _names(columns), "drop": _names(drop)}


def _names(given: list[str] | None) -> list[str] | None:
    if given is None:
        return None
    import csv  # here: `--help` waits for nothing that it does not need

    names = [name for row in csv.reader(given, skipinitialspace=True) for name in row]
    return [name.strip() for name in names if name.strip()]


def kinds(text: list[str] | None, category: list[str] | None) -> dict[str, str]:
    """Return what columns are said to be; refuse one that is said to be two things."""
    for name in text or []:
        if name in (category or []):
            raise ParameterError(f"--text {name} and --category {name}: say one of them")
    return {**dict.fromkeys(text or [], "text"), **dict.fromkeys(category or [], "category")}


def of_two_classes(examples: "Examples", classes: str | None) -> "Examples":
    """Return the examples of the classes that are named, if some are."""
    return examples if classes is None else examples.of_classes(_names([classes]) or [])


def column(target: str | None) -> str | int | None:
    """Return a column as its number, if it is one."""
    if target is not None and target.removeprefix("-").isdecimal():
        return int(target)
    return target


def check_files_apart(
    outputs: Mapping[str, str | None], inputs: Mapping[str, str | Sequence[str] | None]
) -> None:
    """Refuse to write two things to one file, or over what is read, whatever its names are."""
    seen = [(name, path) for name, given in inputs.items() for path in _files(given)]
    for name, path in outputs.items():
        if path is None:
            continue
        check_output(path)
        for other, taken in seen:
            if _is_one_file(path, taken):
                raise ParameterError(f"{name} {path} is the same file as {other}; name another one")
        seen.append((name, path))


def _files(given: str | Sequence[str] | None) -> list[str]:
    """Return the files that are named, those of patterns included."""
    named = [given] if isinstance(given, str) else given or []
    files = [path for path in named if path not in SETS]
    return [*files, *(path for name in files for path in glob(name, recursive=True))]


def _is_one_file(one: str, other: str) -> bool:
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)
