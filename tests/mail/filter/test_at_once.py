"""Many correct the same filter at once, some are killed: nothing acknowledged is lost."""

import os
import random
import subprocess
import sys
import threading
import time

import pytest

from rosenblatt import ModelFileError
from rosenblatt.mail.filter import commands as mailing
from rosenblatt.mail.filter.file import read_memory
from rosenblatt.mail.filter.memory import SPAM
from rosenblatt.mail.filter.reading import features_of
from tests.mail.filter.mails import mail, write_boxes

LEARN = (
    "import sys; from rosenblatt.cli.main import main\n"
    "main(['mail', 'learn', sys.argv[1], '--spam', sys.argv[2]])"
)
# many corrections in one process: what takes long is the start
LEARN_ALL = (
    "import sys; from rosenblatt.mail.filter.commands import correct_filter\n"
    "for path in sys.argv[2:]:\n"
    "    correct_filter(sys.argv[1], path, 'spam')\n"
    "    print(path, flush=True)\n"
)


@pytest.fixture
def model(tmp_path):
    folder = write_boxes(tmp_path, n=10)
    options = {"max_false_positives": 0.001, "seed": 0, "tell": lambda stage, share: None}
    boxes = str(folder / "spam.mbox"), str(folder / "ham.mbox")
    mailing.train(*boxes, str(folder / "m.rosenblatt"), **options)
    return folder / "m.rosenblatt"


def write_mails(folder, n):
    paths = []
    for k in range(n):
        paths.append(folder / f"{k}.eml")
        paths[-1].write_bytes(mail("spam", 1000 + k))
    return paths


def is_known(memory, path):
    digests, labels = memory.messages.digests.tolist(), memory.messages.labels.tolist()
    digest = memory.digest(features_of(path.read_bytes()))
    return (digest, SPAM) in zip(digests, labels, strict=True)


def test_corrections_at_once_are_all_kept(model, tmp_path):
    paths = write_mails(tmp_path, 24)
    command = [sys.executable, "-c", LEARN_ALL, str(model)]
    workers = [
        subprocess.Popen([*command, *map(str, paths[k::3])], stdout=subprocess.PIPE, text=True)
        for k in range(3)
    ]
    workers[0].stdout.readline()
    workers[0].kill()  # somewhere in the middle of its next correction
    said = " ".join(work.communicate()[0] for work in workers).split()
    acknowledged = [paths[0], *(path for path in paths if str(path) in said)]
    assert {*paths[1::3], *paths[2::3]} <= set(acknowledged)
    memory = read_memory(model)
    assert all(is_known(memory, path) for path in acknowledged)
    assert memory.n_spam - 10 in (len(acknowledged), len(acknowledged) + 1)


def test_what_a_killed_writer_left_is_swept(model, tmp_path):
    left = model.with_name(f".{model.name}.0123abcd.new")
    left.write_bytes(b"half a file")
    mailing.correct_filter(str(model), str(write_mails(tmp_path, 1)[0]), "spam")
    assert not left.exists()


def test_a_filter_behind_a_link_stays_behind_it(model, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(model)
    mailing.correct_filter(str(link), str(write_mails(tmp_path, 1)[0]), "spam")
    assert link.is_symlink()
    assert read_memory(model).n_spam == 11


@pytest.mark.soak
def test_200_commands_in_8_processes_lose_nothing_acknowledged(model, tmp_path):
    paths, draw = write_mails(tmp_path, 200), random.Random(0)  # noqa: S311
    waiting, acknowledged, killed = list(paths), [], []
    fates = {path: draw.random() * 1.5 if draw.random() < 0.25 else None for path in paths}
    over = threading.Event()

    def correct():
        while waiting:
            try:
                path = waiting.pop()
            except IndexError:
                return
            command = [sys.executable, "-c", LEARN, str(model), str(path)]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as work:
                if fates[path] is not None:
                    time.sleep(fates[path])
                    work.kill()
            (acknowledged if work.returncode == 0 else killed).append(path)

    def look():
        while not over.is_set():
            try:
                read_memory(model)  # it always loads
                looks.append(model)
            except ModelFileError as error:
                broken.append(str(error))
            time.sleep(0.01)

    looks, broken = [], []
    watcher = threading.Thread(target=look)
    watcher.start()
    workers = [threading.Thread(target=correct) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    over.set()
    watcher.join()
    memory = read_memory(model)
    assert len(acknowledged) + len(killed) == 200
    assert killed
    assert looks
    assert broken == []
    assert all(is_known(memory, path) for path in acknowledged)
    known = [path for path in killed if is_known(memory, path)]
    assert memory.n_spam == 10 + len(acknowledged) + len(known)
    import rosenblatt

    assert rosenblatt.load(model).memory().n_spam == memory.n_spam
    names = {name for name in os.listdir(tmp_path) if name.endswith(".new")}
    assert len(names) <= len(killed)
