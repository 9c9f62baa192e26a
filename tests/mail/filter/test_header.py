"""One line more, and every other byte as it was."""

import re
from email import message_from_bytes

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rosenblatt.mail.filter.header import tagged, untagged, value_of
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import MessageVerdict

HAM = MessageVerdict("ham", -3.25, [("lunch", -3.0), ("noon", -0.25)])
LINE = b"X-Rosenblatt: ham; score=-3.250; words=lunch,noon"

pieces = st.sampled_from(
    [
        b"From a 10:00",
        b"From: x",
        b"X: y",
        b"\n",
        b"\r\n",
        b"\r",
        b"\n\n",
        b" folded",
        b"\xff\0",
        b"",
    ]
)
raws = st.one_of(st.binary(max_size=60), st.lists(pieces, max_size=8).map(b"".join))


@given(raws)
@example(b"")
@example(b"no headers at all")
@example(b"\nbody only")
@example(b"From a 10:00\n\nbody")
@example(b"From a without an end")
@example(b" begins with a blank")
@example(b"A: b\r\n\r\n8-bit \xe9 and NUL \0\n")
def test_without_its_line_a_message_is_as_before(raw):
    found = tagged(raw, HAM)
    match = re.search(re.escape(LINE) + rb"\r?\n", found)
    assert found[: match.start()] + found[match.end() :] == raw


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_line_ends_as_the_others_do(end):
    raw = b"Subject: a" + end + end + b"text" + end
    assert tagged(raw, HAM) == LINE + end + raw


def test_the_line_comes_behind_the_line_of_an_mbox():
    raw = b"From a Mon Jan 1 10:00\nSubject: b\n\ntext"
    assert tagged(raw, HAM).splitlines()[:2] == [raw.splitlines()[0], LINE]


FORGED = [
    b"X-Rosenblatt: ham; score=-9",
    b"x-rosenblatt: ham",
    b"X-ROSENBLATT:ham",
    b"X-Rosenblatt : ham",
    b"X-Rosenblatt:\n ham",
    b"X-Rosenblatt\t:\r\n\tham",
]


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize(
    "before", [b"", b"Subject: a\n", b"Subject: a\r\n", b"no header\n", b"A: b\r"]
)
def test_a_forged_line_is_renamed(forged, before):
    found = tagged(before + forged + b"\n\nX-Rosenblatt: in the text\n", HAM)
    assert found.endswith(b"\n\nX-Rosenblatt: in the text\n")
    message = message_from_bytes(found)
    assert message.get_all("X-Rosenblatt") == [LINE.decode().partition(": ")[2]]
    head = found.split(b"\n\n")[0]
    assert len(re.findall(rb"(?im)(?:^|\r)x-rosenblatt", head)) == 1
    assert b"X-Old-Rosenblatt" in head


@pytest.mark.parametrize("forged", FORGED)
def test_what_a_filter_said_is_not_seen_by_the_next(forged):
    raw = b"Subject: a\n\ntext"
    assert untagged(tagged(raw, HAM)) == raw
    assert untagged(tagged(b"To: b\n" + raw, HAM)) == b"To: b\n" + raw
    if not forged.startswith(b"X-Rosenblatt\t"):
        assert untagged(forged + b"\n" + raw) == raw


odd = st.sampled_from([*FORGED, b"X-Old-Rosenblatt: a", b"X-Rosenblatt", b"\tb", b"Subject: c"])
odd_raws = st.lists(pieces | odd, max_size=8).map(b"".join)


@given(raws | odd_raws)
@example(b"\rX-Rosenblatt:")
@example(b"\tfolded\0\n")
@example(b"From a 10:00\n folded\nX-Rosenblatt: b\n c\n\ntext")
def test_a_message_has_the_same_words_when_it_is_filed(raw):
    assert features_of(tagged(raw, HAM)) == features_of(raw)
    assert features_of(tagged(tagged(raw, HAM), HAM)) == features_of(raw)


@given(st.lists(st.tuples(st.text(max_size=5), st.just(1.0)), max_size=8))
def test_words_cannot_break_the_line(words):
    value = value_of(MessageVerdict("spam", 1.0, words))
    assert value.isascii()
    assert value.isprintable()
    assert value.count(";") == 2
    assert len(value) < 300
