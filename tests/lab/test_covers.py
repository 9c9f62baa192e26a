"""Cover's count is that of all labellings, one by one; shares are near to it."""

import numpy as np
import pytest

from rosenblatt import ParameterError
from rosenblatt.lab import cover, labellings
from tests.reference.cover import count_labellings


@pytest.mark.parametrize(("n_points", "d"), [(1, 1), (3, 1), (4, 2), (6, 2), (6, 3)])
def test_formula_counts_all_labellings(n_points, d):
    X = np.random.default_rng(0).normal(size=(n_points, d))
    assert labellings(n_points, d + 1) == count_labellings(X)
    assert labellings(n_points, d) == count_labellings(X, fit_intercept=False)


def test_counts_are_exact_where_floats_end():
    # half of all labellings at N = 2 d, in any dimension (Cover 1965)
    assert labellings(400, 200) == 2**399
    assert labellings(50, 60) == 2**50


def test_shares_are_those_of_the_formula_within_chance():
    table = cover((2, 7), 400, random_state=0)
    assert (np.abs(table.separable - table.expected) <= 4.5 * table.standard_error + 1e-12).all()
    assert table.separable[table.n_points <= table.n_weights].min() == 1
    assert set(table.n_weights) == {3, 8}
    np.testing.assert_array_equal(table.expected[table.ratio == 2], 0.5)


def test_without_an_intercept_there_is_a_weight_less():
    table = cover(3, 300, n_points=[4, 6], fit_intercept=False, random_state=0)
    assert table.n_weights.tolist() == [3, 3]
    assert table.expected.tolist() == [14 / 16, 0.5]
    assert (np.abs(table.separable - table.expected) <= 4.5 * table.standard_error).all()


def test_table_and_picture_show_the_rows():
    table = cover(1, 50, n_points=[1, 4], random_state=0)
    assert len(str(table).splitlines()) == 2 + len(table) == 4
    assert table.to_arrow().num_rows == 2
    assert "100 data sets" in repr(table)
    (ax,) = table.plot().axes
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), table.expected)
    np.testing.assert_array_equal(ax.collections[0].get_offsets()[:, 1], table.separable)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"dimension": 0}, "dimension"),
        ({"dimension": ()}, "dimension"),
        ({"n_runs": 0}, "n_runs"),
        ({"n_points": [3, -1]}, "n_points"),
        ({"n_points": []}, "n_points"),
        ({"fit_intercept": "no"}, "fit_intercept"),
    ],
)
def test_parameters_are_checked(wrong, name):
    with pytest.raises(ParameterError, match=name):
        cover(**wrong)
