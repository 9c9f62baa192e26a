"""`rosenblatt lab`: the experiments of the lecture."""

from typing import Annotated, Any

import typer

from rosenblatt.cli.options import AsJson, examples_of, one_of, quietly, seed_option
from rosenblatt.counting import counted
from rosenblatt.workflows.algorithms import OF_LAB

app = typer.Typer(
    help="The experiments: many runs at once, and exercise 1.4.",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """The experiments: many runs at once, and exercise 1.4."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    "runs",
    epilog=examples_of(
        "rosenblatt lab runs --points 10", "rosenblatt lab runs --points 100 -a regression"
    ),
)
@quietly
def runs_command(
    points: Annotated[int, typer.Option(min=1, help="Points in each run.")] = 10,
    n_runs: Annotated[int, typer.Option("--runs", min=1, help="Independent runs.")] = 1000,
    algorithm: Annotated[
        str,
        typer.Option(
            "-a",
            "--algorithm",
            help=f"{', '.join(OF_LAB[:-1])} or {OF_LAB[-1]}.",
            autocompletion=one_of(*OF_LAB),
        ),
    ] = "perceptron",
    # as it was called once
    learner: Annotated[str | None, typer.Option("--learner", hidden=True)] = None,
    seed: Annotated[int, seed_option("lines, points and picks")] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn random lines from random points, many times; print updates and errors."""
    from rosenblatt import lab
    from rosenblatt.cli.speaking import long_work, say_json

    with long_work() as tell:
        tell("running", 0.0)
        named: Any = learner or algorithm  # `runs` checks it
        table = lab.runs(points, n_runs, named, random_state=seed)
    if as_json:
        summaries = {name: part._asdict() for name, part in table.summary().items()}
        say_json({"points": points, "runs": n_runs, "algorithm": table.learner, **summaries})
    else:
        typer.echo(str(table))


@app.command(
    "exercise-1.4",
    epilog=examples_of(
        "rosenblatt lab exercise-1.4", "rosenblatt lab exercise-1.4 --plot exercise.png"
    ),
)
@quietly
def exercise_command(
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the picture: .png, .svg or .pdf.")
    ] = None,
    seed: Annotated[int, seed_option("the points")] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn 20 points that the line w = (1, 2, 4) labels; draw f and g with --plot."""
    from rosenblatt import lab
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.workflows import trace as recording

    recording.check_outputs(None, None, plot)
    with long_work():
        done = lab.exercise_1_4(seed)
        if plot is not None:
            recording.save_picture(done.plot(), plot)
    if as_json:
        say_json(
            {
                "target": done.target,
                "learned": done.learned,
                "updates": done.n_updates,
                "disagreement": done.disagreement,
            }
        )
        return
    learned = ", ".join(f"{value:.6g}" for value in done.learned)
    typer.echo("f: w = (1, 2, 4), 20 points in [-10, 10]^2")
    typer.echo(f"g: w = ({learned}) after {counted(done.n_updates, 'update')}")
    typer.echo(f"P[f != g] = {done.disagreement:.4f}")
