"""`rosenblatt verify`: say whether a proof holds."""

from typing import Annotated

import typer

from rosenblatt.cli.options import (
    AsJson,
    Bits,
    Category,
    Cluster,
    Columns,
    Data,
    Delimiter,
    Drop,
    Format,
    Memory,
    Missing,
    Symbols,
    Target,
    Text,
    chosen,
    examples_of,
    examples_or_blocks,
    kinds,
    one_from_standard_input,
)
from rosenblatt.errors import SHELL, ProofError, said_in

EXAMPLES = examples_of(
    "rosenblatt prove breast-cancer -o cancer.json", "rosenblatt verify cancer.json breast-cancer"
)


def verify_command(
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
    columns: Columns = None,
    drop: Drop = None,
    bits: Bits = 20,
    symbols: Symbols = False,
    memory: Memory = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> bool:
    """Check a proof on DATA, in exact arithmetic and without what found it.

    It must answer all questions that the classes of DATA raise; what holds is said: the verdict,
    the classes, the kind of rules and the number of rows. Exit code 1: it does not hold, or it is
    about other data.
    """
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.workflows import prove as proving
    from rosenblatt.workflows.proof_words import holding, what_holds

    one_from_standard_input(proof, *data)
    fault, held = None, None
    with long_work():
        given = proving.read_proof(proof)
        with examples_or_blocks(
            *(data, memory, cluster, target, form, missing, delimiter, bits),
            kinds(text, category),
            symbols=symbols,
            **chosen(columns, drop),
        ) as examples:
            try:
                held = proving.verify_proof(given, examples)
            except ProofError as error:
                fault = said_in(SHELL, error)
    tell_notes(examples.notes)
    if as_json:
        facts = holding(held) if held is not None else {}
        say_json({"holds": held is not None, "fault": fault, **facts})
    elif held is not None:
        typer.echo(f"the proof holds\n{what_holds(held)}")
    else:
        typer.echo(f"the proof does not hold: {fault}")
    return held is not None
