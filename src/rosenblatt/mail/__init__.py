"""Mail: a mailbox to messages, a message to words, and a filter that learns from both.

`message` is the lower storey, on which files of mail are read (`data.formats.mail`); `filter`, the
upper one, writes model files. Names are loaded when they are first used: to mark one message takes
neither the reader of mailboxes nor NumPy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.mail.message.boxes import Message, read
    from rosenblatt.mail.message.words import features, words

__all__ = ["Message", "features", "read", "words"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'rosenblatt.mail' has no attribute {name!r}")
    from rosenblatt.mail.message import boxes
    from rosenblatt.mail.message import words as wording

    return getattr(boxes if hasattr(boxes, name) else wording, name)
