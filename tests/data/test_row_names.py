"""Columns that look like ids get a note; others do not."""

import numpy as np
import pytest

from rosenblatt import read
from rosenblatt.data.store import open_blocks

N = 60
SHUFFLED = np.random.default_rng(0).permutation(N)
FEW, MANY = [i % 9 for i in range(N)], np.random.default_rng(1).permutation(2000)
IDS = {
    "ascending": ("nth", range(500, 500 + N)),
    "descending": ("nth", range(N, 0, -1)),
    "named": ("customer_id", SHUFFLED * 7),
    "camel": ("customerId", SHUFFLED * 7),
    "many": ("amount", MANY * 3),
    "words": ("who", [f"C-{n:04}x" for n in SHUFFLED]),
}
OTHERS = {
    "amounts": ("amount", SHUFFLED * 7),
    "comes twice": ("id", [*range(N - 1), 0]),
    "few rows": ("id", range(12)),
    "fractions": ("id", [n + 0.5 for n in range(N)]),
    "texts": ("note", [f"number {n} of all" for n in range(N)]),
    "categories": ("id", [f"c{n}" for n in FEW]),
    "dates": ("day", [f"2024-{1 + n % 12:02}-{1 + n // 12:02}" for n in range(N)]),
    "a gap": ("id", ["", *range(N - 1)]),
}


def written(folder, column):
    name, values = column
    rows = [f"{value},{i % 9},{'ab'[i % 2]}" for i, value in enumerate(values)]
    (folder / "t.csv").write_text("\n".join([f"{name},size,kind", *rows]) + "\n")
    return folder / "t.csv"


def said(notes):
    return [note for note in notes if "looks like an id" in note]


@pytest.mark.parametrize("column", IDS.values(), ids=IDS)
def test_an_id_gets_one_line_wherever_the_rows_are(column, tmp_path):
    path = written(tmp_path, column)
    notes = said(read(path, bits=8).notes)
    assert len(notes) == 1
    assert f"column {column[0]!r} looks like an id" in notes[0]
    assert "drop it" in notes[0]
    with open_blocks(path, memory="100M", bits=8) as file:
        assert said(file.notes) == notes
    assert said(read(path, drop=[column[0]]).notes) == []


@pytest.mark.parametrize("column", OTHERS.values(), ids=OTHERS)
def test_other_columns_get_none(column, tmp_path):
    assert said(read(written(tmp_path, column), missing="mean", bits=8).notes) == []


def test_a_value_that_comes_again_in_a_later_block_is_seen(tmp_path):
    rows = "".join(f"{n % 5000},{n % 7},{'ab'[n % 2]}\n" for n in range(9000))
    (tmp_path / "t.csv").write_text(f"id,size,kind\n{rows}")
    with open_blocks(tmp_path / "t.csv", memory="64M") as file:
        assert said(file.notes) == []
    assert said(read(tmp_path / "t.csv").notes) == []


def test_dates_are_said_to_be_days(tmp_path):
    notes = read(written(tmp_path, OTHERS["dates"])).notes
    assert any("as dates, in days since 1970: 'day'" in note for note in notes)
