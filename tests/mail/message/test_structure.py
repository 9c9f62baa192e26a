"""Heads and parts are those that the standard library's parser finds."""

import base64
import quopri
import re
from email import message_from_bytes, policy

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rosenblatt.mail.message.headers import split
from rosenblatt.mail.message.parts import between_boundaries, media_type_of, parts_of
from tests.mail.message.real import real_mails

NAMES = st.text("ABCxyz-09!_", min_size=1, max_size=8)
VALUES = st.text(' \tabc:;="é', max_size=12).map(lambda text: text.strip() or "x")
FOLDED = st.lists(VALUES, min_size=1, max_size=3).map("\n ".join)
LINES = st.text("ab -\xff", max_size=8)
BODIES = st.lists(LINES, max_size=5).map("\n".join)


def headers_of(raw):
    """Return names and values as the standard library finds them."""
    items = message_from_bytes(raw, policy=policy.compat32).raw_items()
    return [(name, str(value).encode("ascii", "surrogateescape")) for name, value in items]


def leaves_of(raw):
    """Return the types and contents of the leaves as the standard library finds them."""
    leaves = [part for part in message_from_bytes(raw).walk() if not part.is_multipart()]
    return [
        (part.get_content_type(), part._payload.encode("ascii", "surrogateescape"))
        for part in leaves
    ]


@given(st.lists(st.tuples(NAMES, FOLDED), min_size=1, max_size=8), BODIES, st.booleans())
def test_a_head_is_that_of_the_standard_library(headers, body, with_returns):
    text = "".join(f"{name}: {value}\n" for name, value in headers) + "\n" + body
    raw = text.replace("\n", "\r\n" if with_returns else "\n").encode("latin-1")
    head, found = split(raw)
    ours = [(n, v.strip(" \t").rstrip("\r").encode("latin-1")) for n, v in head.headers]
    assert ours == [(n, v.strip(b" \t")) for n, v in headers_of(raw)]
    assert found == raw.split(b"\r\n\r\n" if with_returns else b"\n\n", 1)[1]


@pytest.mark.parametrize(
    "raw", [b"a", b"a\nb\n", b"a\n\nb", b"X: y\na", b"X: y\na\n\nb", b"X: y\n z\na: b\nc d: e\nf"]
)
def test_a_line_that_is_none_of_a_head_begins_the_text(raw):
    head, body = split(raw)
    message = message_from_bytes(raw)
    assert body == message._payload.encode()
    assert [name for name, _ in head.headers] == message.keys()
    assert "no-gap" in head.oddities


def container(boundary, parts, kind="mixed"):
    """Write parts into a container."""
    pieces = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{pieces}--{boundary}--\n'


LEAVES = st.builds(
    lambda kind, body: f"Content-Type: {kind}\n\n{body}",
    st.sampled_from(["text/plain", "text/html; charset=utf-8", "image/png", "x/y"]),
    BODIES,
)
TREES = st.recursive(
    LEAVES,
    lambda parts: st.builds(
        container,
        st.sampled_from(["a", "ab", "a b", "=_x", "-"]),
        st.lists(parts, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


# a boundary inside of a part: what follows has no head
@example(container("a b", ["Content-Type: text/plain\n\n--a b\na"]))
@given(TREES)
def test_parts_are_those_of_the_standard_library(text):
    raw = text.encode("latin-1")
    # the standard library takes boundaries that follow each other for one; here they enclose an
    # empty part, as RFC 2046 has it
    assume(not re.search(rb"^(--.+)\n\1$", raw, re.MULTILINE))
    parts, _ = parts_of(*split(raw))
    assert [(part.kind, part.content) for part in parts] == leaves_of(raw)


def test_parts_of_real_mails_are_those_of_the_standard_library():
    n_compared = 0
    for _, raw in real_mails():
        head, body = split(raw)
        if not media_type_of(head.values.get("content-type", "")).startswith("multipart/"):
            continue
        parts, oddities = parts_of(head, body)
        theirs = leaves_of(raw)
        # the standard library takes the reports of mail servers apart as well
        is_report = any(part.kind.startswith("message/") for part in parts)
        if {"no-part", "no-boundary"} & set(oddities) or is_report:
            continue
        assert [part.kind for part in parts] == [kind for kind, _ in theirs]
        for part, (_, content) in zip(parts, theirs, strict=True):
            if part.encoding not in ("base64", "quoted-printable"):
                assert part.content.rstrip() == content.rstrip()
        n_compared += 1
    assert n_compared > 450


def test_a_message_in_a_message_is_opened():
    inner = "Subject: inside\nContent-Type: text/html\n\n<b>hello</b>"
    raw = container("b", [f"Content-Type: message/rfc822\n\n{inner}"]).encode()
    parts, oddities = parts_of(*split(raw))
    assert [(part.kind, part.content) for part in parts] == [("text/html", b"<b>hello</b>")]
    assert "inside:message/rfc822" in oddities


def test_the_parts_of_a_digest_are_messages():
    raw = container("b", ["\nSubject: one\n\nfirst"], kind="digest").encode()
    assert [part.content for part in parts_of(*split(raw))[0]] == [b"first"]


# without returns: quoted-printable is for lines, and which end they have is not kept
@given(st.binary(max_size=60).map(lambda content: content.replace(b"\r", b"")))
def test_transfer_encodings_are_undone(content):
    for name, packed in (
        ("base64", base64.encodebytes(content)),
        ("quoted-printable", quopri.encodestring(content, quotetabs=True)),
    ):
        raw = f"Content-Transfer-Encoding: {name}\n\n".encode() + packed
        parts, oddities = parts_of(*split(raw))
        assert parts[0].content == content
        assert oddities == []


@pytest.mark.parametrize(
    ("body", "pieces", "oddities"),
    [
        (b"before\n--b\none\n--b--\nafter", [b"one"], []),
        (b"--b\r\none\r\n--b \t\r\ntwo\r\n--b--", [b"one", b"two"], []),
        (b"--b\none", [b"one"], ["unclosed"]),
        (b"--b\n--b--", [b""], []),
        (b"--bb\none\n--bb--", [], ["no-part"]),
        (b"a --b\none", [], ["no-part"]),
    ],
)
def test_pieces_are_between_boundaries(body, pieces, oddities):
    assert between_boundaries(body, "b", 10) == (pieces, oddities)
