"""Messages come out of mailboxes as they went in."""

import gzip
import io
import mailbox
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.errors import DataError
from rosenblatt.mail import Message, read
from rosenblatt.mail.message.boxes import overlap, split_mbox

ONE = b"From: a@example.com\nSubject: one\n\nFrom here on it is 10:30\n\nbye\n"
TWO = b"Subject: two\r\n\r\n\xe9\0\r\n"
LINE = b"From a@example.com Mon Jan  1 10:00:00 2024\n"


def raws(path):
    return [message.raw for message in read(path)]


def test_a_file_is_a_message(tmp_path):
    (tmp_path / "a").write_bytes(TWO)
    assert list(read(tmp_path / "a")) == [Message(TWO, str(tmp_path / "a"))]


def test_an_mbox_has_several(tmp_path):
    (tmp_path / "a").write_bytes(LINE + ONE + b"\n" + LINE + TWO + b"\n")
    first, second = read(tmp_path / "a")
    assert (first.raw, first.envelope, first.name) == (ONE, LINE, f"{tmp_path / 'a'}:1")
    assert (second.raw, second.envelope, second.name) == (TWO, LINE, f"{tmp_path / 'a'}:2")


def test_an_mbox_that_python_wrote_is_read(tmp_path):
    box = mailbox.mbox(tmp_path / "box")
    for raw in (ONE, b"Subject: three\n\nthree\n"):
        box.add(raw)
    box.close()
    assert raws(tmp_path / "box") == [
        ONE.replace(b"\nFrom here", b"\n>From here"),
        b"Subject: three\n\nthree\n",
    ]


def test_a_maildir_has_new_and_read_messages_of_its_own(tmp_path):
    box = mailbox.Maildir(tmp_path / "box")
    box.add(ONE)
    box.add_folder("Spam").add(TWO)
    (tmp_path / "box" / "cur" / "1:2,S").write_bytes(b"no headers at all")
    (tmp_path / "box" / "tmp" / "2").write_bytes(b"half a mess")
    assert raws(tmp_path / "box") == [b"no headers at all", ONE]


def test_places_overlap_if_and_only_if_they_share_messages(tmp_path):
    box = mailbox.Maildir(tmp_path / "box")
    places = [tmp_path, tmp_path / "box", tmp_path / "box/new", tmp_path / "box/cur"]
    for name in ("Junk", "Junk.Old"):
        box.add_folder(name)
        places.append(tmp_path / f"box/.{name}")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "plain/inside").mkdir(parents=True)
    places += [tmp_path / ".hidden", tmp_path / "plain", tmp_path / "plain/inside"]
    for number, place in enumerate(places):
        folder = place / "new" if (place / "new").is_dir() else place
        (folder / f"{number}.eml").write_bytes(b"Subject: %d\n\n" % number)
    places += [tmp_path / "plain/inside/8.eml", tmp_path / "link"]
    (tmp_path / "link").symlink_to(tmp_path / "plain")
    for one in places:
        for other in places:
            expected = bool({*found(one)} & {*found(other)})
            assert overlap(one, other) == expected, (one, other)


def found(place):
    try:
        return raws(place)
    except DataError:  # it holds no mail
        return []


def test_standard_input_overlaps_with_itself_only(tmp_path):
    assert overlap("-", "-")
    assert not overlap("-", tmp_path)


def test_an_empty_part_of_a_maildir_names_the_whole(tmp_path):
    mailbox.Maildir(tmp_path / "box")
    with pytest.raises(DataError, match=f"cur holds no mail; name the Maildir, {tmp_path / 'box'}"):
        list(read(tmp_path / "box" / "cur"))
    with pytest.raises(DataError, match="box holds no mail; expected an mbox"):
        list(read(tmp_path / "box"))


@pytest.mark.parametrize("name", ["imaps://mail.example.org/INBOX", "https://example.org/a.mbox"])
def test_an_address_is_told_to_be_one(name):
    with pytest.raises(DataError, match=r"is an address.*fetch it first.*mbsync"):
        read(name)


def test_a_folder_is_read_in_order(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.eml").write_bytes(ONE)
    (tmp_path / "a.gz").write_bytes(gzip.compress(TWO))
    (tmp_path / ".hidden").write_bytes(b"\0")
    assert raws(tmp_path) == [TWO, ONE]


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read(monkeypatch, packed):
    content = gzip.compress(ONE) if packed else ONE
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert raws("-") == [ONE]


def test_files_packed_one_behind_the_other_are_one(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(ONE[:20]) + gzip.compress(ONE[20:]))
    assert raws(tmp_path / "a.gz") == [ONE]


def test_a_packed_file_that_is_cut_off_ends_with_a_mark(tmp_path):
    packed = gzip.compress(LINE + ONE + b"\n" + LINE + TWO, mtime=0)
    (tmp_path / "a.gz").write_bytes(packed[:-10])
    messages = list(read(tmp_path / "a.gz"))
    assert [message.marks for message in messages] == [(), ("gzip:broken",)]


@given(
    st.lists(st.binary(max_size=20), min_size=1, max_size=4),
    st.integers(1, 40),
)
def test_an_mbox_comes_in_blocks_of_any_size(bodies, size):
    raw = [b"To: you\n\n" + body.replace(b"F", b"f") + b"\n" for body in bodies]
    box = b"".join(LINE + message + b"\n" for message in raw)
    blocks = [box[start : start + size] for start in range(0, len(box), size)]
    head = max(1, len(LINE) // size + 1)  # the first line is there when an mbox is known as one
    found = split_mbox(bytearray(b"".join(blocks[:head])), iter(blocks[head:]))
    assert [(envelope, message) for envelope, message, _ in found] == [(LINE, m) for m in raw]


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("empty", b"", "is empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "does not look like mail"),
        ("table.csv", b"a,b\n1,2\n", "does not look like mail"),
    ],
)
def test_what_is_no_mail_is_refused(tmp_path, name, content, what):
    path = tmp_path / name
    path.write_bytes(content)
    for place in (path, tmp_path):
        with pytest.raises(DataError, match=what) as caught:
            raws(place)
        assert name in str(caught.value)


def test_a_folder_without_mail_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no mail"):
        raws(tmp_path)


@pytest.mark.parametrize("path", ["no/such/place", "a\0b"])
def test_a_place_that_is_not_there_is_refused_at_once(path):
    with pytest.raises(DataError, match="cannot be read"):
        read(path)
