"""Sort a mailbox into spam, ham and unsure: at every moment each message is somewhere, whole.

A Maildir is sorted file by file: the copy is written to `tmp`, synced and put in its place in one
step; only then, and only if asked for, the original is removed. What was copied by a run that was
cut short is found again by its name. An mbox is read through, and the three new files are written
whole at the end; the box itself stays as it is. So does any other folder of messages, or a single
one: each is written as a file of its own, below the names that it had.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.files import put_file, replace_file
from rosenblatt.mail import Message, read
from rosenblatt.mail.filter.header import tagged
from rosenblatt.mail.filter.memory import Witnesses
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import MessageVerdict
from rosenblatt.mail.message.boxes import MAGIC, Unpacked, is_maildir, said_of_address

LABELS = ("spam", "ham", "unsure")
PARTS = ("tmp", "new", "cur")

Judge = Callable[[Witnesses], MessageVerdict]


class Sorted(NamedTuple):
    """A message and where it went."""

    name: str
    label: str
    score: float
    target: str


def sort_folder(box: str, into: str, judge: Judge, *, move: bool = False) -> Iterator[Sorted]:
    """Sort a Maildir, an mbox, messages or one into three of its kind below `into`."""
    path, target = Path(box), Path(into)
    if is_maildir(path):
        _check_apart(path, target)
        return _sort_maildir(path, target, judge, move)
    if move:
        raise ParameterError("--move is for a Maildir; others stay, remove them when all is well")
    if path.is_dir():
        return _sort_messages(path, target, judge)
    if not path.is_file():
        raise DataError(
            said_of_address(box)
            or f"{box} is not there, or no mailbox; expected a Maildir (a folder with cur and new "
            "in it), an mbox, a folder of messages or a message"
        )
    if next(read(box)).envelope:
        return _sort_mbox(path, target, judge)
    return _sort_messages(path, target, judge)


def _check_apart(box: Path, target: Path) -> None:
    box, place = box.resolve(), target.resolve()
    if place == box or any(box / part in (place, *place.parents) for part in PARTS):
        raise ParameterError(f"{target} is the box itself; sort into another folder")


def _sort_maildir(box: Path, target: Path, judge: Judge, move: bool) -> Iterator[Sorted]:
    _make_folder(target)
    for label in LABELS:
        _make_folder(target / label)
        for part in PARTS:
            _make_folder(target / label / part)
    present = {_unique(name): path for name, path in _files(target)}
    for source in _messages(box):
        raw = source.read_bytes()
        verdict = judge(_features(raw))
        place = present.get(_unique(source.name))
        if place is None:
            place = target / verdict.label / source.parent.name / source.name
            # a line in front of what is packed would make it unreadable
            _put(place, raw if raw.startswith(MAGIC) else tagged(raw, verdict))
        if move:
            source.unlink()
        yield Sorted(str(source), place.parent.parent.name, verdict.score, str(place))


def _messages(box: Path) -> Iterator[Path]:
    """Return the files of a Maildir."""
    for part in ("cur", "new"):
        for path in sorted((box / part).iterdir()):
            if path.is_file() and not path.name.startswith("."):
                yield path


def _features(raw: bytes) -> Witnesses:
    """Return the words of a message that may be packed, as those who learn from it see them."""
    content = Unpacked(BytesIO(raw).read)
    whole = b"".join(content.blocks())
    return features_of(whole, tuple(content.marks))


def _files(target: Path) -> Iterator[tuple[str, Path]]:
    for label in LABELS:
        for part in ("cur", "new"):
            for path in (target / label / part).iterdir():
                yield path.name, path


def _unique(name: str) -> str:
    """Return the part of a file name that flags do not change."""
    return name.split(":2,")[0]


def _make_folder(folder: Path) -> None:
    """Make a folder for mail, if it is not there: nobody else can look into it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def _put(place: Path, content: bytes) -> None:
    """Deliver as Maildir wants it: written to tmp, synced, renamed."""
    waiting = place.parent.parent / "tmp" / place.name
    waiting.unlink(missing_ok=True)  # a run that was killed may have left it
    put_file(waiting, place, [content], private=True)


def _sort_mbox(box: Path, target: Path, judge: Judge) -> Iterator[Sorted]:
    places = {label: target / f"{label}.mbox" for label in LABELS}
    for place in places.values():
        if place.exists():
            raise ParameterError(f"{place} is there already; sort into another folder")
    parts: dict[str, list[bytes]] = {label: [] for label in LABELS}
    done = []
    for message in read(str(box)):
        verdict = judge(features_of(message.raw, message.marks))
        parts[verdict.label].append(_entry(message, verdict))
        name = str(places[verdict.label])
        done.append(Sorted(message.name, verdict.label, verdict.score, name))
    _make_folder(target)
    for label, content in parts.items():
        replace_file(places[label], content, private=True)
    yield from done


def _sort_messages(box: Path, target: Path, judge: Judge) -> Iterator[Sorted]:
    """Sort a message, or those of a folder and of folders in it, each into a file of its own."""
    is_folder, inside = box.is_dir(), box.resolve()
    if is_folder and inside in (target.resolve(), *target.resolve().parents):
        raise ParameterError(f"{target} is in the folder itself; sort into another one")
    for label in LABELS:
        # of a message only its own place must be free: others may be filed beside it
        place = target / label if is_folder else target / label / box.name
        if place.exists():
            raise ParameterError(f"{place} is there already; sort into another folder")
    for _ in read(str(box)):
        pass  # what is no mail is refused before anything is written
    for message in read(str(box)):
        verdict = judge(features_of(message.raw, message.marks))
        name = Path(message.name).relative_to(box if is_folder else box.parent)
        place = target / verdict.label / name
        for above in (target, *reversed([p for p in place.parents if target in p.parents])):
            _make_folder(above)
        content = tagged(message.raw, verdict)
        # a file is what its name says, for the next one who reads it
        packed = gzip.compress(content, mtime=0) if place.suffix == ".gz" else content
        replace_file(place, [packed], private=True)
        yield Sorted(message.name, verdict.label, verdict.score, str(place))


def _entry(message: Message, verdict: MessageVerdict) -> bytes:
    """Return a message with the line in front of it and the empty line behind it."""
    content = message.envelope + tagged(message.raw, verdict)
    return content + (b"\n" if content.endswith(b"\n") else b"\n\n")
