"""Columns that are read and not learned from: groups and times."""

import json

import numpy as np
import pytest

from rosenblatt import read
from rosenblatt.errors import DataError, ParameterError, said_in
from rosenblatt.workflows.apply import open_model, save_report
from rosenblatt.workflows.fit import fit

HEAD = "who,day,size,label"
ROWS = [
    f"0{i % 7},2024-0{1 + i % 9}-1{i % 5}T0{i % 3}:00:00,{i * 37 % 50},{'yes' if i % 3 else 'no'}"
    for i in range(60)
]


@pytest.fixture
def visits(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("\n".join([HEAD, *ROWS]))
    return str(path)


def equal_parts(groups):
    """Return which rows have the same value as each row."""
    groups = np.asarray(groups)
    return (groups[:, np.newaxis] == groups[np.newaxis]).tolist()


def test_a_group_is_read_and_not_learned_from(visits):
    examples = read(visits, group="who", columns={"day": "date"})
    assert list(examples.feature_names) == ["day", "size"]
    assert equal_parts(examples.groups) == equal_parts([row.split(",")[0] for row in ROWS])


def test_a_time_is_read_as_moments_and_not_learned_from(visits):
    examples = read(visits, by_time="day")
    moments = np.array([row.split(",")[1] for row in ROWS], dtype="datetime64[us]")
    assert "day" not in examples.feature_names
    np.testing.assert_allclose(examples.times, moments.astype(np.int64) / 86_400e6, rtol=1e-12)


def test_groups_are_taken_as_they_are_written(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("who,x,label\n07,1,a\n7,2,b\n07,3,b\n7,4,a\n")
    assert equal_parts(read(path, group="who").groups) == equal_parts([1, 2, 1, 2])


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_other_tables_have_groups_and_times_too(tmp_path, suffix):
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rows = [{"who": i % 4, "when": 10 - i, "x": i / 2, "label": i % 2} for i in range(10)]
    path = tmp_path / f"a.{suffix}"
    if suffix == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        parquet.write_table(pa.Table.from_pylist(rows), path)
    examples = read(path, group="who", by_time="when")
    assert list(examples.feature_names) == ["x"]
    assert equal_parts(examples.groups) == equal_parts([i % 4 for i in range(10)])
    assert examples.times.tolist() == list(range(10, 0, -1))


def test_neither_is_guessed_to_be_the_label(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,colour,y\n" + "1,red,u\n2,blue,v\n3,red,u\n4,blue,v\n" * 3)
    examples = read(path, group="y")  # the name of labels, as a rule
    assert examples.recipe.target == "colour"
    assert list(examples.feature_names) == ["x"]


@pytest.mark.parametrize("beside", [{"group": "who"}, {"by_time": "day"}])
def test_on_disk_the_folds_are_those_in_memory(visits, beside):
    here = fit(visits, prove_seconds=0, **beside)
    there = fit(visits, prove_seconds=0, memory="100M", **beside)
    assert there.notes == here.notes
    assert there.validation.way == here.validation.way
    assert there.validation.fold_errors == here.validation.fold_errors
    assert there.validation.interval == here.validation.interval


def test_groups_are_in_one_fold_each(visits):
    checked = fit(visits, group="who", prove_seconds=0).validation
    who = np.array([row.split(",")[0] for row in ROWS])[checked.tested]
    ends = np.cumsum(checked.fold_sizes)
    parts = [set(part) for part in np.split(who, ends)[:-1]]
    assert sum(map(len, parts)) == len(set().union(*parts)) == 7


def test_the_model_knows_nothing_of_the_group(visits, tmp_path):
    report = fit(visits, group="who", prove_seconds=0)
    save_report(report, str(tmp_path / "model"), 0)
    recipe = open_model(str(tmp_path / "model")).recipe
    assert recipe == report.recipe
    assert "who" not in json.dumps(recipe.to_dict())


@pytest.mark.parametrize("memory", [None, "100M"])
@pytest.mark.parametrize("beside", ["group", "by_time"])
def test_a_column_that_is_not_there_is_refused_with_those_that_are(visits, memory, beside):
    with pytest.raises(
        DataError, match="has no column 'zip'; its columns are 'who', 'day', 'size'"
    ):
        fit(visits, memory=memory, **{beside: "zip"})


def test_the_labels_are_no_group(visits):
    with pytest.raises(DataError, match="column 'label' holds the labels; choose another column"):
        read(visits, target="label", group="label")


def test_words_are_no_times(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("who,x,label\nann,1,a\nbob,2,b\nann,3,b\nbob,4,a\n")
    with pytest.raises(DataError, match="'who' holds neither dates nor numbers") as caught:
        read(path, by_time="who")
    assert said_in("shell", caught.value).endswith("choose another column for --by-time")


def test_something_is_left_to_learn_from(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("who,label\nann,a\nbob,b\nann,b\nbob,a\n")
    with pytest.raises(DataError, match="no column left to learn from"):
        read(path, target="label", group="who")


@pytest.mark.parametrize("memory", [None, "100M"])
@pytest.mark.parametrize("name", ["a.svm", "a.txt"])
def test_formats_without_columns_refuse_a_group_by_name(tmp_path, memory, name):
    path = tmp_path / name
    texts = "ham\tsee you there\nspam\twin a prize now\n" * 20
    path.write_text("1 1:1\n-1 2:1\n" * 20 if name == "a.svm" else texts)
    with pytest.raises(DataError, match=r"without columns to choose from; leave out group"):
        fit(str(path), memory=memory, group="who")


@pytest.mark.parametrize("cell", ["", "?"])
def test_a_group_that_is_missing_is_refused_or_its_row_dropped(tmp_path, cell):
    path = tmp_path / "a.csv"
    path.write_text(f"who,x,label\nann,1,a\n{cell},2,b\nbob,3,b\nbob,4,a\n")
    for missing in (None, "mean"):
        with pytest.raises(DataError, match="line 3, column 'who': the group is missing"):
            read(path, group="who", missing=missing)
    assert len(read(path, group="who", missing="drop").groups) == 3


def test_a_saved_model_goes_on_without_folds(visits, tmp_path):
    save_report(fit(visits, group="who", prove_seconds=0), str(tmp_path / "model"), 0)
    saved = open_model(str(tmp_path / "model"))
    with pytest.raises(
        ParameterError, match="validated by its answers before it learns; leave out"
    ):
        fit(visits, saved=saved, group="who")
    assert fit(visits, saved=saved, prove_seconds=0, group=None).went_on
    assert fit(visits, saved=saved, prove_seconds=0, memory="100M", by_time=None).went_on
