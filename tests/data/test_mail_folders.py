"""Mail is data like any other: labels are the names of folders and mailboxes."""

import gzip

import pytest

from rosenblatt import AveragedPerceptron, BagOfWords
from rosenblatt.data.formats.mail import spelled
from rosenblatt.data.read import read
from rosenblatt.errors import DataError
from rosenblatt.mail import features

LINE = b"From a@example.com Mon Jan  1 10:00:00 2024\n"
SPAM = [b"Subject: win %d\n\nfree prize %d\n" % (k, k) for k in range(4)]
HAM = [b"Subject: lunch %d\n\nat noon %d\n" % (k, k) for k in range(4)]


@pytest.fixture
def folders(tmp_path):
    for label, mails in (("spam", SPAM), ("ham", HAM)):
        (tmp_path / label).mkdir()
        for number, mail in enumerate(mails):
            (tmp_path / label / f"{number}.eml").write_bytes(mail)
    return tmp_path


def test_folders_are_labels(folders):
    examples = read(folders)
    assert examples.y.tolist() == ["ham"] * 4 + ["spam"] * 4
    assert examples.X.dtype == bool


def test_mailboxes_are_labels(tmp_path, folders):
    boxes = tmp_path / "boxes"
    boxes.mkdir()
    (boxes / "spam.mbox.gz").write_bytes(gzip.compress(b"\n".join(LINE + mail for mail in SPAM)))
    (boxes / "ham.mbox").write_bytes(b"\n".join(LINE + mail for mail in HAM))
    (tmp_path / "apart").mkdir()
    for label in ("spam", "ham"):
        (folders / label).rename(tmp_path / "apart" / label)
    of_boxes, of_folders = read(boxes), read(tmp_path / "apart")
    assert of_boxes.y.tolist() == of_folders.y.tolist()
    assert (of_boxes.X != of_folders.X).nnz == 0


def test_a_mailbox_without_labels_is_predicted(folders):
    examples = read(folders)
    model = AveragedPerceptron(random_state=0).fit(examples.X, examples.y)
    new = read(folders / "spam", recipe=examples.recipe)
    assert new.y.size == 0
    assert model.predict(new.X).tolist() == ["spam"] * 4
    one = read(folders / "ham" / "1.eml", recipe=examples.recipe, format="mail")
    assert model.predict(one.X).tolist() == ["ham"]


def test_what_is_wrong_with_a_packed_mail_is_one_word_of_its_own(folders):
    (folders / "spam" / "9.gz").write_bytes(gzip.compress(SPAM[0])[:-1])
    *_, text = read(folders).texts.to_pylist()
    assert spelled("gzip:broken") in text.split()
    names = BagOfWords(bits=None).fit([text]).get_feature_names_out().tolist()
    assert spelled("gzip:broken") in names
    assert "broken" not in names


def test_mail_without_labels_cannot_be_learned(folders):
    with pytest.raises(DataError, match="is taken for mail, but it has no labels"):
        read(folders / "spam")


def test_two_mailboxes_of_one_label_are_refused(folders):
    (folders / "spam.mbox").write_bytes(LINE + SPAM[0])
    with pytest.raises(DataError, match="two mailboxes for the label 'spam'"):
        read(folders)


def test_a_feature_stays_one_word_and_none_can_be_forged():
    mail = b"From: a@mail.example.com\nSubject: free\n\nfree http://example.com/ \xcb\x90"
    found = features(mail)
    text = spelled(" ".join(found))
    names = BagOfWords(bits=None, lowercase=False).fit([text]).get_feature_names_out()
    assert sorted(names) == sorted(text.split())
    assert len(names) == len(found) - 1  # the letter that looks like a colon is no word
    assert spelled("subject\u02d0free") == "subjectfree"
