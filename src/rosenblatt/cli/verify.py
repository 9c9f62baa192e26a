"""`rosenblatt verify`: say whether a proof holds."""

from typing import Annotated

import typer

from rosenblatt.cli.options import (
    AsJson,
    Bits,
    Category,
    Data,
    Delimiter,
    Format,
    Missing,
    Target,
    Text,
    examples_of,
    kinds,
    one_from_standard_input,
    read_examples,
)
from rosenblatt.errors import ProofError

EXAMPLES = examples_of(
    "rosenblatt prove breast-cancer -o cancer.json", "rosenblatt verify cancer.json breast-cancer"
)
NEGATIVE = 1


def verify(
    proof: Annotated[
        str, typer.Argument(metavar="PROOF", help="A file that `prove -o` wrote, or -.")
    ],
    data: Data,
    target: Target = None,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    bits: Bits = 20,
    as_json: AsJson = False,
) -> None:
    """Check a proof on DATA, in exact arithmetic and without what found it.

    Exit code 1: it does not hold, or it is about other data.
    """
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import proving

    one_from_standard_input(proof, data)
    fault = None
    with long_work():
        examples = read_examples(
            data, target, form, missing, delimiter, bits, kinds(text, category)
        )
        try:
            proving.verify(proof, examples)
        except ProofError as error:
            fault = " ".join(str(error).split())
    tell_notes(examples.notes)
    if as_json:
        say_json({"holds": fault is None, "fault": fault})
    else:
        typer.echo("the proof holds" if fault is None else f"the proof does not hold: {fault}")
    if fault is not None:
        raise typer.Exit(NEGATIVE)
