"""Quotes: fields that span lines, and quotes that would swallow rows."""

import csv
import io
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from rosenblatt.data import store
from rosenblatt.data.formats.dialect import QuoteError, check_quotes, last_row_end
from tests.data.files import shared

CELLS = st.text(st.sampled_from('ab,"\n '), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=6))
def test_what_a_writer_of_tables_wrote_is_fine(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    spanning = sum("\n" in cell for row in rows for cell in row)
    assert check_quotes(out.getvalue().encode(), ",") == spanning


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6), st.data())
def test_rows_end_where_a_reader_of_tables_ends_them(rows, data):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    ends, whole = [0], out.getvalue().encode()
    for k in range(len(rows)):
        part = io.StringIO()
        csv.writer(part, lineterminator="\n").writerows(rows[: k + 1])
        ends.append(len(part.getvalue().encode()))
    cut = data.draw(st.integers(0, len(whole)))
    text = np.frombuffer(whole, dtype=np.uint8)
    assert last_row_end(text, cut, ",") == max(end for end in ends if end <= cut)


@pytest.mark.parametrize(
    ("content", "place"),
    [(b'a,"b\nc,d\n', 2), (b'a,b\n"c\nd" e,f\n', 4), (b'a,"b ""c""\n', 2)],
)
def test_a_quote_that_swallows_lines_is_found(content, place):
    with pytest.raises(QuoteError) as found:
        check_quotes(content, ",")
    assert found.value.place == place


@pytest.mark.parametrize("content", [b'5" disk,c\nd,e\n', b'"a" ,b\nc,d\n', b'a,b "c"\n'])
def test_quotes_that_swallow_nothing_are_let_be(content):
    assert check_quotes(content, ",") == 0


BAD = 'label,text\nspam,"win a prize\nham,see "you\nham,so so\nspam,no\n'


def test_a_quote_that_is_not_closed_is_an_error_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 40)
    path = tmp_path / "table.csv"
    for content in (BAD, BAD.replace('"you', "you")):
        path.write_text(content)
        with pytest.raises(DataError, match="line 2: a field begins with a quote"):
            read(path)
        with pytest.raises(DataError, match="line 2: a field begins with a quote"):
            fit_file(AveragedPerceptron(), path)


def test_between_tabs_such_quotes_are_read_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 40)
    path = tmp_path / "table.tsv"
    path.write_text(BAD.replace(",", "\t"))
    examples = read(path)
    assert examples.texts.to_pylist()[:3] == ['"win a prize', 'see "you', "so so"]
    assert any("as they stand" in note for note in examples.notes)
    assert fit_file(AveragedPerceptron(), path).notes == examples.notes


def test_fields_that_hold_line_breaks_are_said_to_be_there(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('text,label\n"one\ntwo",a\nthree,b\nfour four,a\n')
    assert any("hold line breaks" in note for note in read(path).notes)


def test_labelled_texts_are_no_table_whatever_the_file_is_called(tmp_path):
    path = tmp_path / "spam.tsv"
    path.write_bytes(lzma.decompress(shared("sms-spam/SMSSpamCollection.xz").read_bytes()))
    examples = read(path)
    assert len(examples.y) == path.read_bytes().count(b"\n") == 5574
    assert "read as text, as its content looks, not as tsv, as its name says" in examples.notes


@pytest.mark.parametrize("first", ["label\ttext", "sentiment\ta review"])
def test_a_first_line_that_is_unlike_the_others_names_the_columns(tmp_path, first):
    path = tmp_path / "texts.tsv"
    path.write_text(f"{first}\n" + "good\tI like it\nbad\tI do not like it\n" * 4)
    assert set(read(path, target=0).y) == {"good", "bad"}
