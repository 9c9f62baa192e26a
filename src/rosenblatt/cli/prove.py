"""`rosenblatt prove`: say whether the data is linearly separable, with a proof."""

from typing import Annotated, Any

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
    check_files_apart,
    chosen,
    examples_of,
    examples_or_blocks,
    kinds,
    one_of,
)
from rosenblatt.errors import ParameterError

EXAMPLES = examples_of(
    "rosenblatt prove breast-cancer -o cancer.json",
    "rosenblatt prove xor --fewest-mistakes",
    "rosenblatt prove xor --contradictions",
    "rosenblatt prove wine --multiclass joint",
)


def prove_command(
    data: Data,
    target: Target = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Save the proof as JSON.")
    ] = None,
    multiclass: Annotated[
        str,
        typer.Option(
            metavar="WAY",
            autocompletion=one_of("joint", "one-vs-rest", "one-vs-one"),
            help="How more than two classes are told apart: joint (a score for each, the highest "
            "wins), one-vs-rest or one-vs-one.",
        ),
    ] = "one-vs-rest",
    no_intercept: Annotated[
        bool, typer.Option("--no-intercept", help="Ask about rules through the origin.")
    ] = False,
    time_limit: Annotated[
        float | None, typer.Option(min=0.0, help="Seconds to search, for each question.")
    ] = None,
    fewest_mistakes: Annotated[
        bool, typer.Option("--fewest-mistakes", help="The fewest mistakes of any linear rule, too.")
    ] = False,
    contradictions: Annotated[
        bool, typer.Option("--contradictions", help="All contradictions that share no example.")
    ] = False,
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
    """Prove that a linear rule classifies every example of DATA right, or that none does.

    The proof is either a rule or a few examples that contradict each other, checked in exact
    arithmetic. With --memory the data may be larger than memory: its rows are kept on disk and
    gone through in passes, and with --cluster Dask's workers do that; the proof is the same. Exit
    code 1: not separable.
    """
    from rosenblatt.checks.parameters import check_choice
    from rosenblatt.cli.speaking import long_work, say_json, tell_notes
    from rosenblatt.proof.question import WAYS
    from rosenblatt.workflows import prove as proving
    from rosenblatt.workflows.proof_words import explain_mistakes, explain_proof

    check_choice(multiclass, "multiclass", WAYS)
    check_files_apart({"-o": output}, {"the data": data})
    elsewhere = "--memory" if cluster is None else "--cluster"
    if (memory is not None or cluster is not None) and (fewest_mistakes or contradictions):
        raise ParameterError(
            "--fewest-mistakes and --contradictions need all examples in memory; leave out "
            f"{elsewhere}"
        )
    with (
        long_work() as tell,
        examples_or_blocks(
            *(data, memory, cluster, target, form, missing, delimiter, bits),
            kinds(text, category),
            symbols=symbols,
            **chosen(columns, drop),
        ) as examples,
    ):
        way: Any = multiclass  # checked above
        findings = proving.find_proofs(
            examples,
            fit_intercept=not no_intercept,
            multiclass=way,
            time_limit=time_limit,
            fewest=fewest_mistakes,
            several=contradictions,
            tell=tell,
        )
        if output is not None:
            proving.save_proof(findings.proof, output)
        shown = "" if as_json else explain_proof(findings.proof, examples)
    tell_notes(examples.notes)
    if as_json:
        say_json(_facts(findings))
    else:
        typer.echo(shown)
        if findings.fewest is not None:
            typer.echo(explain_mistakes(findings.fewest, examples))
        if findings.packing is not None:
            typer.echo(str(findings.packing))
    return bool(findings.proof.separable)


def _facts(findings: Any) -> dict[str, Any]:
    from rosenblatt.proof.certificate import answers_of
    from rosenblatt.workflows.proof_words import holding

    proof, fewest = findings.proof, findings.fewest
    facts: dict[str, Any] = {
        "separable": proof.separable,
        "multiclass": holding(proof)["multiclass"],
        "proofs": [_fact(part) for part in answers_of(proof)],
    }
    if fewest is not None:
        names = ("lower", "upper", "examples", "w")
        facts["fewest_mistakes"] = {name: getattr(fewest, name) for name in names}
    if findings.packing is not None:
        facts["contradictions"] = [part.indices for part in findings.packing]
        facts["suspects"] = findings.packing.suspects
    return facts


def _fact(proof: Any) -> dict[str, Any]:
    fact: dict[str, Any] = {"question": str(proof.question), "separable": proof.separable}
    names = ("w", "margin", "radius", "updates_bound") if proof.separable else ("indices",)
    fact |= {name: getattr(proof, name) for name in names}
    if not proof.separable:
        # whole numbers of any size, which JSON's readers would round
        fact["weights"] = [str(weight) for weight in proof.weights]
        if hasattr(proof, "rivals"):
            fact["rivals"] = proof.rivals
    return fact
