"""`rosenblatt fit`: learn, validate, prove, save; then say what came out, to people or machines."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rosenblatt.cli.learner_options import with_parameters
from rosenblatt.cli.options import (
    AsJson,
    Bits,
    ByTime,
    Category,
    Cluster,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Group,
    Memory,
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
    seed_option,
)
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError
from rosenblatt.workflows.algorithms import ALGORITHMS, AUTO, TABLES, TEXTS, check_algorithm
from rosenblatt.workflows.parameters import PARAMETERS

if TYPE_CHECKING:
    from rosenblatt.workflows.amounts import AmountsReport
    from rosenblatt.workflows.fit_report import FitReport

EXAMPLES = examples_of(
    "rosenblatt fit breast-cancer --report page.html",
    "rosenblatt fit iris -a voted --epochs 20 -o iris.rosenblatt",
    "rosenblatt fit lecture -a perceptron --rule first --no-scale",
    "rosenblatt fit lecture --regression",
    "rosenblatt fit iris -o iris.rosenblatt",
    "rosenblatt fit iris --learn-more iris.rosenblatt -o more.rosenblatt",
)
MOST_CLASSES = 10  # that are shown one by one


@with_parameters(*PARAMETERS)
def fit_command(
    data: Data,
    target: Target = None,
    algorithm: Annotated[
        str | None,
        algorithm_option(
            f"One of {', '.join(ALGORITHMS)}; or {AUTO}, the best of a few in training.  "
            f"[default: {TABLES}; of texts {TEXTS}]"
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="MODEL", help="Save the model here.")
    ] = None,
    report_page: Annotated[
        str | None,
        typer.Option("--report", metavar="PAGE", help="Write an HTML page about it here."),
    ] = None,
    learn_more: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="Go on from this model: one pass of its learner over DATA."
        ),
    ] = None,
    ngrams: Annotated[
        int, typer.Option(min=1, max=8, help="Words in a row that are a feature, at most.")
    ] = 1,
    weighting: Annotated[
        str | None,
        typer.Option(
            metavar="FORM", help="Weigh words: tfidf, none, or auto, the better one in training."
        ),
    ] = None,
    regression: Annotated[
        bool, typer.Option("--regression", help="Learn amounts by least squares, not classes.")
    ] = False,
    no_scale: Annotated[
        bool, typer.Option("--no-scale", help="Learn from rows as they are.")
    ] = False,
    balance: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="Move the boundary between two classes for the best f1 of the second, or balanced "
            "accuracy.",
        ),
    ] = None,
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
    memory: Memory = None,
    cluster: Cluster = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Go on from here after a break; written after each epoch."
        ),
    ] = None,
    prove_seconds: Annotated[
        float, typer.Option(min=0.0, help="Time for the verdict on separability; 0: none.")
    ] = 2.0,
    seed: Annotated[int, seed_option("the orders of the examples, and the folds")] = 0,
    as_json: AsJson = False,
    *,
    parameters: dict[str, Any],
) -> None:
    """Learn from DATA, validate, and say what came out; save the model with -o.

    Texts become words, weighed by how rare they are; categories one feature for each value; dense
    columns are scaled, sparse rows are brought to length 1. Data of up to 20,000 examples is
    cross-validated, of more a fifth is held out; copies of a row stay together, and so do the rows
    of a --group. The scores of the tested examples teach the model probabilities, which `predict
    --probability` tells, and of two classes where the boundary is best. With --memory the data may
    be larger than memory: its rows are kept on disk, and the model is the same. With --cluster
    it may be larger than a machine.

    The last options are parameters of learners; one that the chosen learner does not have is
    refused.
    """
    if algorithm not in (None, AUTO):
        check_algorithm(algorithm)  # before anything is read
    if regression:
        refused: dict[str, Any] = {
            "-a": algorithm,
            "--report": report_page,
            "--learn-more": learn_more,
        }
        refused |= {"--weighting": weighting, "--balance": balance, "--memory": memory}
        refused |= {"--group": group, "--by-time": by_time, "--ngrams": ngrams - 1}
        refused |= {"--cluster": cluster, "--checkpoint": checkpoint}
        _check_for_amounts(refused | {"--no-scale": no_scale})
    # here, not at the top: `rosenblatt --help` should not wait for the numerical libraries
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import fit as fitting

    written = {"-o": output, "--report": report_page, "--checkpoint": checkpoint}
    check_files_apart(written, {"the data": data})
    written = {"--report": report_page, "--checkpoint": checkpoint}
    check_files_apart(written, {"the model to go on from": learn_more})
    with long_work() as tell:
        reading: dict[str, Any] = {"format": form, "missing": missing, "delimiter": delimiter}
        reading |= {"columns": kinds(text, category), "group": group, "by_time": by_time}
        reading |= {"target": column(target), "bits": bits, "symbols": symbols}
        reading |= chosen(columns, drop)
        if regression:
            from rosenblatt.workflows.amounts import fit_amounts

            found = fit_amounts(data, seed=seed, tell=tell, **reading, **parameters)
            if output is not None:
                found.save(output)
            _say_amounts(found, output, as_json)
            return
        asked: dict[str, Any] = {"weighting": weighting, "balance": balance}
        report = fitting.fit(
            data,
            algorithm,  # type: ignore[arg-type]  # checked above
            memory=memory,
            cluster=cluster,
            checkpoint=checkpoint,
            learn_more=learn_more,
            ngrams=ngrams,
            scale=not no_scale,
            **asked,
            seed=seed,
            prove_seconds=prove_seconds,
            output=output,
            tell=tell,
            **reading,
            **parameters,
        )
        if report_page is not None:
            from rosenblatt.workflows.report.page import write_report

            write_report(report, report_page, seed=seed, tell=tell)
    tell_notes(report.notes)
    if as_json:
        say_json(report.facts())
    else:
        typer.echo(_words(report))


def _check_for_amounts(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value:
            raise ParameterError(f"{name} is not for --regression; leave out one of them")


def _say_amounts(found: "AmountsReport", output: str | None, as_json: bool) -> None:
    from rosenblatt.cli.speaking import say_json, tell_notes

    tell_notes(found.examples.notes)
    if as_json:
        say_json(found.facts(output))
    else:
        typer.echo("\n".join([str(found), *([f"saved            {output}"] if output else [])]))


def _words(report: "FitReport") -> str:
    """Return what came out in some ten lines."""
    from rosenblatt.workflows.explain import said_of_deciding

    checked, verdict = report.validation, report.verdict
    lines = [_data(report), _learner(report), f"in-sample error  E_in   {report.error_in:.4f}"]
    if report.squared_error is not None:
        said = "the mean of (w.x - y)^2, which regression makes small"
        lines.append(f"squared error    E_in   {report.squared_error:.4f}, {said}")
    if checked is None:
        lines.append(f"validated error  E_out  not known: {report.why_not_validated}")
    else:
        low, high = checked.interval
        lines.append(
            f"validated error  E_out  {checked.error:.4f} +- {checked.standard_error:.4f}, "
            f"95 %: {low:.4f} to {high:.4f}  ({checked.way})"
        )
    lines += _beside(report)
    if verdict is not None:
        lines.append(f"verdict          {verdict.sentence}")
    if report.bound is not None:
        lines.append(f"update bound     {report.bound.sentence}")
    lines += [f"{head:<16} {said}" for head, said in report.remarks]
    lines += _weights(report)
    lines += _telling(report)
    deciding = said_of_deciding(report.recipe, report.telling)
    if deciding:
        lines.append(f"columns          {deciding}")
    if report.output is not None:
        lines.append(f"saved            {report.output}")
    return "\n".join(lines)


def _beside(report: "FitReport") -> list[str]:
    """Say what always one answer would be worth, and how well classes are told apart."""
    from rosenblatt.workflows.measures import mean_of

    base, quality = report.baseline, report.quality
    lines = [f"baseline         E_out  {base.error:.4f}, always saying {base.label}"]
    if not quality:
        return lines
    shown = quality[1:] if len(quality) == 2 else quality
    head = f"of {shown[0].label}" if len(quality) == 2 else "mean of classes"
    names = {"precision": "precision", "recall": "recall", "f1": "F1", "auc": "AUC"}
    means = {said: mean_of(shown, name) for name, said in names.items()}
    said = ", ".join(f"{name} {v:.4f}" for name, v in means.items() if v is not None)
    return [*lines, f"{head:<16} {said}"]


def _data(report: "FitReport") -> str:
    classes = report.learner.classes_
    shown = ", ".join(map(str, classes[:MOST_CLASSES])) + (", ..." * (len(classes) > MOST_CLASSES))
    return (
        f"{report.source}: {counted(report.n_examples, 'example')}, "
        f"{counted(report.learner.n_features_in_, 'feature')}, "
        f"classes {shown}"
    )


def _learner(report: "FitReport") -> str:
    learner: Any = report.learner
    line = type(learner).__name__
    if hasattr(learner, "n_updates_"):
        updates = counted(learner.n_updates_, "update")
        line += f": {updates} in {counted(learner.n_epochs_, 'epoch')}"
    if report.said_of_form:
        line += f", {report.said_of_form}"
    return line + (", going on from the saved model" if report.went_on else "")


def _weights(report: "FitReport") -> list[str]:
    """Return the rule, of few features: of two classes one line, of more one for each."""
    rules = report.weights or {}
    shown = {label: ", ".join(f"{v + 0.0:.6g}" for v in w) for label, w in rules.items()}
    if len(shown) == 1:
        return [f"w, w0 first      ({w})" for w in shown.values()]
    head = ["w of each class, w0 first, for the numbers as they are:"] if shown else []
    return [*head, *(f"  {label}: ({w})" for label, w in [*shown.items()][:MOST_CLASSES])]


def _telling(report: "FitReport") -> list[str]:
    from rosenblatt.workflows.explain import NOTHING_TELLS

    if not report.telling:
        return []
    if not any(part.features for part in report.telling):
        return [NOTHING_TELLS]
    if len(report.telling) == 1:
        (part,) = report.telling
        head = f"most telling features, towards {part.label} (+) or away (-):"
        return [head, *(f"  {weight:+10.3f}  {name}" for name, weight in part.features)]
    lines = ["most telling features, towards each class (+) or away (-):"]
    for part in report.telling[:MOST_CLASSES]:
        features = ", ".join(f"{name} {weight:+.3g}" for name, weight in part.features[:3])
        lines.append(f"  {part.label}: {features}")
    return lines
