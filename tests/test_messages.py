"""Messages name what exists where the reader is: every one that the source can make is looked at.

An error is written with a template for its advice (`rosenblatt.errors.Said`), so what the shell
will say is known without raising it. Here each `raise`, warning and note of the source is collected
and said as the shell says it.
"""

import ast
import builtins
import copy
import functools
import re
from pathlib import Path

import pytest
import typer

import rosenblatt
from rosenblatt.cli.app import commands
from rosenblatt.errors import OPTIONS, PAGE, PYTHON, SHELL, DataError, Said

SOURCE = Path(rosenblatt.__file__).parent
# what a user of the shell or of a page cannot type: `name=`, `=None`, `call(X, y)`, `sklearn.x`
PYTHON_SYNTAX = re.compile(
    r"\b[a-z]\w*=(?!=)|\w\((?:X|y|self)\b|\bsklearn\.|\bnumpy\.|rosenblatt\.[a-z]+\(|\.fit\(|max_epochs"
)
ADVICE = ("do", "in_shell", "on_page")


def text_of(node, constants):
    """Return a string of the source with {...} for what is known when it runs only."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "{...}" for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return text_of(node.left, constants) + text_of(node.right, constants)
    if isinstance(node, ast.Name):
        return constants.get(node.id, "{...}")
    if isinstance(node, ast.IfExp):
        return text_of(node.body, constants) + " / " + text_of(node.orelse, constants)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
        return text_of(node.func.value, constants)
    return "{...}"


def constants_of(tree):
    """Return the strings and dictionaries of strings that a module has names for."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if isinstance(node.value, ast.Dict):
                found[name] = {
                    text_of(key, {}): text_of(value, {})
                    for key, value in zip(node.value.keys, node.value.values, strict=True)
                    if key is not None
                }
            else:
                found[name] = text_of(node.value, {})
    return found


@functools.cache
def constants_of_all():
    """Return the dictionaries of all modules: advice may be imported."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        trees = constants_of(ast.parse(path.read_text()))
        found |= {name: value for name, value in trees.items() if isinstance(value, dict)}
    return found


def arguments_of(call, constants):
    """Return the keywords of a call; those of a ** dictionary too."""
    found = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            if isinstance(keyword.value, ast.Name):
                found |= constants[keyword.value.id]
        else:
            found[keyword.arg] = text_of(keyword.value, constants)
    return found


def errors_of(path):
    """Yield (place, problem, keywords) of every error of ours that a file makes."""
    tree = ast.parse(path.read_text())
    constants = constants_of_all() | constants_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            ours = name.endswith(("Error", "Warning")) and not hasattr(builtins, name)
            if (ours or name == "value_error") and node.args:
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield where, text_of(node.args[0], constants), arguments_of(node, constants)


@functools.cache
def all_errors():
    return [error for path in sorted(SOURCE.rglob("*.py")) for error in errors_of(path)]


def test_the_walk_finds_the_errors_of_the_source():
    found = {where.split(":")[0]: problem for where, problem, _ in all_errors()}
    assert {"data/missing.py", "bayes/bernoulli.py", "linear/base.py", "progress.py"} <= set(found)
    assert len(all_errors()) > 300


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("use missing='drop'", True),
        ("binarize=0.0 takes every value above 0 for 1", True),
        ("rosenblatt.prove(X, y) tells", True),
        ("scale them with sklearn.preprocessing.StandardScaler", True),
        ("raise max_epochs", True),
        ("use --missing drop", False),
        ("max_margin (X)", False),
        ("`rosenblatt prove` tells; E_in = 0.5, y == 1", False),
    ],
)
def test_what_cannot_be_typed_is_known(said, refused):
    assert bool(PYTHON_SYNTAX.search(said)) == refused


@pytest.mark.parametrize("place", [SHELL, PAGE])
def test_no_error_of_the_source_says_parameters_elsewhere(place):
    wrong = []
    for where, problem, keywords in all_errors():
        advice = {name: keywords[name] for name in ADVICE if name in keywords}
        values = {name: "VALUE" for name in keywords if name not in (*ADVICE, "about")}
        plain = {name: text.replace("{...}", "VALUE") for name, text in advice.items()}
        error = Said(problem, about=keywords.get("about"), **plain, **values)
        said = error.said_in(place)
        if PYTHON_SYNTAX.search(said):
            wrong.append((where, said))
    assert wrong == []


def test_advice_for_the_shell_names_options_that_are_there():
    wrong = []
    for where, _, keywords in all_errors():
        if keywords.get("in_shell") is None:
            named = re.findall(r"\{(\w+)", keywords.get("do", "").replace("{...}", ""))
            wrong += [(where, name) for name in named if name not in {**OPTIONS, **keywords}]
    assert wrong == []


def test_a_message_that_begins_with_a_parameter_knows_that_it_does():
    # "bits must be ..." is "--bits must be ..." in the shell: it says so by about="bits"
    begins = re.compile(rf"({'|'.join(OPTIONS)}) must\b")
    assert [where for where, problem, _ in all_errors() if begins.match(problem)] == []


def options_of(command):
    found = {flag for parameter in command.params for flag in parameter.opts}
    for sub in getattr(command, "commands", {}).values():
        found |= options_of(sub)
    return found


def test_every_option_of_the_table_is_one_of_a_command():
    there = options_of(typer.main.get_command(commands()))
    assert set(OPTIONS.values()) <= there


def test_notes_say_nothing_that_python_alone_understands():
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(getattr(node, "func", None), "attr", "")
            if isinstance(node, ast.Call) and name in ("append", "extend", "tell_notes", "warn"):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant | ast.JoinedStr):
                        said = text_of(part, {})
                        if " " in said and PYTHON_SYNTAX.search(said):
                            wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {said}")
    assert wrong == []


def test_an_error_says_what_to_do_where_it_is_read():
    error = DataError(
        "line 3: 'a' is missing", do="use {missing:drop} or {missing:mean}", on_page="fill it in"
    )
    assert str(error) == "line 3: 'a' is missing; use missing='drop' or missing='mean'"
    assert error.said_in(SHELL) == "line 3: 'a' is missing; use --missing drop or --missing mean"
    assert error.said_in(PAGE) == "line 3: 'a' is missing; fill it in"
    number = DataError("too small", do="allow {memory:{size}MB}, or {binarize:0.5}", size=12)
    assert number.said_in(PYTHON) == "too small; allow memory='12MB', or binarize=0.5"
    assert number.said_in(SHELL).startswith("too small; allow --memory 12MB")


def test_braces_in_data_are_no_placeholders():
    error = DataError("column '{missing}' {0} { is wrong", do="rename {name}", name="{x}")
    assert str(error) == "column '{missing}' {0} { is wrong; rename {x}"


def test_errors_survive_a_process_boundary():
    error = DataError("a value is missing", do="use {missing:mean}")
    again = copy.copy(error)  # by what pickle, and so a worker process, goes by
    assert (type(again), str(again)) == (DataError, str(error))
    assert again.said_in(SHELL) == "a value is missing; use --missing mean"
