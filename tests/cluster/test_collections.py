"""Dask's collections: learned from as they are, and answered in their own kind."""

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from rosenblatt import (
    AveragedPerceptron,
    BernoulliNaiveBayes,
    ClusterError,
    DataError,
    GaussianNaiveBayes,
    LabelError,
    LeastSquares,
    LeastSquaresClassifier,
    ParameterError,
    Perceptron,
    PocketPerceptron,
    prove,
    read,
    spread,
)
from tests.cluster.samples import sample

COLUMNS = list("abcdef")


@pytest.fixture(scope="module")
def frame():
    X, y = sample(n_classes=3)
    return pd.DataFrame(X, columns=COLUMNS).assign(label=y)


@pytest.fixture(scope="module")
def parts(frame):
    return dd.from_pandas(frame, npartitions=4)


@pytest.fixture(scope="module")
def learned(parts):
    return GaussianNaiveBayes().fit(parts[COLUMNS], parts["label"])


def test_a_frame_is_learned_as_in_memory(frame, learned):
    one = GaussianNaiveBayes().fit(frame[COLUMNS], frame["label"])
    np.testing.assert_equal(one.mean_, learned.mean_)
    np.testing.assert_equal(one.class_prior_, learned.class_prior_)
    assert learned.feature_names_in_.tolist() == COLUMNS
    assert learned.classes_.tolist() == one.classes_.tolist()


def test_answers_about_a_frame_are_lazy_frames(frame, parts, learned):
    X = frame[COLUMNS]
    for method in ("predict", "predict_proba", "predict_log_proba"):
        lazy = getattr(learned, method)(parts[COLUMNS])
        assert type(lazy).__module__.startswith("dask.dataframe")
        found = lazy.compute()
        assert found.index.equals(frame.index)
        np.testing.assert_equal(found.to_numpy(), getattr(learned, method)(X))
    assert list(learned.predict_proba(parts[COLUMNS]).columns) == learned.classes_.tolist()
    share = learned.score(parts[COLUMNS], parts["label"])
    assert share == learned.score(X, frame["label"])
    weights = parts["a"] + 1
    one = learned.score(X, frame["label"], frame["a"] + 1)
    assert learned.score(parts[COLUMNS], parts["label"], weights) == pytest.approx(one)


def test_answers_about_arrays_are_lazy_arrays():
    X, y = sample()
    for lazy in (da.from_array(X, chunks=(17, 4)), sparse_array(X, 17)):
        model = LeastSquaresClassifier().fit(lazy, da.from_array(y, chunks=20))
        rows = sparse.csr_array(X) if lazy._meta is not None and sparse.issparse(lazy._meta) else X
        scores = model.decision_function(lazy)
        assert isinstance(scores, da.Array)
        assert scores.shape == (60,)
        np.testing.assert_equal(scores.compute(), model.decision_function(rows))
        assert (model.predict(lazy).compute() == model.predict(rows)).all()
        assert model.score(lazy, da.from_array(y, chunks=20)) == model.score(rows, y)


def sparse_array(X, size):
    return da.from_array(X, chunks=(size, -1)).map_blocks(sparse.csr_array)


def test_weights_of_rows_come_with_them():
    X, y = sample()
    weights = np.arange(60) % 3 + 0.5
    lazy = [da.from_array(a, chunks=(25, *a.shape[1:])) for a in (X, y, weights)]
    one = AveragedPerceptron(shuffle=False, epochs=2).fit(X, y, weights)
    two = AveragedPerceptron(shuffle=False, epochs=2).fit(*lazy)
    np.testing.assert_equal(one.coef_, two.coef_)


def test_arrays_of_unknown_length_and_empty_parts_are_learned():
    X, y = sample()
    lazy, labels = da.from_array(X, chunks=(20, 6)), da.from_array(y, chunks=20)
    chosen = lazy[:, 0] < 1.0
    some = X[:, 0] < 1.0
    one = BernoulliNaiveBayes(binarize=0.5).fit(X[some], y[some])
    two = BernoulliNaiveBayes(binarize=0.5).fit(lazy[chosen], labels[chosen])
    np.testing.assert_equal(one.coef_, two.coef_)
    frame = pd.DataFrame(X, columns=COLUMNS).assign(label=y, row=range(60))
    parts = dd.from_pandas(frame, npartitions=4)
    late = parts[parts["row"] >= 20]  # nothing is left of the first
    three = BernoulliNaiveBayes(binarize=0.5).fit(late[COLUMNS], late["label"])
    four = BernoulliNaiveBayes(binarize=0.5).fit(X[20:], y[20:])
    np.testing.assert_equal(three.coef_, four.coef_)
    assert len(three.predict(late[COLUMNS]).compute()) == 40


def test_labels_that_only_some_parts_have_are_united():
    X, y = sample(n_classes=3)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    model = GaussianNaiveBayes().fit(da.from_array(X, chunks=(9, 6)), da.from_array(y, chunks=9))
    np.testing.assert_equal(model.mean_, GaussianNaiveBayes().fit(X, y).mean_)


def test_tables_of_any_columns_have_a_recipe():
    frame = pd.DataFrame({"size": range(40), "kind": ["a", "b"] * 20, "y": ["no", "yes"] * 20})
    blocks = spread(dd.from_pandas(frame, npartitions=3), target="y")
    examples = read(frame, target="y")
    assert blocks.recipe == examples.recipe
    one = AveragedPerceptron(shuffle=False).fit(examples.X, examples.y)
    np.testing.assert_equal(AveragedPerceptron(shuffle=False).fit(blocks).coef_, one.coef_)
    bag = db.from_sequence(frame.to_dict("records"), npartitions=3)
    again = spread(bag, target="y")
    assert again.recipe == blocks.recipe
    np.testing.assert_equal(AveragedPerceptron(shuffle=False).fit(again).coef_, one.coef_)


def test_a_bag_of_texts_is_read_as_lines():
    lines = ["spam\twin a prize", "ham\tsee you at noon", "spam\ta prize", "ham\tat noon"]
    blocks = spread(db.from_sequence(lines, npartitions=2))
    assert blocks.classes.tolist() == ["ham", "spam"]
    assert blocks.recipe.has_texts_alone
    with pytest.raises(DataError, match=r"part 1 of 1: a text of the bag has several lines"):
        spread(db.from_sequence(["spam\ta\nb"], npartitions=1))
    with pytest.raises(DataError, match=r"part 1 of 1: a bag must hold dicts.*got int"):
        spread(db.from_sequence([1, 2], npartitions=1))


def of_parts(*parts, chunks):
    made = [da.from_delayed(dask.delayed(p), (len(p), chunks), dtype=float) for p in parts]
    return da.concatenate(made)


LABELS = da.from_array(np.array(["a", "b"] * 4), chunks=4)


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (
            of_parts(np.ones((4, 2)), np.ones((4, 3)), chunks=2),
            LABELS,
            DataError,
            "part 2 of 2 has 3 columns, but part 1 of 2 2; give all parts the same columns",
        ),
        (
            of_parts(np.ones((4, 2)), np.ones((4, 2), dtype=np.float32), chunks=2),
            LABELS,
            DataError,
            "part 2 of 2 has numbers of type float32, but part 1 of 2 float64",
        ),
        (
            of_parts(np.ones((4, 2)), np.array([[1, 2], [1, np.nan], [3, 4], [5, 6]]), chunks=2),
            LABELS,
            DataError,
            "part 2 of 2: .*NaN",
        ),
        (
            da.ones((8, 2), chunks=(4, 2)),
            da.from_array(np.array(["a"] * 4 + [1] * 4, dtype=object), chunks=4),
            LabelError,
            "part 2 of 2: the labels in y must be like the known classes",
        ),
        (da.ones((8, 2), chunks=(4, 2)), None, LabelError, "the target y is None"),
        (da.ones((8, 2), chunks=(4, 2)), ["a", "b"] * 4, DataError, "y must be a collection"),
        (da.ones((8, 2), chunks=(4, 2)), LABELS[:5], DataError, "X has 8 rows and y 5"),
        (da.ones(8, chunks=4), LABELS, DataError, "X must have rows and columns"),
        (db.from_sequence([1, 2]), LABELS, DataError, "a bag has no columns of numbers"),
        (
            da.ones((8, 2), chunks=(4, 2)),
            da.from_array(np.array(["a"] * 8), chunks=4),
            DataError,
            "y has 1 class, 'a', and learning needs at least two",
        ),
    ],
)
def test_parts_that_do_not_fit_are_named(X, y, error, message):
    with pytest.raises(error, match=message):
        BernoulliNaiveBayes().fit(X, y)


def test_frames_with_other_columns_are_named():
    frames = [pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0]}), pd.DataFrame({"a": [3.0, 4.0]})]
    X = dd.from_delayed([dask.delayed(f) for f in frames], meta=frames[0], verify_meta=False)
    y = dd.from_pandas(pd.Series(["x", "y", "x", "y"]), npartitions=2)
    with pytest.raises(DataError, match=r"part 2 of 2 has no column 'b', but part 1 of 2 has"):
        GaussianNaiveBayes().fit(X, y)
    frames[1] = frames[0].assign(b=["one", "two"])
    X = dd.from_delayed([dask.delayed(f) for f in frames], meta=frames[0], verify_meta=False)
    with pytest.raises(DataError, match=r"part 2 of 2: X must hold numbers, got text in column"):
        GaussianNaiveBayes().fit(X, y)


def test_lengths_that_are_not_known_and_differ_are_named():
    X = da.from_array(np.eye(8), chunks=4)
    with pytest.raises(DataError, match=r"part \d of 2: X and y must have the same length, got"):
        GaussianNaiveBayes().fit(X[X[:, 0] + X[:, 5] > 0], LABELS)


def test_a_part_that_raises_is_named():
    def broken(block, block_info=None):
        if block_info[0]["chunk-location"][0] == 1:
            raise OSError("no such disk")
        return block

    X = da.ones((8, 2), chunks=(4, 2)).map_blocks(broken, dtype=float)
    with pytest.raises(ClusterError, match=r"part 2 of 2 cannot be made: OSError: no such disk"):
        BernoulliNaiveBayes().fit(X, LABELS)


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (
            PocketPerceptron(),
            "cannot learn from blocks of rows, .*; fit with all rows in memory",
        ),
        (Perceptron(rule="worst"), "'worst' looks at all rows before each update"),
        (LeastSquares(), "X is a collection of Dask, and this needs rows in memory"),
    ],
)
def test_learners_that_need_all_rows_say_so_before_any_is_read(model, word):
    def never(block):
        raise AssertionError("a part was made")

    rows = da.from_array(np.eye(8), chunks=4).map_blocks(never, meta=np.empty((0, 0)))
    with pytest.raises((ParameterError, DataError), match=word):
        model.fit(rows, LABELS)


def test_what_needs_rows_in_memory_says_so():
    with pytest.raises(DataError, match=r"call compute\(\) on it first"):
        prove(da.from_array(np.eye(8), chunks=4), ["a", "b"] * 4)


def test_a_client_that_is_closed_or_none_is_refused(in_process):
    from distributed import Client

    client = Client(in_process(1).cluster, set_as_default=False)
    client.close()
    X = da.ones((8, 2), chunks=(4, 2))
    with pytest.raises(ClusterError, match="the client of Dask is closed"):
        spread(X, target=LABELS, client=client)
    with pytest.raises(ParameterError, match="client must be a client of Dask or None, got str"):
        spread(X, target=LABELS, client="tcp://somewhere:8786")
