"""The file of a filter is a model file, and no damage to it goes unseen."""

import os
import random

import numpy as np
import pytest
from safetensors.numpy import load_file

import rosenblatt
from rosenblatt import ModelFileError
from rosenblatt.mail.filter.estimator import MailFilter
from rosenblatt.mail.filter.file import made_of, read_memory, write_memory
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import judge_message
from rosenblatt.model_file import describe
from rosenblatt.model_file.arrays import read_arrays, write_arrays
from tests.mail.filter.mails import mail, mails
from tests.model_file.samples import joined, parts


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
        judge_message(memory, features_of(raw)).score
    )
    assert loaded.predict([raw])[0] == judge_message(memory, features_of(raw)).label == "spam"
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


def test_each_changed_byte_is_refused(path, tmp_path):
    raw, draw, damaged = path.read_bytes(), random.Random(0), tmp_path / "m"  # noqa: S311
    start = 8 + int.from_bytes(raw[:8], "little")
    # a file has a megabyte of letters, always
    places = [*range(0, start, 4), *draw.sample(range(start, len(raw)), 200)]
    refused = 0
    for place in places:
        damaged.write_bytes(changed_at(raw, place, draw))
        try:
            read_memory(damaged)
        except ModelFileError:
            refused += 1
    assert refused == len(places) > 700


def test_both_checksums_are_checked(path, tmp_path):
    header, data = parts(path.read_bytes())
    place = header.index(b'"crc32":"') + len(b'"crc32":"')
    digit = b"1" if header[place : place + 1] == b"0" else b"0"
    (tmp_path / "m").write_bytes(joined(header[:place] + digit + header[place + 1 :], data))
    read_arrays(tmp_path / "m")  # the checksum of the file is right
    with pytest.raises(ModelFileError, match="m is damaged: its checksum is wrong"):
        read_memory(tmp_path / "m")


def test_a_filter_that_was_saved_from_python_is_read(model, tmp_path):
    rosenblatt.save(model, tmp_path / "m")
    raw = mail("spam", 99)
    assert judge_message(read_memory(tmp_path / "m"), features_of(raw)).label == "spam"


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
    metadata, arrays = read_arrays(path)
    facts = {name: metadata[name] for name in ("library", "model", "crc32")} | {"made": made}
    write_arrays(tmp_path / "m", facts, arrays)
    with pytest.raises(ModelFileError, match="does not say how it was made"):
        made_of(tmp_path / "m")


@pytest.mark.parametrize("size", [0, 1, 8, 100, 1000, -1])
def test_a_file_that_is_cut_off_is_refused(path, tmp_path, size):
    (tmp_path / "m").write_bytes(path.read_bytes()[:size])
    with pytest.raises(ModelFileError):
        read_memory(tmp_path / "m")


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
