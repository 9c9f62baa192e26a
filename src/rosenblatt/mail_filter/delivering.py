"""One message judged on its way: what `mail filter` does between its input and its output."""

from __future__ import annotations

from rosenblatt.mail_filter.file import read_memory
from rosenblatt.mail_filter.header import tagged
from rosenblatt.mail_filter.pipe import TRY_AGAIN, Change, pass_on
from rosenblatt.mail_filter.reading import check_is_message, features_of
from rosenblatt.mail_filter.rule import Verdict, judge


def deliver(model: str) -> tuple[int, Verdict | None]:
    """Pass the message on standard input on, with a header; return exit code and verdict."""
    found: list[Verdict] = []

    def change(raw: bytes) -> bytes:
        check_is_message(raw, "standard input")
        found.append(judge(read_memory(model), features_of(raw)))
        return tagged(raw, found[0])

    code = _pass_on(change)
    return code, found[0] if found and not code else None


def deliver_unchanged() -> int:
    """Pass the message on standard input on as it is; return 75, for something failed before."""
    _pass_on(lambda raw: raw)
    return TRY_AGAIN


def _pass_on(change: Change) -> int:
    # without buffers in between: what fails, fails here and not when Python ends
    with (
        open(0, "rb", buffering=0, closefd=False) as source,
        open(1, "wb", buffering=0, closefd=False) as target,
    ):
        return pass_on(source, target, change)
