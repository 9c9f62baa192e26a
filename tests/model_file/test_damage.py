"""A file that is cut, changed, too new or of another kind is refused; the word says which."""

import json
import os
import pickle

import numpy as np
import pytest
import safetensors.numpy

from rosenblatt import ModelFileError, Perceptron, load, save
from tests.examples import LECTURE_X, LECTURE_Y
from tests.model_file.samples import joined, parts, sealed


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "lecture.rosenblatt"
    save(Perceptron().fit(LECTURE_X, LECTURE_Y), path)
    return path.read_bytes()


def refusal(path, raw):
    """Return the word that bytes are refused with."""
    path.write_bytes(raw)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_sealing_by_hand_gives_the_bytes_that_were_saved(whole):
    assert sealed(whole) == whole
    assert joined(*parts(whole)) == whole


def test_every_byte_that_is_changed_is_noticed(tmp_path, whole):
    path = tmp_path / "flipped"
    kinds = ("is damaged", "is not a model file", "is cut off", "bytes too many")
    for place in range(len(whole)):
        for flip in (0x01, 0x80):
            changed = bytearray(whole)
            changed[place] ^= flip
            word = refusal(path, bytes(changed))
            assert any(kind in word for kind in kinds), (place, word)


def test_every_cut_is_noticed(tmp_path, whole):
    assert "is empty" in refusal(tmp_path / "cut", b"")
    for length in range(1, len(whole)):
        word = refusal(tmp_path / "cut", whole[:length])
        assert f"is cut off: it has {length} of" in word


@pytest.mark.parametrize("more", [b"\0", b" ", b"a second file"])
def test_bytes_behind_the_end_are_noticed(tmp_path, whole, more):
    assert f"{len(more)} bytes too many" in refusal(tmp_path / "longer", whole + more)


def test_two_parts_that_change_places_are_noticed(tmp_path, whole):
    data = parts(whole)[1]
    mixed = whole[: -len(data)] + data[8:] + data[:8]
    assert "checksum is wrong" in refusal(tmp_path / "mixed", mixed)


@pytest.mark.parametrize(
    "foreign",
    [
        pickle.dumps({"coef_": [1.0]}),
        safetensors.numpy.save({"coef_": np.ones(3)}),
        safetensors.numpy.save({"coef_": np.ones(3)}, {"format": "pt"}),
        b"label\ttext\n" * 40,
        b"\x93NUMPY" + bytes(500),
        json.dumps({"format": "rosenblatt proof"}).encode(),
    ],
)
def test_a_file_of_another_kind_is_called_so(tmp_path, foreign):
    assert "is not a model file of rosenblatt" in refusal(tmp_path / "foreign", foreign)


def test_a_file_of_a_newer_version_is_called_so(tmp_path, whole):
    header, data = parts(whole)
    newer = joined(header.replace(b'"version":"1"', b'"version":"2"'), data)
    word = refusal(tmp_path / "newer", newer)
    assert "newer rosenblatt: its form is 2, this one reads 1" in word


def test_a_file_that_cannot_be_opened_is_called_so(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be read: No such file"):
        load(tmp_path / "nothing")
    with pytest.raises(ModelFileError, match="cannot be read: it is a folder, not a file"):
        load(tmp_path)


def test_a_device_is_not_read_and_a_pipe_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, what in (("/dev/zero", "a device"), (tmp_path / "pipe", "a pipe")):
        with pytest.raises(ModelFileError, match=f"cannot be read: it is {what}, not a file"):
            load(path)
