"""CSV in its many ways of being written, and the words for what is wrong with it."""

import numpy as np
import pytest

from rosenblatt import DataError, ParameterError, read


@pytest.fixture
def given(tmp_path):
    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


PLAIN = [[1.5, 2.0], [3.0, 4.25]]
WAYS = {
    "comma": "a,b,y\n1.5,2,no\n3,4.25,yes\n",
    "semicolon": "a;b;y\n1.5;2;no\n3;4.25;yes\n",
    "decimal comma": "a;b;y\n1,5;2;no\n3;4,25;yes\n",
    "bar": "a|b|y\n1.5|2|no\n3|4.25|yes\n",
    "tab": "a\tb\ty\n1.5\t2\tno\n3\t4.25\tyes\n",
    "white space": "  a  b y\n1.5   2 no \n 3\t4.25 yes\n",
    "blank after comma": "a, b, y\n1.5, 2, no\n3, 4.25, yes\n",
    "crlf": "a,b,y\r\n1.5,2,no\r\n3,4.25,yes\r\n",
    "no newline at the end": "a,b,y\n1.5,2,no\n3,4.25,yes",
    "byte order mark": "\ufeffa,b,y\n1.5,2,no\n3,4.25,yes\n",
    "quotes": '"a","b","y"\n"1.5","2","no"\n"3","4.25","yes"\n',
    "blank lines": "\n\na,b,y\n\n1.5,2,no\n\n3,4.25,yes\n\n",
    "delimiter at the end": "a,b,y,\n1.5,2,no,\n3,4.25,yes,\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_writing_gives_the_same_table(given, way):
    examples = read(given(WAYS[way]))
    np.testing.assert_array_equal(examples.X, PLAIN)
    assert examples.y.tolist() == ["no", "yes"]
    assert list(examples.feature_names) == ["a", "b"]


def test_a_line_break_in_quotes_is_part_of_the_value(given):
    path = given('a,kind\n1,"x\ny"\n2,"x\ny"\n3,z\n4,z\n')
    assert set(read(path, target="kind").y) == {"x\ny", "z"}


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("1,2,0\n3,4,1\n", ["x1", "x2"]),
        ("1,b,0\n3,c,1\n2,b,1\n4,c,0", ["x1", "x2=b", "x2=c"]),
        ("size,kind,y\n1,b,0\n3,c,1\n2,b,1\n4,c,0", ["size", "kind=b", "kind=c"]),
        ("colour,y\nred,yes\nred,yes\nblue,no\nblue,no\n", ["colour=blue", "colour=red"]),
        ("red,yes\nred,yes\nblue,no\nblue,no\n", ["x1=blue", "x1=red"]),
    ],
)
def test_a_first_line_of_names_is_told_from_values(given, content, names):
    assert list(read(given(content)).feature_names) == names


def test_a_header_can_be_said(given):
    path = given("1,2,0\n3,4,1\n5,6,0\n")
    assert list(read(path, header=True).feature_names) == ["1", "2"]
    assert len(read(path, header=True).y) == 2


def test_what_was_guessed_is_said(given):
    notes = read(given("1;2;0\n3;4;1\n")).notes
    assert any("no line of names" in note for note in notes)
    assert any("split at ';'" in note for note in notes)
    assert any("target column guessed: 'x3' (last column)" in note for note in notes)
    assert read(given("a,b\n1,2\n"), header=True, delimiter=",", target="b").notes == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("a,b,y\n1,2,0\n3,1\n", "line 3: 2 fields where the first row has 3"),
        ('a,b,y\n"1\n",2,0\n\n3,4,5,6\n', "line 5: 4 fields where the first row has 3"),
        ("a,b,a\n1,2,0\n", "two columns named 'a'"),
        ("a,b,y\n", "no rows below its header"),
        ("word\nother\n", "cannot tell|single column"),
        (b"a,y\ncaf\xe9,1\n", r"line 2: byte 0xe9 is not UTF-8; .*iconv"),
        ("a,y\n1,2\n".encode("utf-16"), "UTF-16.*iconv"),
        (b"a,y\n1,\x002\n", r"binary file \(byte 7 is 0\)"),
        (b"", "is empty"),
        (b"\n\n  \n", "blank lines only"),
        ("a,y\n1,0\ninf,1\n", "line 3, column 'a': expected a finite number, got inf"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(given, content, what):
    path = given(content)
    with pytest.raises(DataError, match=what) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_wrong_delimiter_is_an_error(given):
    with pytest.raises(DataError, match="single column when split at ';'"):
        read(given("a,b,y\n1,2,0\n"), delimiter=";")
    with pytest.raises(ParameterError, match="single character"):
        read(given("a,b,y\n1,2,0\n"), delimiter="::")


def test_a_long_row_of_digits_is_read_at_once(tmp_path):
    # with a regular expression that backtracks, this would take longer than the universe has
    row = ",".join(["123456789"] * 200)
    (tmp_path / "digits.csv").write_text(f"{row},0\n{row},1\n")
    examples = read(tmp_path / "digits.csv")
    assert examples.X.shape == (2, 200)


def test_a_number_in_thousands_is_not_taken_for_a_small_one(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a\tlabel\n1,500\tp\n2,250\tq\n12,000\tp\n")
    with pytest.raises(DataError, match="'1,500' may be a number in thousands or one with a"):
        read(path)
    path.write_text("a\tlabel\n1,500\tp\n2,25\tq\n0,125\tp\n")
    assert read(path).X[:, 0].tolist() == [1.5, 2.25, 0.125]


def test_a_quote_that_never_ends_is_named(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('"a,b,label\n1,2,p\n3,4,q\n')
    with pytest.raises(DataError, match="line 1: a field begins with a quote, and no quote ends"):
        read(path)


def test_a_column_without_a_name_gets_one_that_is_free(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("x2,,label\n1,2,p\n3,4,q\n")
    assert list(read(path).feature_names) == ["x2", "x2_"]


def test_a_link_to_nothing_is_called_one(tmp_path):
    path = tmp_path / "link.csv"
    path.symlink_to(tmp_path / "gone.csv")
    with pytest.raises(DataError, match=r"is a link to '.*gone.csv', which is not there"):
        read(path)
