"""Type checkers know what a user gets, and refuse words that are none of the choices."""

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import rosenblatt
from rosenblatt.choices import AlgorithmName
from rosenblatt.data.examples import Examples
from rosenblatt.data.formats import FORMATS, FormatName
from rosenblatt.data.read import HowToRead
from rosenblatt.workflows.algorithms import ALGORITHMS, AUTO
from rosenblatt.workflows.compare import Comparison
from rosenblatt.workflows.explaining import Explanations, TellingFeatures
from rosenblatt.workflows.fit_report import FitReport
from rosenblatt.workflows.report.page import ReportPage

ROOT = Path(__file__).parent.parent
USERS_FILE = Path(__file__).with_name("users_file.py")
UNTYPED = (".to_arrow", ".to_pandas")  # objects of libraries that have no types
# Given as it came; rows on their way between two rooms; a learner of whatever class
KNOWN = {
    "rosenblatt.lab.LineTarget.weights",
    "rosenblatt.BagOfWords.rows_of",
    "rosenblatt.TextBlocks.one_pass",
    "rosenblatt.TextBlocks.whole",
    "rosenblatt.TableModel.fitted",
}
BY_SCIKIT_LEARN = ("get_params", "set_params", "score", "fit_transform", "set_output")


def documented_attributes(cls):
    """Return the names under the title Attributes, several on a line allowed."""
    text = inspect.getdoc(cls) or ""
    part = re.search(r"\nAttributes\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", text, re.S)
    lines = part[1].splitlines() if part else []
    heads = [line.split(":")[0] for line in lines if line and not line.startswith(" ")]
    return [name.strip(" *") for head in heads for name in head.split(",")]


def is_ours(member):
    function = getattr(member, "fget", None) or getattr(member, "__func__", member)
    return getattr(function, "__module__", "").startswith("rosenblatt")


def members_of(cls):
    """Return what a user may ask an object of a public class for."""
    public = [(name, member) for name, member in inspect.getmembers(cls) if name[0] != "_"]
    ours = {name for name, member in public if is_ours(member) or name in BY_SCIKIT_LEARN}
    return sorted(ours | {*documented_attributes(cls), *getattr(cls, "__annotations__", ())})


def public_things():
    """Yield every public name and what it is."""
    for room in (rosenblatt, rosenblatt.lab, rosenblatt.plot, rosenblatt.mail):
        for name in room.__all__:
            yield f"{room.__name__}.{name}", getattr(room, name)
    for given in (Examples, FitReport, Comparison, TellingFeatures, Explanations, ReportPage):
        yield f"{given.__module__}.{given.__name__}", given


def questions():
    """Return the lines of a file that asks for the type of every public name."""
    things = list(public_things())
    lines = [f"import {home}" for home in sorted({path.rpartition(".")[0] for path, _ in things})]
    for path, thing in things:
        if not inspect.isclass(thing):
            lines.append(f"reveal_type({path})  # {path}")
        elif not issubclass(thing, Exception):
            lines.append(f"def of_{len(lines)}(it: {path}) -> None:")
            asked = [name for name in members_of(thing) if name[0] != "_"]
            lines += [f"    reveal_type(it.{name})  # {path}.{name}" for name in asked]
            lines.append("    return")
    return lines


@pytest.fixture(scope="module")
def said_by_mypy(tmp_path_factory):
    """Return what mypy says of the user's file and of all public names, in one run."""
    file = tmp_path_factory.mktemp("types") / "public_names.py"
    lines = questions()
    file.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", str(USERS_FILE), str(file)]
    settings = {"capture_output": True, "text": True, "check": False, "cwd": ROOT}
    answer = subprocess.run(command, env=os.environ | {"MYPYPATH": "src"}, **settings)
    found = re.findall(r"^(.+?):(\d+): (\w+): (.*)$", answer.stdout, re.M)
    assert found, answer.stdout + answer.stderr
    of_users_file = [(int(n), kind) for path, n, kind, _ in found if path.endswith("users_file.py")]
    of_names = [
        (lines[int(n) - 1].rpartition("# ")[2], kind, text)
        for path, n, kind, text in found
        if path.endswith("public_names.py")
    ]
    return of_users_file, of_names


def wrong_lines():
    lines = USERS_FILE.read_text().splitlines()
    return [number for number, line in enumerate(lines, 1) if line.endswith("# wrong")]


def test_mypy_refuses_what_is_wrong_in_a_users_file_and_nothing_else(said_by_mypy):
    of_users_file, _ = said_by_mypy
    assert sorted({number for number, kind in of_users_file if kind == "error"}) == wrong_lines()


def test_no_public_name_gives_any(said_by_mypy):
    _, of_names = said_by_mypy
    assert [(name, text) for name, kind, text in of_names if kind == "error"] == []
    types = {name: re.search('"(.*)"', text)[1] for name, kind, text in of_names if kind == "note"}
    assert len(types) > 500
    found = {name for name, told in types.items() if "Any" in given_by(told)}
    assert {name for name in found if not name.endswith(UNTYPED)} == KNOWN


def given_by(told):
    """Return the type of a value, or of what a function returns: what it takes is left out."""
    # a scalar of NumPy of any kind: the type of labels is known when they are
    told = told.replace("numpy.generic[Any]", "numpy.generic")
    told = told[len("Overload(") : -1] if told.startswith("Overload(") else told
    while "(" in told:  # the innermost parentheses first: a function may take functions
        told = re.sub(r"\([^()]*\)", "", told)
    return told


@pytest.mark.parametrize(
    ("told", "given"),
    [
        ("def (X: Any, y: Any =) -> builtins.float", "def  -> builtins.float"),
        ("def (f: def (a: Any) -> Any) -> Any", "def  -> Any"),
        ("numpy.ndarray[Any, Any]", "numpy.ndarray[Any, Any]"),
        ("Overload(def (a: Any) -> int, def (b: Any) -> Any)", "def  -> int, def  -> Any"),
    ],
)
def test_what_a_function_gives_is_told_from_what_it_takes(told, given):
    assert given_by(told) == given


def test_pyright_refuses_the_same():
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    settings = {"capture_output": True, "text": True, "check": False, "cwd": ROOT}
    answer = json.loads(subprocess.run(command, **settings).stdout)
    found = answer["generalDiagnostics"]
    lines = {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}
    assert sorted(lines) == wrong_lines()


def test_the_package_says_that_it_has_types():
    assert Path(rosenblatt.__file__).with_name("py.typed").exists()


def test_every_format_can_be_named_in_a_typed_program():
    aliases = [alias for form in FORMATS.values() for alias in form.aliases]
    assert set(get_args(FormatName)) == {*FORMATS, *aliases}


def test_every_learner_can_be_named_in_a_typed_program():
    assert set(get_args(AlgorithmName)) == {*ALGORITHMS, AUTO}


def test_what_read_takes_can_be_given_to_fit_and_compare_in_a_typed_program():
    taken = inspect.signature(rosenblatt.read).parameters
    # amounts are learned by `fit_amounts`
    assert {*HowToRead.__annotations__} == {*taken, "text", "category"} - {"path", "amounts"}
    for name, kind in HowToRead.__annotations__.items():
        if name in taken:
            assert kind.__forward_arg__ == taken[name].annotation
