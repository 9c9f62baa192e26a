"""Mail that is almost right: real structure, changed at random."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rosenblatt.mail import features, words
from rosenblatt.mail.message.charsets import CODECS
from rosenblatt.mail.message.header_features import received_words
from rosenblatt.mail.message.words import LETTERS, features_by_source
from tests.mail.message.test_words import MAIL

PIECES = [
    b"Content-Type: multipart/mixed; boundary=",
    b"Content-Type: text/html; charset=",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Disposition: attachment; filename*0*=utf-8''%E4;",
    b"Subject: =?utf-8?q?=?=\n",
    b"From: <@>\n",
    b"--b\n",
    b"--b--\n",
    b"--=_b",
    b"\n\n",
    b"\r\n",
    b"\0",
    b"\xff\xfe",
    b"=?",
    b"?=",
    b'"',
    b"\\",
    b";",
    b"<a href='http://",
    b"<!--",
    b"&#xD800;",
    b"~{",
    b"\x1b$B",
    *(name.encode() for name in CODECS),
]
MAILS = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=30).map(b"".join)


@st.composite
def changed(draw):
    """Return the message of the other tests with some pieces put in and some cut out."""
    mail = MAIL
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(mail)))
        length = draw(st.integers(0, 40))
        mail = mail[:start] + draw(st.sampled_from(PIECES)) + mail[start + length :]
    return mail


def check(mail):
    """Any bytes give features: text that can be written, none with a space, none empty.

    No control character is in one, since a word ends there for some, and all of the letterhead
    have a prefix.
    """
    found = features(mail)
    assert found
    assert len(set(found)) == len(found)
    assert words(mail).encode("utf-8")
    for feature in found:
        assert feature.split() == [feature]
        assert min(feature) > " "
    (parts,) = features_by_source([mail])
    texts = parts.text, parts.head, received_words(parts.hops)
    text, head, way = (set(part.encode("utf-8", "surrogatepass").split()) for part in texts)
    assert len(parts.letters) <= LETTERS
    assert not text & (head | way)
    assert all(b":" in word for word in head | way)
    assert text | head == {word.encode("utf-8", "surrogatepass") for word in found}


@given(MAILS | changed() | st.binary(max_size=200))
@example(b"")
@example(b"\n")
@example(b"From ")
@example(b"Content-Type: multipart/mixed; boundary=\xe9\n\n--\xe9\n\nx")
@example(b"Content-Type: multipart/mixed; boundary*=utf-8''%E2%82%AC\n\n--x\n\nx")
@example(b"Content-Type: text/html\n\n&#xD800;")
@example(b"Message-Id: a\x01b\x1cc\nReceived: from a.b (c.d\x02e.f\nDate: \x03\n\n")
@example(b'Content-Type: text/plain; name="a.b\x04c"; boundary=\x05\n\n')
@example(b"Message-Id: a \x85 b\nX-\xe9: a\n\n")
def test_any_bytes_give_features(mail):
    check(mail)


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None)
@given(MAILS | changed())
def test_any_bytes_give_features_for_long(mail):
    check(mail)
