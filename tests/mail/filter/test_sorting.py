"""A mailbox is sorted, and at every moment each message is somewhere, whole."""

import contextlib
import gzip
import mailbox
import os

import pytest

from rosenblatt import DataError, ParameterError
from rosenblatt.mail.filter import sorting
from rosenblatt.mail.filter.header import untagged
from rosenblatt.mail.filter.rule import MessageVerdict
from rosenblatt.mail.filter.sorting import LABELS, sort_folder
from tests.mail.filter.mails import HAM_WORDS, SPAM_WORDS, mail, mbox


def judge(words):
    """Tell by a word what the generator made it of."""
    found = words.text.decode().split()
    spam, ham = (sum(word in found for word in kind) for kind in (SPAM_WORDS, HAM_WORDS))
    return MessageVerdict(
        "spam" if spam > ham else "ham" if ham > spam else "unsure", spam - ham, []
    )


@pytest.fixture
def maildir(tmp_path):
    for part in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / part).mkdir(parents=True)
    for k in range(6):
        name = f"cur/{k}.host:2,S" if k % 2 else f"new/{k}.host"
        (tmp_path / "Mail" / name).write_bytes(mail("spam" if k < 3 else "ham", k))
    return tmp_path / "Mail"


def sort(box, into, **options):
    return list(sort_folder(str(box), str(into), judge, **options))


def contents(folder):
    return sorted(untagged(p.read_bytes()) for p in folder.rglob("*") if p.is_file())


def test_a_maildir_is_sorted_into_three(maildir, tmp_path):
    before = contents(maildir)
    done = sort(maildir, tmp_path / "out")
    assert len(done) == 6
    assert contents(maildir) == contents(tmp_path / "out") == before
    for label in LABELS:
        box = mailbox.Maildir(tmp_path / "out" / label, create=False)
        assert {m["X-Rosenblatt"].split(";")[0] for m in box} <= {label}
        names = {os.path.basename(d.target) for d in done if d.label == label}
        assert names == {p.name for p in (tmp_path / "out" / label).glob("[cn]*/*")}


def test_a_folder_of_the_maildir_is_another_place(maildir, tmp_path):
    assert len(sort(maildir, maildir / ".Sorted")) == 6
    assert len(sort(maildir, tmp_path / "new" / "cur")) == 6


def test_a_packed_message_is_judged_by_what_is_in_it_and_stays_as_it_is(maildir, tmp_path):
    packed = gzip.compress(mail("spam", 9))
    (maildir / "cur" / "9.host:2,S").write_bytes(packed)
    assert [done.label for done in sort(maildir, tmp_path / "out") if "9.host" in done.name] == [
        "spam"
    ]
    assert (tmp_path / "out/spam/cur/9.host:2,S").read_bytes() == packed


def test_a_folder_of_messages_is_sorted_as_it_is_trained_on(tmp_path):
    folder, out = tmp_path / "box", tmp_path / "out"
    (folder / "older").mkdir(parents=True)
    (folder / "1.eml").write_bytes(mail("spam", 1))
    (folder / "older" / "2.eml").write_bytes(mail("ham", 2))
    (folder / "5.eml.gz").write_bytes(gzip.compress(mail("ham", 5)))
    (folder / "older" / "box").write_bytes(mbox([mail("spam", 3), mail("ham", 4)]))
    done = sort(folder, out)
    assert {(d.label, d.target) for d in done} == {
        ("spam", str(out / "spam" / "1.eml")),
        ("ham", str(out / "ham" / "older" / "2.eml")),
        ("ham", str(out / "ham" / "5.eml.gz")),
        ("spam", str(out / "spam" / "older" / "box:1")),
        ("ham", str(out / "ham" / "older" / "box:2")),
    }
    assert untagged((out / "ham" / "older" / "2.eml").read_bytes()) == mail("ham", 2)
    packed = (out / "ham" / "5.eml.gz").read_bytes()
    assert untagged(gzip.decompress(packed)) == mail("ham", 5)
    assert (folder / "1.eml").read_bytes() == mail("spam", 1)
    modes = {p.stat().st_mode & 0o777 for p in (out, *out.rglob("*"))}
    assert modes == {0o700, 0o600}  # words of mail: nobody else may read them
    for wrong, message in ((out, "there already"), (folder / "sorted", "in the folder itself")):
        with pytest.raises(ParameterError, match=message):
            sort(folder, wrong)
    with pytest.raises(ParameterError, match="--move is for a Maildir"):
        sort(folder, tmp_path / "new", move=True)


def test_sorting_again_adds_nothing(maildir, tmp_path):
    sort(maildir, tmp_path / "out")
    before = contents(tmp_path / "out")
    sort(maildir, tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_what_is_moved_is_there_before_it_is_gone(maildir, tmp_path, monkeypatch):
    before, put, calls = contents(maildir), sorting._put, []

    def put_or_fail(place, content):
        calls.append(place)
        if len(calls) == 4:
            raise OSError(28, "No space left on device")
        put(place, content)

    monkeypatch.setattr(sorting, "_put", put_or_fail)
    with pytest.raises(OSError, match="No space"):
        sort(maildir, tmp_path / "out", move=True)
    assert sorted(contents(maildir) + contents(tmp_path / "out")) == before
    sort(maildir, tmp_path / "out", move=True)
    assert contents(maildir) == []
    assert contents(tmp_path / "out") == before


def test_an_mbox_is_sorted_into_three(tmp_path):
    messages = [mail("spam", 1), mail("ham", 2), mail("spam", 3)]
    box = tmp_path / "inbox"
    box.write_bytes(mbox(messages))
    sort(box, tmp_path / "out")
    assert box.read_bytes() == mbox(messages)
    spam = (tmp_path / "out" / "spam.mbox").read_bytes()
    lines = [line for line in spam.splitlines(True) if not line.startswith(b"X-Rosenblatt")]
    assert b"".join(lines) == mbox([messages[0], messages[2]])
    with contextlib.closing(mailbox.mbox(tmp_path / "out" / "ham.mbox")) as ham:
        assert [message["X-Rosenblatt"][:4] for message in ham] == ["ham;"]
    with pytest.raises(ParameterError, match="there already"):
        sort(box, tmp_path / "out")


def test_what_is_no_mailbox_is_refused(tmp_path, maildir):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "1.png").write_bytes(b"\x89PNG")
    with pytest.raises(DataError, match="does not look like mail"):
        sort(pictures, tmp_path / "out")
    with pytest.raises(DataError, match="nothing is not there, or no mailbox; expected a Maildir"):
        sort(tmp_path / "nothing", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    single = tmp_path / "single.eml"
    single.write_bytes(mail("ham", 1))
    with pytest.raises(ParameterError, match="--move"):
        sort(single, tmp_path / "out", move=True)
    for place in (maildir, maildir / "cur", maildir / "new" / "more"):
        with pytest.raises(ParameterError, match="the box itself"):
            sort(maildir, place)
    assert not (tmp_path / "out").exists()
