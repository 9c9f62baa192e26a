"""Mail as examples: a folder with a mailbox for each label, or one mailbox to predict.

Features of a message in letters only, for `BagOfWords`, which splits at everything else.

A colon becomes a letter that looks like one, a point likewise, other signs a third: so a feature
with a prefix stays one word, and another one than any word of a text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from rosenblatt.data.formats.text import LABEL, TEXT
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.mail.message.boxes import Message, read
from rosenblatt.mail.message.words import words

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


def read_mail(path: str | os.PathLike[str], *, labels_needed: bool = True) -> Table:
    """Return a table with the columns "label" and "text", a row for each message.

    The labels are the names of the folders and mailboxes in the folder. When labels are not needed
    (to predict), a single mailbox will do.
    """
    name = os.fspath(path)
    boxes = _boxes_by_label(name)
    if labels_needed and len(boxes) < 2:
        is_folder = os.path.isdir(name)
        what = "is taken for mail, but it has no labels" if is_folder else "is mail without labels"
        raise DataError(
            f"{name} {what}; expected a folder with a folder or .mbox file for each label, for "
            "example spam and ham",
            do="to read a table, name its file" if is_folder else "",
        )
    if len(boxes) < 2:
        return table_of_messages(read(name), name)
    return table_of_messages({label: read(box) for label, box in boxes.items()}, name)


def table_of_messages(
    messages: Iterable[Message] | Mapping[str, Iterable[Message]], name: str
) -> Table:
    """Return a table with the column "text"; with "label", too, if messages are given by labels."""
    import pyarrow as pa

    boxes = messages if isinstance(messages, Mapping) else {"": messages}
    labels, texts, places = [], [], []
    for label, box in boxes.items():
        for message in box:
            labels.append(label)
            texts.append(spelled(" ".join([words(message.raw), *message.marks])))
            places.append(message.name)
    columns = {TEXT: pa.array(texts, type=pa.large_string())}
    if boxes is messages:
        columns = {LABEL: pa.array(labels), **columns}
    return Table(pa.table(columns), name, lambda row: places[row], kinds={TEXT: "text"})


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
