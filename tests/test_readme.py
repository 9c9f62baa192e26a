"""The programs and commands in the documentation print what it says."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

from tests.cli.running import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/proofs.md", "docs/streams.md"])
def test_program_prints_what_is_shown(page):
    text = (ROOT / page).read_text()
    code, shown = re.search(r"```python\n([^`]*)```\n\n((?:    .*\n)+)", text).groups()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})  # noqa: S102 - the pages are ours
    assert printed.getvalue().splitlines() == [line[4:] for line in shown.splitlines()]


def commands_of_readme() -> list[tuple[list[str], str]]:
    """Return each `$ rosenblatt ...` with the lines shown under it."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", README, re.MULTILINE)
    texts = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]
    parts = [part for text in texts for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    pairs = [part.split("\n", 1) for part in parts]
    return [(line.split()[1:], shown) for line, shown in pairs if line.startswith("rosenblatt ")]


def test_commands_print_what_is_shown(tmp_path, monkeypatch, clock):
    # the clock stands still: a verdict is there in time on any machine
    # one after the other in one folder: some read what others have written
    monkeypatch.chdir(tmp_path)
    commands = commands_of_readme()
    assert len(commands) >= 5
    for arguments, shown in commands:
        answer = run(*arguments)
        assert doctest.OutputChecker().check_output(
            f"{shown.strip()}\n", f"{answer.out.strip()}\n", doctest.ELLIPSIS
        ), f"rosenblatt {' '.join(arguments)} printed\n{answer.out}{answer.err}"


def test_files_named_in_the_readme_are_there():
    rooms = re.findall(r"^\|.*\|([^|]*)\|$", README, re.MULTILINE)
    sources = [name for cell in rooms for name in re.findall(r"`([a-z_/]+(?:\.py|/))`", cell)]
    others = re.findall(r"`([a-z]+/[\w-]+\.md)`|\]\((docs/[^)]*)\)", README)
    assert len(sources) > 15
    missing = [name for name in sources if not (ROOT / "src/rosenblatt" / name).exists()]
    missing += [name for pair in others for name in pair if name and not (ROOT / name).exists()]
    assert missing == []
