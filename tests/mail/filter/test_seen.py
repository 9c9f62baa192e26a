"""What was judged is written down and joined; whatever is wrong with the file, nothing happens."""

import os
import stat

import numpy as np
import pytest

from rosenblatt.mail.filter import commands as mailing
from rosenblatt.mail.filter import seen
from rosenblatt.mail.filter.correcting import MOST_JUDGED, join_judged
from rosenblatt.mail.filter.file import read_memory, write_memory
from rosenblatt.mail.filter.memory import HAM, SPAM, UNSURE
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import judge_message
from rosenblatt.mail.filter.seen import forget_seen, note, read_seen
from tests.mail.filter.mails import mail, mbox, write_boxes


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = write_boxes(tmp_path_factory.mktemp("seen"))
    boxes = str(folder / "spam.mbox"), str(folder / "ham.mbox")
    options = {"max_false_positives": 0.001, "seed": 0, "tell": lambda stage, share: None}
    mailing.train(*boxes, str(folder / "m"), **options)
    return folder / "m"


@pytest.fixture
def model(trained, tmp_path):
    path = tmp_path / "m"
    path.write_bytes(trained.read_bytes())
    return path


def there(model):
    return model.with_name(f"{model.name}.seen")


def test_what_is_noted_is_read(model):
    memory = read_memory(model)
    assert read_seen(model, memory) == []
    for k in range(3):
        note(model, memory, [(k / 2, 2**64 - 1 - k)])
    note(model, memory, [(9.0, 1), (8.0, 2)])
    assert read_seen(model, memory)[2:] == [(1.0, 2**64 - 3), (9.0, 1), (8.0, 2)]
    assert stat.S_IMODE(there(model).stat().st_mode) == 0o600
    assert there(model).stat().st_size == 6 * 16
    forget_seen(model)
    forget_seen(model)
    assert not there(model).exists()


def test_no_word_of_a_message_is_in_it(model, tmp_path):
    (tmp_path / "box").write_bytes(mbox([mail("spam", 77)]))
    list(mailing.sort_box(str(model), str(tmp_path / "box"), str(tmp_path / "out")))
    content = there(model).read_bytes()
    assert len(content) == 32
    assert not set(mail("spam", 77).split()) & set(content.split())


@pytest.mark.parametrize("what", ["cut", "foreign", "full", "of another filter", "empty"])
def test_a_file_that_is_not_whole_is_begun_anew(what, model, monkeypatch):
    memory = read_memory(model)
    monkeypatch.setattr(seen, "MOST", 64)
    note(model, memory, [(1.0, 1), (2.0, 2)])
    raw = there(model).read_bytes()
    damaged = {
        "cut": raw[:-5],
        "foreign": b"somebody's notes" * 2,
        "full": raw + raw[16:],
        "of another filter": raw[:12] + b"abcd" + raw[16:],
        "empty": b"",
    }[what]
    there(model).write_bytes(damaged)
    there(model).chmod(0o644)
    assert read_seen(model, memory) == [] or what == "full"
    note(model, memory, [(5.0, 5)])
    assert stat.S_IMODE(there(model).stat().st_mode) == 0o600
    assert read_seen(model, memory) == [(5.0, 5)]


@pytest.mark.parametrize("what", ["folder", "pipe", "link", "nowhere"])
def test_what_cannot_be_written_is_of_no_consequence(what, model):
    memory = read_memory(model)
    if what == "folder":
        there(model).mkdir()
    elif what == "pipe":
        os.mkfifo(there(model))
    elif what == "link":
        there(model).symlink_to(model)
    before = model.read_bytes()
    note(model if what != "nowhere" else "/nowhere/m", memory, [(1.0, 1)])
    assert read_seen(model, memory) == []
    assert model.read_bytes() == before


def test_two_who_begin_at_once_lose_nothing(model):
    memory = read_memory(model)
    note(model, memory, [(1.0, 1)])
    with open(there(model), "ab") as file:
        file.write(seen._header(memory) + seen.RECORD.pack(2.0, 2))
    assert read_seen(model, memory) == [(1.0, 1), (2.0, 2)]


def test_sure_ones_are_called_as_they_were_and_the_last_time_counts(model):
    memory = read_memory(model)
    high, low = memory.spam_from + 1, memory.ham_below - 1
    between = (memory.spam_from + memory.ham_below) / 2
    found = join_judged(memory, [(low, 7), (high, 8), (between, 9), (high, 7)])
    assert [column.tolist() for column in found] == [
        [8, 9, 7],
        [high, between, high],
        [SPAM, UNSURE, SPAM],
        [1, 2, 3],
    ]
    again = join_judged(read_memory(model), [])
    assert len(again.arrivals) == 0


def test_what_is_kept_is_bounded(model):
    memory = read_memory(model)
    found = join_judged(memory, [(-1.0, k) for k in range(MOST_JUDGED + 10)])
    assert (len(found.arrivals), found.arrivals[0]) == (MOST_JUDGED, 10)


def test_learning_joins_what_was_judged_and_told_ones_count_once(model, tmp_path):
    memory = read_memory(model)
    raws = [mail(kind, seed) for kind in ("ham", "spam") for seed in (50, 51)]
    for raw in raws:
        features = features_of(raw)
        note(model, memory, [(judge_message(memory, features).score, memory.arrival(features))])
    # on its last steps to a mailbox a message gets headers more
    (tmp_path / "a").write_bytes(b"Return-Path: <a@b.example>\nReceived: by here\n" + raws[0])
    mailing.correct_filter(str(model), str(tmp_path / "a"), "ham")
    memory = read_memory(model)
    assert not there(model).exists()
    told = np.isin(memory.judged.arrivals, memory.messages.arrivals)
    assert told.tolist() == [True, False, False, False]
    assert list(memory.judged.labels[:2]) == [HAM, HAM]
    assert sorted(memory.messages.times)[-1] == 5  # after those that were judged
    write_memory(tmp_path / "again", memory, {})
    assert read_memory(tmp_path / "again").judged.scores.tolist() == memory.judged.scores.tolist()
