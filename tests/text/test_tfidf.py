"""BagOfWords(weighting="tfidf") equals section 10b, and scikit-learn where the rule is the same."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfTransformer

from rosenblatt import AveragedPerceptron, BagOfWords, OnlinePipeline, ParameterError
from rosenblatt.text import tfidf
from rosenblatt.text.tfidf import DocumentCounts, WordWeights
from tests.reference import tfidf as reference
from tests.text.samples import random_texts
from tests.text.test_words import rows_of

TEXTS = ["to be or not to be", "be quick", "", "not quick at all, not at all", "Être ou ne pas"]


def peer(X, counts, others=None):
    """Return what scikit-learn makes of rows, with weights learned from them or from others."""
    model = TfidfTransformer(norm="l2", smooth_idf=True, sublinear_tf=counts)
    return model.fit(X if others is None else others).transform(X.astype(float)).toarray()


@pytest.mark.parametrize("counts", [False, True])
@pytest.mark.parametrize("bits", [None, 4, 20])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_rows_equal_those_of_scikit_learn(counts, bits, n_jobs):
    texts = TEXTS + random_texts(300, seed=0)
    if bits == 20:
        texts = texts[:12]  # a dense matrix of them is compared
    plain = BagOfWords(bits=bits, counts=counts).fit(texts)
    X = plain.transform(texts)
    words = BagOfWords(bits=bits, counts=counts, weighting="tfidf", n_jobs=n_jobs).fit(texts)
    found = words.transform(texts)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found.indices, X.indices)
    np.testing.assert_allclose(found.toarray(), peer(X, counts), rtol=0, atol=1e-12)


@pytest.mark.parametrize("counts", [False, True])
def test_new_texts_are_weighed_by_those_learned_from(counts):
    words = BagOfWords(bits=10, counts=counts, weighting="tfidf").fit(TEXTS)
    plain = BagOfWords(bits=10, counts=True)
    rows = rows_of(plain.transform(TEXTS))
    documents = reference.document_counts(rows)
    new = ["quick quick not", "never met", ""]
    expected = [
        reference.weighed(row, len(TEXTS), documents, counts)
        for row in rows_of(plain.transform(new))
    ]
    found = rows_of(words.transform(new))
    assert [list(row) for row in found] == [list(row) for row in expected]
    for row, right in zip(found, expected, strict=True):
        assert list(row.values()) == pytest.approx(list(right.values()), abs=1e-12)


def test_documents_are_counted_once_each():
    words = BagOfWords(bits=None, weighting="tfidf").fit(["a a b", "a", ""])
    assert words.n_documents_ == 3
    assert words.document_counts_.tolist() == [2, 1]
    assert words.document_counts_.dtype == np.int64


@pytest.mark.parametrize("bits", [None, 12])
def test_partial_fit_goes_on_counting(bits):
    texts = random_texts(200, seed=1)
    whole = BagOfWords(bits=bits, weighting="tfidf").fit(texts)
    parts = BagOfWords(bits=bits, weighting="tfidf")
    for start in range(0, 200, 70):
        parts.partial_fit(texts[start : start + 70])
    assert parts.n_documents_ == whole.n_documents_ == 200
    np.testing.assert_array_equal(parts.document_counts_, whole.document_counts_)
    a, b = parts.transform(texts), whole.transform(texts)
    np.testing.assert_array_equal(a.indices, b.indices)
    np.testing.assert_array_equal(a.data, b.data)


def test_rows_made_later_see_the_grown_counts():
    words = BagOfWords(bits=None, weighting="tfidf").partial_fit(["a b", "b c"])
    before = words.transform(["a b"]).toarray()[0, :2]
    words.partial_fit(["a", "a", "a"])
    after = words.transform(["a b"]).toarray()[0, :2]
    assert before[0] > before[1]  # a was the rarer one
    assert after[0] < after[1]
    again = BagOfWords(bits=None, weighting="tfidf").fit(["a b"])
    assert again.fit(["x"]).n_documents_ == 1  # fit begins anew


def test_counts_beyond_the_table_of_logarithms(monkeypatch):
    words = BagOfWords(bits=10, counts=True, weighting="tfidf").fit(["w " * 1000] * 50 + TEXTS)
    right = words.transform([*TEXTS, "w " * 1000 + "be"]).toarray()
    monkeypatch.setattr(tfidf, "_logs", lambda: np.log(np.arange(1.0, 3.0)))
    found = words.transform([*TEXTS, "w " * 1000 + "be"]).toarray()
    np.testing.assert_allclose(found, right, rtol=0, atol=1e-15)


def test_rows_have_length_one_and_empty_texts_are_empty_rows():
    X = BagOfWords(weighting="tfidf").fit_transform(TEXTS)
    lengths = np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1][np.diff(X.indptr) > 0]))
    np.testing.assert_allclose(lengths, 1.0, atol=1e-15)
    assert np.diff(X.indptr)[2] == 0


def test_a_document_that_is_read_in_parts_is_weighed_as_one():
    rng = np.random.default_rng(2)
    long = " ".join(f"w{n}" for n in rng.integers(0, 60_000, 200_000))
    texts = [long, "w1 w2", long]
    for counts in (False, True):
        X = BagOfWords(bits=18, counts=counts).transform(texts)
        found = BagOfWords(bits=18, counts=counts, weighting="tfidf").fit(texts).transform(texts)
        np.testing.assert_allclose(found.toarray(), peer(X, counts), rtol=0, atol=1e-12)


def test_rows_that_are_made_already_are_weighed_to_the_same_bits():
    texts = random_texts(100, seed=3)
    for counts in (False, True):
        words = BagOfWords(bits=14, counts=counts, weighting="tfidf").fit(texts)
        plain = words.unweighed()
        assert plain.weighting is None
        assert plain.vocabulary_ is words.vocabulary_
        X = plain.transform(texts)
        found = WordWeights(documents=words.documents).transform(X)
        np.testing.assert_array_equal(found.data, words.transform(texts).data)


def test_counts_of_documents_come_from_rows():
    X = sparse.csr_array(np.array([[1, 1, 0], [0, 1, 0]], dtype=bool))
    documents = DocumentCounts.none(3).with_rows(X.indices, 2)
    assert documents.n == 2
    assert documents.of_columns.tolist() == [1, 2, 0]


def test_what_was_not_counted_cannot_be_weighed():
    with pytest.raises(NotFittedError, match="counted no texts yet"):
        BagOfWords(weighting="tfidf").transform(TEXTS)
    words = BagOfWords(weighting=None).fit(TEXTS).set_params(weighting="tfidf")
    with pytest.raises(NotFittedError, match="counted no texts yet"):
        words.transform(TEXTS)
    words = BagOfWords(bits=10, weighting="tfidf").fit(TEXTS).set_params(bits=12)
    with pytest.raises(NotFittedError, match="1024 columns, and has 4096 by now"):
        words.transform(TEXTS)
    with pytest.raises(NotFittedError, match="1024 columns, and has 4096 by now"):
        words.partial_fit(TEXTS)


def test_a_fit_without_weighting_forgets_the_counts():
    words = BagOfWords(weighting="tfidf").fit(TEXTS).set_params(weighting=None).fit(TEXTS[:2])
    assert not hasattr(words, "document_counts_")
    assert words.transform(TEXTS).dtype == bool


@pytest.mark.parametrize("weighting", ["idf", "", 1, ["tfidf"]])
def test_another_weighting_is_refused(weighting):
    with pytest.raises(ParameterError, match="weighting must be one of None, 'tfidf'"):
        BagOfWords(weighting=weighting).fit(TEXTS)


def test_signed_words_are_not_weighed():
    with pytest.raises(ParameterError, match="cannot be weighed; set signed=False"):
        BagOfWords(counts=True, signed=True, weighting="tfidf").fit(TEXTS)


def test_an_online_pipeline_weighs_by_all_texts_so_far():
    model = OnlinePipeline(
        [("words", BagOfWords(bits=10, weighting="tfidf")), ("learner", AveragedPerceptron())]
    )
    model.partial_fit(["win a prize", "see you at noon"], ["spam", "ham"])
    model.partial_fit(["a prize for you"], ["spam"])
    assert model["words"].n_documents_ == 3
    assert model.predict(["your prize", "at noon"]).tolist() == ["spam", "ham"]
