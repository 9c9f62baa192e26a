"""The same data gives the same model, however it is handed over."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from rosenblatt import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from tests.examples import (
    EVERY_KIND,
    KINDS,
    PRESENCE,
    RULES,
    THREE_KINDS,
    fit,
    random_data,
    weights,
)
from tests.reference.perceptron import canonical, dot

LEARNERS = [
    *[Perceptron(rule=rule, max_updates=60, random_state=0) for rule in RULES],
    *[PocketPerceptron(rule=rule, max_updates=60, random_state=0) for rule in RULES],
    BatchPerceptron(max_epochs=9, multiclass="joint"),
    VotedPerceptron(epochs=3, shuffle=True, random_state=0),
    AveragedPerceptron(epochs=3, random_state=0),
]
NAMES = ["a", "b", "c"]


def all_learners_and_some_again():
    """Every learner with two classes; what takes long to compile is mostly left to soak."""
    for k, model in enumerate(LEARNERS):
        for n, n_classes in ((32, 2), (128, 2), (32, 3)):
            rare = n_classes == 3 and k not in (0, len(LEARNERS) - 1)
            rare |= isinstance(model, PocketPerceptron) and model.rule != "random"
            name = f"{model}-{n}-{n_classes}"
            marks = pytest.mark.soak if rare else ()
            yield pytest.param(model, n, n_classes, id=name, marks=marks)


@pytest.mark.parametrize(("model", "n", "n_classes"), [*all_learners_and_some_again()])
def test_dense_sparse_and_presence_rows_give_the_same_model(model, n, n_classes):
    data = random_data(1, n, 5, n_classes, low=0, high=1)
    dense, *others = THREE_KINDS.values()
    fit(model, dense(data.X), data.y)
    expected, scores = weights(model), model.decision_function(dense(data.X))
    for make in others:
        fit(model, make(data.X), data.y)
        # a power of two as N keeps even the means of the batch exact
        assert weights(model) == expected
        # those of the averaged form are not, and sums of them may be rounded otherwise
        assert model.decision_function(make(data.X)) == pytest.approx(scores, abs=1e-12)


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_model_scores_every_kind_of_rows_alike(kind):
    data = random_data(2, 20, 5, low=0, high=1)
    model = fit(Perceptron(max_updates=30), np.array(data.X, dtype=float), data.y)
    expected = [dot(weights(model), x) for x in canonical(data.X)]
    assert model.decision_function(KINDS[kind](data.X)).tolist() == expected


@pytest.mark.parametrize("kind", [k for k in EVERY_KIND if k.values[0] not in PRESENCE])
def test_float32_gives_the_same_as_float64_on_small_numbers(kind):
    data = random_data(3, 30, 4)
    expected = fit(Perceptron(max_updates=50), np.array(data.X, dtype=float), data.y)
    model = fit(Perceptron(max_updates=50), KINDS[kind](data.X), data.y)
    assert weights(model) == weights(expected)
    assert model.coef_.dtype == np.float64


def read_only(X):
    X = np.array(X, dtype=np.float64)
    X.flags.writeable = False
    return X


def read_only_csr(X):
    X = sparse.csr_array(np.array(X, dtype=np.float64))
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    return X


def with_repeated_entries(X):
    """Every entry twice, as two halves."""
    coo = sparse.coo_array(np.array(X, dtype=np.float64) / 2)
    rows, columns = np.tile(coo.row, 2), np.tile(coo.col, 2)
    order = np.argsort(rows, kind="stable")
    indptr = np.searchsorted(rows[order], np.arange(len(X) + 1))
    data = np.tile(coo.data, 2)[order]
    return sparse.csr_array((data, columns[order], indptr), shape=(len(X), len(X[0])))


SAME = {
    "lists": lambda X: X,
    "tuples": lambda X: tuple(map(tuple, X)),
    "whole numbers": np.array,
    "small whole numbers": lambda X: np.array(X, dtype=np.int8),
    "Fortran order": lambda X: np.asfortranarray(X, dtype=np.float64),
    "every other column": lambda X: np.repeat(np.array(X, dtype=np.float64), 2, axis=1)[:, ::2],
    "read-only": read_only,
    "read-only csr": read_only_csr,
    "csc": lambda X: sparse.csc_array(np.array(X, dtype=np.float64)),
    "coo": lambda X: sparse.coo_array(np.array(X, dtype=np.float64)),
    "csr matrix": lambda X: sparse.csr_matrix(np.array(X)),
    "csr with repeated entries": with_repeated_entries,
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "polars": lambda X: pl.DataFrame(X, schema=NAMES, orient="row"),
    "arrow": lambda X: pa.table(dict(zip(NAMES, zip(*X, strict=True), strict=True))),
}


@pytest.mark.parametrize("kind", SAME)
def test_whatever_holds_the_numbers_gives_the_same_model(kind):
    data = random_data(4, 30, 3)
    expected = fit(Perceptron(max_updates=50), np.array(data.X, dtype=float), data.y)
    rows = SAME[kind](data.X)
    model = fit(Perceptron(max_updates=50), rows, data.y)
    assert weights(model) == weights(expected)
    assert np.array_equal(model.predict(rows), expected.predict(np.array(data.X, dtype=float)))
    if kind in ("pandas", "polars", "arrow"):
        assert model.feature_names_in_.tolist() == NAMES
    else:
        assert not hasattr(model, "feature_names_in_")


def test_false_entries_of_a_presence_matrix_are_not_there():
    X = sparse.csr_array(np.array([[1, 1], [1, 0], [0, 1]], dtype=bool))
    X.data[0] = False  # stored, but no presence
    dense = X.toarray().astype(float)
    model = Perceptron().fit(X, [1, 0, 1])
    assert weights(model) == weights(Perceptron().fit(dense, [1, 0, 1]))
    assert X.nnz == 4


@pytest.mark.parametrize("kind", THREE_KINDS)
@pytest.mark.parametrize("model", LEARNERS[::4], ids=str)
def test_learning_does_not_write_to_the_data(model, kind):
    data = random_data(5, 20, 3, low=0, high=1)
    X, y = THREE_KINDS[kind](data.X), np.array(data.y)
    fit(model, X, y, sample_weight=np.arange(1.0, 21.0))
    assert np.array_equal(X if isinstance(X, np.ndarray) else X.toarray(), np.array(data.X))
    assert y.tolist() == data.y


@pytest.mark.parametrize(
    "labels",
    [
        [False, True],
        [7, -7],
        [-1.0, 1.0],
        ["no", "yes"],
        np.array(["no", "yes"], dtype=object),
        np.array([255, 0], dtype=np.uint8),
        np.array([-128, 127], dtype=np.int8),
        np.array([2**63, 2**63 + 5], dtype=np.uint64),
        np.array([-(2**62), 2**62]),
    ],
    ids=str,
)
def test_labels_of_any_type_come_back_as_they_are(labels):
    labels = np.asarray(labels)
    y = labels[[0, 0, 1, 1]]
    model = Perceptron().fit([[1], [2], [7], [8]], y)
    assert model.predict([[1], [2], [7], [8]]).tolist() == y.tolist()
    assert model.classes_.dtype == labels.dtype
    assert model.classes_.tolist() == sorted(labels.tolist())
