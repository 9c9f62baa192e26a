"""The public files are read right, with no option but the target."""

import bz2
import lzma
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from rosenblatt import read
from tests.data.files import shared

LIBSVM = [
    "a9a.xz",
    "a9a.t.xz",
    "agaricus.txt.test.xz",
    "agaricus.txt.train.xz",
    "german.numer_scale.xz",
    "heart_scale.xz",
    pytest.param("ijcnn1.trn.bz2", marks=pytest.mark.soak),
    "mushrooms.xz",
    "phishing.xz",
    pytest.param("w8a.xz", marks=pytest.mark.soak),
]


@pytest.mark.parametrize("name", LIBSVM)
def test_libsvm_files_equal_scikit_learns(name):
    path = shared(f"libsvm/{name}")
    examples = read(path)
    with (bz2 if name.endswith("bz2") else lzma).open(path) as file:
        X, y = load_svmlight_file(file)
    assert examples.X.shape == X.shape
    np.testing.assert_array_equal(examples.X.indices, X.indices)
    np.testing.assert_array_equal(examples.X.indptr, X.indptr)
    np.testing.assert_array_equal(examples.X.data, X.data)
    np.testing.assert_array_equal(examples.y, y)
    assert (examples.X.dtype == bool) == (X.data == 1).all()


# sizes and counts of classes as the SOURCE.md of each folder and the UCI pages give them
TABLES = [
    ("uci-small/sonar.csv.xz", None, (208, 60), {"M": 111, "R": 97}),
    ("uci-small/banknote_authentication.csv.xz", None, (1372, 4), {0: 762, 1: 610}),
    ("uci-small/pima-indians-diabetes.csv.xz", None, (768, 8), {0: 500, 1: 268}),
    ("uci-small/ionosphere.csv.xz", None, (351, 34), {"g": 225, "b": 126}),
    ("spambase/spambase.data.xz", None, (4601, 57), {0: 2788, 1: 1813}),
    ("caltech-lfd/in.dta.xz", None, (35, 2), {1: 20, -1: 15}),
    ("caltech-lfd/out.dta.xz", None, (250, 2), {1: 132, -1: 118}),
]


@pytest.mark.parametrize(("name", "target", "shape", "classes"), TABLES)
def test_tables_have_their_published_sizes(name, target, shape, classes):
    examples = read(shared(name), target=target)
    assert examples.X.shape == shape
    assert dict(zip(*np.unique(examples.y, return_counts=True), strict=True)) == classes


@pytest.mark.parametrize("name", ["features.train.xz", "features.test.xz"])
def test_white_space_tables_equal_numpys(name):
    path = shared(f"caltech-lfd/{name}")
    with lzma.open(path, "rt") as file:
        expected = np.loadtxt(file)
    examples = read(path, target="x1")
    np.testing.assert_array_equal(examples.X, expected[:, 1:])
    np.testing.assert_array_equal(examples.y, expected[:, 0])


def test_comma_tables_equal_numpys():
    path = shared("spambase/spambase.data.xz")
    with lzma.open(path, "rt") as file:
        expected = np.loadtxt(file, delimiter=",")
    np.testing.assert_array_equal(read(path).X, expected[:, :-1])


def test_sms_messages_are_words_and_labels():
    path = shared("sms-spam/SMSSpamCollection.xz")
    examples = read(path)
    assert dict(zip(*np.unique(examples.y, return_counts=True), strict=True)) == {
        "ham": 4827,
        "spam": 747,
    }
    assert examples.X.shape == (5574, 1 << 20)
    assert examples.X.dtype == bool
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
        texts = [line.rstrip("\n").split("\t", 1)[1] for line in file]
    assert [text.strip() for text in texts] == examples.texts.to_pylist()


def test_where_the_data_must_be_an_absent_file_fails_and_elsewhere_it_is_skipped(monkeypatch):
    monkeypatch.setenv("ROSENBLATT_NEEDS_DATA", "1")
    with pytest.raises(pytest.fail.Exception, match=r"no/such-file is absent"):
        shared("no/such-file")
    monkeypatch.delenv("ROSENBLATT_NEEDS_DATA")
    with pytest.raises(pytest.skip.Exception, match=r"needs .*no/such-file"):
        shared("no/such-file")


def test_no_test_looks_for_the_data_by_itself():
    tests = Path(__file__).parents[1]
    place = re.compile(r"""[s]hared/data/|["'][s]hared["']""")
    looking = [path for path in tests.rglob("*.py") if place.search(path.read_text())]
    assert looking == [tests / "data" / "files.py"]


@pytest.mark.soak
def test_forest_cover_has_its_published_size():
    examples = read(shared("covtype/covtype.csv.xz"))
    assert examples.X.shape == (581012, 54)
    assert np.bincount(examples.y).tolist()[1:] == [
        211840,
        283301,
        35754,
        2747,
        9493,
        17367,
        20510,
    ]
    assert np.count_nonzero(examples.X) == 6901775
