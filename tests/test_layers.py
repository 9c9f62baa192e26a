"""Imports point downwards only, and `import rosenblatt` loads nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "rosenblatt"

# The rooms from the top down; a room imports from itself and from rooms below it
ROOMS = [
    {"__main__"},
    {"cli"},
    {"studio"},
    {"workflows"},
    {"cluster"},
    {"mail.filter"},
    {"model_file"},
    {"tracing", "lab"},
    {"plot"},
    {"proof"},
    {"linear", "bayes"},
    {"export"},
    {"decision"},
    {"data"},
    {"mail.message"},
    {"text"},
    {"blocks"},
    {"checks"},
    {"rows", "files", "progress", "shown", "sklearn_base"},
    {"types", "extras", "elsewhere"},
    {"errors", "kernels", "counting", "palette", "choices", "logs", "as_json", "markup"},
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


def name_of(path: Path) -> str:
    """Return the name that a file of the package is imported by."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def all_imports_of(tree: ast.AST, known: set[str]) -> set[str]:
    """Return the modules of the package that a tree imports, inside of functions too.

    What only a type checker reads is left out.
    """
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & known) or {node.module or ""}
        else:
            found |= all_imports_of(node, known)
    return found & known


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, the first one again at the end."""
    done: set[str] = set()

    def walk(path: list[str]) -> list[str]:
        for there in sorted(graph[path[-1]] - done):
            if there in path:
                return [*path[path.index(there) :], there]
            circle = walk([*path, there])
            if circle:
                return circle
        done.add(path[-1])
        return []

    return next((circle for module in sorted(graph) if (circle := walk([module]))), [])


def test_no_modules_import_each_other_not_even_late():
    files = {name_of(path): path for path in SOURCE.rglob("*.py")}
    known = set(files)
    graph = {
        name: all_imports_of(ast.parse(path.read_text()), known) - {name}
        for name, path in files.items()
    }
    assert cycle_in(graph) == []


def test_a_cycle_is_found():
    late = ast.parse("def f():\n    from a.b import c\nif TYPE_CHECKING:\n    import a.d")
    assert all_imports_of(late, {"a.b", "a.d"}) == {"a.b"}
    assert all_imports_of(late, {"a.b.c", "a.b"}) == {"a.b.c"}
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"e"}, "e": {"b"}}
    assert cycle_in(graph) == ["b", "d", "e", "b"]
    assert cycle_in(graph | {"e": {"c"}}) == []


@pytest.mark.parametrize("path", sorted((SOURCE / "kernels").glob("*.py")), ids=lambda p: p.stem)
def test_kernels_import_numpy_and_numba_only(path):
    # llvmlite is Numba's own compiler layer
    for module in imports_of(path):
        top = module.split(".")[0]
        if top == "rosenblatt":
            assert module.startswith("rosenblatt.kernels")
        else:
            assert top in {"numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)


# the mail filter, which must answer at once, tells how far it is; help texts come at once, too
@pytest.mark.parametrize(
    "name", ["rosenblatt", "rosenblatt.progress", "rosenblatt.errors", "rosenblatt.cli.main"]
)
def test_importing_the_package_loads_nothing_heavy(name):
    code = (
        f"import sys, {name}; rosenblatt.__version__; "
        "print(*[m for m in ('numpy', 'numba', 'sklearn', 'pyarrow', 'matplotlib', 'starlette', "
        "'dask', 'distributed') if m in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == []
