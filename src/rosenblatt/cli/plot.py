"""`rosenblatt plot`: a picture of data and of what was learned from it."""

from typing import Annotated, Any

import typer

from rosenblatt.cli.learner_options import with_parameters
from rosenblatt.cli.options import (
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
    one_from_standard_input,
    read_examples,
    seed_option,
)
from rosenblatt.errors import ParameterError
from rosenblatt.workflows.parameters import OF_TRACES

EXAMPLES = examples_of(
    "rosenblatt plot exercise-1.4 -o exercise.png",
    "rosenblatt plot lecture --margin -o street.svg",
    "rosenblatt plot xor --contradiction -o xor.pdf",
    "rosenblatt plot iris --columns 'petal length (cm),petal width (cm)' -o iris.png",
)


@with_parameters(*OF_TRACES)
def plot_command(
    data: Data,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="The picture: .png, .svg or .pdf.")
    ],
    target: Target = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="MODEL", help="Draw this model, a file of `fit -o`."),
    ] = None,
    algorithm: Annotated[
        str | None,
        algorithm_option(
            "What learns, without a model, from the numbers as they are, as in trace."
        ),
    ] = None,
    margin: Annotated[
        bool, typer.Option("--margin", help="The widest street between two classes, too.")
    ] = False,
    contradiction: Annotated[
        bool, typer.Option("--contradiction", help="Ring examples that contradict each other.")
    ] = False,
    classes: Classes = None,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
    seed: Annotated[int, seed_option("the orders of the examples, and picks")] = 0,
    *,
    parameters: dict[str, Any],
) -> None:
    """Draw DATA: points, the regions of a rule, its line g with the arrow w, lines before it.

    The rule is that of the perceptron, as in `trace`, of another learner, -a, or of a saved
    --model. Two features are a plane, one a line; of more a projection is drawn in which the
    boundary is exact: of two classes, or of three. The target f is drawn where it is known. Both
    axes have one scale. Exit code 2: more classes or features than a picture can show.
    """
    from rosenblatt.cli.speaking import long_work, tell_notes
    from rosenblatt.workflows import trace as recording
    from rosenblatt.workflows.apply import examples_for, open_model

    recording.check_outputs(None, None, output)
    check_files_apart({"-o": output}, {"the data": data, "the model": model})
    if model is not None and (algorithm is not None or parameters):
        raise ParameterError("--model is learned already; leave out -a and its options")
    learner = algorithm or "perceptron"
    if model is None:
        recording.learner_to_watch(learner, seed, parameters)  # before anything is read
    else:
        one_from_standard_input(model, *data)
    with long_work() as tell:
        from rosenblatt.workflows.pictures import draw

        saved = None
        if model is None:
            examples = read_examples(
                *(data, target, form, missing, delimiter),
                columns=kinds(text, category),
                **chosen(columns, drop),
            )
        else:
            saved = open_model(model)
            examples = examples_for(saved, data, format=form, missing=missing, delimiter=delimiter)
        examples = of_two_classes(examples, classes)
        tell("drawing", 0.0)
        picture = draw(
            examples,
            saved=saved,
            algorithm=learner,
            parameters=parameters,
            seed=seed,
            margin=margin,
            contradiction=contradiction,
        )
        recording.save_picture(picture.figure, output)
    tell_notes(examples.notes)
    typer.echo(f"{output}: {picture.sentence}")
