"""One thing is said in the singular: in the source, and in what commands print."""

import ast
import re
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt.counting import counted, plural
from tests.cli.running import run

SOURCE = Path(rosenblatt.__file__).parent
NOUNS = [
    *("updates", "epochs", "features", "examples", "mistakes", "contradictions", "rows", "words"),
    *("classes", "columns", "messages", "points", "steps", "labels", "runs", "passes", "groups"),
    *("fields", "others"),
]
A_NOUN = re.compile(rf"^ (?:more )?(?:{'|'.join(NOUNS)})\b")
A_CONSTANT = re.compile(r"[A-Z_]+")
# Where there are always several: a contradiction of one example has a sentence of its own, a plane
# is needed for three columns and more, and so on
SEVERAL = {
    "blocks/__init__.py": {"X.n_features", "estimator.n_features_in_"},  # scikit-learn's sentence
    "blocks/stored.py": {"'dense' if is_dense else 'sparse'"},
    "cluster/parts.py": {"fact.kind"},  # dense or sparse
    "data/target.py": {"n_rows"},
    "studio/scenes/choices.py": {"X.shape[1]"},
    "linear/ridge.py": {"most"},
    "workflows/folds.py": {"n"},  # of which some are copies
    "linear/threshold_unit.py": {"n_features", "self.n_features_in_"},  # scikit-learn's sentence
    "plot/projection.py": {"n_features"},
    "proof/certificate.py": {"n"},
    # the checker of proofs imports nothing but the errors
    "proof/exact.py": {
        "len(indices)",
        "len(rivals)",
        "problem.n_rows",
        "problem.n_features",
        "problem.n_classes",
        "k",
        "d",
    },
    "proof/margin.py": {"len(self.support)"},
    "proof/program.py": {"n"},
    "proof/question.py": {"len(self.classes)"},
    "workflows/pictures.py": {"d"},  # three and more
    "workflows/proof_words.py": {"n"},
    "workflows/report/sections.py": {"len(counts)", "number(proof.updates_bound, 4)"},
    "studio/scenes/opening.py": {"rows.shape[1]", "len(y)", "n", "X.shape[1]"},
    "studio/scenes/tables.py": {"n"},
    "studio/scenes/verdicts.py": {"n"},
    "studio/scenes/wholes.py": {"whole.X.shape[1]"},
}


def numbers_before_plurals(path):
    """Yield the expressions in front of a noun in the plural."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            for number, text in zip(node.values, node.values[1:], strict=False):
                is_text = isinstance(text, ast.Constant) and A_NOUN.match(text.value)
                if isinstance(number, ast.FormattedValue) and is_text:
                    yield ast.unparse(number.value)


def test_numbers_of_things_are_said_by_counted():
    wrong = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = str(path.relative_to(SOURCE))
        found = {e for e in numbers_before_plurals(path) if not A_CONSTANT.fullmatch(e)}
        if found - SEVERAL.get(name, set()):
            wrong[name] = found - SEVERAL.get(name, set())
    assert wrong == {}


def test_a_number_before_a_plural_is_found(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("f\"{n} features, {MOST} rows, {counted(n, 'row')} more\"")
    assert list(numbers_before_plurals(path)) == ["n", "MOST"]


@pytest.mark.parametrize("noun", NOUNS)
def test_every_noun_has_its_plural(noun):
    one = {"classes": "class", "passes": "pass"}.get(noun, noun.removesuffix("s"))
    assert plural(one) == noun
    assert counted(1, one) == f"1 {one}"
    assert counted(2, one) == f"2 {noun}"


ONE_OF_EACH = "a,label\n1,x\n2,y\n3,y\n4,y\n"


@pytest.mark.parametrize(
    "arguments",
    [
        *(["fit", "lecture", "-a", "perceptron"], ["fit", "one.csv", "-a", "perceptron"]),
        *(["prove", "xor", "--fewest-mistakes", "--contradictions"], ["trace", "one.csv"]),
        *(["compare", "lecture"], ["explain", "m.rosenblatt", "one.csv"]),
        *(["lab", "runs", "--runs", "1", "--points", "1"], ["score", "m.rosenblatt", "one.csv"]),
        *(["fit", "missing.csv", "--missing", "drop"], ["predict", "m.rosenblatt", "one.csv"]),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_commands_speak_of_one_thing_in_the_singular(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text(ONE_OF_EACH)
    (tmp_path / "missing.csv").write_text(ONE_OF_EACH + ",y\n")
    if "m.rosenblatt" in arguments:
        assert run("fit", "one.csv", "-o", "m.rosenblatt", "--prove-seconds", "0").code == 0
    answer = run(*arguments)
    assert answer.code in (0, 1)
    assert answer.out
    said = answer.out + answer.err
    assert not re.search(rf"(?<![\d.,-])1 (?:{'|'.join(NOUNS)})\b", said), said
