"""Symbols are words on request: each character by itself, everywhere that texts are read."""

import unicodedata

import numpy as np
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rosenblatt
from rosenblatt import BagOfWords, BernoulliNaiveBayes, OnlinePipeline, ParameterError
from rosenblatt.data.builtin import MESSAGES
from rosenblatt.text.unicode_table import BLANKS
from tests.reference import words as reference

SOME = "aZ9 $!?@`[{\\|^~_\x7f\t\n\u00a0€£ß😀“ \u200b\u00ad"


def names(texts, **options):
    return (
        BagOfWords(bits=None, symbols=True, **options).fit(texts).get_feature_names_out().tolist()
    )


@given(st.text(SOME, max_size=30), st.booleans(), st.integers(1, 3))
@settings(deadline=None, max_examples=150)
def test_rows_are_those_of_the_reference(text, lowercase, high):
    bag = BagOfWords(bits=18, counts=True, ngrams=high, lowercase=lowercase, symbols=True)
    row = bag.transform([text])
    expected = reference.row(text, 18, True, low=1, high=high, lowercase=lowercase, symbols=True)
    assert dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) == expected


def test_every_symbol_is_a_word_of_its_own():
    assert names(["Earn $200 now!!! a@b"]) == ["earn", "$", "200", "now", "!", "a", "@", "b"]
    assert names(["@`[{"]) == ["@", "`", "[", "{"]  # no letters: their case is not folded
    assert names(["$5 off"], ngrams=2) == ["$", "$ 5", "5", "5 off", "off"]
    assert names(["€ä"], characters=True, ngrams=(3, 3)) == [" € ", " ä "]


def test_blanks_are_the_separators_and_controls_of_unicode():
    # those that this Python knows; later versions of Unicode have added some format characters
    listed = {point for first, last in BLANKS for point in range(first, last + 1)}
    for point in range(0x110000):
        kind = unicodedata.category(chr(point))
        if kind in ("Zs", "Zl", "Zp", "Cc", "Cf"):
            assert point in listed
        elif point in listed:
            assert kind == "Cn"


def test_without_symbols_nothing_has_changed():
    texts = ["Earn $200 now!!!", "a@b €ä"]
    plain, asked = BagOfWords(), BagOfWords(symbols=False)
    assert (plain.transform(texts) != asked.transform(texts)).nnz == 0
    assert "symbols" not in str(plain)
    with pytest.raises(ParameterError, match="symbols must be True or False"):
        BagOfWords(symbols="$").transform(texts)


def test_a_saved_model_remembers_that_symbols_are_words(tmp_path):
    texts, labels = [text for _, text in MESSAGES], [label for label, _ in MESSAGES]
    model = OnlinePipeline(
        [("words", BagOfWords(symbols=True)), ("learner", BernoulliNaiveBayes(alpha=0.01))]
    ).fit(texts, labels)
    rosenblatt.save(model, tmp_path / "spam.rosenblatt")
    loaded = rosenblatt.load(tmp_path / "spam.rosenblatt")
    assert loaded.steps[0][1].symbols
    assert loaded.predict(["$"]).tolist() == model.predict(["$"]).tolist() == ["spam"]


@pytest.mark.parametrize("memory", [None, "500M"])
def test_files_are_read_with_symbols(tmp_path, memory):
    path = tmp_path / "mails.tsv"
    path.write_text("".join(f"{label}\t{text}\n" for label, text in MESSAGES) * 3)
    found = rosenblatt.fit(str(path), "bernoulli", symbols=True, memory=memory, prove_seconds=0)
    assert found.recipe.symbols
    words = found.model.steps[0][1]
    assert words.symbols
    assert "$" in words.vocabulary_.all_names()
    column = words.transform(["$"]).indices[0]
    weights = found.model.steps[-1][1].coef_
    assert weights[0, column] > 0


def test_symbols_of_a_column_beside_numbers():
    rows = {"size": [1.0, 2.0, 3.0, 4.0], "note": ["$ a b", "c d !", "$$ x y", "e f g h"]}
    table = pyarrow.table(rows | {"y": [1, 0, 1, 0]})
    read = rosenblatt.read(table, target="y", columns={"note": "text"}, symbols=True)
    used = [read.feature_names[j] for j in np.unique(read.X.indices)]
    assert "note:$" in used
    assert "note:!" in used


def test_the_four_messages_have_the_attributes_of_the_lecture():
    read = rosenblatt.read("spam-lecture", symbols=True)
    assert read.y.tolist() == ["spam", "spam", "ham", "spam"]
    has = {
        word: read.X[:, [BagOfWords(symbols=True).transform([word]).indices[0]]].toarray().ravel()
        for word in ("$", "!", "?", "http")
    }
    assert has["$"].tolist() == [True, True, False, False]
    assert has["!"].tolist() == [True, True, True, False]
    assert has["?"].tolist() == [False, False, False, True]
    assert has["http"].tolist() == [True, True, False, True]
