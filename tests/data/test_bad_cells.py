"""A bad cell is not a category: columns are what nearly all of their cells read as."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

from rosenblatt import AveragedPerceptron, DataError, ParameterError, fit_file, read
from rosenblatt.data import store

N_ROWS, BAD_ROW = 300, 150
FORMATS = ("csv", "tsv", "jsonl", "mixed.jsonl", "parquet", "arrow")


def cells(kind="number"):
    rng = np.random.default_rng(0)
    if kind == "date":
        return [f"2021-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N_ROWS)]
    if kind == "boolean":
        return ["true" if value > 0 else "false" for value in rng.normal(size=N_ROWS)]
    return [f"{value:.3f}" for value in rng.normal(size=N_ROWS)]


def labels():
    return ["pq"[i % 7 > 3] for i in range(N_ROWS)]


def write(folder, form, column):
    """Write a table of two columns, "a" and "label"; return its path and where BAD_ROW is."""
    path = folder / f"table.{form}"
    table = pa.table({"a": column, "label": labels()})
    if form == "parquet":
        parquet.write_table(table, path)
    elif form == "arrow":
        feather.write_feather(table, str(path))
    elif form.endswith("jsonl"):
        path.write_text("\n".join(json.dumps(row) for row in table.to_pylist()))
    else:
        delimiter = "," if form == "csv" else "\t"
        rows = [("a", "label"), *zip(column, labels(), strict=True)]
        path.write_text("\n".join(delimiter.join(row) for row in rows))
    return path


def mixed(column):
    """Return numbers as numbers, and what is none as strings: what a JSON column may hold."""

    def value(cell):
        try:
            return float(cell)
        except ValueError:
            return cell

    return [value(cell) for cell in column]


def write_mixed(folder, column):
    path = folder / "table.jsonl"
    rows = zip(mixed(column), labels(), strict=True)
    path.write_text("\n".join(json.dumps({"a": a, "label": label}) for a, label in rows))
    return path


def written(folder, form, column):
    return write_mixed(folder, column) if form == "mixed.jsonl" else write(folder, form, column)


def place(form):
    line = {"csv": BAD_ROW + 2, "tsv": BAD_ROW + 2, "jsonl": BAD_ROW + 1}
    line["mixed.jsonl"] = line["jsonl"]
    return f"line {line[form]}" if form in line else f"row {BAD_ROW} (the first is 0)"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 1000)  # the bad cell is in one of many


def learner():
    return AveragedPerceptron(epochs=2, random_state=0)


@pytest.mark.parametrize("bad", ["oops", "1.O5", "-", "None", "5%", "1,5", "\u22121.5", "1.2.3"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_cell_that_is_no_number_is_an_error_that_names_it(tmp_path, form, bad):
    column = cells()
    column[BAD_ROW] = f'"{bad}"' if form == "csv" and "," in bad else bad
    path = written(tmp_path, form, column)
    for work in (read, lambda path: fit_file(learner(), path)):
        with pytest.raises(DataError) as error:
            work(path)
        assert (
            f"{path}, {place(form)}, column 'a': expected a number, as in 299 of its 300 "
            in str(error.value)
        )
        assert f"got {bad!r}; correct it" in str(error.value)


@pytest.mark.parametrize("kind", ["number", "date", "boolean"])
@pytest.mark.parametrize("form", FORMATS)
def test_bad_cells_are_missing_when_missing_is_no_error(tmp_path, form, kind):
    column = cells(kind)
    column[BAD_ROW], column[BAD_ROW + 20] = "oops", "ouch"
    path = written(tmp_path, form, column)
    good = [cell for i, cell in enumerate(column) if i not in (BAD_ROW, BAD_ROW + 20)]
    note = f"column 'a': 2 cells are not {'true or false' if kind == 'boolean' else kind + 's'} and"
    dropped, filled = read(path, missing="drop"), read(path, missing="mean")
    numbers = {
        "number": lambda cell: float(cell),
        "boolean": lambda cell: float(cell == "true"),
        "date": lambda cell: (np.datetime64(cell) - np.datetime64("1970-01-01")).astype(float),
    }[kind]
    expected = np.array([numbers(cell) for cell in good])
    np.testing.assert_array_equal(dropped.X[:, 0], expected)
    assert filled.X.shape == (N_ROWS, 1)
    assert filled.X[BAD_ROW, 0] == pytest.approx(expected.mean(), rel=1e-12)
    for missing, found in (("drop", dropped), ("mean", filled)):
        assert any(note in said and place(form) in said for said in found.notes)
        fitted = fit_file(learner(), path, missing=missing)
        assert fitted.recipe == found.recipe
        assert fitted.notes == found.notes
        np.testing.assert_array_equal(learner().fit(found.X, found.y).coef_, fitted.model.coef_)


def test_a_day_that_is_not_in_the_calendar_is_a_bad_cell(tmp_path):
    column = cells("date")
    column[BAD_ROW] = "2021-02-30"
    path = write(tmp_path, "csv", column)
    with pytest.raises(DataError, match=r"line 152, column 'a': expected a date, .* '2021-02-30'"):
        read(path)


def test_users_may_say_what_a_column_is(tmp_path):
    column = [str(i % 3) for i in range(N_ROWS)]
    column[BAD_ROW] = "x"
    path = write(tmp_path, "csv", column)
    assert list(read(path, columns={"a": "category"}).feature_names) == ["a=0", "a=1", "a=2", "a=x"]
    texts = read(path, columns={"a": "text"}, bits=8)
    assert texts.X.shape == (N_ROWS, 256)
    for columns in ({"a": "category"}, {"a": "text"}):
        fitted = fit_file(learner(), path, columns=columns, bits=8)
        assert fitted.recipe == read(path, columns=columns, bits=8).recipe
    with pytest.raises(DataError, match="no column 'aa'; did you mean 'a'"):
        read(path, columns={"aa": "text"})
    with pytest.raises(ParameterError, match=r"columns.*must be one of"):
        read(path, columns={"a": "words"})
    with pytest.raises(ParameterError, match="known from training"):
        read(path, columns={"a": "text"}, recipe=texts.recipe)


def test_numbers_that_are_said_to_be_categories_keep_their_zeros(tmp_path):
    path = tmp_path / "zip.csv"
    path.write_text("zip,label\n" + "01,p\n1,q\n10,p\n" * 4)
    found = read(path, columns={"zip": "category"})
    assert list(found.feature_names) == ["zip=01", "zip=1", "zip=10"]
    again = read(path, recipe=found.recipe)
    np.testing.assert_array_equal(found.X.toarray(), again.X.toarray())


def test_fewer_than_nine_in_ten_make_no_number_column_and_a_note_says_so(tmp_path):
    path = tmp_path / "half.csv"
    path.write_text("a,label\n" + "".join(f"{i},p\n{i + 5},q\nsome,p\n" for i in range(20)))
    notes = read(path).notes
    expected = "column 'a' is read as text: 40 of its 60 cells are numbers, 'some' (line 4) is not"
    assert expected.replace("text", "categories") in notes
    assert fit_file(learner(), path).notes == notes
    assert read(path, columns={"a": "number"}, missing="drop").X.shape == (40, 1)


@pytest.mark.parametrize("stand_in", ["-", "None", ".", "unknown"])
def test_what_stands_for_nothing_makes_no_category_however_often(tmp_path, stand_in):
    path = tmp_path / "gaps.csv"
    path.write_text("a,label\n" + "".join(f"{i}.5,p\n{stand_in},q\n" for i in range(20)))
    with pytest.raises(DataError, match=r"line 3, column 'a': .*the first of 20 such cells"):
        read(path)
    assert read(path, missing="mean").X.shape == (40, 1)


def test_in_a_short_table_one_cell_of_four_is_a_bad_one(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("a,b,label\n1,2,p\n2,1,q\noops,2,p\n3,3,q\n")
    with pytest.raises(DataError, match=r"line 4, column 'a': .* 3 of its 4 cells, got 'oops'"):
        read(path)


def test_numbers_written_as_strings_are_numbers(tmp_path):
    column = cells()
    found = read(write(tmp_path, "parquet", column))
    np.testing.assert_array_equal(found.X[:, 0], np.array(column, dtype=float))


def test_words_and_categories_are_told_in_the_notes(tmp_path):
    path = tmp_path / "all.csv"
    rows = [f"{i},{'red' if i % 2 else 'blue'},word{i} and more,p" for i in range(8)]
    path.write_text("size,colour,remark,label\n" + "\n".join(rows) + "\n9,red,end,q\n")
    expected = (
        "columns read as numbers: 'size'; as categories: 'colour' (2 values); as text, by its "
        "words: 'remark'"
    )
    assert expected in read(path).notes


@pytest.mark.parametrize("form", FORMATS)
def test_a_bad_cell_in_what_a_model_is_applied_to_is_named(tmp_path, form):
    recipe = read(written(tmp_path, form, cells())).recipe
    column = cells()
    column[BAD_ROW] = "oops"
    path = written(tmp_path, form, column)
    with pytest.raises(DataError) as error:
        read(path, recipe=recipe)
    assert f"{path}, {place(form)}, column 'a': expected a number, as in training, got 'oops'" in (
        str(error.value)
    )
    assert "columns=" not in str(error.value)
    assert len(read(path, recipe=recipe, missing="drop").y) == N_ROWS - 1
    assert read(path, recipe=recipe, missing="mean").X[BAD_ROW, 0] == recipe.columns[0].mean


def test_dates_are_refused_where_numbers_were_learned_from(tmp_path):
    recipe = read(write(tmp_path, "csv", cells())).recipe
    path = write(tmp_path, "csv", cells("date"))
    with pytest.raises(DataError, match="column 'a' holds dates, but numbers in training"):
        read(path, recipe=recipe)


def test_a_word_among_labels_that_are_numbers_is_told(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,label\n" + "".join(f"{i},{i % 2}\n" for i in range(30)) + "7,oops\n")
    expected = (
        "labels, column 'label': 30 of 31 are numbers, 'oops' (line 32) is a class of its own"
    )
    assert expected in read(path).notes
    assert expected in fit_file(learner(), path).notes
