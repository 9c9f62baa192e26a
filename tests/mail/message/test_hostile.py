"""Whatever comes gives words, and what is wrong with it is one of them."""

import gzip
import io
import tracemalloc

import pytest

from rosenblatt.mail import read, words
from rosenblatt.mail.message import limits
from rosenblatt.mail.message.body import TAGS, _pieces, _without_long_tags
from rosenblatt.mail.message.boxes import Unpacked
from rosenblatt.mail.message.headers import split
from rosenblatt.mail.message.parts import parts_of
from tests.mail.message.hostile import CASES, CONTAINER, HTML

# what each of them is known by, if it is beyond a limit or broken
TAGGED = {
    "parts in parts": "mime:deep",
    "messages in messages": "mime:deep",
    "empty parts": "mime:parts",
    "almost boundaries": "mime:no-part",
    "boundary never found": "mime:no-part",
    "parentheses": "mime:long-header",
    "addresses": "mime:long-header",
    "encoded words": "mime:long-header",
    "quote never closed": "mime:long-header",
    "headers": "mime:many-headers",
    "zeros": "look:nul",
    "zeros in a text": "look:nul",
    "broken base64": "mime:broken-base64",
    "punycode": "charset:unknown",
    "idna": "charset:unknown",
    "utf-7": "charset:unknown",
    "unicode_escape": "charset:unknown",
    "charset with a zero": "charset:unknown",
    "no charset": "charset:unknown",
}


@pytest.mark.parametrize("case", CASES)
def test_hostile_mail_gives_words(case):
    found = set(words(CASES[case](100_000)).split())
    assert TAGGED.get(case, "no:date") in found
    broken = [feature for feature in found if feature.startswith("mime:")]
    assert ("mime:broken" in found) == any(
        not feature.startswith(("mime:inside:", "mime:no-body")) for feature in broken
    )


@pytest.mark.parametrize("n", [1000, 100_000])
def test_parts_in_parts_are_opened_to_a_limit(n):
    parts, oddities = parts_of(*split(CASES["parts in parts"](n)))
    assert len(parts) == 1
    assert "deep" in oddities
    # the levels that were opened are gone, the rest is there as text
    assert parts[0].content.startswith(b"--b%d\n" % limits.LEVELS)


def test_parts_are_counted():
    parts, oddities = parts_of(*split(CASES["empty parts"](100_000)))
    assert len(parts) == limits.PARTS
    assert "parts" in oddities


def test_as_many_parts_as_allowed_are_all_read():
    mail = CONTAINER + b"--b\n\nword\n" * limits.PARTS + b"--b--\n"
    parts, oddities = parts_of(*split(mail))
    assert [part.content for part in parts] == [b"word"] * limits.PARTS
    assert oddities == ["inside:multipart/mixed"]


def test_a_long_header_is_cut():
    head, _ = split(b"Subject: " + b"a" * (1 << 20) + b"\n\nx")
    assert len(head.values["subject"]) == limits.LINE
    assert "long-header" in head.oddities


def test_a_long_head_is_cut():
    head, body = split(b"X: " + b"a" * 60 + b"\n" + b"Y: b\n" * limits.HEAD + b"\nx")
    assert len(head.headers) == limits.HEADERS
    assert {"long-head", "many-headers"} <= set(head.oddities)
    assert body == b"x"


def test_a_long_message_is_cut():
    found = words(b"Subject: a\n\n" + b"word " * (limits.MESSAGE // 5) + b"theend").split()
    assert "theend" not in found
    assert "mime:cut" in found


def test_much_html_is_cut():
    found = words(HTML + b"<p>word " * (limits.HTML // 8) + b"theend").split()
    assert "theend" not in found
    assert "html:?cut" in found


def test_html_is_parsed_in_small_pieces():
    pieces = list(_pieces("<b>" * 10 * TAGS))
    assert max(piece.count("<") for piece in pieces) <= TAGS
    assert "".join(pieces) == "<b>" * 10 * TAGS


def test_a_tag_of_many_attributes_is_ended():
    piece = _without_long_tags("<a " + "x y=' z " * 10_000)
    assert max(map(len, piece.split(">"))) < 5000


def test_a_bomb_is_unpacked_to_a_limit():
    bomb = gzip.compress(b"Subject: a\n\n" + bytes(64 << 20))
    content = Unpacked(io.BytesIO(bomb).read)
    n_bytes = sum(map(len, content.blocks()))
    assert content.marks == ["gzip:bomb"]
    assert n_bytes <= max(limits.MESSAGE, limits.GROWTH * len(bomb)) + (1 << 20)


def test_a_bomb_in_a_mailbox_is_a_marked_message(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"Subject: a\n\n" + bytes(64 << 20)))
    (message,) = read(path)
    assert message.marks == ("gzip:bomb",)
    assert "subject:a" in words(message.raw).split()


def test_memory_is_bounded():
    mail = CASES["parts in parts"](20_000)
    tracemalloc.start()
    try:
        words(mail)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * len(mail)
