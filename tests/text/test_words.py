"""BagOfWords equals the plain reading of its specification."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from rosenblatt import BagOfWords
from rosenblatt.text import bags, documents
from tests.reference import words as reference
from tests.text.samples import ASSIGNED, random_texts

TEXT = st.text(st.one_of(st.sampled_from("aAbB12 ,\nßΣςİŉé한ǰﬃ"), ASSIGNED), max_size=80)
ASCII_WORD = r"(?a:[a-zA-Z0-9]+)"
SIZES = st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3), (3, 3), (2, 5)])


def rows_of(X):
    """Return {column: value} of each row, and check that columns are in order."""
    found = []
    for start, end in zip(X.indptr, X.indptr[1:], strict=False):
        columns = X.indices[start:end].tolist()
        assert columns == sorted(set(columns))
        found.append(dict(zip(columns, X.data[start:end].tolist(), strict=True)))
    return found


@given(
    st.lists(TEXT, max_size=4),
    SIZES,
    st.integers(1, 31),
    st.sampled_from([(False, False), (True, False), (True, True)]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_rows_equal_the_plain_reading(texts, sizes, bits, values, lowercase, characters):
    counts, signed = values
    model = BagOfWords(
        bits=bits,
        ngrams=sizes,
        counts=counts,
        signed=signed,
        lowercase=lowercase,
        characters=characters,
    )
    low, high = sizes
    rule = {"low": low, "high": high, "lowercase": lowercase, "characters": characters}
    expected = [reference.row(text, bits, counts, signed, **rule) for text in texts]
    X = model.transform(texts)
    assert X.shape == (len(texts), 1 << bits)
    assert X.dtype == (np.float64 if counts else bool)
    assert rows_of(X) == expected


@given(st.lists(st.binary(max_size=80), max_size=4))
@settings(max_examples=200, deadline=None)
def test_bytes_that_are_no_text_end_a_word(documents):
    X = BagOfWords(bits=31).transform(documents)
    assert rows_of(X) == [reference.row(document, 31) for document in documents]


@given(st.lists(TEXT, min_size=1, max_size=4), SIZES, st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_vocabulary_has_all_features_by_name(texts, sizes, lowercase, characters):
    rule = {"lowercase": lowercase, "characters": characters}
    low, high = sizes
    features = [reference.features(text, low, high, **rule) for text in texts]
    if not any(features):
        return
    model = BagOfWords(bits=None, ngrams=sizes, counts=True, **rule).fit(texts)
    names = model.get_feature_names_out()
    assert sorted(names) == sorted({name for found in features for name, _ in found})
    for found, row in zip(features, rows_of(model.transform(texts)), strict=True):
        listed = [name for name, _ in found]
        assert {names[column]: value for column, value in row.items()} == {
            name: listed.count(name) for name in listed
        }


@pytest.mark.parametrize("ngrams", [1, 2, (2, 3)])
def test_vocabulary_equals_that_of_scikit_learn_on_ascii(ngrams):
    texts = random_texts(200, alphabet="abcXYZ09 .-'\n")
    sizes = ngrams if isinstance(ngrams, tuple) else (1, ngrams)
    peer = CountVectorizer(token_pattern=ASCII_WORD, ngram_range=sizes)
    expected = peer.fit_transform(texts)
    model = BagOfWords(bits=None, ngrams=ngrams, counts=True)
    X = model.fit_transform(texts)
    order = np.argsort(model.get_feature_names_out())
    assert model.get_feature_names_out()[order].tolist() == peer.get_feature_names_out().tolist()
    assert (X[:, order] != expected).nnz == 0


def test_characters_are_those_of_scikit_learn_within_words():
    texts = random_texts(100, alphabet="abcdé ")
    peer = CountVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    expected = peer.fit_transform(texts)
    model = BagOfWords(bits=None, ngrams=(2, 4), characters=True, counts=True)
    X = model.fit_transform(texts)
    order = np.argsort(model.get_feature_names_out())
    assert model.get_feature_names_out()[order].tolist() == peer.get_feature_names_out().tolist()
    assert (X[:, order] != expected).nnz == 0


@pytest.mark.parametrize("options", [{}, {"counts": True}, {"counts": True, "signed": True}])
def test_long_document_is_one_row(options):
    # more features than a part can hold, so that parts are joined
    text = " ".join(random_texts(4000, alphabet="abcdefgh "))
    X = BagOfWords(bits=20, ngrams=3, **options).transform(["", text, "x"])
    assert rows_of(X) == [reference.row(t, 20, low=1, high=3, **options) for t in ("", text, "x")]


@pytest.mark.parametrize("n", [255, 256, 257, 512, 5000])
@pytest.mark.parametrize("letter", ["a", "é", "한", "\U0001d49c", "ΐ"])
@pytest.mark.parametrize("characters", [False, True])
def test_long_run_is_cut_into_words(letter, n, characters):
    text = f"{letter * n} b"
    X = BagOfWords(bits=24, ngrams=2, counts=True, characters=characters).transform([text])
    rule = {"low": 1, "high": 2, "characters": characters}
    assert rows_of(X) == [reference.row(text, 24, True, **rule)]


def test_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr(documents, "BLOCK", 1000)
    texts = random_texts(3000, alphabet="abcé ,")
    one = BagOfWords(counts=True).transform(texts)
    for n_jobs in (2, 3, -1):
        many = BagOfWords(counts=True, n_jobs=n_jobs).transform(texts)
        assert (many.indptr == one.indptr).all()
        assert (many.indices == one.indices).all()
        assert (many.data == one.data).all()


def test_stopping_for_ctrl_c_changes_nothing(monkeypatch):
    texts = random_texts(500, alphabet="abcé ,")
    expected = BagOfWords(ngrams=2).transform(texts)
    monkeypatch.setattr(bags, "BYTES", 100)
    X = BagOfWords(ngrams=2).transform(texts)
    assert (X.indptr == expected.indptr).all()
    assert (X.indices == expected.indices).all()


def test_partial_fit_keeps_columns_and_adds_new_ones():
    texts = random_texts(300, alphabet="abcdé ")
    whole = BagOfWords(bits=None).fit(texts)
    parts = BagOfWords(bits=None)
    for start in range(0, 300, 100):
        parts.partial_fit(texts[start : start + 100])
    assert parts.get_feature_names_out().tolist() == whole.get_feature_names_out().tolist()
    assert (parts.transform(texts) != whole.transform(texts)).nnz == 0


def test_words_that_were_never_met_are_left_out():
    model = BagOfWords(bits=None).fit(["one two"])
    assert model.transform(["two three", "four"]).toarray().tolist() == [[False, True], [False] * 2]


def test_hashed_columns_are_named_and_collisions_counted():
    model = BagOfWords(bits=2).fit(["a b c d e f g h"])
    columns = [reference.hash_text(word) >> 62 for word in "abcdefgh"]
    names = model.get_feature_names_out()
    for column in range(4):
        words = [w for w, c in zip("abcdefgh", columns, strict=True) if c == column]
        assert names[column] == ("|".join(words) or f"#{column}")
    assert model.collisions_ == sum(columns.count(c) > 1 for c in set(columns))


def test_names_are_bounded():
    model = BagOfWords(bits=20, n_names=3).fit(["a b c d e", "f"])
    assert len(model.vocabulary_) == 3
    assert model.feature_names([reference.hash_text("c") >> 44]) == ["c"]
    assert model.feature_names([reference.hash_text("d") >> 44])[0].startswith("#")


def test_hashing_needs_no_fit_and_fit_does_not_change_it():
    texts = random_texts(20)
    model = BagOfWords()
    before = model.transform(texts)
    assert (clone(model).fit(texts).transform(texts) != before).nnz == 0


@pytest.mark.parametrize("n_names", [5, 1000])
def test_words_of_parts_are_those_of_all_texts(n_names):
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{k}" for k in random.integers(0, 40, 6)) for _ in range(30)]
    whole = BagOfWords(bits=6, n_names=n_names).fit(texts)
    parts = [BagOfWords(bits=6, n_names=n_names).fit(texts[k : k + 10]) for k in (0, 10, 20)]
    found = parts[0].meeting(parts[1].meeting(parts[2]))
    assert found.vocabulary_.all_names().tolist() == whole.vocabulary_.all_names().tolist()
    assert found.vocabulary_.hashes.tolist() == whole.vocabulary_.hashes.tolist()
    assert found.collisions_ == whole.collisions_
