"""`rosenblatt fit`: learn, validate, say so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rosenblatt.workflows import FitReport

N_TELLING = 5


def fit(
    data: str = typer.Argument(help="A built-in set, such as breast-cancer, iris or xor."),
    algorithm: str = typer.Option(
        "averaged", "-a", "--algorithm", help="averaged, batch, perceptron, pocket or voted."
    ),
    seed: int = typer.Option(0, "--seed", help="Draws of orders and folds."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object, for machines."),
) -> None:
    """Learn from a set, cross-validate, and say what came out.

    Example: rosenblatt fit breast-cancer
    """
    # here, not at the top: `rosenblatt --help` should not wait for the numerical libraries
    import warnings

    from rich.console import Console
    from rich.progress import Progress as Bar

    from rosenblatt import workflows
    from rosenblatt.kernels.compiler import telling_of_compilation

    notes = Console(stderr=True)

    def tell() -> None:
        notes.print("compiling the kernels, once; the next start is faster")

    with warnings.catch_warnings(record=True) as caught, telling_of_compilation(tell):
        warnings.simplefilter("always")
        with Bar(console=notes, transient=True, disable=as_json or not notes.is_terminal) as bar:
            task = bar.add_task("learning", total=1.0)
            report = workflows.fit(
                data, algorithm, seed, lambda progress: bar.update(task, completed=progress.share)
            )
    typer.echo(json.dumps(_facts(report)) if as_json else _words(report))
    for message in {str(warning.message) for warning in caught}:
        notes.print(f"note: {message}", markup=False)


def _facts(report: FitReport) -> dict[str, object]:
    learner = report.learner
    return {
        "source": report.examples.source,
        "examples": len(report.examples.y),
        "features": len(report.examples.feature_names),
        "classes": learner.classes_.tolist(),
        "algorithm": type(learner).__name__,
        "updates": learner.n_updates_,
        "epochs": learner.n_epochs_,
        "converged": bool(learner.converged_),
        "error_in": report.error_in,
        "error_validated": report.error_validated,
        "error_uncertainty": report.error_uncertainty,
        "folds": report.n_folds,
    }


def _words(report: FitReport) -> str:
    learner, examples = report.learner, report.examples
    classes = ", ".join(str(label) for label in learner.classes_)
    lines = [
        f"{examples.source}: {len(examples.y)} examples, {len(examples.feature_names)} features, "
        f"classes {classes}",
        f"{type(learner).__name__}: {learner.n_updates_} updates in {learner.n_epochs_} epochs, "
        "columns scaled to mean 0 and deviation 1",
        f"in-sample error     E_in  {report.error_in:.4f}",
        f"validated error     E_out {report.error_validated:.4f} +- {report.error_uncertainty:.4f}"
        f"  ({report.n_folds}-fold)",
    ]
    if report.telling:
        lines.append(f"most telling features, towards {learner.classes_[1]} (+) or away (-):")
        lines += [f"  {weight:+10.3f}  {name}" for name, weight in report.telling[:N_TELLING]]
    return "\n".join(lines)
