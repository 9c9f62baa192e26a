"""A crafted file with the right checksum is refused too, or holds a model that does no harm."""

import json
import warnings
from contextlib import suppress
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

import rosenblatt as r
from rosenblatt import ModelFileError, load, save
from rosenblatt.model_file.parameter_checks import CHECKS
from rosenblatt.model_file.state import CLASSES
from tests.model_file.samples import NAMES, joined, parts, rows, sample, sealed

JUNK = [None, True, -1, 0, 1, 2, 10**30, 0.5, "", "x", [], {}, [[]], {"tuple": []}]
JUNK += [{"float": "nan"}, {"array": "coef_"}, {"array": "classes_"}, {"array": "nothing"}]
JUNK += [{"part": "Counts", "fields": []}, {"part": "os.system", "fields": ["true"]}]
MORE_JUNK = [-0.5, 10**400, [1], [0.5, 0.5], [None], ["x"], {"tuple": [1, 2]}, "joint", "+1"]
MORE_JUNK += [{"float": "inf"}, {"array": "intercept_"}, "a\ud800"]
ODD = [*JUNK, "BOOL", "U8", "I8", "F32", "F64", "I64", "U64", "BF16"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    path, found = tmp_path_factory.mktemp("files") / "m", {}
    for name in NAMES:
        save(sample(name), path, made={"rows": 24})
        found[name] = path.read_bytes()
    return found


def opened(raw):
    """Return (metadata, the state of the model, the entries of the arrays, their bytes)."""
    header, data = parts(raw)
    entries = json.loads(header)
    metadata = entries.pop("__metadata__")
    return metadata, json.loads(metadata["model"]), entries, data


def closed(metadata, state, entries, data):
    """Return the bytes of the file, sealed."""
    metadata = {**metadata, "model": json.dumps(state)}
    header = json.dumps({"__metadata__": metadata, **entries}, separators=(",", ":"))
    return joined(header.encode(), data)


def refused(path, raw):
    path.write_bytes(raw)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    return str(caught.value)


def changed(state, change):
    """Return a copy of the state of a model, changed."""
    state = json.loads(json.dumps(state))
    change(state)
    return state


def test_closing_what_was_opened_loads(tmp_path, files):
    for name, raw in files.items():
        (tmp_path / "m").write_bytes(closed(*opened(raw)))
        assert type(load(tmp_path / "m")).__name__ == name.replace(",", " ").split()[0]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda s: s.update({"class": "os.system"}), "is no model of this version"),
        (lambda s: s.update({"class": "LogisticRegression"}), "is no model of this version"),
        (lambda s: s.update({"class": ["Perceptron"]}), "holds no sound model"),
        (lambda s: s.pop("parameters"), "holds no sound model"),
        (lambda s: s["parameters"].update(evil=1), "no parameter 'evil'"),
        (lambda s: s["parameters"].update(fit_intercept=[1]), "fit_intercept of Perceptron"),
        (lambda s: s["parameters"].update(max_epochs="x"), "max_epochs of Perceptron cannot be"),
        (lambda s: s["parameters"].update(multiclass="one-vs-two"), "multiclass"),
        (lambda s: s["parameters"].update(class_weight="equal"), "class_weight of Perceptron"),
        (lambda s: s["parameters"].update(class_weight={"dict": [["a", []]]}), "class_weight of"),
        (lambda s: s["parameters"].update(class_weight={"dict": [[[], 1]]}), "no sound model"),
        (lambda s: s["parameters"].update(class_weight={"dict": [["a"]]}), "no sound model"),
        (lambda s: s["parameters"].update(class_weight={"dict": [7]}), "no sound model"),
        (lambda s: s["parameters"].update(init={"part": "subprocess.run", "fields": []}), "value"),
        (lambda s: s["attributes"].pop("coef_"), "has no coef_"),
        (lambda s: s["attributes"].update(predict="x"), "unknown 'predict'"),
        (lambda s: s["attributes"].update(__class__="x"), "unknown '__class__'"),
        (lambda s: s["attributes"].update(coef_={"array": "intercept_"}), "coef_ of Perceptron"),
        (lambda s: s["attributes"].update(n_features_in_=10**9), "coef_ of Perceptron"),
        (lambda s: s["attributes"].update(n_features_in_=-1), "holds no sound model"),
        (
            lambda s: s["attributes"].update(classes_={"array": "intercept_"}),
            "holds no sound model",
        ),
        (lambda s: s["attributes"].clear(), "not fitted"),
    ],
)
def test_a_state_that_is_not_sound_is_refused(tmp_path, files, change, word):
    metadata, state, entries, data = opened(files["Perceptron"])
    raw = closed(metadata, changed(state, change), entries, data)
    assert word in refused(tmp_path / "m", raw)


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e["coef_"].update(shape=[3, 4]),
        lambda e: e["coef_"].update(shape=[-3, -3]),
        lambda e: e["coef_"].update(shape=[3, True, 3]),
        lambda e: e["coef_"].update(shape=[1 << 62, 0, 1 << 62]),
        lambda e: e["coef_"].update(shape=[1] * 100),
        lambda e: e["coef_"].update(dtype="F128"),
        lambda e: e["coef_"].update(dtype="BOOL", shape=[72]),
        lambda e: e["coef_"].update(data_offsets=[0, 1 << 40]),
        lambda e: e["coef_"].update(data_offsets=[8, 80]),
        lambda e: e["coef_"].update(data_offsets=[0]),
        lambda e: e["coef_"].update(data_offsets="ab"),
        lambda e: e.pop("coef_"),
        lambda e: e.update(twice=e["coef_"]),
        lambda e: e.update(odd=7),
    ],
)
def test_arrays_that_are_described_wrongly_are_refused(tmp_path, files, change):
    metadata, state, entries, data = opened(files["Perceptron"])
    change(entries)
    refused(tmp_path / "m", closed(metadata, state, entries, data))


@pytest.mark.parametrize("deep", [50, 100_000])
def test_deep_nesting_is_refused(tmp_path, files, deep):
    raw = files["Perceptron"]
    metadata, state, entries, data = opened(raw)
    state["parameters"]["init"] = "here"
    nested = json.dumps(state).replace('"here"', "[" * deep + "]" * deep)
    header = json.dumps(
        {"__metadata__": {**metadata, "model": nested}, **entries}, separators=(",", ":")
    )
    refused(tmp_path / "m", joined(header.encode(), data))
    header = json.dumps({"__metadata__": metadata}, separators=(",", ":"))[:-1]
    refused(tmp_path / "m", joined(f'{header},"x":{"[" * deep}{"]" * deep}}}'.encode(), data))


def test_pipelines_without_end_and_with_a_memory_are_refused(tmp_path, files):
    metadata, state, entries, data = opened(files["Pipeline"])
    deep = state
    for _ in range(30):
        deep = {"class": "Pipeline", "parameters": {}, "steps": [["inner", deep]]}
    assert "holds no sound model" in refused(tmp_path / "m", closed(metadata, deep, entries, data))
    state["parameters"]["memory"] = "cache"
    assert "no parameter" in refused(tmp_path / "m", closed(metadata, state, entries, data))


def test_a_header_longer_than_the_file_and_a_name_that_comes_twice_are_refused(tmp_path, files):
    raw = files["Perceptron"]
    header, data = parts(raw)
    long = sealed((1 << 60).to_bytes(8, "little") + raw[8:])
    assert "more than can be" in refused(tmp_path / "m", long)
    twice = header.rstrip()[:-1] + b',"coef_":' + json.dumps(json.loads(header)["coef_"]).encode()
    assert "comes twice" in refused(tmp_path / "m", joined(twice + b"}", data))


def test_ballots_that_point_beyond_the_examples_are_refused(tmp_path, files):
    metadata, state, entries, data = opened(files["VotedPerceptron joint"])
    for name in ("_ballots/0/which", "_ballots/0/sides/1", "_kept/indices", "_kept/indptr"):
        begin, end = entries[name]["data_offsets"]
        wild = data[: end - 1] + b"\x7f" + data[end:]
        assert begin < end
        refused(tmp_path / "m", closed(metadata, state, entries, wild))


def test_words_that_are_not_in_order_are_refused(tmp_path, files):
    metadata, state, entries, data = opened(files["BagOfWords"])
    for name in ("vocabulary_/ends", "vocabulary_/names"):
        begin, _ = entries[name]["data_offsets"]
        wild = data[:begin] + b"\xff" + data[begin + 1 :]
        refused(tmp_path / "m", closed(metadata, state, entries, wild))


def test_counts_of_texts_that_do_not_fit_are_refused(tmp_path, files):
    metadata, state, entries, data = opened(files["BagOfWords, weighed"])
    begin, end = entries["document_counts_"]["data_offsets"]
    n = state["attributes"]["n_documents_"]
    for wrong in (-1, n + 1, 1 << 62):
        wild = data[:begin] + wrong.to_bytes(8, "little", signed=True) + data[begin + 8 :]
        refused(tmp_path / "m", closed(metadata, state, entries, wild))
    for bits in (5, 7, None):  # as many counts as there are columns
        other = {**state, "parameters": {**state["parameters"], "bits": bits}}
        refused(tmp_path / "m", closed(metadata, other, entries, data))
    assert end - begin == 8 << 6


def test_a_recipe_that_is_not_sound_is_refused(tmp_path):
    X, y = rows()
    path, model = tmp_path / "m", r.LeastSquaresClassifier().fit(X, y)
    examples = r.read("iris")
    save(model, path, recipe=examples.recipe)
    metadata, state, entries, data = opened(path.read_bytes())
    facts = json.loads(metadata["recipe"])
    for name, value in [("kind", "x"), ("bits", "x"), ("dtype", "object"), ("columns", [{}])]:
        metadata["recipe"] = json.dumps({**facts, name: value})
        assert "holds no sound model" in refused(path, closed(metadata, state, entries, data))


def places(node, path=()):
    """Return the places of all values in JSON."""
    yield path
    inner = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in inner:
        yield from places(value, (*path, key))


def put(node, path, value):
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value


def one_of(random, things):
    return things[random.integers(len(things))]


def mutate(random, raw):
    """Return a file in which something was changed, sealed."""
    metadata, state, entries, data = opened(raw)
    what = random.random()
    if what < 0.5:
        spots = [path for path in places(state) if path]
        put(state, one_of(random, spots), one_of(random, [*JUNK, *map(as_array, entries)]))
    elif what < 0.75 and entries:
        entry = entries[one_of(random, sorted(entries))]
        put(entry, one_of(random, [path for path in places(entry) if path]), one_of(random, ODD))
    elif data:
        at = random.integers(len(data))
        data = (data[:at] + random.bytes(8) + data[at + 8 :])[: len(data)]
    return closed(metadata, state, entries, data)


def as_array(name):
    return {"array": name}


def use(model):
    """Predict and learn with a model that may be nonsense; only a crash would be wrong."""
    texts = isinstance(model, (Pipeline, r.BagOfWords))
    X, y = (["a prize", "noon"] * 5, np.array([0, 1] * 5)) if texts else rows(n=10)
    forms = [X] if texts else [X, sparse.csr_array(X), sparse.csr_array(X > 0)]
    for form in forms:
        for method in ("predict", "decision_function", "transform"):
            attempt(model, method, form)
    for method in ("partial_fit", "forget"):
        attempt(model, method, forms[0], y)


def attempt(model, method, *given):
    with warnings.catch_warnings(), np.errstate(all="ignore"), suppress(Exception):
        warnings.simplefilter("ignore")
        getattr(model, method)(*given)


def test_a_file_can_ask_for_our_estimators_and_for_five_classes_more():
    public = {name: getattr(r, name) for name in r.__all__}
    ours = {n for n, v in public.items() if isinstance(v, type) and issubclass(v, BaseEstimator)}
    more = {"MailFilter", "Pipeline", "StandardScaler", "Normalizer", "DenseScaler"}
    ours -= {"TableModel"}  # what a model is wrapped in where its file has a recipe
    assert set(CLASSES) == ours | more
    assert all(CLASSES[name] == r.HOMES[name] for name in ours)


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("AROW", "variance_", {"array": "intercept_"}),
        ("AROW", "variance_", {"array": "coef_"}),  # some are below 0
        ("AROW", "intercept_variance_", {"array": "coef_"}),
        ("AROW", "intercept_variance_", None),
        ("PassiveAggressive", "_memory", {"array": "coef_"}),
        ("PassiveAggressive joint", "_memory", None),
    ],
)
def test_crafted_variances_and_means_are_refused(tmp_path, files, name, attribute, value):
    metadata, state, entries, data = opened(files[name])
    assert attribute in state["attributes"]
    state["attributes"][attribute] = value
    raw = closed(metadata, state, entries, data)
    assert f"{attribute} of {name.split()[0]} does not fit" in refused(tmp_path / "m", raw)


OFFSETS = {"array": "calibration_/offsets"}


@pytest.mark.parametrize("name", ["AveragedPerceptron, decided", "GaussianNaiveBayes, decided"])
@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("calibration_", None),
        ("calibration_", {"part": "Calibration", "fields": [0.0, OFFSETS]}),
        ("calibration_", {"part": "Calibration", "fields": [-1.0, OFFSETS]}),
        ("calibration_", {"part": "Calibration", "fields": [{"float": "nan"}, OFFSETS]}),
        ("calibration_", {"part": "Calibration", "fields": [1.0, [0.0, 1.0]]}),
        ("calibration_", {"part": "Calibration", "fields": [1.0, {"array": "classes_"}]}),
        ("threshold_", None),
        ("threshold_", {"float": "inf"}),
        ("threshold_", "f1"),
    ],
)
def test_crafted_calibrations_are_refused(tmp_path, files, name, attribute, value):
    metadata, state, entries, data = opened(files[name])
    assert OFFSETS["array"] in entries
    state["attributes"][attribute] = value
    raw = closed(metadata, state, entries, data)
    assert f"{attribute} of {name.partition(',')[0]} does not fit" in refused(tmp_path / "m", raw)


def test_every_parameter_of_every_class_has_a_check():
    for name, home in CLASSES.items():
        kind = getattr(import_module(home), name)
        assert set(kind._get_param_names()) - {"steps", "memory"} <= set(CHECKS), name


def parameters_of(state):
    """Return (the parameters of a model or of a step, a name among them), for every one."""
    for name in state["parameters"]:
        yield state["parameters"], name
    for _, step in state.get("steps", ()):
        if isinstance(step, dict):
            yield from parameters_of(step)


@pytest.mark.parametrize("kind", sorted({name.split()[0].strip(",") for name in NAMES}))
def test_a_parameter_of_another_kind_is_refused_or_does_no_harm(tmp_path, files, kind):
    raw, path = files[next(name for name in NAMES if name.startswith(kind))], tmp_path / "m"
    n_loaded, n_parameters = 0, len(list(parameters_of(opened(raw)[1])))
    for place in range(n_parameters):
        for value in [*JUNK, *MORE_JUNK]:
            metadata, state, entries, data = opened(raw)
            parameters, name = list(parameters_of(state))[place]
            parameters[name] = value
            path.write_bytes(closed(metadata, state, entries, data))
            with suppress(ModelFileError):
                answer(load(path))
                n_loaded += 1
    assert n_loaded < n_parameters * (len(JUNK) + len(MORE_JUNK))


def answer(model):
    """Ask a model; what it cannot answer it says in our words."""
    texts = isinstance(model, (Pipeline, r.BagOfWords))
    X = ["a prize", "noon"] if texts else rows(n=10)[0]
    for method in ("predict", "decision_function", "transform", "predict_proba"):
        if hasattr(model, method):
            with warnings.catch_warnings(), np.errstate(all="ignore"), suppress(r.RosenblattError):
                warnings.simplefilter("ignore")
                getattr(model, method)(X)


def fuzz(files, path, seed, n):
    """Load n mutations and use what is loaded; return how many that were."""
    random, names, loaded = np.random.default_rng(seed), sorted(files), 0
    for _ in range(n):
        path.write_bytes(mutate(random, files[one_of(random, names)]))
        with suppress(ModelFileError):
            model = load(path)
            loaded += 1
            use(model)
    return loaded


def test_no_mutation_does_more_than_be_refused(tmp_path, files):
    assert 0 < fuzz(files, tmp_path / "m", 0, 400) < 400


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 21))
def test_no_mutation_of_many_does_more_than_be_refused(tmp_path, files, seed):
    assert 0 < fuzz(files, tmp_path / "m", seed, 2000) < 2000
