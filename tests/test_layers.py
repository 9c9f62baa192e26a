"""Imports point downwards only, and `import rosenblatt` loads nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "rosenblatt"

# The rooms from the top down; a room imports from itself and from rooms below it
ROOMS = [
    {"cli"},
    {"studio", "report"},
    {"workflows"},
    {"mail.filter"},
    {"model_file"},
    {"tracing", "lab"},
    {"plot"},
    {"proof"},
    {"linear", "bayes"},
    {"data"},
    {"mail.message"},
    {"text"},
    {"blocks"},
    {"checks"},
    {"rows", "files", "progress"},
    {"types"},
    {"errors", "kernels", "counting", "palette"},
]
# Two storeys, with other rooms between them; whoever opens the door of the room opens the lower one
STOREYS = {"mail": "mail.message", "mail.message": "mail.message", "mail.filter": "mail.filter"}


def room_of(module: str) -> str:
    """Return the room of a module, given as `rosenblatt.room.file`."""
    parts = module.split(".")[1:]
    return STOREYS.get(".".join(parts[:2]), STOREYS.get(parts[0], parts[0]))


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def floor_of(room: str) -> int:
    return next(floor for floor, rooms in enumerate(ROOMS) if room in rooms)


def modules() -> list[Path]:
    return sorted(
        path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem != "__init__"
    )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_from_below_only(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    here = room_of(".".join(parts))
    for module in imports_of(path):
        if module.startswith("rosenblatt."):
            there = room_of(module)
            allowed = there == here or floor_of(there) > floor_of(here)
            assert allowed, f"{here} must not import {module}"


@pytest.mark.parametrize("path", sorted((SOURCE / "kernels").glob("*.py")), ids=lambda p: p.stem)
def test_kernels_import_numpy_and_numba_only(path):
    # llvmlite is Numba's own compiler layer
    for module in imports_of(path):
        top = module.split(".")[0]
        if top == "rosenblatt":
            assert module.startswith("rosenblatt.kernels")
        else:
            assert top in {"numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, rosenblatt; rosenblatt.__version__; "
        "print(*[m for m in ('numba', 'sklearn', 'pyarrow', 'matplotlib', 'starlette') "
        "if m in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == []
