"""What a message is like becomes words."""

import subprocess
import sys
from collections import Counter
from email.header import Header, decode_header, make_header
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.mail import features, words
from rosenblatt.mail.message.charsets import CODECS, decode_text, known
from rosenblatt.mail.message.headers import parameters, to_text
from rosenblatt.mail.message.plain import plain_words
from tests.mail.message.real import real_mails

MAIL = b"""Return-Path: <bounce@lists.example.net>
Received: from mx.example.com (dsl.example.net [10.0.0.1]) by me.here.example; today
From: "Cheap Offers" <win123@mail.Example.com>
To: a@example.org, b@example.org
Reply-To: other@elsewhere.example
Subject: =?utf-8?q?FREE_M=C3=96NEY!!?=
Message-Id: <2024.ABC@mail.example.com>
X-Spam-Status: Yes, score=99
Delivered-To: me@here.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_b"

--=_b
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<html><style>p {color: red}</style><p>Caf=E9 <a href=3D"http://Click.example.net:81/x">
gr&aacute;tis</a> for <font color=3D#FF0000>y</font>ou, subject:forged
--=_b
Content-Type: application/x-msdownload; name="bill.EXE"
Content-Disposition: attachment

MZ
--=_b--
"""


@pytest.mark.parametrize(
    "feature",
    [
        "café",
        "grátis",
        "you",
        "subject:free",
        "subject:möney!!",
        "from:cheap",
        "from:@mail.example.com",
        "from:@example.com",
        "to:?2",
        "reply:@elsewhere.example",
        "id:<9.A@a.a.a>",
        "header:Message-Id",
        "no:date",
        "link:click.example.net",
        "link:example.net",
        "link:?port",
        "type:text/html",
        "type:application/x-msdownload",
        "type:?attached",
        "file:exe",
        "charset:iso-8859-1",
        "encoding:quoted-printable",
        "boundary:=_a",
        "received:?other",
        "received:@example.net",
        "return:?not-as-from",
    ],
)
def test_a_message_has_its_features(feature):
    assert feature in features(MAIL)


@pytest.mark.parametrize("text", ["subject:forged", "red", "x-spam-status", "99", "me"])
def test_what_must_not_be_told_is_not(text):
    found = features(MAIL)
    assert text not in found
    assert not any("spam" in feature or "delivered" in feature for feature in found)


def test_features_are_the_words_each_once():
    assert Counter(features(MAIL)) == Counter(set(words(MAIL).split()))


def test_a_text_cannot_forge_what_has_a_prefix():
    body = " ".join(feature for feature in features(MAIL) if ":" in feature)
    found = plain_words(body).split()
    assert not [word for word in found if ":" in word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't STOP", "dont stop"),
        ("pay $5!", "pay $5!"),
        ("a_b-c.d", "a b c d"),
        ("fr\u200bee vi\u00adagra", "free viagra"),
        ("one\xa0two\u2014three", "one two three"),
        ("ÉCOLE", "école"),
        ("हिन्दी", "हिन्दी"),
        ("免费赚钱 now", "免 费 赚 钱 now"),
    ],
)
def test_a_text_becomes_words(text, expected):
    assert plain_words(text).split() == expected.split()


@given(st.text())
def test_words_are_small_and_have_no_sign_between_them(text):
    for word in plain_words(text).split():
        assert word == word.lower()
        assert not set(word) & set(":;,.\"'<>@/\\")


@given(st.text(min_size=1, max_size=60).filter(lambda text: text.isprintable()))
def test_encoded_words_are_read_as_the_standard_library_writes_them(text):
    written = Header(text, "utf-8").encode(maxlinelen=0)
    assert to_text(written)[0] == str(make_header(decode_header(written)))


@given(st.text("abc äö%'\u20ac", min_size=1, max_size=90).filter(lambda t: t == t.strip()))
def test_file_names_are_read_as_the_standard_library_writes_them(name):
    message = EmailMessage()
    message.add_attachment(b"", maintype="a", subtype="b", filename=name)
    part = message.as_bytes().split(b"Content-Disposition:")[1].split(b"\n\n")[0]
    expected = next(message.iter_attachments()).get_filename()
    assert parameters(part.decode("latin-1"))["filename"] == expected


@pytest.mark.parametrize("name", ["punycode", "idna", "utf-7", "unicode_escape", "zip", "a\0b", ""])
def test_dangerous_charsets_are_unknown(name):
    assert known(name) == "unknown"
    assert decode_text(b"a\xff", known(name)) == ("aÿ", False)


@given(st.sampled_from(sorted(CODECS)), st.binary(max_size=50))
def test_every_charset_reads_any_bytes(charset, content):
    text, is_right = decode_text(content, known(charset))
    assert isinstance(text, str)
    assert is_right or not content.isascii() or charset != "ascii"


def test_every_real_mail_gives_words():
    counts = Counter()
    for folder, raw in real_mails():
        found = features(raw)
        assert len(found) > 20
        assert not [feature for feature in found if not feature.isprintable()]
        counts[folder] += 1
    assert sum(counts.values()) == 6046


def test_reading_mail_loads_nothing_heavy():
    code = (
        "import sys; from rosenblatt.mail import words; words(b'a: b\\n\\n<p>c');"
        "print(*{'sklearn', 'scipy', 'numpy', 'pandas', 'pyarrow', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_western_texts_give_the_same_words_by_bytes_and_by_characters():
    for byte in range(256):
        for codec in ("latin-1", "cp1252"):
            text = b"x%cy" % byte
            sign = text.decode(codec, "ignore")
            # a letter of another script: now it cannot be done by bytes
            assert plain_words(sign).split() == plain_words(f"{sign} \u0436").split()[:-1]
