"""Mail as examples: a folder with a mailbox for each label, or one mailbox to predict.

Features of a message are spelled in letters only, for `BagOfWords`, which splits at everything
else. A colon becomes a letter that looks like one, a point likewise, other signs a third: so a
feature with a prefix stays one word, and another one than any word of a text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rosenblatt.data.source import FileSample, Opener, Source, no_source
from rosenblatt.data.table import Reading, Table, TableFile
from rosenblatt.errors import DataError
from rosenblatt.mail.message.boxes import Message, read, read_stream

_ENDINGS = (".mbox", ".mbox.gz", ".mbx", ".mbx.gz")  # of files that are mailboxes
_ENDINGS_OF_MESSAGES = (".eml", ".eml.gz")
COLON, POINT, SIGN = "\u02d0", "\ua78f", "\u02d1"  # letters to Unicode: Lm, Lo, Lm
_LETTERS = {code: SIGN for code in range(33, 127) if not chr(code).isalnum()}
_LETTERS |= {ord(":"): COLON, ord("."): POINT}
_NONE = dict.fromkeys(map(ord, COLON + POINT + SIGN))


def is_named_as_mail(path: str | os.PathLike[str]) -> bool:
    """Tell whether a user means mail: a file named so, or a folder, which no other data is."""
    name = os.fspath(path).lower()
    return os.path.isdir(path) or name.endswith(_ENDINGS + _ENDINGS_OF_MESSAGES)


class MailFile(TableFile):
    """Messages that come as a stream: a table of their texts, without labels."""

    is_typed = True
    without_columns = "messages"

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        super().__init__(opened, name, sample, how)
        self.target, self.kinds = how.names[0], {how.names[1]: "text"}

    def blocks(self, source: Source) -> Iterator[Table]:
        """Yield the features of messages, and their labels, if they have any."""
        n_bytes, found = 0, list[_Row]()
        for row in self._rows(source):
            found.append(row)
            n_bytes += len(row.text)
            if self.how.block_bytes is not None and n_bytes >= self.how.block_bytes:
                yield self._table(found)
                n_bytes, found = 0, []
        yield self._table(found)

    def _rows(self, source: Source) -> Iterator[_Row]:
        for message in read_stream(source.content.read, source.name):
            yield _row("", message)

    def _table(self, rows: list[_Row]) -> Table:
        import pyarrow as pa

        label, text = self.how.names
        columns = {text: pa.array([row.text for row in rows], type=pa.large_string())}
        if rows and rows[0].label:
            columns = {label: pa.array([row.label for row in rows]), **columns}
        return Table(pa.table(columns), self.name, lambda row: rows[row].name)


class MailFolder(MailFile):
    """A folder with a folder or mailbox for each label; to predict, a single mailbox will do."""

    def __init__(self, path: str | os.PathLike[str], how: Reading) -> None:
        super().__init__(no_source, os.fspath(path), FileSample(b"", []), how)
        labelled = list(_boxes_by_label(self.name).items())
        self._boxes = labelled if len(labelled) > 1 else [("", self.name)]
        if len(labelled) < 2 and not how.has_recipe:
            is_folder = os.path.isdir(path)
            what = "taken for mail, but it has no labels" if is_folder else "mail without labels"
            raise DataError(
                f"{self.name} is {what}; expected a folder with a folder or .mbox file for each "
                "label, for example spam and ham",
                do="to read a table, name its file" if is_folder else "",
            )

    def _rows(self, source: Source) -> Iterator[_Row]:
        for label, box in self._boxes:
            yield from (_row(label, message) for message in read(box))


class _Row(NamedTuple):
    label: str  # "" if there is none
    text: str
    name: str  # where the message is


def _row(label: str, message: Message) -> _Row:
    # not above: it needs the parser of HTML, and files of other formats do not
    from rosenblatt.mail.message.words import words

    text = spelled(" ".join([words(message.raw), *message.marks]))
    return _Row(label, text, message.name)


def _boxes_by_label(name: str) -> dict[str, str]:
    """Return the mailboxes in a folder by their labels; none if it is a mailbox itself."""
    folder = Path(name)
    if not folder.is_dir() or (folder / "cur").is_dir():
        return {}
    entries = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".")]
    found: dict[str, str] = {}
    for entry in entries:
        ending = next((end for end in _ENDINGS if entry.name.endswith(end)), "")
        if not ending and not entry.is_dir():
            return {}  # a message
        label = entry.name.removesuffix(ending)
        if label in found:
            raise DataError(f"{name} has two mailboxes for the label {label!r}")
        found[label] = str(entry)
    return found


def spelled(words: str) -> str:
    """Return the features that `words` gave, spelled in letters.

    Examples
    --------
    >>> spelled("free link:example.com") == f"free link{COLON}example{POINT}com"
    True
    """
    return " ".join([word.translate(_LETTERS if ":" in word else _NONE) for word in words.split()])
