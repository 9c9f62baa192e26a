"""The commands of docs/words.md print what the page says."""

import re
import shlex
from pathlib import Path

from tests.cli.running import run

PAGE = (Path(__file__).parents[2] / "docs" / "words.md").read_text()


def test_the_lecture_s_spam_goes_from_end_to_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.search(r"`new.txt` has two lines, `(.*?)` and `(.*?)`", PAGE)
    Path("new.txt").write_text(f"{lines[1]}\n{lines[2]}\n")
    section = PAGE.split("## The lecture's spam, from end to end")[1]
    blocks = re.findall(r"^    \$ rosenblatt (.*)\n((?:    (?!\$).*\n?)*)", section, re.M)
    assert len(blocks) == 3
    for command, said in blocks:
        answer = run(*shlex.split(command))
        assert answer.code == 0
        assert answer.out.splitlines() == [line[4:] for line in said.splitlines()]
