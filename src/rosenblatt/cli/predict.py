"""`rosenblatt predict`: a label for each example."""

from typing import Any

from rosenblatt.cli.options import (
    AsJson,
    Data,
    Delimiter,
    Format,
    Missing,
    Model,
    examples_of,
    one_from_standard_input,
)

EXAMPLES = examples_of(
    "rosenblatt fit iris -o iris.rosenblatt",
    "rosenblatt predict iris.rosenblatt iris",
    "rosenblatt predict iris.rosenblatt iris --json",
)


def predict_command(
    model: Model,
    data: Data,
    form: Format = None,
    missing: Missing = None,
    delimiter: Delimiter = None,
    as_json: AsJson = False,
) -> None:
    """Print the label of each example of DATA, one on a line; with --json the scores too.

    With two classes a score above 0 means the second one. DATA needs the columns that the model
    learned from; labels may be there or not. To a model of texts or of mail each line of DATA is a
    text, if it is neither a table nor mail.
    """
    from rosenblatt.cli.speaking import Spool, json_line, long_work, tell_notes
    from rosenblatt.workflows import apply as applying

    one_from_standard_input(model, data)
    with Spool() as out:
        with long_work() as tell:
            saved = applying.open_model(model)
            how = {"format": form, "missing": missing, "delimiter": delimiter}
            with applying.open_examples_for(saved, data, **how) as blocks:
                tell("predicting", 0.0)
                if as_json:
                    classes = saved.classes.tolist()
                    for label, score in applying.predictions_with_scores(saved, blocks):
                        out.add(json_line({"label": label, **_scores(score, classes)}))
                else:
                    for label in applying.predictions(saved, blocks):
                        out.add(label)
                notes = blocks.notes
        tell_notes(notes)
        out.say()


def _scores(score: Any, classes: list[Any]) -> dict[str, Any]:
    if isinstance(score, list):
        return {"scores": dict(zip(classes, score, strict=True))}
    return {"score": score}
