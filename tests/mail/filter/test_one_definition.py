"""A word is the same word everywhere: learned with many, learned alone, forgotten, scored."""

from dataclasses import replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rosenblatt
from rosenblatt.mail.filter.correcting import Correction
from rosenblatt.mail.filter.estimator import MailFilter, message_scores
from rosenblatt.mail.filter.file import read_memory, write_memory
from rosenblatt.mail.filter.memory import HAM, SPAM, Words, each_once, is_sound
from rosenblatt.mail.filter.numbering import Numbering
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import judge_message
from rosenblatt.mail.filter.training import Corpus
from tests.mail.filter.mails import mail, mails
from tests.mail.filter.test_correcting import columns

HEADERS = [
    b"Message-ID: <%s@x>",
    b"Date: Mon, %s 2024",
    b"From: a%s@example.org",
    b"Received: from a.example (b.%s.example [1.1.1.1])",
    b"Content-Type: multipart/mixed; boundary=%s",
    b'Content-Type: text/plain; name="a.%s"',
    b"X-%s: y",
    b"Subject: %s",
]
letters = st.binary(max_size=6) | st.sampled_from([bytes([byte]) for byte in range(33)])
values = st.lists(st.sampled_from([b"free", b"a", b"9"]) | letters, max_size=4).map(b"".join)
lines = st.lists(st.builds(bytes.__mod__, st.sampled_from(HEADERS), values), max_size=5)
odd_mails = st.builds(lambda head, body: b"\n".join([*head, b"", body]), lines, values)


def trained(found):
    corpus = Corpus()
    for raw, label in found:
        corpus.add(features_of(raw), label)
    return corpus.train()


def names_of(words):
    names, ends = bytes(words.names), list(words.ends)
    return [names[a:b] for a, b in pairwise(ends)]


@given(st.binary(max_size=200) | st.lists(letters).map(b" ".join))
@example(bytes(range(256)))
@settings(deadline=None)
def test_any_bytes_are_cut_into_the_same_words(document):
    numbering = Numbering()
    numbering.add(document)
    indices, _ = numbering.rows()
    names, ends = numbering.names()
    found = [names[a:b].tobytes() for a, b in pairwise(ends)]
    assert each_once(document) == found
    assert indices.tolist() == list(range(len(found)))


@given(odd_mails)
@example(b"Message-ID: <x\1a@z>\n\na free lunch")
@settings(max_examples=60, deadline=None)
def test_any_message_has_one_score_and_is_forgotten_to_the_last_bit(odd):
    known = [(raw, SPAM) for raw in mails("spam", 3)] + [(raw, HAM) for raw in mails("ham", 3)]
    features, before = features_of(odd), trained(known)
    correction = Correction(before)
    correction.learn(features, SPAM)
    for memory in (trained([*known, (odd, SPAM)]), correction.memory()):
        assert is_sound(memory.words)
        assert len(set(names_of(memory.words))) == len(memory.words.keys)
        assert list(map(crc32, names_of(memory.words))) == memory.words.keys.tolist()
        score = judge_message(memory, features).score
        assert message_scores(memory, [features])[0] == pytest.approx(score, abs=1e-9)
        correction = Correction(memory)
        correction.forget(features, SPAM)
        after = correction.memory()
        assert min([0, *after.words.spam, *after.words.ham]) == 0
        assert sorted(names_of(after.words)) == sorted(names_of(before.words))
    assert columns(after) == columns(before)  # of the one that was learned alone


def table_of(memory):
    facts = zip(*(part.tolist() for part in memory.words[3:]), strict=True)
    return dict(zip(names_of(memory.words), facts, strict=True))


def old_filter(found):
    """Return a filter that has learned, and entries of words that no version writes any more."""
    model = MailFilter().fit(mails("spam", 5) + mails("ham", 5), ["spam"] * 5 + ["ham"] * 5)
    memory = model.memory()
    entries = [(name, *facts) for name, facts in table_of(memory).items()] + found
    entries.sort(key=lambda entry: (crc32(entry[0]), entry[0]))
    names, spam, ham, weights = zip(*entries, strict=True)
    words = Words(
        np.array(list(map(crc32, names)), dtype=np.uint32),
        np.cumsum([0, *map(len, names)]).astype(np.uint32),
        np.frombuffer(b"".join(names), dtype=np.uint8),
        np.array(spam, dtype=np.int32),
        np.array(ham, dtype=np.int32),
        np.array(weights, dtype=np.int64),
    )
    return memory, replace(memory, words=words)


# what an earlier version left: trained and forgotten alone; learned alone; a count below 0
LEFT = {
    "forgotten": ([(b"id:<a\1a>", -1, 0, -700), (b"id:<a", 1, 0, 700), (b"a>", 1, 0, 700)], {}),
    "learned": ([(b"id:<a\1a>", 1, 0, 700)], {b"id:<a": (1, 0, 700), b"a>": (1, 0, 700)}),
    "below": ([(b"alone", -1, 0, 5), (b"both", -1, 2, 5)], {b"both": (0, 2, 5)}),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_file_of_an_earlier_version_is_healed_when_it_is_read(case, tmp_path):
    found, expected = LEFT[case]
    before, old = old_filter(found)
    path = tmp_path / "old.rosenblatt"
    write_memory(path, old, {})
    memory, loaded = read_memory(path), rosenblatt.load(path)
    assert table_of(memory) == table_of(before) | expected
    raw = mail("spam", 9)
    score = judge_message(memory, features_of(raw)).score
    assert loaded.decision_function([raw])[0] == pytest.approx(score, abs=1e-9)


def test_of_a_word_that_is_there_twice_the_first_counts_everywhere():
    _, old = old_filter([(b"money", 3, 0, 1 << 24)])
    features = features_of(mail("spam", 9) + b" money")
    score = judge_message(old, features).score
    assert message_scores(old, [features])[0] == pytest.approx(score, abs=1e-9)
