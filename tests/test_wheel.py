"""A wheel, installed alone in a new environment, does what the core promises."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.test_extras import CORE, ROOT
from tests.without_extras import EXTRAS, TOOLS, modules_of

ABSENT = """
import importlib.util, sys
print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name) is not None])
"""


def run(*command, cwd):
    settings = {"capture_output": True, "text": True, "check": False, "cwd": cwd}
    answer = subprocess.run(list(map(str, command)), **settings)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of programs of a new environment that has the wheel and no extra."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (wheel,) = folder.glob("rosenblatt-*.whl")
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    constraints = ROOT / "constraints.txt"
    run(programs / "python", "-m", "pip", "install", "-c", constraints, wheel, cwd=folder)
    return programs


@pytest.mark.soak
def test_a_wheel_alone_learns_proves_and_has_the_command(installed, tmp_path):
    modules = {name for extra in EXTRAS if extra not in TOOLS for name in modules_of(extra)}
    python = installed / "python"
    assert run(python, "-c", ABSENT, *sorted(modules), cwd=tmp_path).split() == []
    assert "rosenblatt[plot]" in run(python, "-c", CORE, tmp_path, cwd=tmp_path)
    model = tmp_path / "iris.rosenblatt"
    page = tmp_path / "iris.html"
    answer = run(
        installed / "rosenblatt", "fit", "iris", "-o", model, "--report", page, cwd=tmp_path
    )
    assert "validated error" in answer
    assert len(run(installed / "rosenblatt", "predict", model, "iris", cwd=tmp_path).split()) >= 150
    assert page.stat().st_size > 0


@pytest.mark.soak
def test_a_wheel_has_its_types_with_it(installed, tmp_path):
    where = "import pathlib, rosenblatt; print(pathlib.Path(rosenblatt.__file__).parent)"
    room = Path(run(installed / "python", "-c", where, cwd=tmp_path).strip())
    assert (room / "py.typed").exists()
    assert (room / "sklearn_base.pyi").exists()
