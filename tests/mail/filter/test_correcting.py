"""Learning is undone exactly, in any order, and only what was learned."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataError
from rosenblatt.mail.filter.correcting import Correction
from rosenblatt.mail.filter.memory import HAM, SPAM
from rosenblatt.mail.filter.rule import judge_message
from tests.mail.filter.mails import features
from tests.mail.filter.test_rule import message, messages, train

more = st.lists(st.tuples(message, st.integers(0, 1)), min_size=1, max_size=6)


def columns(memory):
    parts = (*memory.words, *memory.letters[1:], *memory.messages, *memory.judged)
    arrays = [np.asarray(part).tobytes() for part in parts]
    return [*arrays, memory.spam_from, memory.ham_below]


def learned(memory, found):
    correction = Correction(memory)
    for words, label in found:
        correction.learn(features(words), label)
    return correction.memory()


def forgotten(memory, found):
    correction = Correction(memory)
    for words, label in found:
        correction.forget(features(words), label)
    return correction.memory()


@given(messages, more)
@settings(max_examples=40, deadline=None)
def test_learning_and_forgetting_leaves_every_bit_as_it_was(found, new):
    memory = train(found)
    assert columns(forgotten(learned(memory, new), new[::-1])) == columns(memory)


@given(messages, more)
@settings(max_examples=20, deadline=None)
def test_one_at_a_time_is_the_same_as_all_at_once(found, new):
    memory = train(found)
    step_by_step = memory
    for one in new:
        step_by_step = learned(step_by_step, [one])
    assert columns(step_by_step) == columns(learned(memory, new))


@given(messages, more)
@settings(max_examples=40, deadline=None)
def test_counts_are_those_of_the_messages_that_are_known(found, new):
    memory = forgotten(learned(train(found), new), found[:1])
    known = found[1:] + new
    for column, kind in ((memory.letters.spam, SPAM), (memory.letters.ham, HAM)):
        counts = Counter(
            place
            for words, label in known
            if label == kind
            for place in memory.places_of(features(words))
        )
        assert {k: int(column[k]) for k in np.flatnonzero(column).tolist()} == counts
    for word in {word for words, _ in known for word in words}:
        place = memory.words.find(word.encode())
        for column, kind in ((memory.words.spam, SPAM), (memory.words.ham, HAM)):
            there = sum(word in words for words, label in known if label == kind)
            assert column[place] == there
    assert len(memory.words.keys) == len({word for words, _ in known for word in words})


@given(messages)
@settings(max_examples=30, deadline=None)
def test_forgetting_everything_leaves_nothing(found):
    memory = forgotten(train(found), found)
    assert len(memory.words.keys) == len(memory.messages.digests) == 0
    assert not any(np.asarray(column).any() for column in memory.letters[1:])


def test_a_message_never_learned_cannot_be_forgotten():
    memory = train([(["free"], 1), (["lunch"], 0)])
    with pytest.raises(DataError, match="never learned as ham"):
        forgotten(memory, [(["dinner"], HAM)])
    with pytest.raises(DataError, match="it was learned as spam"):
        forgotten(memory, [(["free"], HAM)])


def test_a_corrected_message_changes_its_side():
    memory = train([([f"s{k}", "free"], 1) for k in range(9)] + [([f"h{k}"], 0) for k in range(9)])
    words = ["free", "lunch"]
    assert judge_message(memory, features(words)).score > 0
    score = judge_message(learned(memory, [(words, HAM)]), features(words)).score
    assert score == pytest.approx(-20, abs=0.01)  # text and letters, each to the margin


def test_a_message_learned_twice_counts_twice():
    memory = train([(["free"], 1), (["lunch"], 0)])
    twice = learned(memory, [(["free"], SPAM)])
    assert (twice.n_spam, twice.words.spam[twice.words.find(b"free")]) == (2, 2)
