"""Messages from wherever they are kept: mbox, Maildir, folders, single files, packed or not.

In an mbox they come one after the other, each behind a line that begins with "From ". The bytes of
a file are read block by block, and unpacked within limits. Unlike other files a mailbox that
unpacks to too much, or breaks off, is no error: it ends there, and the message at its end is
marked.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rosenblatt.errors import DataError
from rosenblatt.mail.message import limits

STANDARD_INPUT = "-"
_ACCEPTED = (
    "an mbox, a Maildir, a folder or file of messages, also packed as .gz, or - for standard input"
)
_HEADER = re.compile(rb"^[A-Za-z][!-9;-~]*[ \t]*:", re.M)
# Of a message some of these are there, whoever wrote it, in front of the first empty line
_OF_MAIL = re.compile(
    rb"^(from|date|received|return-path|message-id|delivered-to)[ \t]*:", re.I | re.M
)
_FIELDS = re.compile(rb"(?:[A-Za-z][!-9;-~]*+[ \t]*+:.*+\r?+(?:\n|\Z)(?:[ \t].*+(?:\n|\Z))*+){2,}+")
_ENVELOPE = re.compile(rb"From \S+ .*\d:\d\d")
_ELSEWHERE = (
    "is an address, and mail is read from this computer only: fetch it first, for example with "
    "mbsync or getmail into a Maildir (docs/mail-imap.md says how), or save the folder as an mbox "
    "in your mail program"
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_PARTS = ("cur", "new")  # the folders of a Maildir that hold its messages
_LOOKED_AT = 4096  # bytes of a file that tell whether it is a message
_LONGEST = 1000  # bytes of the line between two messages
# after an empty line; with a day and a time, as a line of a text that begins so rarely has
_BETWEEN = re.compile(
    rb"\n\r?\n(From [^\n]{0,400}?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[^\n]{1,30}?[0-9]:[0-9][0-9]"
    rb"[^\n]{0,400}\n)"
)
_FIRST = re.compile(rb"From [^\n]{0,900}\n")
BLOCK = 1 << 20
FIRST = 1 << 16  # most messages are shorter: room for a block would be made and given back
MAGIC = b"\x1f\x8b"
_GZIP = 31  # what zlib calls a gzip header with the largest window


@dataclass(frozen=True)
class Message:
    r"""A message as it came.

    Attributes
    ----------
    raw : bytes
        Its headers, an empty line and its body, byte for byte.
    name : str
        Where it came from: a file, or file:number in an mbox.
    envelope : bytes
        The line "From ..." in front of it in an mbox, with its end; else empty.
    marks : tuple of str
        Features that only its container knows: "gzip:bomb", "gzip:broken".

    Examples
    --------
    >>> Message(b"Subject: a\n\nb", "inbox:1").raw
    b'Subject: a\n\nb'
    """

    raw: bytes
    name: str
    envelope: bytes = b""
    marks: tuple[str, ...] = ()


def read(path: str | os.PathLike[str]) -> Iterator[Message]:
    r"""Return the messages of a mailbox, one after the other.

    A file that begins with a line "From ..." is an mbox, any other is one message. A folder with
    `cur` and `new` in it is a Maildir: its own messages are read, those of folders below it are
    not. Of any other folder all files are read, and those of folders in it, in the order of their
    names; hidden ones are left out.

    Parameters
    ----------
    path : str or path
        A file or a folder; "-" is standard input. Files may be packed as .gz.

    Returns
    -------
    iterator of Message
        The messages, read while it is gone through.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     box = pathlib.Path(folder) / "inbox"
    ...     _ = box.write_bytes(b"From a Mon Jan  1 10:00:00 2024\nSubject: Hi\n\nYou\n")
    ...     [message.raw for message in read(box)]
    [b'Subject: Hi\n\nYou\n']
    """
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return _messages(sys.stdin.buffer.read, "standard input", must_be_mail=False)
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError) as error:
        if said := said_of_address(name):
            raise DataError(said) from None
        raise DataError(f"{name!r} cannot be read: {error}; expected {_ACCEPTED}") from None
    if stat.S_ISDIR(mode):
        return _in_folder(name)
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        raise DataError(f"{name} is a device, not a mailbox; expected {_ACCEPTED}")
    return _in_file(name, must_be_mail=True)


def said_of_address(address: str) -> str:
    """Return what to do about mail that is on a server; nothing if it is no address."""
    return f"{address} {_ELSEWHERE}" if _ADDRESS.match(address) else ""


def begins_as_mail(start: bytes) -> bool:
    r"""Return whether bytes begin as a message or an mbox does: with two fields of a header.

    Examples
    --------
    >>> begins_as_mail(b"From: a@b.org\nSubject: Hi\n\nYou"), begins_as_mail(b"from: me to you")
    (True, False)
    """
    if _ENVELOPE.match(start):
        return True
    fields = _FIELDS.match(start)
    return fields is not None and _OF_MAIL.search(start, 0, fields.end()) is not None


def read_stream(read_bytes: Callable[[int], bytes], name: str) -> Iterator[Message]:
    """Return the messages of a mailbox, given what reads its bytes; `name` is said of it."""
    return _messages(read_bytes, name, must_be_mail=True)


def _in_folder(name: str) -> Iterator[Message]:
    is_empty = True
    try:
        for file, must_be_mail in _files(name):
            for message in _in_file(file, must_be_mail):
                is_empty = False
                yield message
    except OSError as error:
        raise DataError(f"{error.filename} cannot be read: {error.strerror}") from error
    if is_empty:
        box, part = os.path.split(os.path.abspath(name))
        is_part = part in _PARTS and is_maildir(box)
        advice = (
            f"name the Maildir, {box}, to read all of it" if is_part else f"expected {_ACCEPTED}"
        )
        raise DataError(f"{name} holds no mail; {advice}")


def overlap(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether `read` would read the same messages from two places, or some of them.

    A Maildir and a folder of it, such as Maildir/.Junk, are two mailboxes.

    Examples
    --------
    >>> overlap("mail", "mail/ham"), overlap("mail/spam", "mail/ham")
    (True, False)
    """
    names = os.fspath(one), os.fspath(other)
    if STANDARD_INPUT in names:
        return names[0] == names[1]
    paths = [os.path.realpath(name) for name in names]
    return _reads(*paths) or _reads(*reversed(paths))


def _reads(outer: str, inner: str) -> bool:
    """Return whether what is at one place is read when another is: itself, or a folder above it."""
    if outer == inner:
        return True
    if os.path.commonpath([outer, inner]) != outer:
        return False
    below, *_ = os.path.relpath(inner, outer).split(os.sep)
    if is_maildir(outer):
        return below in _PARTS
    return not below.startswith(".") and _reads(os.path.join(outer, below), inner)


def _files(folder: str) -> Iterator[tuple[str, bool]]:
    """Return the files below a folder, and whether each has to be checked to be mail."""
    if is_maildir(folder):
        for part in _PARTS:
            for name in sorted(os.listdir(os.path.join(folder, part))):
                if not name.startswith("."):
                    yield os.path.join(folder, part, name), False
        return
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        elif entry.is_file():
            yield entry.path, True


def is_maildir(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder is a Maildir."""
    return all(os.path.isdir(os.path.join(folder, part)) for part in _PARTS)


def _in_file(name: str, must_be_mail: bool) -> Iterator[Message]:
    try:
        # not `open`: for one short file after the other its object takes longer than the reading
        file = os.open(name, os.O_RDONLY)
        try:
            yield from _messages(partial(os.read, file), name, must_be_mail)
        finally:
            os.close(file)
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}") from error


def _messages(
    read_bytes: Callable[[int], bytes], name: str, must_be_mail: bool
) -> Iterator[Message]:
    content = Unpacked(read_bytes)
    blocks = content.blocks()
    buffer = bytearray()
    for block in blocks:
        buffer += block
        if len(buffer) >= _LOOKED_AT:
            break
    if must_be_mail and not content.marks:
        _check_is_mail(buffer[:_LOOKED_AT], name)
    if not buffer.startswith(b"From "):
        for block in blocks:
            buffer += block
        yield Message(bytes(buffer), name, marks=tuple(content.marks))
        return
    for number, (envelope, raw, is_last) in enumerate(split_mbox(buffer, blocks), 1):
        marks = tuple(content.marks) if is_last else ()
        yield Message(raw, f"{name}:{number}", envelope, marks)


def _check_is_mail(start: bytearray, name: str) -> None:
    if not start:
        raise DataError(f"{name} is empty; expected {_ACCEPTED}")
    header = None if start.startswith(b"From ") else _HEADER.search(start)
    if not start.startswith(b"From ") and (not header or b"\0" in start[: header.start()]):
        raise DataError(
            f"{name} does not look like mail, it begins with {bytes(start[:20])!r}; "
            f"expected {_ACCEPTED}"
        )


def split_mbox(buffer: bytearray, blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes, bool]]:
    r"""Return (line in front, message, whether it is the last) of each message.

    The empty line between two messages belongs to neither. `buffer` has the first bytes and is
    used up.

    Examples
    --------
    >>> first = b"From a Mon Jan  1 10:00\nTo: b\n\none\n\n"
    >>> box = first + b"From c Tue Jan  2 11:00\nTo: d\n\nFrom me\n\n"
    >>> for message in split_mbox(bytearray(box), iter([])):
    ...     print(message)
    (b'From a Mon Jan  1 10:00\n', b'To: b\n\none\n', False)
    (b'From c Tue Jan  2 11:00\n', b'To: d\n\nFrom me\n', True)
    """
    first = _FIRST.match(buffer)
    envelope = first[0] if first else b""
    del first, buffer[: len(envelope)]
    looked = 0
    block: bytes | None = b""
    while block is not None:
        places = _places(buffer, looked)
        start = 0
        for end, line, after in places:
            yield envelope, bytes(buffer[start:end]), False
            envelope, start = bytes(buffer[line:after]), after
        del buffer[:start]
        looked = max(0, len(buffer) - _LONGEST)
        block = next(blocks, None)
        buffer += block or b""
    end = len(buffer)
    if buffer.endswith((b"\n\n", b"\n\r\n")):
        end -= 1 if buffer.endswith(b"\n\n") else 2
    yield envelope, bytes(buffer[:end]), True


def _places(buffer: bytearray, start: int) -> list[tuple[int, int, int]]:
    """Return (end of a message, begin of the line behind it, begin of the next) from start on."""
    if buffer.find(b"\nFrom ", start) < 0:  # a file of one message: no need to look closely
        return []
    return [(m.start() + 1, m.start(1), m.end()) for m in _BETWEEN.finditer(buffer, start)]


class Unpacked:
    """The blocks of a file, and what was wrong with it once they are read.

    Examples
    --------
    >>> import gzip, io
    >>> content = Unpacked(io.BytesIO(gzip.compress(b"Subject: a") + b"?").read)
    >>> list(content.blocks()), content.marks
    ([b'Subject: a'], ['gzip:broken'])
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read_bytes = read
        self.marks: list[str] = []
        self._n_in = self._n_out = 0

    def blocks(self) -> Iterator[bytes]:
        """Return the bytes in blocks."""
        first = self._read(FIRST)
        if len(first) == 1:  # a pipe may hand over bytes one by one
            first += self._read()
        if first.startswith(MAGIC):
            yield from self._unpack(first)
            return
        while first:
            yield first
            first = self._read()

    def _read(self, size: int = BLOCK) -> bytes:
        block = self._read_bytes(size)
        self._n_in += len(block)
        return block

    def _unpack(self, packed: bytes) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(_GZIP)
        try:
            while packed:
                block = unpacker.decompress(packed, BLOCK)
                packed = unpacker.unused_data.lstrip(b"\0") or unpacker.unconsumed_tail
                self._n_out += len(block)
                if block:
                    yield block
                if self._is_bomb():
                    self.marks.append("gzip:bomb")
                    return
                if unpacker.eof and (packed := packed or self._read()):
                    unpacker = zlib.decompressobj(_GZIP)  # gzip files may follow each other
                packed = packed or self._read()
        except zlib.error:
            self.marks.append("gzip:broken")
            return
        if not unpacker.eof:
            self.marks.append("gzip:broken")

    def _is_bomb(self) -> bool:
        allowed = max(limits.MESSAGE, limits.GROWTH * self._n_in)
        return self._n_out > min(allowed, limits.UNPACKED)
