"""Words of documents are numbered as a dictionary would number them."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.mail.filter import numbering
from rosenblatt.mail.filter.numbering import Numbering

DOCUMENT = st.text("ab\x00\t\n  é", max_size=300) | st.lists(
    st.text("abcdefgh", min_size=1, max_size=20), max_size=40
).map(" ".join)


def words_of(document):
    """Return the words of a document, each once, as the kernel defines them."""
    black = bytes(b if b > 32 else 32 for b in document)
    return list(dict.fromkeys(black.split()))


def names_of(found):
    names, ends = found.names()
    return [names[a:b].tobytes() for a, b in pairwise(ends)]


@given(st.lists(DOCUMENT.map(str.encode), max_size=30), st.sampled_from([16, 1 << 20]))
@settings(max_examples=100, deadline=None)
def test_numbers_are_those_of_a_dictionary(documents, batch):
    before = numbering.BATCH, numbering.LEAST
    numbering.BATCH, numbering.LEAST = batch, 2  # so that the table has to grow, and often
    try:
        found = Numbering()
        for document in documents:
            found.add(document)
        indices, indptr = found.rows()
    finally:
        numbering.BATCH, numbering.LEAST = before
    numbers = {}
    for k, document in enumerate(documents):
        expected = [numbers.setdefault(word, len(numbers)) for word in words_of(document)]
        assert indices[indptr[k] : indptr[k + 1]].tolist() == expected
    assert names_of(found) == list(numbers)
    assert len(found) == len(numbers)


def test_words_of_any_length_and_place_are_found():
    documents = [b" " * k + b"x" * n for k in (0, 1, 63, 64, 65) for n in (0, 1, 63, 64, 65, 1000)]
    found = Numbering()
    text, stops = b"".join(documents), np.cumsum([len(document) for document in documents])
    indices, indptr = found.number(np.frombuffer(text, dtype=np.uint8), stops)
    names = names_of(found)
    for k, document in enumerate(documents):
        assert [names[j] for j in indices[indptr[k] : indptr[k + 1]]] == words_of(document)


def test_rows_can_be_forgotten_and_words_stay():
    found = Numbering()
    found.add(b"to be")
    found.rows()
    found.forget_rows()
    found.add(b"or be")
    assert [part.tolist() for part in found.rows()] == [[2, 1], [0, 2]]
