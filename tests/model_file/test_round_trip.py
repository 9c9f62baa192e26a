"""What is loaded is what was saved, to the last bit, and goes on learning as it would have."""

import copy
import json

import numpy as np
import pandas as pd
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler

import rosenblatt as r
from rosenblatt import ModelFileError, load, save
from rosenblatt.model_file import read_model
from rosenblatt.model_file.arrays import read_arrays, write_arrays
from rosenblatt.model_file.values import Reader, Writer
from tests.examples import FEW
from tests.model_file.samples import LABELS, LEARNERS, NAMES, fitted, rows, sample

X_NEW = np.array([[0.0, 1.0, 2.0], [2.0, 2.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
TEXTS = ["a prize", "noon", "", "ß ß Ж"]
ANSWERS = ("predict", "decision_function", "predict_proba", "transform")


def again(model, folder):
    path = folder / "model.rosenblatt"
    save(model, path)
    return load(path)


def same(a, b):
    """Whether two values are the same in kind and bits."""
    if type(a).__name__ == "Record":
        return same(list(a.arrays()), list(b.arrays()))
    if sparse.issparse(a):
        return type(a) is type(b) and a.shape == b.shape and same(a.toarray(), b.toarray())
    if isinstance(a, np.ndarray):
        right = type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape
        if a.dtype == object:
            return right and all(map(same, a.flat, b.flat))
        return right and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    if hasattr(a, "get_params") or type(a).__name__ in ("Vocabulary", "Sums", "Model"):
        return type(a) is type(b) and same(
            dict(sorted(vars(a).items())), dict(sorted(vars(b).items()))
        )
    if hasattr(a, "dist"):
        return same([a.dist.name, a.args, a.kwds], [b.dist.name, b.args, b.kwds])
    return type(a) is type(b) and (a == b or (a != a and b != b))


@pytest.mark.parametrize("name", NAMES)
def test_every_model_comes_back_with_the_same_bits(tmp_path, name):
    model = sample(name)
    back = again(model, tmp_path)
    assert same(model, back)
    texts = isinstance(model, (Pipeline, r.BagOfWords))
    for answer in ANSWERS:
        if hasattr(model, answer):
            given = TEXTS if texts else X_NEW
            assert same(getattr(model, answer)(given), getattr(back, answer)(given))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_one_that_the_safetensors_library_opens(tmp_path, name):
    path = tmp_path / "model.rosenblatt"
    save(sample(name), path)
    with safe_open(path, framework="np") as file:
        assert file.metadata()["format"] == "rosenblatt model"
    arrays = safetensors.numpy.load_file(path)
    if name == "Perceptron":
        assert same(arrays["coef_"].T, np.asarray(sample(name).coef_))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_model_gives_the_same_bytes(tmp_path, name):
    first, second = tmp_path / "1", tmp_path / "2"
    save(sample(name), first)
    save(load(first), second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("kind", sorted(LABELS))
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_labels_keep_their_type(tmp_path, kind, learner):
    labels = LABELS[kind]
    X, y = rows(n_classes=len(labels))
    model = fitted(copy.deepcopy(learner), X, labels[y])
    back = again(model, tmp_path)
    assert same(model.classes_, back.classes_)
    assert same(model.predict(X_NEW), back.predict(X_NEW))


@FEW
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.sampled_from([2, 3, 4]),
    which=st.integers(0, len(LEARNERS) - 1),
    form=st.sampled_from(["float64", "csr", "presence"]),
)
def test_learning_goes_on_as_it_would_have(tmp_path_factory, seed, n_classes, which, form):
    X, y = rows(seed, n=20, n_classes=n_classes, dtype=float)
    X = {"csr": sparse.csr_array(X), "presence": sparse.csr_array(X > 0)}.get(form, X)
    model = fitted(copy.deepcopy(LEARNERS[which]), X[:12], y[:12])
    back = again(model, tmp_path_factory.getbasetemp())
    assert same(model.predict(X), back.predict(X))
    for learn in ("partial_fit", "forget"):
        if hasattr(model, learn):
            part = slice(12, 20) if learn == "partial_fit" else slice(0, 6)
            getattr(model, learn)(X[part], y[part])
            getattr(back, learn)(X[part], y[part])
    assert same(model, back)


def test_a_large_mean_and_odd_weights_are_forgotten_exactly_after_loading(tmp_path):
    X, y = rows()
    X, s = X * 1e-7 + 1e9, np.linspace(0.1, 3, len(X))
    model = again(r.GaussianNaiveBayes().fit(X, y, s), tmp_path).forget(X[5:], y[5:], s[5:])
    assert same(model.mean_, r.GaussianNaiveBayes().fit(X[:5], y[:5], s[:5]).mean_)


def test_what_was_never_learned_is_refused_after_loading(tmp_path):
    X, y = rows()
    back = again(r.GaussianNaiveBayes().fit(X[:9], y[:9]), tmp_path)
    with pytest.raises(r.DataError, match="was never learned"):
        back.forget([[7.0, 7.0, 7.0]], [int(y[0])])


def test_a_random_state_goes_on_where_it_was(tmp_path):
    X, y = rows()
    random = np.random.RandomState(5)
    random.standard_normal(3)  # keeps one number back
    model = r.AveragedPerceptron(random_state=random).fit(X, y)
    back = again(model, tmp_path)
    assert same(model.fit(X, y).coef_, back.fit(X, y).coef_)
    assert random.standard_normal() == back.random_state.standard_normal()


def test_feature_names_and_parameters_come_back(tmp_path):
    X, y = rows()
    table = pd.DataFrame(X, columns=["größe", "weight", "1|2"])
    model = r.LeastSquaresClassifier().fit(table, y)
    back = again(model, tmp_path)
    assert same(model.feature_names_in_, back.feature_names_in_)
    odd = np.array(["", "\ud800", "\x00 \x1b[31m"], dtype=object)
    assert same(again(r.GaussianNaiveBayes().fit(X, odd[y]), tmp_path).classes_, np.unique(odd))
    init = np.array([1.0, np.inf, -0.0, np.nan])
    params = {"init": init, "max_epochs": np.int64(7), "rule": "worst", "max_updates": 1 << 70}
    model = fitted(r.Perceptron(), X, y).set_params(**params)
    assert same(model.get_params(), again(model, tmp_path).get_params())


@pytest.mark.parametrize(
    "value",
    [
        np.array([1 + 2j, complex("nan")]),
        np.array(["2024-02-29", "NaT"], dtype="datetime64[D]"),
        np.array([b"a", b"bc\x00d"]),
        np.array([[1, -(10**40)], [0, 255]], dtype=object),
        np.array([1, 2.5, "x", None, True, float("inf")], dtype=object),
        np.array([], dtype="<U7"),
        np.array([["a", "bc"], ["", "ß"]]),
        np.zeros((0, 3)),
        np.zeros((2, 3, 4), order="F"),
        np.arange(10.0)[::3],
        np.arange(6, dtype=">i4"),
        np.float32(0.1),
        np.str_("x"),
        np.float16(2.5),
        [1, (2.0, [None, (True,)])],
        float("-inf"),
    ],
    ids=repr,
)
def test_a_value_of_any_plain_kind_comes_back(tmp_path, value):
    writer = Writer()
    node = json.dumps(writer.write(value, "value"))
    write_arrays(tmp_path / "m", {"value": node}, writer.arrays)
    metadata, arrays = read_arrays(tmp_path / "m")
    back = Reader(arrays).read(json.loads(metadata["value"]))
    assert same(value, back.astype(value.dtype) if isinstance(value, np.ndarray) else back)
    if isinstance(value, np.ndarray) and value.ndim > 1:
        assert value.flags.f_contiguous == back.flags.f_contiguous


def test_how_it_was_made_and_the_recipe_come_back(tmp_path):
    examples = r.read("iris")
    made = {"rows": 150, "digest": "00ff", "errors": [0.1, None], "proof": {"verdict": "x"}}
    model = fitted(r.Perceptron(rule="shuffled"), examples.X, examples.y)
    save(model, tmp_path / "m", recipe=examples.recipe, made=made)
    back = read_model(tmp_path / "m")
    assert back.made == made
    assert back.recipe == examples.recipe
    assert same(model, back.model)


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (r.BayesClassifier([1.0], [lambda X: X[:, 0]]), "is a function"),
        (r.Perceptron(), "has learned nothing yet"),
        (r.BagOfWords(bits=None), "has learned nothing yet"),
        (MinMaxScaler().fit([[1.0], [2.0]]), "MinMaxScaler cannot be saved"),
        (Pipeline([("scale", MinMaxScaler()), ("p", r.Perceptron())]), "MinMaxScaler cannot"),
        (Pipeline([("p", r.ThresholdUnit([1, 1]))], memory="cache"), "set memory=None"),
        (r.ThresholdUnit({1, 2}), "weights is an object"),
        (r.ThresholdUnit({"w": 1}), "weights of ThresholdUnit cannot be"),
        (r.ThresholdUnit(np.array([1, 2], dtype=np.longdouble)), "an array of"),
        (3, "int cannot be saved"),
    ],
)
def test_what_cannot_be_saved_is_refused(tmp_path, model, word):
    with pytest.raises(ModelFileError, match=word):
        save(model, tmp_path / "model.rosenblatt")
    assert list(tmp_path.iterdir()) == []


def test_a_class_of_ones_own_and_a_generator_of_another_kind_are_refused(tmp_path):
    class Perceptron(r.Perceptron):
        pass

    X, y = rows()
    with pytest.raises(ModelFileError, match="cannot be saved"):
        save(fitted(Perceptron(), X, y), tmp_path / "m")
    twister = np.random.Generator(np.random.MT19937(0))  # not that of default_rng
    model = fitted(r.Perceptron(), X, y).set_params(random_state=twister)
    with pytest.raises(ModelFileError, match="random_state is an object"):
        save(model, tmp_path / "m")
    model.set_params(random_state=None).coef_ = model.coef_[:1]
    with pytest.raises(ModelFileError, match="changed since it was fitted: coef_ of Perceptron"):
        save(model, tmp_path / "m")


@pytest.mark.parametrize("made", [{"x": float("nan")}, {"x": (1, 2)}, {"x": object()}, {1: 2}])
def test_facts_that_json_cannot_hold_are_refused(tmp_path, made):
    with pytest.raises(ModelFileError, match="made must be plain data"):
        save(r.ThresholdUnit([1, 1]), tmp_path / "m", made=made)
