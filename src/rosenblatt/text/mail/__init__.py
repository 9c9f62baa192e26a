"""Mail in, words out: `read` a mailbox, and let `words` make features of a message."""

from rosenblatt.text.mail.boxes import Message, read
from rosenblatt.text.mail.words import features, words

__all__ = ["Message", "features", "read", "words"]
