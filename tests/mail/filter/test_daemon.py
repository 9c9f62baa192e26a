"""A filter that runs: the same answers as the pipe, and no client can harm another."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.filter import asking, daemon
from rosenblatt.mail.filter.asking import MOST_SENT, ask
from tests.cli.running import COMMAND, run
from tests.cli.test_bad_input import assert_refused
from tests.mail.filter.mails import mail, write_boxes

CLIENT = Path(__file__).parents[3] / "docs" / "ask.c"
MESSAGE = mail("spam", 5)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = write_boxes(tmp_path_factory.mktemp("mail"))
    boxes = ["--spam", folder / "spam.mbox", "--ham", folder / "ham.mbox"]
    assert run("mail", "train", *boxes, "-o", folder / "mail.rosenblatt").code == 0
    return folder / "mail.rosenblatt"


@contextlib.contextmanager
def running(model, path):
    """Run a daemon as a process, from the moment on when clients may come."""
    command = [*COMMAND, "mail", "daemon", str(model), "--socket", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as work:
        try:
            assert work.stdout.readline().startswith(f"listens at {path}")
            yield work
        finally:
            work.kill()


@pytest.fixture(scope="module")
def place(model):
    path = model.parent / "socket"
    with running(model, path):
        yield str(path)


def piped(*arguments, message):
    command = [*COMMAND, "mail", "filter", *map(str, arguments)]
    return subprocess.run(command, input=message, capture_output=True, check=False)


def test_the_answer_is_that_of_the_pipe(place, model):
    forged = b"From x Mon Jan 1 10:00\r\nX-Rosenblatt: ham\r\n" + mail("ham", 3) + b"\xff\0"
    for message in (MESSAGE, forged):
        alone = piped(model, "--json", message=message)
        asked = piped("--socket", place, "--json", message=message)
        assert (asked.returncode, asked.stdout, asked.stderr) == (0, alone.stdout, alone.stderr)
        assert ask(place, message).message == alone.stdout
    assert ask(place, mail("ham", 7)).label == "ham"


def test_asking_loads_neither_typer_nor_the_filter(place):
    code = (
        "import sys\nfrom rosenblatt.cli.main import main\ntry: main()\nexcept SystemExit: pass\n"
        "names = ('typer', 'numpy', 'json', 'rosenblatt.mail.filter.file', 'xxhash', 'asyncio')\n"
        "print([name for name in names if name in sys.modules], file=sys.stderr)"
    )
    command = [COMMAND[0], "-c", code, "mail", "filter", "--socket", place]
    answer = subprocess.run(command, input=MESSAGE, capture_output=True, check=True)
    assert answer.stdout.startswith(b"X-Rosenblatt: spam")
    assert answer.stderr.splitlines()[-1] == b"[]"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_client_in_c_does_the_same(place, model, tmp_path):
    program = tmp_path / "ask"
    strict = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", "-O2", *strict, "-o", program, CLIENT], check=True)  # noqa: S607
    binary = mail("ham", 3) + bytes(range(256)) * 4000

    def asked(at, message):
        return subprocess.run([program, at], input=message, capture_output=True, check=False)

    for message in (MESSAGE, binary):
        answer = asked(place, message)
        assert (answer.returncode, answer.stdout) == (0, ask(place, message).message)
    long = MESSAGE + b"x" * MOST_SENT  # its end is passed on unseen
    assert asked(place, long).stdout.partition(b"\n")[2] == long
    # as the pipe does: no message, none of a message, no daemon
    for at, message in ((place, b""), (place, b"\x7fELF\0\0\0" * 50), (str(tmp_path), MESSAGE)):
        answer = asked(at, message)
        assert (answer.returncode, answer.stdout) == (75, message)
        assert answer.stderr


def test_only_its_owner_can_connect(place):
    assert os.stat(place).st_mode & 0o777 == 0o600


def test_a_filter_that_changes_is_read_again(model, tmp_path):
    copy, path = tmp_path / "mail.rosenblatt", str(tmp_path / "socket")
    shutil.copy(model, copy)
    with running(copy, path):
        before = ask(path, MESSAGE)
        (tmp_path / "a.eml").write_bytes(MESSAGE)
        assert run("mail", "learn", copy, "--ham", tmp_path / "a.eml").code == 0
        after = ask(path, MESSAGE)
        assert after.score != before.score
        assert after.message == piped(copy, message=MESSAGE).stdout
        copy.write_bytes(b"damaged")
        with pytest.raises(DataError, match="is not a model file"):
            ask(path, MESSAGE)
        answer = piped("--socket", path, message=MESSAGE)
        assert (answer.returncode, answer.stdout) == (75, MESSAGE)
        shutil.copy(model, copy)
        assert ask(path, MESSAGE) == before


def test_a_message_that_is_none_gets_the_words_of_the_pipe(place, model):
    for message in (b"", b"\x7fELF\0\0\0" * 50):
        alone, asked = piped(model, message=message), piped("--socket", place, message=message)
        assert (asked.returncode, asked.stdout, asked.stderr) == (75, message, alone.stderr)


def connected(place):
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(20)
    line.connect(place)
    return line


@pytest.mark.parametrize(
    "said",
    [
        *(b"-1\n", b"1e3\n", b"\n", b"GET / HTTP/1.1\r\n\r\n", b"99999999999999999999\n"),
        b"%d\n" % (MOST_SENT + 1),
        "\u0663\n".encode(),
    ],
)
def test_what_is_no_length_is_refused_before_it_is_read(place, said):
    with connected(place) as line:
        line.sendall(said)
        assert line.recv(1000).startswith(b"error expected the length of a message")
    assert ask(place, MESSAGE).label == "spam"


def test_silent_slow_and_broken_clients_hold_nobody_up(place):
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connected(place)) for _ in range(2 * daemon.MOST_AT_ONCE)]
        for k, line in enumerate(lines[: daemon.MOST_AT_ONCE - 1]):
            line.sendall(b"1000\nhalf of it" if k % 2 else b"7")
        with contextlib.suppress(OSError):  # no line ends: it is not heard to the end
            lines[-1].sendall(b"x" * 300_000)
        assert ask(place, MESSAGE).label == "spam"
    with connected(place) as line:  # and one that does not wait for the answer
        line.sendall(b"%d\n" % len(MESSAGE) + MESSAGE)
    assert ask(place, MESSAGE).label == "spam"


def test_many_may_ask_at_once(place):
    found = []
    threads = [
        threading.Thread(target=lambda k=k: found.append((k, ask(place, mail("ham", k)))))
        for k in range(4 * daemon.MOST_AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer.message.endswith(mail("ham", k)) for k, answer in found)
    assert len(found) == len(threads)


def test_who_is_one_too_many_is_sent_away(place):
    with contextlib.ExitStack() as stack:
        for _ in range(daemon.MOST_CLIENTS):
            stack.enter_context(connected(place))
        with pytest.raises(DataError, match="too many messages at once"):
            ask(place, MESSAGE)


@pytest.fixture
def liar(tmp_path):
    """Listen at a socket, and answer whatever a test says."""
    with contextlib.ExitStack() as stack:
        line = stack.enter_context(socket.socket(socket.AF_UNIX))
        line.bind(str(tmp_path / "liar"))
        line.listen()

        def answering(reply):
            def answer():
                with line.accept()[0] as client:
                    client.recv(1 << 20)
                    client.sendall(reply)
                    if not reply:
                        client.recv(1 << 20)  # until it goes away

            thread = threading.Thread(target=answer)
            thread.start()
            stack.callback(thread.join)
            return str(tmp_path / "liar")

        yield answering


@pytest.mark.parametrize(
    "reply",
    [
        b"spam 3.0 7\nshort",
        b"spam 3.0 3\ntoo long",
        b"eggs 3.0 4\nspam",
        b"\n",
        b"spam",
        b"x 0 0\n",
    ],
)
def test_an_answer_that_is_not_whole_is_not_used(liar, reply):
    with pytest.raises(DataError, match="broke off"):
        ask(liar(reply), MESSAGE)


def test_a_daemon_that_is_slow_is_not_waited_for(liar, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.2)
    with pytest.raises(DataError, match=r"no answer in 0\.2 seconds"):
        ask(liar(b""), MESSAGE)


def test_a_daemon_that_is_gone_loses_no_message(tmp_path):
    for path, said in ((tmp_path / "none", b"no daemon answers"), (tmp_path, b"is no socket")):
        answer = piped("--socket", path, message=MESSAGE)
        assert (answer.returncode, answer.stdout) == (75, MESSAGE)
        assert said in answer.stderr
        assert b"mail daemon M --socket PATH; the message" not in answer.stderr


def test_the_socket_of_another_user_is_not_trusted(tmp_path, monkeypatch):
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(path)
    if os.geteuid() == 0:
        os.chown(path, 4711, -1)  # root's own are trusted
    monkeypatch.setattr(os, "geteuid", lambda: 123456)
    with pytest.raises(ParameterError, match="belongs to another user"):
        ask(path, MESSAGE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_is_asked_to_end_takes_the_socket_away(model, tmp_path, number):
    path = tmp_path / "socket"
    with running(model, path) as work:
        with connected(str(path)):  # a silent one does not keep it
            work.send_signal(number)
            assert work.wait(20) == 0
        assert not path.exists()


def test_the_socket_of_a_daemon_that_was_killed_is_taken_over(model, place, tmp_path):
    path = tmp_path / "socket"
    with running(model, path) as work:
        work.kill()
        work.wait()
        assert path.exists()
        with pytest.raises(DataError, match="no daemon answers"):
            ask(str(path), MESSAGE)
        with running(model, path):
            assert ask(str(path), MESSAGE).label == "spam"


def test_a_place_that_is_taken_is_refused(model, place, tmp_path):
    (tmp_path / "file").write_text("mine")
    for path, said in (
        (place, "somebody listens at"),
        (tmp_path / "file", "is there, and no socket"),
        (tmp_path / "no" / "folder", "no socket can be made in"),
        (tmp_path / ("x" * 200), "no socket can be made at"),
    ):
        assert_refused(run("mail", "daemon", model, "--socket", path), said)
    assert (tmp_path / "file").read_text() == "mine"
    assert ask(place, MESSAGE).label == "spam"
    wrong = run("mail", "daemon", tmp_path / "file", "--socket", tmp_path / "new")
    assert_refused(wrong, "`rosenblatt mail train` makes one")
    assert os.listdir(tmp_path) == ["file"]
