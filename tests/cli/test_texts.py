"""A model of texts reads texts, a model of mail reads mail, and neither has to be told."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from tests.cli.running import run

LINES = "".join(f"spam\tfree prize call now {k}\nham\tsee you at noon {k}\n" for k in range(6))
PLAIN = b"free prize call now\n"
LABELLED = b"ham\tsee you\nspam\tfree prize now\n"
SPAM = b"From: a%d@x.org\nSubject: free prize\n\nwin money now\n"
HAM = b"From: b%d@y.org\nSubject: meeting\n\nsee you at noon\n"
ENVELOPE = b"From a@x.org Mon Jan  1 10:00:00 2024\n"


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A model that learned from lines whose first label, "spam", names columns elsewhere."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "sms.txt").write_text(LINES)
    assert run("fit", folder / "sms.txt", "-o", folder / "m").code == 0
    return folder / "m"


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A model that learned from a table with other names."""
    folder = tmp_path_factory.mktemp("named")
    rows = "".join(f'{label},"{text}"\n' for label, text in map(_split, LINES.splitlines()))
    (folder / "sms.csv").write_text("v1,v2\n" + rows)
    answer = run("fit", folder / "sms.csv", "-t", "v1", "--text", "v2", "-o", folder / "m")
    assert answer.code == 0
    return folder / "m"


@pytest.fixture(scope="module")
def mail(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mail")
    for label, message in (("spam", SPAM), ("ham", HAM)):
        (folder / "boxes" / label).mkdir(parents=True)
        for k in range(6):
            (folder / "boxes" / label / str(k)).write_bytes(message % k)
    assert run("fit", folder / "boxes", "-o", folder / "m").code == 0
    return folder / "m"


def _split(line):
    return line.split("\t")


def labels(answer):
    assert answer.code == 0, answer.err
    return answer.out.split()


def test_plain_lines_are_texts(texts, named):
    for model in (texts, named):
        answer = run("predict", model, "-", stdin=PLAIN + b"\nsee you\tat noon, John: 5\n")
        assert labels(answer) == ["spam", "ham"]
        assert "first field" not in answer.err
        assert "each line is read as a text" in answer.err
    assert "call" in run("explain", texts, "-", stdin=PLAIN).out


def test_two_labelled_lines_are_two_labelled_lines(texts, named, tmp_path):
    (tmp_path / "two.tsv").write_bytes(LABELLED)
    for model in (texts, named):
        for data, stdin in (("-", LABELLED), (tmp_path / "two.tsv", b"")):
            assert labels(run("predict", model, data, stdin=stdin)) == ["ham", "spam"]
            facts = json.loads(run("score", model, data, "--json", stdin=stdin).out)
            assert (facts["examples"], facts["error"]) == (2, 0.0)


@pytest.mark.parametrize(
    "line",
    [b"{hello} you", b"[win] a free prize", b"1 1:2 3:4", b"a;b;c", b"from: me to you", b"win"],
)
def test_a_line_that_looks_like_other_data_is_a_text(texts, line):
    assert len(labels(run("predict", texts, "-", stdin=line))) == 1


def test_a_line_without_a_label_among_labelled_ones_is_named(texts):
    answer = run("score", texts, "-", stdin=LABELLED + b"no label here\n")
    assert "line 3: expected label<TAB>text" in answer.err


def test_plain_lines_have_no_labels_to_compare_with(texts):
    answer = run("score", texts, "-", stdin=PLAIN)
    assert answer.code == 2
    assert "no labels" in answer.err


def test_a_table_with_the_column_of_texts_is_a_table(texts, tmp_path):
    table = pa.table({"text": ["free prize now", "see you"], "label": ["spam", "ham"]})
    parquet.write_table(table, tmp_path / "a.parquet")
    contents = {
        "a.csv": b"label,text\nspam,free prize now\nham,see you\n",
        "a.csv.gz": gzip.compress(b"text;label\nfree prize now;spam\nsee you;ham\n"),
        "a.tsv": b"label\ttext\nspam\tfree prize now\nham\tsee you\n",
        "a.jsonl": b'{"text": "free prize now", "label": "spam"}\n'
        b'{"text": "see you", "label": "ham"}',
        "without ending": b"label,text\nspam,free prize now\nham,see you\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    for name in (*contents, "a.parquet"):
        facts = json.loads(run("score", texts, tmp_path / name, "--json").out)
        assert (facts["examples"], facts["error"]) == (2, 0.0), name


def test_a_table_without_the_column_of_texts_is_refused(texts, tmp_path):
    (tmp_path / "a.csv").write_bytes(b"label,words\nspam,free prize now\n")
    answer = run("predict", texts, tmp_path / "a.csv")
    assert "has no column 'text', as in training" in answer.err


def test_mail_needs_no_labels_to_be_predicted(mail, tmp_path):
    for part, message in (("cur", SPAM % 9), ("new", HAM % 9), ("tmp", b"")):
        (tmp_path / "Maildir" / part).mkdir(parents=True)
        if message:
            (tmp_path / "Maildir" / part / "1").write_bytes(message)
    box = b"".join([ENVELOPE, SPAM % 8, b"\n", ENVELOPE, HAM % 8])
    contents = {"a.eml": SPAM % 7, "a.eml.gz": gzip.compress(SPAM % 7), "a.mbox": box, "box": box}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    assert labels(run("predict", mail, tmp_path / "Maildir")) == ["spam", "ham"]
    for name in ("a.eml", "a.eml.gz"):
        assert labels(run("predict", mail, tmp_path / name)) == ["spam"]
    for name in ("a.mbox", "box"):
        assert labels(run("predict", mail, tmp_path / name)) == ["spam", "ham"]
    assert labels(run("predict", mail, "-", stdin=HAM % 7)) == ["ham"]
    assert labels(run("predict", mail, "-", stdin=gzip.compress(HAM % 7))) == ["ham"]


def test_one_mailbox_has_no_labels_to_learn_from(tmp_path):
    (tmp_path / "a.mbox").write_bytes(ENVELOPE + HAM % 1)
    assert "a.mbox is mail without labels; expected a folder" in run("fit", tmp_path / "a.mbox").err
