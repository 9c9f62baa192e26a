"""Data of any kind as points in the plane."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import DataError, read
from rosenblatt.data.examples import Examples
from rosenblatt.studio.scenes.opening import open_points


def examples(X, y):
    X = X if sparse.issparse(X) else np.array(X, dtype=float)
    return Examples(X, np.array(y), [f"f{j}" for j in range(X.shape[1])], "mine")


def test_two_features_stay_as_they_are():
    opened = open_points(read("exercise-1.4"))
    np.testing.assert_array_equal(opened.data.points, read("exercise-1.4").X)
    assert opened.data.classes == ["-1", "+1"]
    assert opened.notes == []


def test_one_feature_lies_on_a_line():
    opened = open_points(read("lecture"))
    np.testing.assert_array_equal(opened.data.points, [[1, 0], [2, 0], [7, 0], [8, 0]])


def test_two_of_many_features_can_be_chosen():
    whole = read("wine")
    names = list(whole.feature_names[:2])[::-1]
    data = open_points(whole, names).data
    np.testing.assert_array_equal(data.points, np.asarray(whole.X)[:, [1, 0]])
    assert data.names == names


@pytest.mark.parametrize("name", ["breast-cancer", "iris", "wine"])
def test_more_features_are_shown_along_the_weights(name):
    opened = open_points(read(name))
    assert opened.data.points.shape == (len(read(name).y), 2)
    assert "along the weights" in opened.notes[-1]


def test_the_plane_along_w_keeps_what_can_be_told_apart():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6))
    y = np.where(X @ [1, -2, 0, 3, 0, 1] > 0, "yes", "no")
    data = open_points(examples(X, y)).data
    # along w alone nearly all points are on their side
    order = np.argsort(data.points[:, 0])
    sides = data.labels[order]
    wrong = min((sides[:k] == 1).sum() + (sides[k:] == 0).sum() for k in range(len(sides)))
    assert wrong < 20


def test_many_classes_are_shown_by_the_columns_that_differ():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(5), 20)
    X = rng.standard_normal((100, 4))
    X[:, 1] += 10 * labels
    X[:, 3] -= 7 * labels
    opened = open_points(examples(X, labels))
    assert opened.data.names == ["f1", "f3"]
    assert "--features" in opened.notes[-1]


def test_large_data_is_drawn_from():
    X = np.random.default_rng(0).standard_normal((30_000, 2))
    opened = open_points(examples(X, X[:, 0] > 0))
    assert len(opened.data.points) == len(opened.data.labels) == 20_000
    assert "20,000 of 30,000" in opened.notes[0]


def test_sparse_rows_are_opened():
    X = sparse.random_array((60, 12), density=0.3, rng=np.random.default_rng(0), format="csr")
    assert open_points(examples(X, [0, 1] * 30)).data.points.shape == (60, 2)


@pytest.mark.parametrize(
    ("y", "word"), [([], "no labels"), ([1, 1, 1], "1 class"), (range(11), "11 different labels")]
)
def test_labels_that_cannot_be_shown_are_refused(y, word):
    y = list(y)
    with pytest.raises(DataError, match=word):
        open_points(examples(np.ones((max(1, len(y)), 2)), y))
