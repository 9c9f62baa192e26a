"""Curves and bars show the numbers that they are given."""

import numpy as np
import pytest

from rosenblatt import DataError, ParameterError
from rosenblatt.plot import cosine_curve, error_curve, survival, updates_against_bound, weights


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_errors_are_drawn_after_each_update():
    (ax,) = error_curve([4, 2, 3, 1], [4, 2, 2, 1]).axes
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[0, 4], [1, 2], [2, 3], [3, 1]])
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), [4, 2, 2, 1])
    assert legend(ax) == ["errors", "in the pocket"]
    assert ax.get_ylim()[0] == 0


def test_an_error_path_has_its_own_steps():
    (ax,) = error_curve([(0, 1.0), (7, 0.5), (30, 0.1)]).axes
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [0, 7, 30])


def test_cosine_is_drawn_with_its_bound():
    (ax,) = cosine_curve([np.nan, 0.5, 0.7], [0, 0.3, 0.42], steps=[0, 10, 20]).axes
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [np.nan, 0.5, 0.7])
    np.testing.assert_array_equal(ax.lines[1].get_xydata(), [[0, 0], [10, 0.3], [20, 0.42]])
    assert legend(ax) == ["cos(w*, w)", "lower bound"]


def test_updates_lie_below_the_line_of_the_bound():
    (ax,) = updates_against_bound([11, 30], [225.0, 4000.0]).axes
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), [[225, 11], [4000, 30]])
    line = ax.lines[0].get_xydata()
    np.testing.assert_array_equal(line[:, 0], line[:, 1])
    assert ax.get_ylim()[1] >= 4000


def test_one_run_is_enough_for_a_bound():
    (ax,) = updates_against_bound(11, 225.0).axes
    assert len(ax.collections[0].get_offsets()) == 1


def test_survival_has_a_bar_for_each_hypothesis():
    counts = [0, 3, 1, 12]
    (ax,) = survival(counts).axes
    np.testing.assert_array_equal(ax.patches[0].get_data().values, counts)


def test_heaviest_names_come_from_the_most_positive_down():
    names, values = ["a", "b", "c", "d", "$x$"], [0.1, -3.0, 2.0, -0.2, 1.0]
    (ax,) = weights(names, values, most=3).axes
    assert [t.get_text() for t in ax.get_yticklabels()] == ["c", r"\$x\$", "b"]
    assert [bar.get_width() for bar in ax.patches] == [2.0, 1.0, -3.0]
    assert [bool(bar.get_hatch()) for bar in ax.patches] == [False, False, True]


def test_long_names_are_cut():
    (ax,) = weights(["x" * 100], [1.0]).axes
    assert len(ax.get_yticklabels()[0].get_text()) == 32


@pytest.mark.parametrize(
    "call",
    [
        lambda: error_curve([]),
        lambda: error_curve([1, np.inf]),
        lambda: error_curve([1, 2], [np.nan, 1]),
        lambda: cosine_curve([1, 2], [1]),
        lambda: cosine_curve([1, 2], [1, 2], steps=[1]),
        lambda: updates_against_bound([1], [1, 2]),
        lambda: updates_against_bound([0], [5]),
        lambda: survival([]),
        lambda: survival([-1]),
        lambda: survival([[1, 2]]),
        lambda: weights(["a"], [1, 2]),
        lambda: weights([], []),
        lambda: weights(["a"], [np.nan]),
    ],
)
def test_bad_numbers_are_refused(call):
    with pytest.raises(DataError):
        call()


def test_most_must_be_a_count():
    with pytest.raises(ParameterError, match="most"):
        weights(["a"], [1.0], most=0)
