"""Weights of classes are sample weights, whoever learns and wherever the rows are."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.estimator_checks import check_class_weight_classifiers

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BagOfWords,
    BatchPerceptron,
    LeastSquaresClassifier,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    RosenblattError,
    TextBlocks,
    VotedPerceptron,
    fit_blocks,
    load,
    save,
    trace,
)
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.linear.class_weight import with_class_weight
from tests.examples import WAYS

LEARNERS = [
    Perceptron(max_epochs=5),
    Perceptron(max_epochs=3, init="regression", rule="shuffled", random_state=0),
    PocketPerceptron(max_updates=60, random_state=0),
    BatchPerceptron(max_epochs=9),
    VotedPerceptron(epochs=3, random_state=0),
    AveragedPerceptron(epochs=3, random_state=0),
    PassiveAggressive(epochs=3, random_state=0),
    AROW(epochs=3, random_state=0),
    LeastSquaresClassifier(),
]
IN_BLOCKS = [learner for learner in LEARNERS if not isinstance(learner, PocketPerceptron)]
ONLINE = [AveragedPerceptron(), Perceptron(), PassiveAggressive(), AROW()]
ONLINE += [LeastSquaresClassifier()]
NAMES = np.array(["ham", "spam", "eggs"])
GIVEN = {"ham": 0.3, "eggs": 7}
KINDS = {
    "dense": np.asarray,
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X > 1),
}


def sample(n_classes, n=60):
    """Return rows of which most are of the first class."""
    random = np.random.default_rng(n_classes)
    X = random.integers(0, 4, (n, 4)) * 0.7
    codes = np.minimum(random.integers(0, 6, n) // 3 * random.integers(0, 3, n), n_classes - 1)
    codes[:n_classes] = np.arange(n_classes)
    return X, NAMES[codes]


def learned(model, X, y=None, sample_weight=None):
    """Return a fitted copy, without its word about convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if y is None:
            return fit_blocks(clone(model), X)
        return clone(model).fit(X, y, sample_weight)


def factors(class_weight, y, sample_weight=None):
    """Return the weight of the class of each row, by scikit-learn."""
    classes = np.unique(y)
    each = compute_class_weight(class_weight, classes=classes, y=y, sample_weight=sample_weight)
    return each[np.searchsorted(classes, y)]


def assert_same_bits(one, two, X):
    for name in ("coef_", "intercept_"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert one.decision_function(X).tobytes() == two.decision_function(X).tobytes()
    for name in ("n_updates_", "error_", "error_path_", "squared_error_"):
        assert getattr(one, name, None) == getattr(two, name, None)


def ways(model):
    return WAYS if hasattr(model, "multiclass") else [None]


@pytest.mark.parametrize("class_weight", ["balanced", GIVEN], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_a_class_weight_multiplies_the_sample_weight(model, n_classes, weighted, class_weight):
    X, y = sample(n_classes)
    s = np.random.default_rng(0).choice([0, 0.5, 1, 3.1], len(y)) if weighted else None
    if class_weight != "balanced" and n_classes == 2:
        class_weight = {"ham": 0.3, "spam": 7}
    # labels that a dict leaves out have the weight 1
    c = factors(class_weight, y, s)
    for way in ways(model) if n_classes > 2 else [None]:
        learner = clone(model) if way is None else clone(model).set_params(multiclass=way)
        by_row = learned(learner, X, y, c if s is None else c * s)
        by_class = learned(learner.set_params(class_weight=class_weight), X, y, s)
        assert_same_bits(by_class, by_row, X)
        assert not np.array_equal(by_class.coef_, learned(clone(model), X, y, s).coef_)


@pytest.mark.parametrize(
    ("kind", "class_weight"),
    [
        ("dense", GIVEN),
        ("csr", "balanced"),
        pytest.param("presence", GIVEN, marks=pytest.mark.soak),
    ],
    ids=str,
)
@pytest.mark.parametrize("model", IN_BLOCKS, ids=str)
def test_rows_on_disk_have_the_weights_of_rows_in_memory(model, class_weight, kind):
    X, y = sample(3)
    X = KINDS[kind](X)
    for way in ways(model):
        learner = clone(model).set_params(class_weight=class_weight)
        learner = learner if way is None else learner.set_params(multiclass=way)
        one = learned(learner, X, y)
        with StoreWriter(block_bytes=200) as writer:
            for start in range(0, len(y), 11):
                writer.add(X[start : start + 11], y[start : start + 11])
            two = learned(learner, writer.finish())
        if isinstance(model, LeastSquaresClassifier) or model.get_params().get("init"):
            np.testing.assert_allclose(two.coef_, one.coef_, rtol=0, atol=1e-9)
        else:
            assert_same_bits(one, two, X)


@pytest.mark.parametrize("class_weight", ["balanced", {"late": 5.0, "a": 0.5}], ids=str)
def test_a_file_of_texts_has_them_with_labels_that_come_late(class_weight, tmp_path):
    lines = [f"{'ab'[i % 2]}\tword{i % 7} word{i % 5}\n" for i in range(60)]
    lines += [f"late\tword{i % 3} other\n" for i in range(6)]
    path, words = tmp_path / "texts.txt", BagOfWords(bits=5)
    path.write_text("".join(lines))
    labels, texts = zip(*(line.rstrip().split("\t") for line in lines), strict=True)
    X, y = words.transform(list(texts)), np.array(labels)
    for model in (Perceptron(max_epochs=3), AveragedPerceptron(shuffle=False)):
        model.set_params(class_weight=class_weight)
        one = learned(model, X, y)
        assert_same_bits(one, learned(model, TextBlocks(path, words, block_bytes=200)), X)


def test_a_file_of_texts_refuses_a_label_that_never_comes(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("a\tone\n" * 30 + "b\ttwo\n" * 30)
    model = Perceptron(class_weight={"c": 2})
    with pytest.raises(ParameterError, match=r"names 'c'.* among the labels: 'a', 'b'"):
        fit_blocks(model, TextBlocks(path, block_bytes=40))


@pytest.mark.parametrize("model", ONLINE, ids=str)
def test_partial_fit_takes_a_dict_and_labels_to_come(model):
    X, y = sample(3)
    s, c = np.linspace(1, 2, len(y)), factors(GIVEN, y)
    one, two = clone(model).set_params(class_weight=GIVEN), clone(model)
    early = y != "eggs"
    for rows in (early, ~early):
        one.partial_fit(X[rows], y[rows], sample_weight=s[rows])
        two.partial_fit(X[rows], y[rows], sample_weight=(c * s)[rows])
    assert_same_bits(one, two, X)


@pytest.mark.parametrize("model", ONLINE, ids=str)
def test_partial_fit_refuses_balanced(model):
    X, y = sample(2)
    learner = clone(model).set_params(class_weight="balanced")
    with pytest.raises(ParameterError, match=r"'balanced' counts.* give a dict.* or call fit"):
        learner.partial_fit(X, y)
    assert not hasattr(learner, "coef_")


@pytest.mark.parametrize("class_weight", ["balanced", {"ham": 0.3}], ids=str)
@pytest.mark.parametrize("model", LEARNERS[:-1], ids=str)
def test_a_trace_ends_with_the_weights_of_the_fit(model, class_weight):
    X, y = sample(2)
    learner = clone(model).set_params(class_weight=class_weight)
    fitted, steps = learned(learner, X, y), trace(learner, X, y)
    assert steps.final.tobytes() == np.append(fitted.intercept_, fitted.coef_).tobytes()
    assert steps.bound is None


@pytest.mark.parametrize("class_weight", ["balanced", GIVEN, {0: 2.5, 2: np.float32(3)}], ids=str)
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_a_model_file_keeps_them(model, class_weight, tmp_path):
    X, y = sample(3)
    if not set(class_weight) & set(GIVEN) and class_weight != "balanced":
        y = np.searchsorted(np.unique(y), y)
    fitted = learned(clone(model).set_params(class_weight=class_weight), X, y)
    save(fitted, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.class_weight == class_weight
    assert type(again.class_weight) is type(class_weight)
    if hasattr(again, "partial_fit") and class_weight != "balanced":
        one, two = fitted.partial_fit(X, y), again.partial_fit(X, y)
        assert one.coef_.tobytes() == two.coef_.tobytes()


def test_a_classifier_by_least_squares_is_that_of_scikit_learn():
    X, y = sample(2)
    ours = LeastSquaresClassifier(class_weight="balanced").fit(X, y)
    theirs = RidgeClassifier(alpha=1e-12, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(ours.coef_.ravel(), theirs.coef_.ravel(), rtol=1e-6)


def test_balanced_counts_the_classes_that_have_rows():
    """A fold may lack a class; the others are then balanced among themselves."""
    X, y = sample(3)
    rows = np.flatnonzero(y != "eggs")
    with StoreWriter() as writer:
        writer.add(X, y)
        part = with_class_weight(writer.finish().take(rows), "balanced")
        weights = np.concatenate(list(part.each(lambda block: block.weights)))
    assert np.array_equal(weights, factors("balanced", y[rows]))


def test_more_weight_for_the_rare_class_finds_more_of_it():
    X, y = make_blobs([300, 15], centers=[[0, 0], [2, 2]], random_state=0)
    plain, balanced = (
        AveragedPerceptron(random_state=0, class_weight=how).fit(X, y) for how in (None, "balanced")
    )
    assert plain.predict(X)[y == 1].sum() < balanced.predict(X)[y == 1].sum()


@pytest.mark.parametrize("kind", [AveragedPerceptron, PassiveAggressive])
def test_a_hundred_averaged_passes_are_enough_for_the_check_of_scikit_learn(kind):
    """As the reason for which ten of them fail it says."""
    check_class_weight_classifiers(kind.__name__, kind(epochs=100))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", [VotedPerceptron(epochs=100), Perceptron()], ids=str)
def test_heavy_rows_of_that_check_are_all_right_in_the_end(model, n_classes):
    X, y = make_blobs(centers=n_classes, random_state=0, cluster_std=20)
    X, _, y, _ = train_test_split(X, y, test_size=0.5, random_state=0)
    heavy = dict.fromkeys(range(n_classes), 0.0001) | {0: 1000}
    model = learned(clone(model).set_params(class_weight=heavy), X, y)
    assert (model.predict(X)[y == 0] == 0).all()


BAD = [
    ({"spam": -1}, "class_weight must hold finite numbers above 0, got -1 for class 'spam'"),
    ({"spam": np.inf}, "finite numbers above 0, got inf for class 'spam'"),
    ({"spam": np.nan}, "finite numbers above 0, got nan"),
    ({"spam": "much"}, "finite numbers above 0, got 'much'"),
    ({"spam": None}, "finite numbers above 0, got None"),
    ({"spam": 0}, "weights are all zero for class 'spam'; give it a number above 0"),
    ({"spma": 2}, "class_weight names 'spma'.*: 'ham', 'spam'; did you mean 'spam'?"),
    ({7: 2}, "class_weight names 7, which is not among the labels: 'ham', 'spam'; name labels"),
    ("balance", "None, 'balanced' or a dict.*'balance'; did you mean 'balanced'?"),
    ([1, 2], r"None, 'balanced' or a dict of label: weight, got \[1, 2\]"),
    (2.0, "None, 'balanced' or a dict"),
]


@pytest.mark.parametrize(("class_weight", "message"), BAD, ids=[str(bad) for bad, _ in BAD])
@pytest.mark.parametrize("model", LEARNERS, ids=lambda model: type(model).__name__)
def test_bad_class_weights_are_refused_before_any_work(model, class_weight, message):
    X, y = sample(2)
    learner = clone(model).set_params(class_weight=class_weight)
    with pytest.raises(ParameterError, match=message):
        learner.fit(X, y)
    assert not hasattr(learner, "coef_")


@pytest.mark.parametrize("weight", [1e-200, 1e200])
def test_products_that_a_float_cannot_hold_are_refused(weight):
    X, y = sample(2)
    with pytest.raises(RosenblattError, match="divide the weights by the largest"):
        Perceptron(class_weight={"spam": weight}).fit(X, y, np.full(len(y), weight))


def test_weights_of_one_are_no_weights():
    X, y = sample(2)
    for even in ({}, {"ham": 1}, {"ham": 1.0, "spam": True + 0}):
        model = AveragedPerceptron(random_state=0)
        assert_same_bits(
            learned(model, X, y), learned(model.set_params(class_weight=even), X, y), X
        )


def test_parameters_are_given_back_as_they_came():
    given = {"ham": 2}
    model = Perceptron(class_weight=given)
    assert model.class_weight is given
    assert model.get_params()["class_weight"] is given
    assert model.set_params(class_weight="balanced").class_weight == "balanced"
    assert clone(model).class_weight == "balanced"
