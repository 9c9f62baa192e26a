"""The public names are those of the design, each loads, and each is where it says."""

import ast
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import rosenblatt

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "rosenblatt"
STUB = SOURCE / "__init__.pyi"


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_public_name_loads_and_knows_its_name(name):
    value = getattr(rosenblatt, name)
    assert value.__name__ == name
    assert value.__module__.startswith("rosenblatt.")


def test_the_names_of_the_design_are_public():
    assert set(rosenblatt.__all__) >= {
        "AROW",
        "AveragedPerceptron",
        "BagOfWords",
        "BatchPerceptron",
        "BayesClassifier",
        "BernoulliNaiveBayes",
        "CategoricalNaiveBayes",
        "EmpiricalBayes",
        "GaussianNaiveBayes",
        "LeastSquares",
        "LeastSquaresClassifier",
        "MultinomialNaiveBayes",
        "PassiveAggressive",
        "Perceptron",
        "PocketPerceptron",
        "ThresholdUnit",
        "VotedPerceptron",
        "fewest_mistakes",
        "load",
        "max_margin",
        "prove",
        "read",
        "save",
        "trace",
    }


def test_dir_lists_the_public_names():
    assert set(rosenblatt.__all__) <= set(dir(rosenblatt))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Perceptor'"):
        _ = rosenblatt.Perceptor


def test_homes_and_all_agree():
    assert sorted(rosenblatt.__all__) == rosenblatt.__all__ == sorted(rosenblatt.HOMES)


def test_all_that_the_stub_imports_is_read_from_it():
    """A line that the formatter breaks, say, is read by type checkers, and not by our eyes."""
    nodes = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)]
    found = [(node.module, alias) for node in nodes if node.level for alias in node.names]
    assert all(alias.name == alias.asname for _, alias in found)
    homes = {alias.name: f"rosenblatt.{home}" for home, alias in found if home}
    assert homes == rosenblatt.HOMES
    rooms = [alias.name for home, alias in found if not home]
    assert rooms == rosenblatt._ROOMS == ["lab", "mail", "plot"]


@pytest.mark.parametrize("name", ["lab", "mail", "plot"])
def test_rooms_are_loaded_when_used_and_are_in_dir_only(name):
    code = f"import sys, rosenblatt as r; print('rosenblatt.{name}' in sys.modules, r.{name})"
    loaded, answer = answer_of("-c", code).split(" ", 1)
    assert loaded == "False"
    assert answer.startswith(f"<module 'rosenblatt.{name}'")
    assert name in dir(rosenblatt)
    assert name not in rosenblatt.__all__


def test_names_of_before_have_the_type_of_today():
    assigned = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.Assign)]
    found = {node.targets[0].id: node.value.id for node in assigned}
    assert found == rosenblatt._OLD_NAMES
    assert sorted(found) == ["MarginProgress", "MistakesProgress", "ProofProgress"]


USER = """
import rosenblatt
from rosenblatt import *
reveal_type(rosenblatt.Perceptron())
reveal_type(Trace)
reveal_type(rosenblatt.ProofProgress)
reveal_type(rosenblatt.mail.read)
rosenblatt.Perceptor
"""


@pytest.mark.soak
def test_type_checkers_see_the_true_types(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    lines = answer_of("-m", "mypy", "--strict", tmp_path / "user.py", code=1).splitlines()
    told = [line.split(": ", 2)[-1] for line in lines]
    assert told[0] == 'Revealed type is "rosenblatt.linear.perceptron.Perceptron"'
    assert told[1].endswith('rosenblatt.tracing.trace.Trace"')
    assert told[2].endswith('rosenblatt.progress.Progress]"')
    assert told[3].endswith('rosenblatt.mail.message.boxes.Message]"')
    assert told[4].startswith('Module has no attribute "Perceptor"')


def test_the_file_beside_the_stub_is_typed_too(tmp_path):
    """Where there is a stub, mypy reads nothing else, unless asked."""
    file = STUB.with_suffix(".py")
    assert "no issues" in answer_of("-m", "mypy", "--cache-dir", tmp_path, file)


def answer_of(*command, code=0):
    """Return what Python prints that ends with this code."""
    answer = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": "src"},
    )
    assert answer.returncode == code, answer.stdout + answer.stderr
    return answer.stdout


def test_a_public_name_is_defined_in_one_module():
    homes = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(path.relative_to(SOURCE))
    several = {name for name, paths in homes.items() if len(paths) > 1}
    assert {name for name in several if not is_of_one_rule(homes[name])} == {"read"}


def is_of_one_rule(paths):
    """Tell whether these are a kernel and its learner: they may have one word for what they do."""
    rooms = {path.parts[0] for path in paths}
    return len(paths) == 2 and "kernels" in rooms and len({path.stem for path in paths}) == 1
