"""What is known of a column: the same, however its values are parted."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.data.cells import MAX_CATEGORIES
from rosenblatt.data.summary import ColumnSummary
from rosenblatt.data.table import Table

PARTS = ([], [0], [7, 20], [1, 2, 3, 50])


def summary_of(values, kind=None, first=0):
    table = Table(pa.table({}), "table", lambda row: f"row {first + row}")
    found = ColumnSummary(kind)
    found.add(pa.chunked_array([values]), table)
    return found


def merged(values, cuts, kind=None):
    found = ColumnSummary(kind)
    for first, last in zip([0, *cuts], [*cuts, len(values)], strict=True):
        found = found.plus(summary_of(values[first:last], kind, first))
    return found


@pytest.mark.parametrize("cuts", PARTS)
def test_cells_are_merged(cuts):
    cells = [f"{i}.5" for i in range(60)]
    cells[30], cells[40], cells[50] = "oops", "-", None
    whole, parts = summary_of(cells).cells, merged(cells, cuts).cells
    assert parts.kind == whole.kind == "number"
    one, other = parts.misfits("number"), whole.misfits("number")
    assert (
        (one.n, one.value, one.place())
        == (other.n, other.value, other.place())
        == (
            2,
            "oops",
            "row 30",
        )
    )


@pytest.mark.parametrize("cuts", PARTS)
@pytest.mark.parametrize("kind", [None, "category"])
def test_categories_are_merged(cuts, kind):
    values = [" red", "blue", "green ", None] * 20
    column = merged(values, cuts, kind).column("colour", "category")
    assert column.categories == ("blue", "green", "red")


@pytest.mark.parametrize("cuts", PARTS)
def test_means_of_whole_numbers_are_merged(cuts):
    values = list(range(100))
    assert merged(values, cuts).column("n", "number").mean == 49.5
    assert merged(values, cuts).types - {pa.null()} == {pa.int64()}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("cuts", PARTS)
def test_a_mean_is_rounded_once_however_values_are_parted(cuts, dtype):
    rng = np.random.default_rng(0)
    values = (rng.normal(size=100) * 10.0 ** rng.integers(-30, 30, 100)).astype(dtype)
    expected = float(sum(map(Fraction, values.tolist())) / 100)
    assert merged(values, cuts).column("x", "number").mean == expected


def test_a_mean_holds_for_the_smallest_and_the_largest_floats():
    tiny, huge = 5e-324, 1.7976931348623157e308
    for values in ([tiny, 3 * tiny], [huge, huge, huge], [huge, -huge, tiny], [-0.0, 0.0]):
        expected = float(sum(map(Fraction, values)) / len(values))
        assert summary_of(values).column("x", "number").mean == expected
    assert summary_of([1.0, np.nan, None]).column("x", "number").mean == 1.0
    assert summary_of([np.nan]).column("x", "number").mean is None


def test_no_more_strings_are_kept_than_tell_that_they_are_many():
    cells = summary_of([f"word {i}" for i in range(5 * MAX_CATEGORIES)]).cells
    assert len(cells.different) == MAX_CATEGORIES + 1
    assert cells.kind == "text"
