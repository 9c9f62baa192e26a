"""docs/shell.md says which codes and fields there are, and its server serves."""

import json
import re
import threading
import urllib.error
import urllib.request
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from rosenblatt.cli.help import EXIT_CODES
from tests.cli.running import run

DOCS = (Path(__file__).parents[2] / "docs" / "shell.md").read_text()
# commands whose last line has all fields of a table; those that only others have stand beside
RUNS = {
    "fit": ("fit lecture", []),
    "fit --regression": ("fit lecture --regression", []),
    "predict": ("predict m.rosenblatt breast-cancer", ["scores"]),
    "score": ("score m.rosenblatt breast-cancer", []),
    "stream": ("stream lecture", []),
    "explain": ("explain m.rosenblatt breast-cancer --first 1", []),
    "prove": ("prove xor --fewest-mistakes --contradictions", []),
    "verify": ("verify p.json and", []),
    "compare": ("compare lecture", []),
    "trace": ("trace lecture", []),
    "margin": ("margin lecture", []),
    "lab runs": ("lab runs --runs 20", []),
    "lab bound": ("lab bound --runs 20", []),
    "lab cover": ("lab cover --dimension 1 --points 3 --runs 20", []),
    "lab exercise-1.4": ("lab exercise-1.4", []),
    "mail train": ("mail train --spam spam.mbox --ham ham.mbox -o f.rosenblatt", []),
    "mail evaluate": ("mail evaluate f.rosenblatt --spam spam.mbox --ham ham.mbox", []),
    "mail explain": ("mail explain f.rosenblatt one.eml", []),
    "mail learn": ("mail learn f.rosenblatt --spam one.eml", []),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a model, a proof, a mail filter and messages."""
    here = tmp_path_factory.mktemp("shell")
    for name, words in (("spam", "cheap pills"), ("ham", "lunch at noon")):
        message = "From a@b Thu Jan  1 00:00:00 2026\nSubject: {0} {1}\n\n{0} {1}\n\n"
        (here / f"{name}.mbox").write_text("".join(message.format(words, i) for i in range(8)))
    (here / "one.eml").write_text("Subject: cheap\n\ncheap pills today\n")
    boxes = ("--spam", here / "spam.mbox", "--ham", here / "ham.mbox")
    for command in (
        ("fit", "breast-cancer", "-o", here / "m.rosenblatt", "--prove-seconds", "0"),
        ("prove", "and", "-o", here / "p.json"),
        ("mail", "train", *boxes, "-o", here / "f.rosenblatt"),
    ):
        assert run(*command).code == 0
    return here


def test_the_table_of_exit_codes_is_that_of_the_manual():
    table = re.findall(r"^\| (\d+) \| (.*) \|$", DOCS, re.M)
    assert [(int(code), meaning) for code, meaning in table] == list(EXIT_CODES)


def documented(command):
    section = DOCS.split(f"### `{command} --json`\n")[1].split("\n##")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.M)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


@pytest.mark.parametrize("command", RUNS)
def test_the_fields_are_those_that_are_printed(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    line, others = RUNS[command]
    printed = json.loads(run(*line.split(), "--json").out.splitlines()[-1])
    assert sorted(documented(command)) == sorted([*printed, *others])


def test_every_command_with_json_is_documented():
    names = {command for command in RUNS if " " not in command}
    listed = re.findall(r"^  ([a-z]+) ", run("--help").out.split("Commands:")[1], re.M)
    for name in set(listed) - {"lab", "mail"}:
        assert ("--json" in run(name, "--help").out) == (name in names)


def test_fields_of_parts_are_there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    compared = json.loads(run("compare", "lecture", "--json").out)
    fields = re.search(r"a line of the table each: (.*) \|", DOCS)[1]
    assert set(re.findall(r"`(\w+)`", fields)) == set(compared["rows"][0])
    scores = json.loads(run("fit", "iris", "-o", "i.rosenblatt", "--json").out)["precision"]
    assert list(scores) == ["setosa", "versicolor", "virginica"]
    line = run("predict", "i.rosenblatt", "iris", "--json").out.splitlines()[0]
    assert {"label", "scores", "probability", "probabilities"} == set(json.loads(line))


def asked(port, content):
    question = urllib.request.Request(f"http://127.0.0.1:{port}", content)
    with urllib.request.urlopen(question) as answer:  # noqa: S310 - ours
        return json.load(answer)


def test_the_server_of_the_docs_serves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "spam\tfree money now\nham\tsee you at noon\n" * 10
    (tmp_path / "sms.tsv").write_text(lines)
    assert run("fit", "sms.tsv", "-o", "sms.rosenblatt", "--bits", "10").code == 0
    names = {"__name__": "served"}
    code = re.search(r"```python\n(.*?)```", DOCS, re.S)[1]
    exec(code, names)  # noqa: S102 - the page is ours
    monkeypatch.setattr(names["Handler"], "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), names["Handler"]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            port = server.server_port
            assert asked(port, b'["free money now", "see you at noon"]') == ["spam", "ham"]
            for wrong in (b"no JSON", b'[["a"]]', b"7"):
                with pytest.raises(urllib.error.HTTPError, match="400"):
                    asked(port, wrong)
        finally:
            server.shutdown()
            thread.join()


def test_plain_lines_go_to_a_model_of_texts_as_the_docs_say(tmp_path):
    lines = "spam\tfree money now\nham\tsee you at noon\n" * 10
    (tmp_path / "sms.tsv").write_text(lines)
    run("fit", tmp_path / "sms.tsv", "-o", tmp_path / "sms.rosenblatt", "--bits", "10")
    typed = b"free money now\nsee you at noon\n"
    answer = run("predict", tmp_path / "sms.rosenblatt", "-", stdin=typed)
    assert (answer.code, answer.out) == (0, "spam\nham\n")
    assert run("predict", tmp_path / "sms.rosenblatt", "-", "-q", stdin=b"free money\n").err == ""
