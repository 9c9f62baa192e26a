"""Hide the libraries of the extras, as if they were not installed: `hide()` before all imports."""

import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
TOOLS = ("dev", "bench")  # for whoever works on the library
MODULES = {"pillow": "PIL"}  # that are not named as what they come in


def modules_of(extra):
    """Return the modules that an extra brings, as `pyproject.toml` has it."""
    named = [line.split(">")[0] for line in EXTRAS[extra] if not line.startswith("rosenblatt[")]
    named = [name.partition("[")[0] for name in named]  # dask[array] is a part of dask
    return {MODULES.get(name, name) for name in named}


class _Nothing:
    """A finder, asked before the others, for which some modules are not there."""

    def __init__(self, hidden):
        self.hidden = hidden

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide():
    """Let nothing of any extra be found."""
    hidden = {module for extra in EXTRAS if extra not in TOOLS for module in modules_of(extra)}
    assert not hidden & set(sys.modules)
    sys.meta_path.insert(0, _Nothing(hidden))
