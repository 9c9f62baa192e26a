"""Small mails of either kind, the same ones for the same seed, and boxes of them."""

import random

from rosenblatt.mail.filter.memory import Witnesses

SPAM_WORDS = [
    "free",
    "money",
    "winner",
    "click",
    "offer",
    "viagra",
    "cheap",
    "loan",
    "credit",
    "guaranteed",
]
HAM_WORDS = [
    "lunch",
    "meeting",
    "patch",
    "kernel",
    "review",
    "draft",
    "thanks",
    "regards",
    "schedule",
    "notes",
]
COMMON = [
    "the",
    "a",
    "to",
    "of",
    "and",
    "in",
    "is",
    "it",
    "you",
    "that",
    "for",
    "on",
    "with",
    "this",
]


def mail(kind, seed):
    draw = random.Random(f"{kind} {seed}")  # noqa: S311
    telling = SPAM_WORDS if kind == "spam" else HAM_WORDS
    words = draw.choices(telling, k=6) + draw.choices(COMMON, k=12) + [f"{kind[0]}{seed}"]
    draw.shuffle(words)
    subject = " ".join(draw.choices(telling, k=2))
    sender = f"{kind}{seed % 7}@{kind}.example"
    text = f"From: {sender}\nSubject: {subject}\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\n"
    return (text + " ".join(words) + "\n").encode()


def features(words):
    """Return words as the filter takes them: those with a colon are of the letterhead.

    The letters are those of all words.
    """
    text, head = ([w for w in words if (":" in w) == is_head] for is_head in (False, True))
    # each twice: the filter is to count it once
    parts = (" ".join(part).encode() for part in (text + text, head + head, words))
    return Witnesses(*parts)


def mails(kind, n, start=0):
    return [mail(kind, seed) for seed in range(start, start + n)]


def mbox(messages):
    line = b"From someone@example Mon Jan  1 10:00:00 2024\n"
    return b"".join(line + message + b"\n" for message in messages)


def write_boxes(folder, n=20):
    """Write the boxes that the examples of the help texts name."""
    for name, start in (("", 0), ("more-", n)):
        for kind in ("spam", "ham"):
            (folder / f"{name}{kind}.mbox").write_bytes(mbox(mails(kind, n, start)))
    (folder / "message.eml").write_bytes(mail("ham", 3 * n))
    (folder / "inbox.mbox").write_bytes(mbox([mail("ham", 3 * n), mail("spam", 3 * n)]))
    return folder
