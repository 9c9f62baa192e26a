"""Lines of label<TAB>text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from rosenblatt.data.formats.text import TextFile

letters = st.characters(blacklist_categories=["Cs", "Cc"])
texts = st.text(st.one_of(letters, st.sampled_from('\t "')), max_size=20)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.text(letters, min_size=1).map("L".__add__), texts), min_size=1),
    st.sampled_from(["\n", "\r\n", "\n\n", "\n \t\n"]),
)
def test_lines_are_split_at_the_first_tab(rows, end):
    content = end.join(f"{label}\t{text}" for label, text in rows).encode()
    table = TextFile.of_bytes(content, "file").whole().columns
    assert table["label"].to_pylist() == [label for label, _ in rows]
    assert table["text"].to_pylist() == [text for _, text in rows]


def test_labels_that_are_whole_numbers_are_numbers():
    assert TextFile.of_bytes(b"1\ta b\n0\tc\n", "file").whole().columns["label"].to_pylist() == [
        1,
        0,
    ]


def test_texts_alone_do_to_predict():
    content = b"see you\n\nwin cash\n"
    table = TextFile.of_bytes(content, "file", with_labels=False).whole()
    assert table.columns.to_pydict() == {"text": ["see you", "win cash"]}
    assert table.place(1) == "line 3"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            b"ham\tsee you\n\nspam win cash\n",
            "line 3: expected label<TAB>text, got no tab in 'spam",
        ),
        (b" \n\n", "blank lines only"),
        (b"ham\tcaf\xe9\n", "line 1: byte 0xe9 is not UTF-8"),
    ],
)
def test_what_is_wrong_is_named(content, what):
    with pytest.raises(DataError, match=what):
        TextFile.of_bytes(content, "file").whole()


def test_labels_with_leading_zeros_are_no_numbers(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("01\tyes please\n1\tno thanks\n" * 4)
    assert set(read(path, format="text").y) == {"01", "1"}
    assert fit_file(AveragedPerceptron(), path, format="text").model.classes_.tolist() == [
        "01",
        "1",
    ]
    path.write_text("10\tyes please\n1\tno thanks\n" * 4)
    assert set(read(path, format="text").y) == {10, 1}
