"""What a command ends with: 0 fine, 1 no, 2 bad input, 70 our fault, and what a shell expects."""

import pytest

from rosenblatt.cli import main as command
from rosenblatt.cli.main import TRACEBACK
from rosenblatt.workflows import prove as proving
from tests.cli.running import run


@pytest.fixture
def broken(monkeypatch):
    """Make `prove` raise what nobody foresaw."""
    monkeypatch.delenv(TRACEBACK, raising=False)

    def with_error(error):
        def find(*arguments, **options):
            raise error

        monkeypatch.setattr(proving, "find_proofs", find)

    return with_error


@pytest.mark.parametrize(
    "error",
    [
        ValueError("both labels\nare unknown"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        RecursionError(),
        AssertionError(),
        KeyError("w"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_nobody_foresaw_is_one_line_a_hint_and_70(broken, error):
    broken(error)
    answer = run("prove", "and")
    assert answer.code == 70
    assert answer.out == ""
    assert answer.err.startswith(f"rosenblatt: {type(error).__name__}")
    assert f"{TRACEBACK}=1" in answer.err
    assert answer.err.count("\n") == 1


def test_the_traceback_is_shown_on_demand(broken, monkeypatch):
    broken(ValueError("both labels are unknown"))
    monkeypatch.setenv(TRACEBACK, "1")
    answer = run("prove", "and")
    assert answer.code == 70
    assert answer.err.startswith("Traceback (most recent call last)")
    assert "raise error\nValueError: both labels are unknown\n" in answer.err
    assert answer.err.splitlines()[-1].startswith("rosenblatt: ValueError: both labels are unknown")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "rosenblatt: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (OSError(5, "Input/output error", "disk"), 2, "rosenblatt: disk: Input/output error\n"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_fault_of_ours_keeps_its_code(broken, monkeypatch, error, code, said):
    monkeypatch.setattr(command, "_forget_output", lambda: None)  # pytest's own, here
    broken(error)
    answer = run("prove", "and")
    assert (answer.code, answer.err) == (code, said)


def test_too_little_memory_is_said_with_what_to_do(broken):
    broken(MemoryError())
    answer = run("prove", "and")
    assert answer.code == 2
    assert answer.err.startswith("rosenblatt: not enough memory; take a part of the data")
    assert "--memory" in answer.err
    assert "--memory" in run("fit", "--help").out


def test_no_is_1_and_yes_is_0(tmp_path):
    proof = tmp_path / "proof.json"
    assert run("prove", "and", "-o", proof).code == 0
    assert run("verify", proof, "and").code == 0
    assert run("verify", proof, "or").code == command.NEGATIVE == 1
    assert run("prove", "xor").code == 1


def test_a_message_is_passed_on_whatever_happens(monkeypatch, capfdbinary):
    def deliver(model):
        raise ValueError("nobody foresaw this")

    monkeypatch.setattr("rosenblatt.mail.filter.commands.deliver", deliver)
    passed = []
    monkeypatch.setattr(
        "rosenblatt.mail.filter.pipe.deliver_unchanged", lambda: passed.append(1) or 0
    )
    answer = run("mail", "filter", "mail.rosenblatt")
    assert answer.code == 75
    assert passed == [1]
    assert answer.err.startswith("rosenblatt: ValueError: nobody foresaw this")
