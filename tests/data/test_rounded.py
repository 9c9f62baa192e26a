"""Whole numbers that float64 does not hold are told, and nothing is proved about them."""

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from rosenblatt.workflows import fit as fitting
from rosenblatt.workflows import prove as proving
from tests.cli.running import run

HELD, NOT_HELD = 2**53, 2**53 + 1
FORMATS = ("csv", "csv, with a fraction", "jsonl", "jsonl, with a fraction", "svm")
TYPED = ("parquet", "arrow", "uint64.parquet", "decimal.parquet", "strings.parquet")


def write(folder, form, second):
    """Write four rows with 2^53 and another number; the label tells them apart."""
    path = folder / f"table.{form.split(',')[0]}"
    first = "1.5" if "fraction" in form else "1"
    cells = [first, str(HELD), str(second), "3"]
    labels = [0, 0, 1, 1]
    pairs = list(zip(cells, labels, strict=True))
    if form == "svm":
        path.write_text("".join(f"{label} 1:{cell}\n" for cell, label in pairs))
    elif form.startswith("jsonl"):
        path.write_text("".join(f'{{"a": {cell}, "label": {label}}}\n' for cell, label in pairs))
    elif form.startswith("csv"):
        path.write_text("a,label\n" + "".join(f"{cell},{label}\n" for cell, label in pairs))
    else:
        kinds = {"uint64.parquet": pa.uint64(), "decimal.parquet": pa.decimal128(38, 0)}
        column = pa.array(cells) if "strings" in form else pa.array([int(c) for c in cells])
        table = pa.table({"a": column.cast(kinds.get(form, column.type)), "label": labels})
        if form == "arrow":
            feather.write_feather(table, str(path))
        else:
            parquet.write_table(table, path)
    return path


@pytest.mark.parametrize("form", FORMATS + TYPED)
def test_a_number_that_is_rounded_is_told_and_not_proved(tmp_path, form):
    path = write(tmp_path, form, NOT_HELD)
    line = {"svm": "line 3", "csv": "line 4", "jsonl": "line 3"}.get(form.split(",")[0])
    place = line or "row 2 (the first is 0)"
    found = read(path)
    assert f"{NOT_HELD} ({place}) is a whole number that float64 does not hold" in found.rounded
    assert found.rounded in found.notes
    assert found.rounded in fit_file(AveragedPerceptron(), path).notes
    with pytest.raises(DataError, match="a proof would be about other numbers"):
        proving.find_proofs(found)
    assert fitting.fit(found).verdict.separable is None


@pytest.mark.parametrize("form", FORMATS + TYPED)
def test_a_large_number_that_is_held_is_no_matter(tmp_path, form):
    path = write(tmp_path, form, NOT_HELD + 1)
    found = read(path)
    assert found.rounded == ""
    assert found.X.max() == NOT_HELD + 1
    assert not any("float64" in note for note in fit_file(AveragedPerceptron(), path).notes)


def test_the_shell_refuses_to_prove_and_to_verify(tmp_path):
    path, proof = write(tmp_path, "csv", NOT_HELD), tmp_path / "proof.json"
    other = write(tmp_path, "svm", 7)
    assert run("prove", other, "-o", proof).code in (0, 1)
    for command in (("prove", path), ("verify", proof, path)):
        answer = run(*command)
        assert answer.code == 2
        assert "column 'a': 9007199254740993 (line 4) is a whole number" in answer.err
    answer = run("fit", path)
    assert answer.code == 0
    assert "verdict          not sought: a whole number is too large" in answer.out
