"""Scores are those of the plain reference, and their parts add up."""

from array import array
from math import fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.kernels.margin_perceptron import TIMES, UPDATES, margin_pass
from rosenblatt.kernels.rows import Presence
from rosenblatt.mail.filter import estimator as scoring
from rosenblatt.mail.filter.estimator import message_scores
from rosenblatt.mail.filter.memory import UNIT, Letters, Witnesses
from rosenblatt.mail.filter.numbering import letter_rows
from rosenblatt.mail.filter.rule import judge_message
from rosenblatt.mail.filter.training import Corpus
from tests.mail.filter.mails import features
from tests.reference import mail_filter as reference

WORDS = [*(f"w{k}" for k in range(8)), *(f"from:{k}" for k in range(6))]
message = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8, unique=True)
messages = st.lists(st.tuples(message, st.integers(0, 1)), min_size=2, max_size=12).filter(
    lambda found: len({label for _, label in found}) == 2
)


def train(found, **options):
    corpus = Corpus()
    for words, label in found:
        corpus.add(features(words), label)
    return corpus.train(**options)


def steps_by_message(memory, found):
    """Return the steps in the order of the messages: equal messages may change places."""
    keys = list(zip(memory.messages.digests.tolist(), memory.messages.labels.tolist(), strict=True))
    waiting = {}
    columns = memory.messages.text_steps, memory.messages.head_steps, memory.messages.letter_steps
    steps = zip(*(part.tolist() for part in columns), strict=True)
    for key, pair in zip(keys, steps, strict=True):
        waiting.setdefault(key, []).append(pair)
    pairs = [waiting[memory.digest(features(words)), label].pop(0) for words, label in found]
    return [[step / UNIT for step in column] for column in zip(*pairs, strict=True)]


@given(messages, message)
@settings(max_examples=60, deadline=None)
def test_a_score_is_that_of_the_plain_reference(found, words):
    memory = train(found)
    expected = 0.0
    everyone = [(words, 0), *found]
    witnesses = [reference.witness(everyone, is_head) for is_head in (False, True)]
    secret = memory.letters.secret
    witnesses.append(
        [(reference.places(features(each).letters, secret), label) for each, label in everyone]
    )
    for witness, steps in zip(witnesses, steps_by_message(memory, found), strict=True):
        (mine, _), *others = witness
        expected += reference.score(mine, others, steps)
    verdict = judge_message(memory, features(words))
    assert verdict.score == pytest.approx(expected, abs=1e-3)
    new = features(["new", "from:new"])  # words that are not known do not change those that are
    assert message_scores(memory, [new, features(words)])[1] == pytest.approx(
        verdict.score, abs=1e-9
    )


@given(messages, message)
@settings(max_examples=40, deadline=None)
def test_what_the_words_add_makes_the_score(found, words):
    verdict = judge_message(train(found), features(words))
    assert fsum([*(part for _, part in verdict.words), verdict.sums.letters]) == verdict.score
    assert fsum(verdict.sums) == pytest.approx(verdict.score, abs=1e-9)


@given(messages, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_pass_is_that_of_the_plain_reference(found, draw):
    order = list(range(len(found)))
    draw.shuffle(order)
    steps, times = [0.0] * len(found), [0.0] * len(found)
    reference.pass_on(found, order, steps, times, 0)
    state = np.zeros((len(found), 3))
    y = np.array([1.0 if label else -1.0 for _, label in found])
    v, clock = np.zeros(len(WORDS)), np.array([0.0, 1.0])
    margin_pass(*rows_of(found), y, np.array(order), reference.MARGIN, v, state, clock)
    assert state[:, UPDATES].tolist() == steps
    assert state[:, TIMES].tolist() == times


@pytest.mark.parametrize(
    ("margins", "pace", "n_left_out"), [(1.9, 1, 0), (2.5, 1, 2), (1.4, 2, 0), (1.6, 2, 3)]
)
def test_a_row_on_the_right_side_is_left_alone_for_longer_in_later_passes(
    margins, pace, n_left_out
):
    row = Presence(np.array([0], dtype=np.int32), np.array([0, 1]))
    v, state, clock = np.array([10.0 * margins]), np.zeros((1, 3)), np.array([0.0, pace])
    one, order = np.ones(1), np.zeros(1, dtype=np.int64)
    for _ in range(1 + n_left_out):
        assert margin_pass(row, one, one, one, order, 10.0, v, state, clock) == 0
        v[0] = -1.0  # wrong from now on, which is not seen while the row is left alone
    assert margin_pass(row, one, one, one, order, 10.0, v, state, clock) == 1


def rows_of(found):
    indices = [WORDS.index(word) for words, _ in found for word in words]
    lengths = np.array([len(words) for words, _ in found])
    rows = Presence(np.array(indices, dtype=np.int32), np.cumsum([0, *lengths]))
    squares = np.array([reference.evidence(word, found) ** 2 for word in WORDS])
    return rows, 1 / np.sqrt(lengths), squares


def test_scores_do_not_change_when_new_words_are_forgotten(monkeypatch):
    memory = train([(["free", "from:x"], 1), (["lunch"], 0)])
    sent = [features([f"new{k}", "free", "from:x"][k % 3 :]) for k in range(9)]
    at_once = message_scores(memory, sent)
    monkeypatch.setattr(scoring, "MANY", 2)
    monkeypatch.setattr(scoring, "MOST_NEW", 0)
    assert message_scores(memory, sent).tolist() == pytest.approx(at_once.tolist(), abs=1e-12)
    assert len(set(at_once.round(9).tolist())) == 3


def test_one_message_of_each_kind_is_enough_to_begin():
    memory = train([(["free", "money"], 1), (["lunch", "today"], 0)])
    # both are known, neither is sure enough after one message
    spam, ham = (judge_message(memory, features(words)) for words in (["free", "money"], ["lunch"]))
    assert spam.score > 0 > ham.score
    assert ham.label == "unsure"


def test_a_word_never_seen_says_nothing():
    memory = train([(["free", "money"], 1), (["lunch", "today"], 0)])
    assert judge_message(memory, features(["something", "else"])).words == []


def test_messages_are_unsure_between_the_marks():
    memory = train([(["free"], 1), (["lunch"], 0)])
    assert memory.label_of(memory.spam_from) == "spam"
    assert memory.label_of(np.nextafter(memory.spam_from, -np.inf)) == "unsure"
    assert memory.label_of(memory.ham_below) == "unsure"
    assert memory.label_of(np.nextafter(memory.ham_below, -np.inf)) == "ham"


def test_the_same_messages_give_the_same_filter():
    found = [(["free", f"s{k}"], 1) for k in range(20)] + [
        (["lunch", f"h{k}"], 0) for k in range(20)
    ]
    assert_same(train(found, seed=3), train(found, seed=3))


def assert_same(first, second):
    """All columns have the same bytes."""
    columns = ((*memory.words, *memory.messages) for memory in (first, second))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*columns, strict=True))


def test_a_filter_can_be_trained_again_after_more_messages():
    found = [(["free"], 1), (["lunch"], 0), (["money", "from:x"], 1)]
    corpus = Corpus()
    for words, label in found[:2]:
        corpus.add(features(words), label)
    assert corpus.train().n_spam == 1
    corpus.add(features(found[2][0]), 1)
    assert_same(corpus.train(), train(found))


@given(st.binary(max_size=60), st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_windows_have_the_same_places_one_by_one_and_in_bulk(letters, half):
    secret = 2 * half + 1
    expected = reference.places(letters, secret)
    assert sorted(Letters(secret, (), (), ()).places(letters)) == expected
    stops = array("q", [4, 4 + len(letters)])
    indices, indptr = letter_rows(bytearray(b"abcd" + letters), stops, secret)
    assert sorted(indices[indptr[1] :].tolist()) == expected


def test_letters_alone_tell_messages_apart():
    found = [(Witnesses(b"", b"", b"%d <font color=red>" % k), 1) for k in range(9)]
    found += [(Witnesses(b"", b"", b"%d on Monday I wrote" % k), 0) for k in range(9)]
    corpus = Corpus()
    for one, label in found:
        corpus.add(one, label)
    memory = corpus.train()
    verdict = judge_message(memory, Witnesses(b"", b"", b"7 font color"))
    assert verdict.score == verdict.sums.letters > 0
    assert judge_message(memory, Witnesses(b"", b"", b"Monday")).score < 0
