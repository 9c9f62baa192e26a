"""`rosenblatt lab`: the experiments of the lecture."""

from collections.abc import Callable
from typing import Annotated, Any, get_args

import typer

from rosenblatt.choices import Rule
from rosenblatt.cli.options import AsJson, examples_of, one_of, quietly, seed_option
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError
from rosenblatt.workflows.algorithms import OF_LAB

app = typer.Typer(no_args_is_help=False, rich_markup_mode=None)

RULES = get_args(Rule)
LINE, CIRCLE = "line", "circle"

Points = Annotated[int, typer.Option(min=1, help="Points in each run.")]
PickRule = Annotated[
    str | None,
    typer.Option(
        help=f"Which mistake is corrected next: {', '.join(RULES)}; random by default.",
        autocompletion=one_of(*RULES),
    ),
]
Margin = Annotated[
    float, typer.Option(help="Draw no point nearer to the boundary of the target than this.")
]
Plot = Annotated[
    str | None, typer.Option(metavar="FILE", help="Save the picture: .png, .svg or .pdf.")
]
ToLearn = Annotated[
    str,
    typer.Option(
        metavar="TARGET",
        help="line (a random one in each run), circle, or the weights of one: --target=-0.2,1,1.",
        autocompletion=one_of(LINE, CIRCLE),
    ),
]


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Show what there is, if nothing else is asked for."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    "runs",
    epilog=examples_of(
        "rosenblatt lab runs --points 10",
        "rosenblatt lab runs --points 100 -a regression",
        "rosenblatt lab runs --points 100 --runs 50 -a pocket --noise 0.1",
        "rosenblatt lab runs --points 50 --runs 100 --rule first --margin 0.1 --dimension 5",
    ),
)
@quietly
def runs_command(
    points: Points = 10,
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
    rule: PickRule = None,
    target: ToLearn = LINE,
    dimension: Annotated[
        int | None, typer.Option(min=1, help="Features of a point; 2 by default.")
    ] = None,
    noise: Annotated[
        float, typer.Option(help="Share of the labels that is flipped, up to 0.5.")
    ] = 0.0,
    margin: Margin = 0.0,
    features: Annotated[
        str,
        typer.Option(
            help="What the learner sees: linear, or quadratic (x1x2, x1², x2² as well).",
            autocompletion=one_of("linear", "quadratic"),
        ),
    ] = "linear",
    updates: Annotated[
        int | None,
        typer.Option(min=1, help="Most updates of a run; 1,000,000, or 10,000 if it cannot end."),
    ] = None,
    seed: Annotated[int, seed_option("targets, points and picks")] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn random lines from random points, many times; print updates and errors."""
    from rosenblatt import lab
    from rosenblatt.cli.speaking import long_work, say_json

    # `runs` checks them
    given: Any = {"learner": learner or algorithm, "rule": rule, "features": features}
    with long_work() as tell:
        tell("running", 0.0)
        table = lab.runs(
            points,
            n_runs,
            target=_target_of(target),
            dimension=dimension,
            noise=noise,
            margin=margin,
            max_updates=updates,
            random_state=seed,
            **given,
        )
    if as_json:
        summaries = {name: part._asdict() for name, part in table.summary().items()}
        say_json({"points": points, "runs": n_runs, "algorithm": table.learner, **summaries})
    else:
        typer.echo(str(table))


def _target_of(named: str) -> Any:
    """Return the target of a name, or of weights with commas between them."""
    from rosenblatt import lab

    if named == LINE:
        return None
    if named == CIRCLE:
        return lab.CircleTarget()
    try:
        return lab.LineTarget([float(part) for part in named.split(",")])
    except ValueError:  # no numbers, or a target that is none
        raise ParameterError(
            f"must be line, circle, or weights such as -0.2,1,1, got {named!r}", about="target"
        ) from None


@app.command(
    "bound",
    epilog=examples_of(
        "rosenblatt lab bound --points 20",
        "rosenblatt lab bound --margin 0.1 --rule worst --plot bound.png",
    ),
)
@quietly
def bound_command(
    points: Points = 20,
    n_runs: Annotated[int, typer.Option("--runs", min=1, help="Data sets.")] = 1000,
    rule: PickRule = None,
    dimension: Annotated[int, typer.Option(min=1, help="Features of a point.")] = 2,
    margin: Margin = 0.0,
    plot: Plot = None,
    seed: Annotated[int, seed_option("lines, points and picks")] = 0,
    as_json: AsJson = False,
) -> None:
    """Count the updates of PLA on many data sets, beside the bound (R B)² of each."""
    from rosenblatt import lab

    named: Any = rule  # `bound` checks it
    _show(
        lambda: lab.bound(
            points, n_runs, rule=named, dimension=dimension, margin=margin, random_state=seed
        ),
        plot,
        as_json,
    )


@app.command(
    "cover",
    epilog=examples_of(
        "rosenblatt lab cover --dimension 2",
        "rosenblatt lab cover --dimension 2 --dimension 10 --dimension 25 --plot cover.png",
    ),
)
@quietly
def cover_command(
    dimension: Annotated[
        list[int] | None,
        typer.Option(help="Features of a point; several times for several. 2 and 10 by default."),
    ] = None,
    points: Annotated[
        list[int] | None,
        typer.Option(help="Points N; several times for several. Up to 4 for a weight by default."),
    ] = None,
    n_runs: Annotated[
        int, typer.Option("--runs", min=1, help="Data sets for each N and dimension.")
    ] = 500,
    no_intercept: Annotated[
        bool, typer.Option("--no-intercept", help="Rules without a threshold: one weight less.")
    ] = False,
    plot: Plot = None,
    seed: Annotated[int, seed_option("points and labels")] = 0,
    as_json: AsJson = False,
) -> None:
    """Tell how many random labellings a linear rule separates, beside Cover's formula."""
    from rosenblatt import lab

    _show(
        lambda: lab.cover(
            dimension or (2, 10),
            n_runs,
            n_points=points or None,
            fit_intercept=not no_intercept,
            random_state=seed,
        ),
        plot,
        as_json,
    )


def _show(experiment: Callable[[], Any], plot: str | None, as_json: bool) -> None:
    """Run an experiment that gives a table and a picture; write and print them."""
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.workflows import trace as recording

    recording.check_outputs(None, None, plot)
    with long_work() as tell:
        tell("running", 0.0)
        table = experiment()
        if plot is not None:
            tell(f"writing {plot}", 0.5)
            recording.save_picture(table.plot(), plot)
    if as_json:
        say_json({"runs": table.n_runs, **table.to_arrow().to_pydict()})
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
    plot: Plot = None,
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
