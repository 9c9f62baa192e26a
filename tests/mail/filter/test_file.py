"""The file of a filter is a model file, and no damage to it goes unseen."""

import os
import random
import re

import numpy as np
import pytest
from safetensors.numpy import load_file

import rosenblatt
from rosenblatt import ModelFileError
from rosenblatt.mail.filter.estimator import MailFilter
from rosenblatt.mail.filter.file import made_of, memory_of, read_memory, write_memory
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import judge
from rosenblatt.model_file import describe
from rosenblatt.model_file.container import Content, read_file, write_file
from tests.mail.filter.mails import mail, mails


@pytest.fixture(scope="module")
def model():
    labels = ["spam"] * 20 + ["ham"] * 20
    return MailFilter().fit(mails("spam", 20) + mails("ham", 20), labels)


@pytest.fixture(scope="module")
def path(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("filter") / "mail.rosenblatt"
    write_memory(path, model.memory(), {"spam": "here"})
    return path


def test_the_short_way_reads_what_the_long_way_reads(model, path):
    loaded, memory = rosenblatt.load(path), read_memory(path)
    raw = mail("spam", 99)
    assert loaded.decision_function([raw])[0] == pytest.approx(
        judge(memory, features_of(raw)).score
    )
    assert loaded.predict([raw])[0] == judge(memory, features_of(raw)).label == "spam"
    assert memory.n_spam == memory.n_ham == 20


def test_everything_is_shown_as_text(path):
    text = describe(path)
    assert text.startswith("MailFilter\n")
    assert "max_false_positives: 0.001" in text
    assert "spam: 'here'" in text


def test_it_is_a_safetensors_file(path, model):
    assert np.array_equal(load_file(path)["weights_"], model.weights_)


def test_the_same_filter_gives_the_same_bytes(path, tmp_path):
    write_memory(tmp_path / "again", read_memory(path), {"spam": "here"})
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def changed_at(raw, place, draw):
    return raw[:place] + bytes([raw[place] ^ 1 << draw.randrange(8)]) + raw[place + 1 :]


def test_each_changed_byte_is_refused_but_those_that_decide_nothing(path):
    raw, draw = path.read_bytes(), random.Random(0)  # noqa: S311
    words = features_of(mail("spam", 99))
    expected = judge(memory_of(raw, "m"), words)
    entries = rb'"xxh64":"\w+"|"bytes":"0*|"version":"1|"library":"[^"]+"|"made":"{.*?}"'
    idle = {place for entry in re.finditer(entries, raw) for place in range(*entry.span())}
    accepted = set()
    for place in range(len(raw)):
        try:
            assert judge(memory_of(changed_at(raw, place, draw), "m"), words) == expected
            accepted.add(place)
        except ModelFileError:
            continue
    assert accepted <= idle
    assert len(idle) < 150
    assert len(raw) > 5000


def test_who_changes_a_filter_refuses_every_changed_byte(path, tmp_path):
    raw, draw, damaged = path.read_bytes(), random.Random(0), tmp_path / "m"  # noqa: S311
    assert made_of(path) == {"spam": "here"}
    places, refused = [*range(0, 800, 4), *draw.sample(range(len(raw)), 100)], 0
    for place in places:
        damaged.write_bytes(changed_at(raw, place, draw))
        try:
            made_of(damaged)
        except ModelFileError:
            refused += 1
    assert refused == len(places)


@pytest.mark.parametrize("made", ["", "[1]", "{", "9" * 5000])
def test_a_crafted_word_about_the_making_is_refused(made, path, tmp_path):
    metadata, arrays = read_file(path)
    facts = {name: metadata[name] for name in ("library", "model", "crc32")} | {"made": made}
    write_file(tmp_path / "m", Content(facts, arrays))
    with pytest.raises(ModelFileError, match="does not say how it was made"):
        made_of(tmp_path / "m")


@pytest.mark.parametrize("size", [0, 1, 8, 100, 1000, -1])
def test_a_file_that_is_cut_off_is_refused(path, size):
    with pytest.raises(ModelFileError):
        memory_of(path.read_bytes()[:size], "m")


def test_other_models_and_other_files_are_refused(tmp_path):
    rosenblatt.save(rosenblatt.ThresholdUnit([0, 1]), tmp_path / "unit")
    with pytest.raises(ModelFileError, match="ThresholdUnit"):
        read_memory(tmp_path / "unit")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ModelFileError, match="not a model file"):
        read_memory(tmp_path / "text")
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_memory(tmp_path / "nothing")
    with pytest.raises(ModelFileError, match="it is a folder, not a file"):
        read_memory(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="it is a pipe, not a file"):
        read_memory(tmp_path / "pipe")


def test_a_crafted_file_is_refused_by_the_long_way(model, tmp_path):
    broken = MailFilter().fit(mails("spam", 3) + mails("ham", 3), ["spam"] * 3 + ["ham"] * 3)
    broken.ends_ = broken.ends_[::-1].copy()
    with pytest.raises(ModelFileError, match="ends_"):
        rosenblatt.save(broken, tmp_path / "m")


def test_labels_other_than_spam_and_ham_are_refused():
    with pytest.raises(rosenblatt.DataError, match="'spam' and 'ham'"):
        MailFilter().fit([b"a", b"b"], ["spam", "eggs"])
    with pytest.raises(rosenblatt.DataError, match="there is no ham"):
        MailFilter().fit([b"a", b"b"], ["spam", "spam"])
