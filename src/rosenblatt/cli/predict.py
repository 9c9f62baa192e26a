"""`rosenblatt predict`: a label for each example."""

from typing import Annotated, Any

import typer

from rosenblatt.cli.options import (
    AsJson,
    Cluster,
    Data,
    Delimiter,
    Format,
    Missing,
    Model,
    check_files_apart,
    examples_of,
    one_from_standard_input,
)
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError

EXAMPLES = examples_of(
    "rosenblatt fit iris -o iris.rosenblatt",
    "rosenblatt predict iris.rosenblatt iris",
    "rosenblatt predict iris.rosenblatt iris --probability",
    "rosenblatt predict iris.rosenblatt iris --json",
    "rosenblatt predict iris.rosenblatt iris -o labels.csv",
)


def predict_command(
    model: Model,
    data: Data,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the predictions as .csv, .tsv, .jsonl or .parquet, and print none.",
        ),
    ] = None,
    form: Format = None,
    missing: Missing = None,
    delimiter: Delimiter = None,
    cluster: Cluster = None,
    probability: Annotated[
        bool,
        typer.Option("--probability", help="Print how probable each label is, after a tab."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print the label of each example of DATA, one on a line; with --json all that is known of it.

    -o saves a table with the columns label, score (of two classes) and probability, or JSON lines:
    when all is well, and not before.

    With two classes a score above 0 means the second one. --json has the probability of the label,
    and those of all classes, for a model that `rosenblatt fit` validated. DATA needs the columns
    that the model learned from; labels may be there or not. To a model of texts or of mail each
    line of DATA is a text, if it is neither a table nor mail. A model of `fit --regression` gives
    amounts in the place of labels. A mail filter says spam, ham or unsure of each message.
    """
    from rosenblatt.as_json import json_line
    from rosenblatt.cli.speaking import Spool, long_work, tell_notes
    from rosenblatt.workflows import apply as applying
    from rosenblatt.workflows.places import open_answers
    from rosenblatt.workflows.predictions_file import check_predictions_file, write_predictions

    one_from_standard_input(model, *data)
    if output is not None:
        if as_json:
            raise ParameterError("--json prints, and -o saves; for JSON lines, name a file .jsonl")
        check_predictions_file(output)
        check_files_apart({"-o": output}, {"the data": data, "the model": model})
    with Spool() as out:
        with long_work() as tell:
            saved = applying.open_model(model)
            if probability:
                applying.check_has_probabilities(saved)
            how = {"format": form, "missing": missing, "delimiter": delimiter}
            with open_answers(saved, data, cluster, **how) as asked:
                tell("predicting", 0.0)
                classes = [] if applying.is_of_amounts(saved) else saved.classes.tolist()
                if output is not None:
                    n = write_predictions(
                        *(output, saved, asked.in_full()),
                        lambda found: json_line(_facts(found, classes)),
                    )
                    out.add(f"{counted(n, 'prediction')} saved in {output}")
                elif as_json:
                    for found in asked.in_full():
                        out.add(json_line(_facts(found, classes)))
                elif probability:
                    for label, _, likely, _ in asked.in_full():
                        out.add(f"{label}\t{likely:.4f}")
                else:
                    for label in asked.labels():
                        out.add(label)
                notes = asked.notes
        tell_notes(notes)
        out.say()


def _facts(found: Any, classes: list[Any]) -> dict[str, Any]:
    label, score, likely, all_of_them = found
    facts: dict[str, Any] = {"label": label}
    if isinstance(score, list):
        facts["scores"] = dict(zip(classes, score, strict=True))
    elif score is not None:  # an amount has none
        facts["score"] = score
    if likely is not None:
        facts["probability"] = likely
        facts["probabilities"] = dict(zip(classes, all_of_them, strict=True))
    return facts
