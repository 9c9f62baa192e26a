"""The command `rosenblatt`: what it ends with, whatever happens.

Whoever delivers mail starts it for every message. So a message is passed on (`delivery`) before the
commands are loaded, and with them Typer (`app`), which take longer than the judging.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from rosenblatt.cli import delivery
from rosenblatt.errors import SHELL, RosenblattError, said_in

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

FINE = 0
NEGATIVE = 1  # the answer is no, and nothing else: what a command that returns False ends with
BAD_INPUT = 2
OUR_FAULT, TRY_AGAIN = 70, 75  # EX_SOFTWARE and EX_TEMPFAIL of sysexits.h
INTERRUPTED, NOBODY_READS = 130, 141
TRACEBACK = "ROSENBLATT_TRACEBACK"  # set to anything, shows where an unforeseen error came from
COMPLETING = "_ROSENBLATT_COMPLETE"  # is set when a shell asks for completions
# scikit-learn imports it whatever for; that was a quarter of the time that `trace lecture` takes
POSTPONED = "scipy.stats"


class Postponing:
    """Finds a module that is loaded when somebody asks it for something, and not before."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """Return where the postponed module is; of others nothing, so that others find them."""
        if name != POSTPONED:
            return None
        from importlib.machinery import PathFinder
        from importlib.util import LazyLoader

        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def main(arguments: list[str] | None = None) -> None:
    """Run a command; turn an error into one line on standard error and exit code 2.

    1 is a negative answer: not separable, or a proof that does not hold. 70 is a fault of ours.
    """
    if arguments is None:
        sys.meta_path.insert(0, Postponing)  # the process is ours
    given = sys.argv[1:] if arguments is None else arguments
    if _has_a_message(given):
        sys.exit(_without_loss(given))
    code = _exit_code(lambda: _run(given))
    if code == INTERRUPTED and arguments is None:
        sys.stderr.flush()
        # at once: a proof may still be checked in a thread, and to free large arrays takes seconds
        os._exit(code)
    sys.exit(code)


def _has_a_message(arguments: list[str]) -> bool:
    """Whether a message waits on standard input that must not be lost."""
    others = ("--folder", "--help", "-h")
    words = _words_of(arguments)
    return words[:2] == ["mail", "filter"] and not any(a.startswith(others) for a in words)


def _words_of(arguments: list[str]) -> list[str]:
    """Return the arguments from the command on, which -q may stand in front of."""
    return list(dropwhile(lambda word: word in ("-q", "--quiet"), arguments))


def _without_loss(arguments: list[str]) -> int:
    """Run `mail filter`; what fails before it has read the message must not lose it, either."""
    code = _exit_code(lambda: _filter(arguments))
    if code in (FINE, TRY_AGAIN):
        return code
    if sys.stdin is not None and sys.stdin.isatty():
        return TRY_AGAIN  # somebody types, and has no message yet
    from rosenblatt.mail.filter.pipe import deliver_unchanged

    _exit_code(deliver_unchanged)
    return TRY_AGAIN


def _filter(arguments: list[str]) -> int:
    """Pass a message on: at once, if that is all that was asked for."""
    call = None if COMPLETING in os.environ else delivery.plain_call(_words_of(arguments)[2:])
    return _run(arguments) if call is None else delivery.deliver_message(**call)


def _run(arguments: list[str]) -> int:
    from rosenblatt.cli.app import ALL, run

    command = next((word for word in arguments if not word.startswith("-")), "")
    is_about_all = command == "help" or COMPLETING in os.environ
    code = run(arguments or ["--help"], asked=ALL if is_about_all else command)
    if code == INTERRUPTED:
        raise KeyboardInterrupt  # Typer says nothing about it
    sys.stdout.flush()
    if isinstance(code, bool):
        return FINE if code else NEGATIVE
    return code if isinstance(code, int) else FINE


def _exit_code(work: Callable[[], int]) -> int:
    try:
        return work()
    except RosenblattError as error:
        return _complain(said_in(SHELL, error))
    except SystemExit as end:
        # Typer's answer to a broken pipe is 1, which is an answer of ours
        return NOBODY_READS if isinstance(end.__context__, OSError) else int(end.code or FINE)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _forget_output()
        if isinstance(error, BrokenPipeError):
            return NOBODY_READS  # whoever reads has enough
        return _complain(f"{place}{error.strerror or error}")
    except MemoryError:
        return _complain(
            "not enough memory; take a part of the data, or `rosenblatt fit --memory 500M`, which "
            "learns in passes"
        )
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except Exception as error:  # any: 1, with which Python would end, is an answer of ours
        return _admit(error)


def _admit(error: Exception) -> int:
    """Say that something happened which nobody foresaw, and how to see where."""
    if TRACEBACK in os.environ:
        import traceback

        traceback.print_exception(error)
        hint = "please report it with the lines above"
    else:
        hint = f"please report it; {TRACEBACK}=1 in front of the command shows where it happened"
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _complain(f"{what} (a fault of rosenblatt; {hint})")
    return OUR_FAULT


def _complain(message: str) -> int:
    sys.stderr.write(f"rosenblatt: {' '.join(message.split())}\n")
    return BAD_INPUT


def _forget_output() -> None:
    """Drop what could not be written, so that Python does not try again when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
