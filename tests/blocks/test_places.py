"""Learning from blocks gives the model of `fit` with all rows in memory, bit for bit."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    DataError,
    GaussianNaiveBayes,
    LeastSquaresClassifier,
    MultinomialNaiveBayes,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.blocks import orders
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.blocks.stored import StoreWriter
from tests.examples import FEW

LEARNED = [
    *("classes_", "coef_", "intercept_", "n_updates_", "n_epochs_", "converged_"),
    *("n_features_in_", "class_prior_", "class_count_", "feature_prob_", "feature_count_"),
    *("mean_", "var_", "epsilon_", "categories_", "category_prob_"),
    *("mistakes_", "survival_", "n_hypotheses_", "variance_", "intercept_variance_"),
]
KINDS = {
    "dense": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X != 0),
}
PERCEPTRONS = [
    Perceptron(),
    Perceptron(max_epochs=3),
    Perceptron(max_updates=7),
    Perceptron(rule="shuffled", random_state=1, max_epochs=20),
    Perceptron(init=None, fit_intercept=False, max_epochs=5),
    AveragedPerceptron(epochs=3, shuffle=False),
    AveragedPerceptron(epochs=3, random_state=5),
    VotedPerceptron(epochs=3, shuffle=False),
    VotedPerceptron(epochs=3, shuffle=True, random_state=5),
    BatchPerceptron(max_epochs=20),
    PassiveAggressive(epochs=3, shuffle=False),
    PassiveAggressive(epochs=3, variant="II", average=False, random_state=5),
    AROW(epochs=3, shuffle=False),
    AROW(epochs=3, random_state=5),
]
BAYES = [
    BernoulliNaiveBayes(binarize=0.0),
    MultinomialNaiveBayes(),
    CategoricalNaiveBayes(),
    GaussianNaiveBayes(),
]


def sample(n_rows, n_classes, seed, noise=0.0):
    """Return rows with fractions that floats cannot hold, and labels that a rule gives them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, 6)) * rng.choice([0.1, 0.7, 1.0], (n_rows, 6))
    y = (X @ rng.standard_normal((6, n_classes))).argmax(axis=1)
    wrong = rng.random(n_rows) < noise
    y[wrong] = rng.integers(0, n_classes, wrong.sum())
    y[:n_classes] = np.arange(n_classes)
    return X, y


def cached(writer, X, y, size):
    for start in range(0, len(y), size):
        writer.add(X[start : start + size], y[start : start + size])
    return writer.finish()


def both(model, X, y, size=7, block_bytes=200):
    """Return the model fitted in memory, and one fitted on blocks."""
    with warnings.catch_warnings(), StoreWriter(block_bytes=block_bytes) as writer:
        warnings.simplefilter("ignore", ConvergenceWarning)
        blocks = cached(writer, X, y, size)
        fresh = type(model)(**model.get_params())
        return type(model)(**model.get_params()).fit(X, y), fit_blocks(fresh, blocks)


def assert_the_same(one, two):
    for name in LEARNED:
        assert hasattr(one, name) == hasattr(two, name), name
        if hasattr(one, name):
            np.testing.assert_equal(getattr(one, name), getattr(two, name), name)


@pytest.mark.parametrize(
    ("kind", "n_classes"),
    [
        *[(kind, 2) for kind in KINDS if kind != "float32"],
        ("csr", 3),
        # compiled for these tests alone
        *[pytest.param(kind, 3, marks=pytest.mark.soak) for kind in ("dense", "presence")],
        *[pytest.param("float32", k, marks=pytest.mark.soak) for k in (2, 3)],
    ],
)
@pytest.mark.parametrize("model", PERCEPTRONS, ids=repr)
def test_perceptrons_learn_the_same(kind, model, n_classes):
    X, y = sample(40, n_classes, seed=3, noise=0.1)
    assert_the_same(*both(model, KINDS[kind](X), y))


@pytest.mark.parametrize("tie", ["+1", "-1"])
def test_the_tie_conventions_are_learned_the_same(tie):
    X, y = sample(40, 2, seed=3, noise=0.1)
    one, two = both(Perceptron(tie=tie, fit_intercept=False, max_epochs=5), X, y)
    assert_the_same(one, two)
    np.testing.assert_array_equal(one.predict(0 * X), two.predict(0 * X))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", BAYES, ids=repr)
def test_naive_bayes_learns_the_same(kind, model):
    X, y = sample(40, 3, seed=4, noise=0.1)
    one, two = both(model, KINDS[kind](X), y)
    assert_the_same(one, two)
    np.testing.assert_array_equal(one._record.arrays(), two._record.arrays())


@FEW
@given(st.integers(0, 10**6), st.integers(1, 30), st.sampled_from([1, 100, 10_000]))
def test_the_size_of_blocks_makes_no_difference(seed, size, block_bytes):
    X, y = sample(30, 2, seed, noise=0.05)
    for model in (Perceptron(max_epochs=30), AveragedPerceptron(epochs=2, random_state=0)):
        assert_the_same(*both(model, X, y, size, block_bytes))


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize(
    "model",
    [
        Perceptron(max_epochs=9),
        Perceptron(max_epochs=9, rule="shuffled", random_state=2),
        AveragedPerceptron(shuffle=False),
        AveragedPerceptron(epochs=3, random_state=1),
        VotedPerceptron(epochs=3, shuffle=True, random_state=1),
        BatchPerceptron(max_epochs=9),
        PassiveAggressive(epochs=3, random_state=1),
        AROW(epochs=3, random_state=1),
    ],
    ids=repr,
)
def test_several_problems_are_learned_the_same(way, model):
    X, y = sample(50, 4, seed=8, noise=0.1)
    assert_the_same(*both(model.set_params(multiclass=way), sparse.csr_array(X), y))


@pytest.mark.parametrize("kind", ["dense", "csr", "presence"])
def test_votes_are_counted_the_same(kind):
    X, y = sample(40, 3, seed=3, noise=0.1)
    one, two = both(VotedPerceptron(epochs=3, shuffle=False), KINDS[kind](X), y)
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["dense", "csr", "presence"])
@pytest.mark.parametrize("solver", ["auto", "iterative"])
def test_least_squares_on_blocks_differs_in_the_last_digits_only(kind, n_classes, solver):
    X, y = sample(60, n_classes, seed=3, noise=0.1)
    one, two = both(LeastSquaresClassifier(solver=solver), KINDS[kind](X), y)
    np.testing.assert_allclose(two.coef_, one.coef_, rtol=0, atol=1e-13)
    np.testing.assert_allclose(two.intercept_, one.intercept_, rtol=0, atol=1e-13)
    assert (two.error_, two.rank_) == (one.error_, one.rank_)
    assert two.squared_error_ == pytest.approx(one.squared_error_, rel=1e-13)


def test_least_squares_of_one_block_has_the_bits_of_rows_in_memory():
    X, y = sample(60, 3, seed=3, noise=0.1)
    one, two = both(LeastSquaresClassifier(), X, y, size=60, block_bytes=1 << 20)
    assert_the_same(one, two)


def test_least_squares_says_when_it_needs_all_rows():
    X, y = sample(60, 2, seed=3)
    X = np.hstack([X, X[:, :1]])
    with pytest.raises(DataError, match=r"not in memory; use solver='iterative'"):
        both(LeastSquaresClassifier(), X, y)
    one, two = both(LeastSquaresClassifier(solver="iterative"), X, y)
    np.testing.assert_allclose(two.coef_, one.coef_, atol=1e-9)


@pytest.mark.parametrize("way", ["joint", "one-vs-one"])
def test_a_start_by_regression_can_be_had_from_blocks(way):
    X, y = sample(60, 3, seed=3, noise=0.1)
    model = Perceptron(init="regression", max_epochs=2, multiclass=way)
    one, two = both(model, X, y, size=60, block_bytes=1 << 20)
    assert_the_same(one, two)


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(),
        AveragedPerceptron(),
        PassiveAggressive(),
        AROW(),
        *BAYES,
        LeastSquaresClassifier(),
    ],
    ids=repr,
)
def test_learning_goes_on_with_blocks(model):
    X, y = sample(60, 3, seed=3, noise=0.1)
    late = np.where(y == 0, 1, y)  # the first rows have two of three classes
    one, two = (type(model)(**model.get_params()).partial_fit(X[:20], late[:20]) for _ in "12")
    with StoreWriter(block_bytes=200) as writer:
        two.partial_fit(cached(writer, X[20:], y[20:], 7))
    one.partial_fit(X[20:], y[20:])
    if isinstance(model, LeastSquaresClassifier):
        np.testing.assert_allclose(two.coef_, one.coef_, atol=1e-12)
    else:
        assert_the_same(one, two)


def test_blocks_of_other_columns_are_refused():
    X, y = sample(30, 2, seed=3)
    with StoreWriter() as writer:
        blocks = cached(writer, X[:, :4], y, 10)
        with pytest.raises(DataError, match="X has 4 features, but Perceptron is expecting 6"):
            Perceptron(max_epochs=2).partial_fit(X, y).partial_fit(blocks)
        with pytest.raises(DataError, match="leave out y"):
            Perceptron().fit(blocks, y)


def test_a_bad_value_is_named_by_its_row_among_all():
    X, y = sample(30, 2, seed=3)
    X[17, 2] = -1.0
    with pytest.raises(DataError, match=r"at row 17, column 2"):
        both(MultinomialNaiveBayes(), X, y)
    with StoreWriter() as writer, pytest.raises(DataError, match=r"at row 17, column 2"):
        fit_blocks(MultinomialNaiveBayes(), cached(writer, X, y, 7))


def test_states_of_blocks_can_be_mixed():
    X, y = sample(30, 2, seed=3)
    with StoreWriter(block_bytes=1) as writer:  # each row a block
        blocks = cached(writer, X, y, 10)
        total, n = blocks.mix(
            lambda total, block, piece: total + block.rows[piece].sum(axis=0),
            np.full(6, 10.0),
            lambda before, after: (after - before, 1),
            lambda one, other: (one[0] + other[0], one[1] + other[1]),
        )
    assert n == 30
    np.testing.assert_allclose(total / n, X.mean(axis=0))


def test_a_run_that_converges_in_the_middle_of_an_epoch_ends_the_same():
    X = np.random.default_rng(0).uniform(-1, 1, (60, 8))
    y = (X @ np.arange(-3.0, 5.0) > 0.1).astype(int)
    one, two = both(Perceptron(), X, y)
    assert one.converged_
    assert one.n_epochs_ > 2
    assert_the_same(one, two)


def test_many_rows_are_shuffled_in_the_same_order(monkeypatch):
    monkeypatch.setattr(orders, "FEW", 100)  # beyond, pieces of neighbours are shuffled
    X, y = sample(5000, 2, seed=2, noise=0.2)
    shuffled = Perceptron(rule="shuffled", max_epochs=3, random_state=9)
    for model in (AveragedPerceptron(epochs=2, random_state=3), shuffled):
        assert_the_same(*both(model, KINDS["csr"](X), y, size=999, block_bytes=3000))


def test_a_label_may_come_in_the_last_block():
    X, y = sample(30, 2, seed=5)
    names = np.array(["ham", "spam", "a new one"])[y]
    names[-1] = "a new one"
    one, two = both(AveragedPerceptron(epochs=2, random_state=0), X, names)
    assert_the_same(one, two)
    assert two.classes_.tolist() == ["a new one", "ham", "spam"]


def test_presence_blocks_become_numbers_when_numbers_come_later():
    X, y = sample(30, 2, seed=6)
    X[:20] = X[:20] != 0
    with StoreWriter() as writer:
        writer.add(sparse.csr_array(X[:20] != 0), y[:20])
        writer.add(sparse.csr_array(X[20:]), y[20:])
        for shuffle in (False, True):
            model = AveragedPerceptron(epochs=2, shuffle=shuffle, random_state=0)
            two = fit_blocks(model, writer.finish())
            one = AveragedPerceptron(epochs=2, shuffle=shuffle, random_state=0)
            assert_the_same(one.fit(sparse.csr_array(X), y), two)


def test_progress_is_reported_to_the_end():
    X, y = sample(30, 2, seed=7)
    told = []
    with StoreWriter() as writer:
        model = AveragedPerceptron(epochs=2)
        fit_blocks(model, cached(writer, X, y, 10), told.append)
    assert told[-1].share == 1.0
    assert told[-1].n_updates == model.n_updates_


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (PocketPerceptron(), "needs all of them"),
        (Perceptron(rule="worst"), "rule 'worst' looks at all rows"),
    ],
)
def test_what_cannot_be_the_same_is_refused(model, word):
    X, y = sample(30, 3, seed=7)
    with StoreWriter() as writer, pytest.raises(ParameterError, match=word):
        fit_blocks(model, cached(writer, X, y, 10))
