"""Mail made to hurt whoever reads it: each function returns a message of n of something."""

from collections.abc import Callable

CONTAINER = b"Content-Type: multipart/mixed; boundary=b\n\n"
HTML = b"Content-Type: text/html\n\n"


def _text(charset: bytes, content: bytes) -> bytes:
    return b"Content-Type: text/plain; charset=" + charset + b"\n\n" + content


def _nested(n: int) -> bytes:
    level = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    return b"".join(level % (k, k) for k in range(n)) + b"\nin the middle"


def _attributes(n: int, form: bytes) -> bytes:
    return HTML + b"<a " + b"".join(form % k for k in range(n)) + b">"


CASES: dict[str, Callable[[int], bytes]] = {
    "parts in parts": _nested,
    "parts in parts of one boundary": lambda n: (CONTAINER + b"--b\n") * n,
    "messages in messages": lambda n: b"Content-Type: message/rfc822\n\n" * n,
    "empty parts": lambda n: CONTAINER + b"--b\n" * n,
    "almost boundaries": lambda n: CONTAINER + b"\n--bx" * n,
    "almost boundaries, deep": lambda n: (CONTAINER + b"--b\n") * 60 + b"\n--bx" * n,
    "boundary never found": lambda n: CONTAINER + b"a line\n" * n,
    "parentheses": lambda n: b"From: " + b"(" * n + b"\n\nx",
    "addresses": lambda n: b"To: " + b", ".join(b"a@b%d.c" % k for k in range(n)) + b"\n\nx",
    "at signs": lambda n: b"From: " + b"@" * n + b"\n\nx",
    "encoded words": lambda n: b"Subject: " + b"=?utf-8?q?a?= " * n + b"\n\nx",
    "encoded words, folded": lambda n: b"Subject:" + b"\n =?utf-8?b?YQ==?=" * n + b"\n\nx",
    "encoded words, open": lambda n: b"Subject: " + b"=?utf-8?q?" * n + b"\n\nx",
    "quote never closed": lambda n: b'Content-Type: text/plain; name="' + b"\\" * n + b"\n\nx",
    "parameters": lambda n: b"Content-Type: text/plain" + b";a=b" * n + b"\n\nx",
    "folded lines": lambda n: b"Subject: a\n" + b" b\n" * n + b"\nx",
    "blank lines": lambda n: b"Subject: a\n" + b" \n" * n + b"\nx",
    "headers": lambda n: b"".join(b"X-%d: a\n" % k for k in range(n)) + b"\nx",
    "one long header": lambda n: b"Subject: " + b"a" * n + b"\n\nx",
    "no colon": lambda n: b"abc\n" * n + b"\nx",
    "returns": lambda n: b"\r" * n,
    "newlines": lambda n: b"\n" * n,
    "zeros": lambda n: b"\0" * n,
    "zeros in a text": lambda n: b"Subject: a\n\n" + b"a\0" * n,
    "links": lambda n: b"\n" + b"http://a.b/ " * n,
    "slashes": lambda n: b"\n" + b"://" * n,
    "elements in elements": lambda n: HTML + b"<div>" * n,
    "attributes": lambda n: _attributes(n, b"a%d=1 "),
    "attributes in quotes": lambda n: _attributes(n, b"a%d='1'"),
    "attributes in slashes": lambda n: _attributes(n, b"a%d/"),
    "closed, not opened": lambda n: HTML + b"<b>" * n + b"</i>" * n,
    "letters in bold": lambda n: HTML + b"<b>" * n + b"<p>x</p>" * n,
    "less than": lambda n: HTML + b"<" * n,
    "tables": lambda n: HTML + b"<table><tr><td>" * n,
    "entities": lambda n: HTML + b"&#x41;" * n,
    "comments": lambda n: HTML + b"<!--" * n,
    "broken base64": lambda n: b"Content-Transfer-Encoding: base64\n\n" + b"Q=!\xff" * n,
    "broken quoted-printable": lambda n: (
        b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * n
    ),
    "signs without spaces": lambda n: _text(b"utf-8", "\u4e00".encode() * n),
    "marks": lambda n: _text(b"utf-8", "\u0300\u0323".encode() * n),
    "punycode": lambda n: _text(b"punycode", b"a" * n + b"-" + b"9" * n),
    "idna": lambda n: _text(b"idna", b"a." * n),
    "utf-7": lambda n: _text(b"utf-7", b"+AGE-" * n),
    "unicode_escape": lambda n: _text(b"unicode_escape", b"\\N{SPACE}" * n),
    "charset with a zero": lambda n: _text(b"utf\0-8", b"a\xff" * n),
    "no charset": lambda n: _text(b"x-no-such-charset", b"a\xff" * n),
    "changing charset": lambda n: _text(b"iso-2022-jp", b"\x1b$B\x1b(B" * n),
    "wide charset": lambda n: _text(b"utf-16", b"ab" * n),
    "words": lambda n: b"\n" + b"".join(b"w%d " % k for k in range(n)),
    "from lines": lambda n: b"\n\nFrom " * n,
}
