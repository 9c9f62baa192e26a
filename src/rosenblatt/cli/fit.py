"""`rosenblatt fit`: learn, validate, prove, save, say so."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rosenblatt.cli.options import (
    AsJson,
    Bits,
    Data,
    Delimiter,
    Format,
    Missing,
    Seed,
    Target,
    algorithm_option,
    examples_of,
    read_examples,
)
from rosenblatt.workflows.algorithms import ALGORITHMS, check_algorithm

if TYPE_CHECKING:
    from rosenblatt.workflows.fitting import FitReport

EXAMPLES = examples_of(
    "rosenblatt fit breast-cancer --report page.html",
    "rosenblatt fit iris -a voted -o iris.rosenblatt",
    "rosenblatt fit iris -o averaged.rosenblatt",
    "rosenblatt fit iris --learn-more averaged.rosenblatt -o more.rosenblatt",
)
MOST_CLASSES = 10  # that are shown one by one


def fit(
    data: Data,
    target: Target = None,
    algorithm: Annotated[
        str | None, algorithm_option(f"One of {', '.join(ALGORITHMS)}.  [default: averaged]")
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
        typer.Option(metavar="MODEL", help="Go on from this model: one pass of its learner."),
    ] = None,
    ngrams: Annotated[
        int, typer.Option(min=1, max=8, help="Words in a row that are a feature, at most.")
    ] = 1,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    bits: Bits = 20,
    prove_seconds: Annotated[
        float, typer.Option(min=0.0, help="Time for the verdict on separability; 0: none.")
    ] = 2.0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Learn from DATA, validate, and say what came out; save the model with -o.

    Texts become words, categories one feature for each value; dense columns are scaled. Data of up
    to 20,000 examples is cross-validated, of more a fifth is held out.
    """
    if algorithm is not None:
        check_algorithm(algorithm)  # before anything is read
    # here, not at the top: `rosenblatt --help` should not wait for the numerical libraries
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import fitting
    from rosenblatt.workflows.writing import check_output

    for path in (output, report_page):
        if path is not None:
            check_output(path)
    with long_work() as tell:
        if learn_more is not None:
            reading = {"format": form, "missing": missing, "delimiter": delimiter}
            report = _go_on(learn_more, data, algorithm, reading, prove_seconds, tell)
        else:
            examples = read_examples(data, target, form, missing, delimiter, bits)
            report = fitting.fit(
                examples,
                algorithm or "averaged",
                ngrams=ngrams,
                seed=seed,
                prove_seconds=prove_seconds,
                tell=tell,
            )
        if output is not None:
            from rosenblatt.workflows.applying import save_report

            save_report(report, output, seed)
        if report_page is not None:
            from rosenblatt.workflows.report.page import write_report

            write_report(report, report_page, seed=seed, tell=tell)
    tell_notes(report.examples.notes)
    if as_json:
        say_json(_facts(report, output))
    else:
        typer.echo(_words(report, output))


def _go_on(
    path: str, data: str, algorithm: str | None, reading: Any, prove_seconds: float, tell: Any
) -> "FitReport":
    from rosenblatt.errors import ParameterError
    from rosenblatt.workflows.algorithms import name_of
    from rosenblatt.workflows.applying import open_model
    from rosenblatt.workflows.fitting import check_goes_on, learn_more
    from rosenblatt.workflows.tasks import learner_of

    saved = open_model(path)
    learner = learner_of(saved.model)
    if algorithm not in (None, name_of(learner)):
        raise ParameterError(
            f"{path} holds {name_of(learner)}, another learner; leave out -a {algorithm}"
        )
    check_goes_on(learner)
    examples = saved.read(data, **reading)
    return learn_more(saved.model, examples, prove_seconds=prove_seconds, tell=tell)


def _facts(report: "FitReport", output: str | None) -> dict[str, object]:
    learner, checked = report.learner, report.validation
    return {
        "source": report.examples.source,
        "examples": len(report.examples.y),
        "features": learner.n_features_in_,
        "classes": learner.classes_,
        "algorithm": type(learner).__name__,
        "updates": getattr(learner, "n_updates_", None),
        "epochs": getattr(learner, "n_epochs_", None),
        "converged": getattr(learner, "converged_", None),
        "error_in": report.error_in,
        "error_validated": checked and checked.error,
        "error_uncertainty": checked and checked.standard_error,
        "error_interval": checked and checked.interval,
        "validated_by": checked and checked.way,
        "separable": report.verdict and report.verdict.separable,
        "verdict": report.verdict and report.verdict.sentence,
        "telling": {str(part.label): part.features for part in report.telling},
        "model": output,
    }


def _words(report: "FitReport", output: str | None) -> str:
    checked, verdict = report.validation, report.verdict
    lines = [_data(report), _learner(report), f"in-sample error  E_in   {report.error_in:.4f}"]
    if checked is None:
        lines.append("validated error  E_out  not known: a class has a single example")
    else:
        low, high = checked.interval
        lines.append(
            f"validated error  E_out  {checked.error:.4f} +- {checked.standard_error:.4f}, "
            f"95 %: {low:.4f} to {high:.4f}  ({checked.way})"
        )
    if verdict is not None:
        lines.append(f"verdict          {verdict.sentence}")
    lines += _telling(report)
    if output is not None:
        lines.append(f"saved            {output}")
    return "\n".join(lines)


def _data(report: "FitReport") -> str:
    examples, classes = report.examples, report.learner.classes_
    shown = ", ".join(map(str, classes[:MOST_CLASSES])) + (", ..." * (len(classes) > MOST_CLASSES))
    return (
        f"{examples.source}: {len(examples.y)} examples, {report.learner.n_features_in_} features, "
        f"classes {shown}"
    )


def _learner(report: "FitReport") -> str:
    learner = report.learner
    line = type(learner).__name__
    if hasattr(learner, "n_updates_"):
        line += f": {learner.n_updates_} updates in {learner.n_epochs_} epochs"
    if report.is_scaled:
        line += ", columns scaled to mean 0 and deviation 1"
    return line + (", going on from the saved model" if report.went_on else "")


def _telling(report: "FitReport") -> list[str]:
    if not report.telling:
        return []
    if len(report.telling) == 1:
        (part,) = report.telling
        head = f"most telling features, towards {part.label} (+) or away (-):"
        return [head, *(f"  {weight:+10.3f}  {name}" for name, weight in part.features)]
    lines = ["most telling features, towards each class (+) or away (-):"]
    for part in report.telling[:MOST_CLASSES]:
        features = ", ".join(f"{name} {weight:+.3g}" for name, weight in part.features[:3])
        lines.append(f"  {part.label}: {features}")
    return lines
