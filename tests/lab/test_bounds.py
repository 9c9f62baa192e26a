"""The theorem holds on every data set, and its bound is that of another solver."""

import numpy as np
import pytest

from rosenblatt import ParameterError, max_margin
from rosenblatt.lab import CircleTarget, LineTarget, bound


@pytest.mark.parametrize("options", [{}, {"rule": "worst"}, {"dimension": 6}, {"margin": 0.2}])
def test_no_run_makes_more_updates_than_the_bound(options):
    table = bound(20, 100, random_state=0, **options)
    assert (table.updates >= 1).all()
    assert (table.updates <= table.bound).all()


def test_bounds_are_those_of_max_margin():
    target = LineTarget([0.1, 1, -2])
    table = bound(12, 5, target=target, random_state=3)
    X, y = target.draw((5, 12), np.random.RandomState(3))
    expected = [max_margin(*one) for one in zip(X, y, strict=True)]
    np.testing.assert_allclose(table.margin, [found.margin for found in expected], rtol=1e-7)
    np.testing.assert_allclose(table.radius, [found.radius for found in expected])


def test_a_margin_around_the_target_lowers_the_bound():
    wide, all_of_it = (bound(20, 200, margin=m, random_state=0) for m in (0.3, 0.0))
    assert np.median(wide.bound) < np.median(all_of_it.bound) / 2
    assert wide.margin.min() > 0


def test_table_and_picture_show_every_data_set():
    table = bound(10, 30, random_state=0)
    assert len(table) == table.n_runs == 30
    assert table.to_arrow().column_names == ["updates", "margin", "radius", "bound", "share"]
    assert "above the bound: 0" in str(table)
    assert "30 data sets" in repr(table)
    assert set(table.summary()) == {"updates", "bound", "share"}
    (ax,) = table.plot().axes
    np.testing.assert_allclose(
        ax.collections[0].get_offsets(), np.column_stack([table.bound, table.updates])
    )


def test_where_there_is_no_bound_none_is_drawn():
    with pytest.raises(ParameterError, match="must be a line"):
        bound(10, 10, target=CircleTarget())
    with pytest.raises(ParameterError, match="rule"):
        bound(10, 10, rule="best")
