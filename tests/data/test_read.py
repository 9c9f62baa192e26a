"""What `read` makes of formats, names and targets."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy import sparse

from rosenblatt import AveragedPerceptron, DataError, ParameterError, fit_file, read
from rosenblatt.data.builtin import BUILTIN, load_builtin

COLUMNS = {"size": [1.5, 2.0, 3.0, 4.0], "is_red": [True, False, True, False], "y": [0, 1, 1, 0]}
X = [[1.5, 1], [2, 0], [3, 1], [4, 0]]


def write_jsonl(path):
    rows = zip(*COLUMNS.values(), strict=True)
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in rows]
    path.write_text("\n".join(lines))


def write_csv(path):
    rows = [
        f"{size},{str(red).lower()},{y}" for size, red, y in zip(*COLUMNS.values(), strict=True)
    ]
    path.write_text("\n".join(["size,is_red,y", *rows]))


def write_stream(path):
    table = pa.table(COLUMNS)
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


WRITERS = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": lambda path: pa.parquet.write_table(pa.table(COLUMNS), path),
    "feather": lambda path: pa.feather.write_feather(pa.table(COLUMNS), str(path)),
    "arrow": write_stream,
}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("named", [True, False])
def test_every_format_gives_the_same_examples(tmp_path, ending, named):
    path = tmp_path / (f"data.{ending}" if named else "data")
    WRITERS[ending](path)
    examples = read(path)
    np.testing.assert_array_equal(examples.X, X)
    np.testing.assert_array_equal(examples.y, COLUMNS["y"])
    assert list(examples.feature_names) == ["size", "is_red"]
    assert examples.source == str(path)


def test_content_wins_over_a_wrong_name_with_a_note(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("1 1:1 2:0.5\n0 2:1\n")
    examples = read(path)
    assert examples.X.shape == (2, 2)
    assert any("read as svmlight" in note for note in examples.notes)


def test_the_format_can_be_said(tmp_path):
    path = tmp_path / "data"
    path.write_text("1,5\n2,6\n")
    assert read(path, format="csv").X.tolist() == [[1.0], [2.0]]
    with pytest.raises(DataError, match="line 1, column 2: several labels"):
        read(path, format="libsvm")
    with pytest.raises(ParameterError, match="format must be one of 'csv'"):
        read(path, format="xls")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"a": 1, "y": 0}\n{"a": 2, "y"\n', "line 2: not JSON"),
        ('{"a": 1, "y": 0}\n{"a": [1], "y": 1}\n', "line 2, column 'a': expected a number"),
        ('{"a": 1, "y": 0}\n[1, 2]\n', "line 2: expected a JSON object"),
        ('[{"a": 1}]', "one JSON object per line"),
        ('{"a": 1, "y": 0}\n\n{"y": 1}\n', "line 3, column 'a': a value is missing"),
        ('{"a": [1], "y": 0}\n{"a": [2], "y": 1}\n', "column 'a' holds list"),
    ],
)
def test_broken_json_lines_are_named(tmp_path, content, what):
    path = tmp_path / "data.jsonl"
    path.write_text(content)
    with pytest.raises(DataError, match=what):
        read(path)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_a_damaged_table_is_an_error(tmp_path, ending):
    path = tmp_path / f"data.{ending}"
    WRITERS[ending](path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match="or damaged"):
        read(path)
    path.write_bytes(b"hello, world\n1,2\n")
    with pytest.raises(DataError, match="does not begin as one"):
        read(path)


@pytest.mark.parametrize(
    ("header", "target", "note"),
    [
        ("a,label,b", "label", "'label' (by its name)"),
        ("Class,a,b", "Class", "'Class' (by its name)"),
        ("a,b,c", "c", "'c' (last column)"),
    ],
)
def test_a_target_is_guessed_with_a_note(tmp_path, header, target, note):
    path = tmp_path / "data.csv"
    path.write_text(f"{header}\n1,1,1\n0,0,0\n")
    examples = read(path)
    assert examples.recipe.target == target
    assert any(f"target column guessed: {note}" in said for said in examples.notes)


def test_a_target_is_named_or_numbered(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,c\n1,5,1\n0,6,0\n")
    assert read(path, target="b").y.tolist() == read(path, target=1).y.tolist() == [5, 6]
    assert read(path, target=-3).y.tolist() == [1, 0]
    with pytest.raises(
        DataError, match=r"target must be a number from -3 to 2, .* has 3 columns, got 3"
    ):
        read(path, target=3)


def test_an_unknown_target_suggests_the_nearest(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("size,outcome\n1,5\n0,6\n")
    with pytest.raises(DataError, match="no column 'Outcom'; did you mean 'outcome'"):
        read(path, target="Outcom")
    with pytest.raises(DataError, match="no column 'zzz'; its columns are 'size', 'outcome'"):
        read(path, target="zzz")


def test_float32_stays_float32(tmp_path):
    path = tmp_path / "data.parquet"
    values = np.array([0.1, 0.2], dtype=np.float32)
    pa.parquet.write_table(pa.table({"a": values, "y": [0, 1]}), path)
    examples = read(path)
    assert examples.X.dtype == np.float32
    np.testing.assert_array_equal(examples.X.ravel(), values)


def test_dates_are_days_since_1970(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("when,y\n1970-01-02,0\n2000-01-01,1\n")
    assert read(path).X.tolist() == [[1.0], [10957.0]]


def test_svmlight_notes_say_what_was_decided(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("1 qid:3 1:1 2:1\n0 qid:3 2:1\n")
    examples = read(path)
    assert examples.X.dtype == bool
    notes = " ".join(examples.notes)
    for part in ("presence rows", "indices start at 1", "qid", "first field"):
        assert part in notes
    assert list(examples.feature_names) == ["1", "2"]


@pytest.mark.parametrize("name", BUILTIN)
def test_built_in_sets_are_read_by_name(name):
    # of texts the set has its symbols
    examples, expected = read(name, symbols=name == "spam-lecture"), load_builtin(name)
    np.testing.assert_array_equal(
        *(sparse.csr_array(x).toarray() for x in (examples.X, expected.X))
    )
    np.testing.assert_array_equal(examples.y, expected.y)
    assert list(examples.feature_names) == list(expected.feature_names)
    assert examples.source == name


def test_what_is_not_there_is_said_with_the_nearest_name(tmp_path):
    (tmp_path / "messages.csv").write_text("1,2\n")
    with pytest.raises(DataError, match=r"did you mean '.*messages.csv'"):
        read(tmp_path / "message.csv")
    with pytest.raises(DataError, match="did you mean the built-in set 'breast-cancer'"):
        read("breast_cancer")
    with pytest.raises(DataError, match=r"no file 'qqqq'; expected a file .CSV.*built-in set: lec"):
        read("qqqq")


def test_a_folder_and_a_bad_name_are_errors(tmp_path):
    with pytest.raises(DataError, match="it has no labels; expected a folder"):
        read(tmp_path)
    with pytest.raises(DataError, match="not the name of a file"):
        read("")
    with pytest.raises(DataError, match="not the name of a file"):
        read("a\0b")


def test_a_file_that_may_not_be_read_is_an_error(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(DataError, match=r"data.csv cannot be read: permission denied"):
        read(tmp_path / "data.csv")


def test_a_binary_file_is_an_error(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(DataError, match=r"binary file \(byte 9 is 0\)"):
        read(path)


def test_labels_are_numbers_unless_they_are_codes(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,label\n" + "1,01\n2,1\n3,1.0\n4,2\n" * 4)
    found = read(path)
    assert set(found.y) == {"01", "1", "1.0", "2"}
    assert any("labels are taken as they are written ('01', '1'," in note for note in found.notes)
    fitted = fit_file(AveragedPerceptron(), path)
    assert fitted.model.classes_.tolist() == ["01", "1", "1.0", "2"]
    assert (fitted.recipe, fitted.notes) == (found.recipe, found.notes)
    # a file with fewer spellings, read for a model that learned from all
    path.write_text("a,label\n1,01\n2,1\n")
    assert read(path, recipe=found.recipe).y.tolist() == ["01", "1"]


def test_one_number_in_two_spellings_is_one_class_and_told(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,label\n" + "1,1\n2,1.0\n3,2\n" * 4)
    found = read(path)
    assert found.y.tolist() == [1, 1, 2] * 4
    assert any("one that is written in several ways is one class" in note for note in found.notes)
    fitted = fit_file(AveragedPerceptron(), path)
    assert fitted.model.classes_.tolist() == [1, 2]
    assert (fitted.recipe, fitted.notes) == (found.recipe, found.notes)


def test_labels_too_long_for_a_float_stay_apart(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,label\n" + f"1,{10**20}\n2,{10**20 + 1}\n" * 4)
    assert set(read(path).y) == {str(10**20), str(10**20 + 1)}
    assert len(fit_file(AveragedPerceptron(), path).model.classes_) == 2


def test_a_label_that_numpy_would_cut_is_refused(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text('{"a": 1, "label": "a\\u0000"}\n{"a": 2, "label": "a"}\n')
    for work in (read, lambda path: fit_file(AveragedPerceptron(), path)):
        with pytest.raises(DataError, match=r"the label of row 0 .* ends with the character NUL"):
            work(path)
