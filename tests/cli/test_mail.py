"""`rosenblatt mail`: the commands, what they refuse, and a pipe that loses nothing."""

import json
import mailbox
import os
import re
import resource
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from rosenblatt.mail.filter.file import read_memory
from tests.cli.running import COMMAND, run
from tests.cli.test_bad_input import assert_refused
from tests.mail.filter.mails import mail, mails, mbox, write_boxes

COMMANDS = ["train", "filter", "learn", "explain", "evaluate"]


@pytest.fixture(scope="module")
def boxes(tmp_path_factory):
    folder = write_boxes(tmp_path_factory.mktemp("mail"))
    arguments = ["--spam", folder / "spam.mbox", "--ham", folder / "ham.mbox"]
    answer = run("mail", "train", *arguments, "-o", folder / "mail.rosenblatt")
    assert (answer.code, answer.err) == (0, "")
    return folder


@pytest.fixture
def model(boxes, tmp_path):
    path = tmp_path / "mail.rosenblatt"
    path.write_bytes((boxes / "mail.rosenblatt").read_bytes())
    return path


def pipe(*arguments, message, **options):
    """Run `mail filter` as a mail system does; bytes in, bytes out."""
    settings = {"input": message, "capture_output": True, "check": False} | options
    return subprocess.run([*COMMAND, "mail", "filter", *map(str, arguments)], **settings)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_work_as_typed(command, tmp_path, monkeypatch):
    monkeypatch.chdir(write_boxes(tmp_path))
    text = run("mail", command, "--help").out.split("Examples:\n")[1]
    typed = [line.strip() for line in text.splitlines() if line.strip()]
    assert any(line.startswith(f"rosenblatt mail {command}") for line in typed)
    for line in typed:
        words, _, source = line.partition(" < ")
        arguments = shlex.split(words)[1:]
        message = (tmp_path / source).read_bytes() if source else b""
        if arguments[:2] == ["mail", "filter"] and source:
            answer = pipe(*arguments[2:], message=message)
            assert (answer.returncode, answer.stdout.startswith(b"X-Rosenblatt: ham")) == (0, True)
        else:
            answer = run(*arguments, stdin=message)
            assert (answer.code, bool(answer.out)) == (0, True), (line, answer.err)


def test_training_says_how_sure_it_can_be(boxes):
    options = ["--spam", boxes / "spam.mbox", "--ham", boxes / "ham.mbox", "-o", boxes / "more"]
    text = run("mail", "train", *options).out
    assert "0 of 20 ham lost when held out: below 13.9 % with 95 %" in text
    assert "to be sure of 0.1 % takes some 3,000 ham" in text
    facts = json.loads(run("mail", "train", *options, "--json").out)
    assert (facts["spam"], facts["ham"], facts["held_out"]["ham_lost"]["of"]) == (20, 20, 20)
    assert (boxes / "more").read_bytes() == (boxes / "mail.rosenblatt").read_bytes()


def test_one_message_of_each_kind_is_enough_to_begin(tmp_path):
    for kind in ("spam", "ham"):
        (tmp_path / kind).write_bytes(mail(kind, 1))
    options = ["--spam", tmp_path / "spam", "--ham", tmp_path / "ham", "-o", tmp_path / "m"]
    assert "1 spam, 1 ham" in run("mail", "train", *options).out


def test_a_maildir_and_its_junk_are_two_mailboxes(tmp_path):
    box = mailbox.Maildir(tmp_path / "Maildir")
    junk = box.add_folder("Junk")
    for k in range(3):
        box.add(mail("ham", k))  # all in new: cur is empty
        junk.add(mail("spam", k))
    places = ["--spam", tmp_path / "Maildir/.Junk", "--ham", tmp_path / "Maildir"]
    answer = run("mail", "train", *places, "-o", tmp_path / "m")
    assert (answer.code, "3 spam, 3 ham" in answer.out) == (0, True), answer.err
    facts = json.loads(run("mail", "evaluate", tmp_path / "m", *places, "--json").out)
    assert (facts["ham_lost"]["of"], facts["spam_caught"]["of"]) == (3, 3)


def test_evaluation_counts_what_was_lost_and_caught(boxes):
    options = ["--spam", boxes / "more-spam.mbox", "--ham", boxes / "more-ham.mbox"]
    text = run("mail", "evaluate", boxes / "mail.rosenblatt", *options).out
    assert re.search(r"^ham lost +0.00 %  \(0 of 20; 95 %: 0.00 to 16.84 %\)$", text, re.M)
    facts = json.loads(run("mail", "evaluate", boxes / "mail.rosenblatt", *options, "--json").out)
    counts = [facts[f"spam_{what}"]["count"] for what in ("caught", "unsure", "missed")]
    assert sum(counts) == facts["spam_caught"]["of"] == 20


def test_evaluation_draws_the_scores(boxes, tmp_path):
    options = ["--spam", boxes / "more-spam.mbox", "--ham", boxes / "more-ham.mbox"]
    picture = tmp_path / "scores.png"
    evaluate = ["mail", "evaluate", boxes / "mail.rosenblatt", *options, "--plot"]
    assert run(*evaluate, picture).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert_refused(run(*evaluate, tmp_path / "scores.txt"), "must end with .png")


def test_labels_that_look_wrong_are_listed(tmp_path):
    for kind, other in (("spam", "ham"), ("ham", "spam")):
        (tmp_path / kind).write_bytes(mbox([*mails(kind, 60), *mails(other, 5, 99)]))
    options = ["--spam", tmp_path / "spam", "--ham", tmp_path / "ham", "-o", tmp_path / "m"]
    text = run("mail", "train", *options).out
    assert "% of the labels look wrong" in text
    assert f"{tmp_path / 'spam'}:61 is no spam?" in text
    facts = json.loads(run("mail", "train", *options, "--json").out)["wrong_labels"]
    wrong = {f"{kind}:{k}" for kind in ("spam", "ham") for k in range(61, 66)}
    assert {Path(each["name"]).name for each in facts["messages"]} <= wrong
    assert facts["share"] == pytest.approx(10 / 130, abs=0.04)


def test_what_was_judged_is_joined_by_the_next_correction(model, tmp_path):
    for kind in ("spam", "ham"):
        assert pipe(model, message=mail(kind, 300)).returncode == 0
    notes = model.with_name(f"{model.name}.seen")
    assert notes.stat().st_size == 3 * 16
    (tmp_path / "a.eml").write_bytes(mail("spam", 77))
    assert run("mail", "learn", model, "--spam", tmp_path / "a.eml").code == 0
    assert not notes.exists()
    assert len(read_memory(model).judged.scores) == 2


def test_learning_and_forgetting_leaves_the_file_as_it_was(model, tmp_path):
    before = model.read_bytes()
    (tmp_path / "a.eml").write_bytes(mail("spam", 77))
    facts = json.loads(run("mail", "learn", model, "--ham", tmp_path / "a.eml", "--json").out)
    assert (facts["ham"], facts["forgotten"]) == (21, False)
    assert model.read_bytes() != before
    tagged = pipe(model, message=mail("spam", 77)).stdout  # what a filter said does not matter
    assert run("mail", "learn", model, "--ham", "--forget", stdin=tagged).code == 0
    assert model.read_bytes() == before


def test_what_was_never_learned_cannot_be_forgotten(model, tmp_path):
    before = model.read_bytes()
    (tmp_path / "box").write_bytes(mbox([mail("ham", 1), mail("ham", 500)]))
    answer = run("mail", "learn", model, "--ham", "--forget", tmp_path / "box")
    assert_refused(answer, "box:2 was never learned as ham")
    assert model.read_bytes() == before


def test_the_words_of_an_explanation_add_up(boxes, tmp_path):
    path = tmp_path / "a.eml"
    path.write_bytes(mail("spam", 88))
    text = run("mail", "explain", boxes / "mail.rosenblatt", path).out.splitlines()
    total = float(re.search(r"spam, score ([+-][0-9.]+)", text[0])[1])
    parts = [float(line.split()[0]) for line in text[1:-1]]
    assert sum(parts) == pytest.approx(total, abs=1e-9)
    facts = json.loads(run("mail", "explain", boxes / "mail.rosenblatt", path, "--json").out)
    words = sum(value for _, value in facts["words"])
    assert words + facts["sums"]["letters"] == pytest.approx(facts["score"], abs=1e-9)
    assert sum(facts["sums"].values()) == pytest.approx(facts["score"], abs=1e-9)
    assert re.search(r"text \+[0-9.]+, letterhead \+[0-9.]+, letters \+[0-9.]+$", text[0])


def test_a_message_goes_through_with_one_line_more(boxes):
    message = b"From x Mon Jan 1 10:00\r\n" + mail("spam", 5).replace(b"\n", b"\r\n") + b"\xff\0"
    answer = pipe(boxes / "mail.rosenblatt", "--json", message=message)
    assert answer.returncode == 0
    first, line, rest = answer.stdout.split(b"\r\n", 2)
    assert re.fullmatch(rb"X-Rosenblatt: spam; score=[0-9.]+; words=[!-~]+", line)
    assert first + b"\r\n" + rest == message
    assert json.loads(answer.stderr)["label"] == "spam"


def test_a_message_is_passed_on_whatever_fails(boxes, tmp_path):
    model = boxes / "mail.rosenblatt"
    (tmp_path / "cut").write_bytes(model.read_bytes()[:-1])
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    names = ("none", "cut", "folder", "pipe")
    attempts = [*([tmp_path / name] for name in names), ["/dev/zero"], [], [model, "--no"]]
    for arguments in attempts:
        answer = pipe(*arguments, message=mail("ham", 1))
        assert (answer.returncode, answer.stdout) == (75, mail("ham", 1)), arguments
        assert answer.stderr.startswith(b"rosenblatt: ")
        assert b"Traceback" not in answer.stderr


def test_no_message_and_a_binary_file_are_said_to_be_none(boxes):
    for message in (b"", b"\x7fELF\0\0\0" * 50):
        answer = pipe(boxes / "mail.rosenblatt", message=message)
        assert (answer.returncode, answer.stdout) == (75, message)
        assert answer.stderr.count(b"\n") == 1
        assert b"standard input" in answer.stderr


def test_too_little_memory_loses_no_message(boxes):
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

    message = mail("ham", 1) + b"word " * (12 << 20)
    answer = pipe(boxes / "mail.rosenblatt", message=message, preexec_fn=limited)
    assert answer.returncode == 75
    assert answer.stdout == message


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_the_pipe_is_said(boxes):
    with open("/dev/full", "wb") as full:
        answer = pipe(
            boxes / "mail.rosenblatt",
            message=mail("ham", 1),
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert answer.returncode == 75
    assert b"No space left on device; the message is not passed on" in answer.stderr
    assert answer.stderr.count(b"\n") == 1


def test_who_is_asked_to_stop_passes_the_message_on(boxes):
    command = [*COMMAND, "mail", "filter", str(boxes / "mail.rosenblatt")]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as work:
        work.stdin.write(b"Subject: a\n" * 100_000)  # more than a pipe holds: it is being read
        work.send_signal(signal.SIGTERM)
        out, err = work.communicate(b"\ntext")
    assert work.returncode == 75
    assert out == b"Subject: a\n" * 100_000 + b"\ntext"
    assert b"asked to stop" in err


def maildir(path, kind, n=3):
    """Make a Maildir with messages in new; cur is empty."""
    box = mailbox.Maildir(path)
    for k in range(n):
        box.add(mail(kind, k))
    return path


def test_predict_takes_mail_without_labels(boxes, tmp_path):
    model, box = boxes / "mail.rosenblatt", maildir(tmp_path / "Maildir", "ham")
    (tmp_path / "a.eml").write_bytes(mail("spam", 3))
    assert run("predict", model, box).out.split() == ["ham"] * 3
    for more in ([], ["--format", "mail"]):
        assert run("predict", model, tmp_path / "a.eml", *more).out == "spam\n"
    # the score is that of the pipe, to the digits that its header has
    piped = re.search(rb"score=([0-9.]+)", pipe(model, message=mail("spam", 3)).stdout)
    facts = json.loads(run("predict", model, "-", "--json", stdin=mail("spam", 3)).out)
    assert (facts["label"], f"{facts['score']:.3f}") == ("spam", piped[1].decode())
    assert run("predict", model, box, tmp_path / "a.eml", "-o", tmp_path / "p.csv").code == 0
    labels = [line.split(",")[0] for line in (tmp_path / "p.csv").read_text().splitlines()]
    assert labels == ["label", "ham", "ham", "ham", "spam"]
    for more, said in (
        (["iris"], "'iris' cannot be read"),
        (["imaps://x/y"], "docs/mail-imap.md"),
        ([box, "--format", "csv"], "leave out --format"),
        ([box, "--missing", "drop"], "leave out --missing"),
        ([box, "--probability"], "has no probabilities"),
    ):
        assert_refused(run("predict", model, *more), said)


def test_learn_takes_a_folder_of_a_maildir(model, tmp_path):
    box = maildir(tmp_path / "Maildir", "ham")
    junk = maildir(box / ".Junk", "spam", n=2)
    facts = json.loads(run("mail", "learn", model, "--spam", junk, "--json").out)
    assert (facts["spam"], facts["ham"]) == (22, 20)
    facts = json.loads(run("mail", "learn", model, "--ham", box, "--json").out)
    assert (facts["spam"], facts["ham"]) == (22, 23)


def test_a_single_message_is_filed(boxes, tmp_path):
    model, out = boxes / "mail.rosenblatt", tmp_path / "out"
    for k, kind in enumerate(("spam", "ham", "ham")):
        (tmp_path / f"{k}.eml").write_bytes(mail(kind, k))
        assert (
            run("mail", "filter", model, "--folder", tmp_path / f"{k}.eml", "--into", out).code == 0
        )
    filed = sorted(str(path.relative_to(out)) for path in out.rglob("*.eml"))
    assert filed == ["ham/1.eml", "ham/2.eml", "spam/0.eml"]
    again = ["--folder", tmp_path / "0.eml", "--into", out]
    assert_refused(run("mail", "filter", model, *again), "is there already")
    for wrong, said in (("imaps://x", "docs/mail-imap.md"), ("-", "- is not there, or no mailbox")):
        assert_refused(run("mail", "filter", model, "--folder", wrong, "--into", out), said)


def test_a_mailbox_is_sorted(boxes, tmp_path):
    (tmp_path / "in").write_bytes(mbox([mail("ham", 1), mail("spam", 1)]))
    options = ["--folder", tmp_path / "in", "--into", tmp_path / "out"]
    answer = run("mail", "filter", boxes / "mail.rosenblatt", *options)
    assert "2 messages" in answer.out
    assert "1 spam, 1 ham, 0 unsure" in answer.out


def bad_calls(boxes, tmp_path):
    box, spam, model = tmp_path / "box", boxes / "spam.mbox", boxes / "mail.rosenblatt"
    box.mkdir()
    (box / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9)
    (tmp_path / "empty").write_bytes(b"")
    new = ["-o", tmp_path / "new"]
    train, learn = ["mail", "train"], ["mail", "learn", model]
    return [
        ([*train, "--spam", spam, "--ham", box, *new], "picture.png"),
        ([*train, "--spam", spam, "--ham", tmp_path / "empty", *new], "empty"),
        ([*train, "--spam", spam, "--ham", spam, *new], "overlap"),
        ([*train, "--spam", spam, "--ham", "imaps://x", *new], "imaps://x is an address"),
        ([*train, "--spam", boxes, "--ham", boxes / "ham.mbox", *new], "overlap"),
        ([*train, "--spam", spam, "--ham", tmp_path / "nowhere", *new], "nowhere"),
        ([*train, "--spam", spam, "--ham", boxes / "ham.mbox", "-o", "no/folder/m"], "no folder"),
        ([*train, "--spam", spam, "--ham", box], "--output"),
        (
            [*train, "--spam", spam, "--ham", box, "--max-false-positives", 2, *new],
            "between 0 and 1",
        ),
        ([*learn, "--spam", "imaps://x/y"], "docs/mail-imap.md"),
        (["fit", "imaps://x/y"], "docs/mail-imap.md"),
        ([*train, "--spam", spam, "--ham", box, "--least-odds", 0, *new], "odds from 1"),
        ([*learn, "--spam", "--ham", spam], "--spam or --ham"),
        ([*learn, spam], "--spam or --ham"),
        ([*learn, "--spam", box], "picture.png"),
        (["mail", "learn", tmp_path / "none", "--spam", spam], "none cannot be read"),
        ([*learn, "--spam"], "standard input holds no message"),
        (["mail", "explain", model, box / "picture.png"], "picture.png"),
        (["mail", "evaluate", model, "--spam", box, "--ham", spam], "picture.png"),
        (["mail", "filter", model, "--folder", box, "--into", tmp_path / "out"], "picture.png"),
        (["mail", "filter", model, "--folder", box], "--into"),
        (["mail", "filter", "--socket", "s", "--folder", box, "--into", tmp_path / "out"], "M"),
    ]


def test_bad_input_gets_one_line_and_nothing_is_written(boxes, tmp_path):
    before = (boxes / "mail.rosenblatt").read_bytes()
    for arguments, message in bad_calls(boxes, tmp_path):
        assert_refused(run(*arguments), message)
    assert sorted(os.listdir(tmp_path)) == ["box", "empty"]
    assert (boxes / "mail.rosenblatt").read_bytes() == before


def test_other_commands_name_those_of_mail(boxes, tmp_path):
    model = boxes / "mail.rosenblatt"
    assert_refused(run("score", model, "iris"), "`rosenblatt mail filter` judges messages")
    more = ["fit", "iris", "--learn-more", model, "-o", tmp_path / "new"]
    assert_refused(run(*more), "`mail learn` corrects it")


def test_filtering_loads_the_standard_library_only(boxes):
    heavy = (
        "('numpy', 'numba', 'scipy', 'sklearn', 'pyarrow', 'pandas', 'rich', 'typer', 'pydantic')"
    )
    code = (
        "import sys\nfrom rosenblatt.cli.main import main\ntry: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    command = [COMMAND[0], "-c", code, "mail", "filter", str(boxes / "mail.rosenblatt")]
    answer = subprocess.run(command, input=mails("ham", 1)[0], capture_output=True, check=True)
    assert answer.stdout.startswith(b"X-Rosenblatt")
    assert answer.stderr.splitlines()[-1] == b"[]"
