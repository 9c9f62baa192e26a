"""What documents and comments name is there: modules, files, private names, parameters."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import rosenblatt

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
CODE = "\n".join(path.read_text() for path in SOURCES + TESTS)
# what is named in backticks; a fence of three is none
NAMED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
DOTTED = re.compile(r"rosenblatt(?:\.\w+)+")
FILE = re.compile(r"[\w./-]+\.py")
PRIVATE = re.compile(r"_[a-z]\w*")
CALL = re.compile(r"\b([A-Z]\w+)\(([^()]*)\)")


def is_there(dotted):
    """Whether a dotted name can be imported, or had from what can be."""
    parts = dotted.split(".")
    for k in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for name in parts[k:]:
            # a field of a data class is no attribute of the class
            if not hasattr(value, name) and name not in getattr(value, "__annotations__", {}):
                return False
            value = getattr(value, name, None)
        return True
    return False


def is_a_file(name):
    places = (ROOT, ROOT / "src" / "rosenblatt", ROOT / "tests")
    return any((place / name).is_file() for place in places) or any(
        path.name == name for path in SOURCES + TESTS
    )


def unknown_parameters(text):
    """Return calls of public classes by a parameter that they do not have."""
    found = []
    for name, given in CALL.findall(text):
        if name in rosenblatt.__all__ and inspect.isclass(getattr(rosenblatt, name)):
            there = inspect.signature(getattr(rosenblatt, name)).parameters
            asked = re.findall(r"(?:^|, )(\w+)=", given)
            found += [f"{name}({other}=)" for other in asked if other not in there]
    return found


def stale(path):
    """Return what a text names and is not there."""
    text = path.read_text()
    wrong = unknown_parameters(text) if path.suffix == ".md" else []
    for said in NAMED.findall(text):
        if path.suffix == ".py":
            wrong += unknown_parameters(said)
        wrong += [name for name in DOTTED.findall(said) if not is_there(name.rstrip("."))]
        if FILE.fullmatch(said) and not is_a_file(said):
            wrong.append(said)
        # `_name` or `_module.NAME` of ours: somewhere in the code it is more than a word
        head = said.split(".")[0]
        if PRIVATE.fullmatch(head) and not re.search(
            rf"(?:def|class|import|self\.|^\s*|\.)\s*{head}\b(?!`)|\"{head}\"", CODE, re.M
        ):
            wrong.append(said)
    return wrong


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_names_what_is_there(path):
    assert stale(path) == []


def test_comments_name_what_is_there():
    wrong = {str(path.relative_to(ROOT)): stale(path) for path in SOURCES}
    assert {path: names for path, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    ["`_model_parts.PARTS`", "`rosenblatt.nowhere.CLASSES`", "`BagOfWords(tokens=True)`"],
)
def test_a_stale_name_is_found(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(f"as in {text}, says this page")
    assert stale(path) != []
