"""Texts come in many forms, and what is no text is refused with its place."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError

from rosenblatt import BagOfWords
from rosenblatt.errors import DataError, ParameterError

TEXTS = ["one two", "", "zwölf Boxkämpfer", "한국어 one"]
BYTES = [text.encode() for text in TEXTS]

FORMS = {
    "tuple": tuple(TEXTS),
    "generator": (text for text in TEXTS),
    "list of bytes": BYTES,
    "bytes and str": [*TEXTS[:2], *BYTES[2:]],
    "numpy str": np.array(TEXTS),
    "numpy object": np.array(TEXTS, dtype=object),
    "numpy bytes": np.array(BYTES),
    "numpy string dtype": np.array(TEXTS, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series(TEXTS),
    "pandas object": pd.Series(TEXTS, dtype=object),
    "pandas category": pd.Series(TEXTS, dtype="category"),
    "polars": pl.Series(TEXTS),
    "arrow string": pa.array(TEXTS),
    "arrow large string": pa.array(TEXTS, type=pa.large_string()),
    "arrow string view": pa.array(TEXTS, type=pa.string_view()),
    "arrow binary": pa.array(BYTES),
    "arrow large binary": pa.array(BYTES, type=pa.large_binary()),
    "arrow dictionary": pa.array(TEXTS).dictionary_encode(),
    "arrow slice": pa.array(["x", *TEXTS, "y"])[1:5],
    "arrow chunks": pa.chunked_array([TEXTS[:1], [], TEXTS[1:]]),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_rows(form):
    expected = BagOfWords().transform(TEXTS)
    X = BagOfWords().transform(FORMS[form])
    assert X.shape == expected.shape
    assert (expected != X).nnz == 0


@pytest.mark.parametrize("nothing", [[], pa.array([]), pa.chunked_array([], type=pa.string())])
def test_no_documents_give_no_rows(nothing):
    assert BagOfWords(bits=3).transform(nothing).shape == (0, 8)


def test_half_a_surrogate_pair_ends_a_word():
    X = BagOfWords().transform(["one\ud800two", "three"])
    expected = BagOfWords().transform(["one two", "three"])
    assert (expected != X).nnz == 0


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("one text", r"got a single str; pass \[text\]"),
        (b"one text", r"got a single bytes"),
        (None, "must be a list of texts, got NoneType"),
        (3, "must be a list of texts, got int"),
        (["a", None], "got a missing value at index 1"),
        (["a", "b", float("nan")], "got nan at index 2"),
        ([["a"]], r"got \['a'\] at index 0"),
        ([1, 2], "got 1 at index 0"),
        (np.array([1.5, 2]), r"got .*1.5.* at index 0"),
        (np.array([["a", "b"]]), r"one column of texts, got ndarray of shape \(1, 2\)"),
        (pd.DataFrame({"text": ["a"]}), "one column of texts, got DataFrame"),
        (pd.Series(["a", None]), "at index 1"),
        (pl.Series(["a", None]), "got a missing value at index 1"),
        (pl.DataFrame({"text": ["a"]}), "one column of texts, got DataFrame"),
        (pa.table({"text": ["a"]}), "one column of texts, got Table"),
        (pl.Series([1, 2]), "got an Arrow value of type int64 at index 0"),
        (pa.array(["a", None]), "got a missing value at index 1"),
        (pa.chunked_array([["a", "b"], ["c", None]]), "got a missing value at index 3"),
        (pa.array([1]), "got an Arrow value of type int64 at index 0"),
    ],
)
def test_what_is_no_text_is_refused(X, message):
    for method in (BagOfWords().transform, BagOfWords().fit, BagOfWords(bits=None).fit):
        with pytest.raises(DataError, match=message):
            method(X)


def test_broken_arrow_offsets_are_refused():
    # Arrow looks at the first and the last only
    starts = pa.py_buffer(np.array([0, 300, 2, 4], dtype=np.int32))
    X = pa.StringArray.from_buffers(3, starts, pa.py_buffer(b"text"))
    with pytest.raises(DataError, match="offsets do not fit"):
        BagOfWords().transform(X)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"bits": 0}, "bits must be a whole number from 1 on, got 0"),
        ({"bits": 32}, "bits must be from 1 to 31, or None, got 32"),
        ({"bits": 2.5}, "bits must be a whole number"),
        ({"ngrams": 0}, "ngrams must be a whole number from 1 on, got 0"),
        ({"ngrams": 17}, "ngrams must be from 1 to 16"),
        ({"ngrams": (3, 2)}, "the smaller one first"),
        ({"ngrams": (1, 2, 3)}, "a whole number or a pair of them"),
        ({"ngrams": "2"}, "a whole number or a pair of them"),
        ({"n_jobs": 0}, "n_jobs must be a whole number from 1 on"),
        ({"n_names": -1}, "n_names must be a whole number from 0 on"),
        ({"signed": True}, "a signed bag needs bits and counts"),
        ({"signed": True, "counts": True, "bits": None}, "a signed bag needs bits"),
    ],
)
def test_parameter_out_of_range_is_refused(parameters, message):
    for method in ("fit", "transform", "partial_fit"):
        with pytest.raises(ParameterError, match=message):
            getattr(BagOfWords(**parameters), method)(["a"])


def test_vocabulary_must_be_learned_first():
    with pytest.raises(NotFittedError, match="call fit or partial_fit"):
        BagOfWords(bits=None).transform(["a"])
    with pytest.raises(NotFittedError, match="call fit or partial_fit"):
        BagOfWords().get_feature_names_out()


def test_failed_fit_leaves_the_vocabulary_as_it_was():
    model = BagOfWords(bits=None).fit(["one two"])
    with pytest.raises(DataError, match="index 1"):
        model.partial_fit(["three", None])
    with pytest.raises(DataError, match="no word"):
        model.fit(["", " ,"])
    assert model.get_feature_names_out().tolist() == ["one", "two"]
