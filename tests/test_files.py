"""A file that is written anew: who may read it, before and after."""

import os
import stat

import pytest

import rosenblatt
from rosenblatt.files import replace_file
from rosenblatt.mail.filter import commands as mailing
from rosenblatt.mail.filter.sorting import sort_folder
from rosenblatt.workflows.apply import save_report
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.report.page import write_report
from tests.mail.filter.mails import mail, mbox, write_boxes
from tests.mail.filter.test_sorting import judge

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX systems")
RIGHTS = [0o600, 0o640, 0o644, 0o664, 0o400, 0o666, 0o755]


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("mode", RIGHTS)
def test_a_file_that_is_replaced_keeps_its_rights(tmp_path, mode, private):
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    replace_file(path, [b"new"], private=private)
    assert (rights(path), path.read_bytes()) == (mode, b"new")


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077, 0o002, 0o000])
def test_a_new_file_gets_the_rights_of_any_new_file_unless_it_is_private(tmp_path, umask):
    before = os.umask(umask)
    try:
        (tmp_path / "any").touch()
        replace_file(tmp_path / "new", [b"new"])
        replace_file(tmp_path / "private", [b"new"], private=True)
    finally:
        os.umask(before)
    assert rights(tmp_path / "new") == rights(tmp_path / "any")
    assert rights(tmp_path / "private") == 0o600


@pytest.mark.parametrize("old", [None, *RIGHTS])
def test_while_it_is_written_nobody_reads_it_who_may_not_afterwards(tmp_path, monkeypatch, old):
    path, seen, replace = tmp_path / "file", [], os.replace
    if old is not None:
        path.touch()
        path.chmod(old)

    def look():
        waiting = [each for each in tmp_path.iterdir() if each != path]
        seen.append(rights(*waiting))
        return b"new"

    monkeypatch.setattr(os, "replace", lambda *paths: (look(), replace(*paths)))
    before = os.umask(0)
    try:
        replace_file(path, (look() for _ in range(2)), private=old is None)
    finally:
        os.umask(before)
    assert len(seen) == 3
    assert not any(mode & 0o077 & ~rights(path) for mode in seen)


def test_rights_taken_away_while_it_is_written_stay_away(tmp_path):
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o644)

    def parts():
        yield b"ne"
        path.chmod(0o600)
        yield b"w"

    replace_file(path, parts())
    assert rights(path) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid(), reason="only root gives away files")
def test_a_file_that_is_replaced_keeps_its_owner(tmp_path):
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o640)
    os.chown(path, 12345, 54321)
    replace_file(path, [b"new"])
    found = path.stat()
    assert (found.st_uid, found.st_gid, rights(path)) == (12345, 54321, 0o640)


@pytest.mark.parametrize(("mode", "expected"), [(0o660, 0o600), (0o664, 0o644), (0o646, 0o646)])
def test_a_group_that_cannot_be_kept_gives_the_new_one_no_more_than_all_have(
    tmp_path, monkeypatch, mode, expected
):
    path, status = tmp_path / "file", os.stat
    path.touch()
    path.chmod(mode)

    def of_others(name, *arguments, **options):
        found = list(status(name, *arguments, **options))
        if name == path:
            found[5] += 1  # another group
        return os.stat_result(found)

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", of_others)
        patch.setattr(os, "fchown", refuse)
        replace_file(path, [b"new"])
    assert rights(path) == expected


@pytest.fixture
def boxes(tmp_path, usual_umask):
    (tmp_path / "in").mkdir()
    return write_boxes(tmp_path / "in", n=5)


def train(boxes, model):
    options = {"max_false_positives": 0.001, "seed": 0, "tell": lambda stage, share: None}
    mailing.train(str(boxes / "spam.mbox"), str(boxes / "ham.mbox"), str(model), **options)


def test_a_mail_filter_is_for_its_owner_only(boxes, tmp_path):
    model, message = tmp_path / "m", str(boxes / "message.eml")
    train(boxes, model)
    mailing.correct_filter(str(model), message, "ham")
    assert rights(model) == 0o600
    model.chmod(0o640)  # a group of its own may read it
    mailing.correct_filter(str(model), message, "ham", forget=True)
    train(boxes, model)
    assert rights(model) == 0o640


def test_a_filter_saved_from_python_is_for_its_owner_only(boxes, tmp_path):
    train(boxes, tmp_path / "m")
    rosenblatt.save(rosenblatt.load(tmp_path / "m"), tmp_path / "again")
    assert rights(tmp_path / "again") == 0o600


def test_a_model_of_texts_and_its_report_are_for_their_owner_only(tmp_path, usual_umask):
    texts = tmp_path / "texts"
    texts.write_text("spam\twin a prize\nham\tsee you at noon\n" * 6)
    for data, expected in ((texts, 0o600), ("iris", 0o644)):
        report = fit(rosenblatt.read(data, format="text" if data == texts else None))
        save_report(report, tmp_path / "model", 0)
        write_report(report, tmp_path / "report.html")
        assert [rights(tmp_path / name) for name in ("model", "report.html")] == [expected] * 2
        for name in ("model", "report.html"):
            (tmp_path / name).unlink()


def test_sorted_mail_is_for_its_owner_only(tmp_path, usual_umask):
    (tmp_path / "box").write_bytes(mbox([mail("spam", 1), mail("ham", 2)]))
    for part in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / part).mkdir(parents=True)
    (tmp_path / "Mail/new/1.host").write_bytes(mail("ham", 1))
    for box in ("box", "Mail"):
        into = tmp_path / "out" / box
        assert list(sort_folder(str(tmp_path / box), str(into), judge))
        made = [into, *into.rglob("*")]
        assert len(made) > 3
        assert {rights(path) for path in made} == {0o700, 0o600}
        assert all(rights(path) == 0o600 for path in made if path.is_file())
