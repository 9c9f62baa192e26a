"""The mail filter against bogofilter, in bulk, and one mail through the pipe."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.timing import Row, by_turns
from rosenblatt.mail.filter import commands as mailing

MAILS = Path(__file__).resolve().parents[2] / "shared/data/spamassassin/spamassassin-raw.tar.xz"
BOGOFILTER = shutil.which("bogofilter")
FILTER = "from rosenblatt.cli.main import main; main()"


def bulk() -> Iterator[Row]:
    """SpamAssassin's 6,046 mails: all learned, then all judged, from files, on one core.

    bogofilter reads the names of files (-b), which is its quickest way for one mail per file; our
    time holds the five-fold held-out scores as well, on which the threshold is chosen.
    """
    if not (MAILS.exists() and BOGOFILTER):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        boxes = unpack(folder)
        model, words = folder / "mail.rosenblatt", folder / "words"
        ours, theirs = by_turns(
            lambda: train(boxes, model), lambda: bogofilter_train(boxes, words), repeats=5
        )
        yield Row("6,046 raw mails trained", "bogofilter -b", ours, theirs, "1x")
        ours, theirs = by_turns(
            lambda: classify(boxes, model), lambda: bogofilter_classify(boxes, words), repeats=5
        )
        yield Row("6,046 raw mails classified", "bogofilter -b", ours, theirs, "1x")


def one() -> Iterator[Row]:
    """`mail filter` of one mail, whole process, with a filter of 6,046 mails."""
    if not MAILS.exists():
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        boxes = unpack(folder)
        model = folder / "mail.rosenblatt"
        train(boxes, model)
        message = next((boxes / "spam").rglob("*.txt")).read_bytes()
        command = [sys.executable, "-c", FILTER, "mail", "filter", str(model)]
        ours, theirs = by_turns(
            lambda: subprocess.run(command, input=message, capture_output=True, check=True),
            lambda: subprocess.run([sys.executable, "-c", "import sklearn"], check=True),
            repeats=9,
        )
        yield Row("mail filter of one mail, whole process", "import sklearn", ours, theirs, "1x")


def unpack(folder: Path) -> Path:
    """Unpack the mails into spam and ham; return the folder of both."""
    boxes = folder / "boxes"
    with tarfile.open(MAILS) as archive:
        archive.extractall(folder / "all", filter="data")
    for part in sorted((folder / "all").iterdir()):
        kind = "spam" if part.name.startswith("spam") else "ham"
        (boxes / kind).mkdir(parents=True, exist_ok=True)
        part.rename(boxes / kind / part.name)
    return boxes


def train(boxes: Path, model: Path) -> None:
    paths = [str(boxes / kind) for kind in ("spam", "ham")]
    settings = {"max_false_positives": 0.001, "seed": 0, "tell": lambda stage, share: None}
    mailing.train(*paths, str(model), **settings)


def classify(boxes: Path, model: Path) -> None:
    paths = [str(boxes / kind) for kind in ("spam", "ham")]
    mailing.evaluate_boxes(str(model), *paths, lambda stage, share: None)


def bogofilter_train(boxes: Path, words: Path) -> None:
    shutil.rmtree(words, ignore_errors=True)
    words.mkdir()
    for kind, flag in (("spam", "-s"), ("ham", "-n")):
        bogofilter(boxes / kind, words, flag)


def bogofilter_classify(boxes: Path, words: Path) -> None:
    bogofilter(boxes, words, "-T")


def bogofilter(folder: Path, words: Path, flag: str) -> None:
    names = "".join(f"{path}\n" for path in sorted(folder.rglob("*.txt")))
    subprocess.run(
        [str(BOGOFILTER), "-b", flag, "-d", str(words)],
        input=names.encode(),
        stdout=subprocess.DEVNULL,
        check=False,  # its exit code is its verdict on the last mail
    )
