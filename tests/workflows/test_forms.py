"""Rows come to a learner in the form that it wants, learned from training rows alone."""

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

import rosenblatt
from rosenblatt import AveragedPerceptron, BagOfWords, DataError, ParameterError, load, read
from rosenblatt.blocks import as_blocks
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.forms import FORMS, OTHER_FORM, count_documents, form_of, kind_of_rows
from rosenblatt.workflows.task import make_task
from tests.cli.running import run
from tests.cli.test_bad_input import assert_refused

TOPICS = {"ball": "goal team win the a", "star": "moon sky far the a", "soup": "salt hot pan the a"}


def texts(n=120, seed=0):
    """Return lines of a topic and some of its words, now and then one of another topic."""
    rng = np.random.default_rng(seed)
    names = list(TOPICS)
    lines = []
    for i in range(n):
        topic = names[i % 3]
        words = rng.choice(TOPICS[topic].split(), 3).tolist()
        words += rng.choice(TOPICS[names[rng.integers(3)]].split(), 2).tolist()
        lines.append(f"{topic}\t{' '.join(words)} {i % 17}\n")
    return "".join(lines)


def svmlight(X, y):
    rows = (" ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x) if v) for x in X.tolist())
    return "".join(f"{label} {row}\n" for label, row in zip(y, rows, strict=True))


def full_rows(n=60, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * [1, 10, 100, 1] + [0, 5, -100, 0]
    X[rng.random(X.shape) < 0.3] = 0
    return X, np.where(X[:, 1] + X[:, 3] * 9 > 4, 1, 0)


def sparse_rows(n=60, seed=2):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, 30)) < 0.1, rng.random((n, 30)) * 9 + 0.5, 0.0)
    X[:, 0] = 1.0
    return X, (X[:, 1:15].sum(axis=1) > X[:, 15:].sum(axis=1)).astype(int)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("a\tsome words here\nb\tother words\n" * 3, "words"),
        ("x,y,label\n" + "1,2,a\n3,1,b\n" * 3, "dense"),
        ("1 1:1.5 2:2\n0 2:1 3:0.5\n" * 3, "full"),
        ("1 1:1.5 9:2\n0 2:1 3:0.5\n" * 3, "sparse"),
        ("1 1:1 9:1\n0 2:1 3:1\n" * 3, "presence"),
        ("size,text,label\n" + "".join(f"{i},it is {i} so,{i % 2}\n" for i in range(9)), "mixed"),
    ],
)
def test_the_kind_of_rows_is_known_in_memory_and_on_disk(tmp_path, content, kind):
    path = tmp_path / "data"
    path.write_text(content)
    assert make_task(read(path)).kind == kind
    one = fit(read(path, bits=8), "averaged", prove_seconds=0)
    two = fit(str(path), "averaged", memory="100M", prove_seconds=0, bits=8)
    assert one.form == two.form == FORMS[kind]
    assert set(FORMS) == set(OTHER_FORM)


def test_those_that_count_get_rows_as_they_are():
    assert form_of("words", "averaged") == "tfidf"
    assert form_of("sparse", "regression") == "length"
    for name in ("bernoulli", "multinomial", "gaussian", "categorical"):
        assert {form_of(kind, name) for kind in FORMS} == {"plain"}


def test_words_are_weighed_as_scikit_learn_does(tmp_path):
    path = tmp_path / "texts"
    path.write_text(texts())
    examples = read(path)
    report = fit(examples, "averaged", seed=3)
    assert report.form == "tfidf"
    assert report.model[0].weighting == "tfidf"
    X = BagOfWords(counts=True).transform(examples.texts)
    weights, learner = TfidfTransformer(sublinear_tf=True), AveragedPerceptron(random_state=3)
    peer = make_pipeline(weights, learner).fit(X, examples.y)
    np.testing.assert_allclose(report.learner.coef_, peer[-1].coef_, atol=1e-12)
    right = peer.predict(X)
    assert report.error_in == np.mean(right != examples.y)
    assert (report.model.predict(examples.texts) == right).all()


def test_weights_come_from_the_training_rows_of_each_fold(tmp_path):
    """The validated error is that of pipelines that see nothing of the rows they are tested on."""
    path = tmp_path / "texts"
    path.write_text(texts(seed=4))
    examples = read(path)
    report = fit(examples, "averaged", prove_seconds=0)
    X, y = BagOfWords(counts=True).transform(examples.texts), examples.y
    weights = TfidfTransformer(sublinear_tf=True)
    peer = make_pipeline(weights, AveragedPerceptron(random_state=0))
    parts = folds_of(make_task(examples)).parts
    wrong = [int((clone(peer).fit(X[a], y[a]).predict(X[b]) != y[b]).sum()) for a, b in parts]
    assert report.validation.n_wrong == sum(wrong) > 0


def test_sparse_rows_are_brought_to_length_1(tmp_path):
    X, y = sparse_rows()
    path = tmp_path / "rows.svm"
    path.write_text(svmlight(X, y))
    report = fit(read(path), "averaged", seed=1)
    assert report.form == "length"
    assert isinstance(report.model["scale"], Normalizer)
    rows = sparse.csr_array(X)
    peer = make_pipeline(Normalizer(), AveragedPerceptron(random_state=1)).fit(rows, y)
    np.testing.assert_allclose(report.learner.coef_, peer[-1].coef_, atol=1e-12)
    assert (report.model.predict(rows) == peer.predict(rows)).all()


def test_sparse_rows_that_are_full_are_scaled_like_tables(tmp_path):
    X, y = full_rows()
    path, model = tmp_path / "rows.svm", tmp_path / "m.rosenblatt"
    path.write_text(svmlight(X, y))
    report = fit(read(path), "averaged", seed=1)
    assert report.form == "columns"
    dense = make_pipeline(StandardScaler(), AveragedPerceptron(random_state=1)).fit(X, y)
    np.testing.assert_allclose(report.learner.coef_, dense[-1].coef_, atol=1e-9)
    rosenblatt.save(report.model, model)
    for rows in (X, sparse.csr_array(X)):
        assert (load(model).predict(rows) == dense.predict(X)).all()


@pytest.mark.parametrize(("rows", "is_full"), [(full_rows, True), (sparse_rows, False)])
def test_rows_on_disk_give_the_same_file_and_go_on_so(tmp_path, rows, is_full):
    X, y = rows(200)
    path = tmp_path / "rows.svm"
    path.write_text(svmlight(X, y))
    for name, memory in (("one", []), ("two", ["--memory", "100M"])):
        options = ["--prove-seconds", "0", *memory]
        first = run("fit", path, *options, "-o", tmp_path / name)
        more = ["--learn-more", tmp_path / name, "-o", tmp_path / f"{name}-more"]
        second = run("fit", path, *options, *more)
        assert (first.code, second.code) == (0, 0), first.err + second.err
        assert ("columns scaled" in first.out) == is_full
        assert ("rows of length 1" in second.out) != is_full
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one-more").read_bytes() == (tmp_path / "two-more").read_bytes()


def test_a_model_of_weighed_words_goes_on_and_counts_grow(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text(texts(90))
    new.write_text(texts(60, seed=7))
    models = [tmp_path / name for name in ("first", "one", "two")]
    assert run("fit", old, "-o", models[0]).code == 0
    one = run("fit", new, "--learn-more", models[0], "-o", models[1], "--prove-seconds", "0")
    options = ["--memory", "1G", "--prove-seconds", "0"]
    two = run("fit", new, "--learn-more", models[0], "-o", models[2], *options)
    assert (one.code, two.code) == (0, 0), one.err + two.err
    assert models[1].read_bytes() == models[2].read_bytes()
    words = load(models[1])[0]
    assert words.n_documents_ == 150
    whole = BagOfWords(weighting="tfidf").fit(
        read(old).texts.to_pylist() + read(new).texts.to_pylist()
    )
    np.testing.assert_array_equal(words.document_counts_, whole.document_counts_)
    # the same as going on in Python
    online = load(models[0])
    online.partial_fit(read(new).texts, read(new).y)
    np.testing.assert_array_equal(online[-1].coef_, load(models[1])[-1].coef_)


def test_what_it_learned_from_is_known_again(tmp_path):
    path, model = tmp_path / "texts", tmp_path / "m"
    path.write_text(texts(60))
    run("fit", path, "-o", model)
    assert "learned from these very examples before" in run("fit", path, "--learn-more", model).out


def test_predict_score_and_explain_take_texts(tmp_path):
    path, model = tmp_path / "texts", tmp_path / "m"
    path.write_text(texts(90))
    fitted = run("fit", path, "-o", model, "--report", tmp_path / "page.html")
    assert "words weighed by tf-idf, rows of length 1" in fitted.out
    assert "a word adds its weight times its tf-idf" in (tmp_path / "page.html").read_text()
    said = run("predict", model, path).out.split()
    examples, saved = read(path), load(model)
    assert said == saved.predict(examples.texts).tolist()
    assert run("score", model, path).code == 0
    assert "a word adds its weight times its tf-idf" in run("explain", model).out
    scores = saved.decision_function(examples.texts)
    row = json.loads(run("explain", model, path, "--json", "--first", "1").out)
    best, second = np.sort(scores[0])[[-1, -2]]
    assert row["score"] == pytest.approx(best - second)
    added = sum(value for _, value in row["contributions"])
    assert added + row["intercept"] == pytest.approx(row["score"])


def test_rows_are_left_as_they_are_if_asked(tmp_path):
    path = tmp_path / "texts"
    path.write_text(texts(60))
    for options in ({"weighting": "none"}, {"scale": False}):
        report = fit(read(path), "averaged", prove_seconds=0, **options)
        assert report.form == "plain"
        assert report.model[0].weighting is None
        X = BagOfWords().transform(read(path).texts)
        peer = AveragedPerceptron(random_state=0).fit(X, read(path).y)
        np.testing.assert_array_equal(report.learner.coef_, peer.coef_)
    assert fit(read("wine"), "averaged", scale=False, prove_seconds=0).form == "plain"
    assert "columns scaled" not in run("fit", "wine", "--no-scale").out
    both = fit(read(path), "averaged", weighting="tfidf", scale=False, prove_seconds=0)
    assert both.form == "tfidf"


def test_a_verdict_says_what_it_is_about(tmp_path):
    path = tmp_path / "texts"
    path.write_text("a\tone two\nb\tthree\na\tone\nb\tthree four\n")
    weighed = fit(read(path), "averaged").verdict
    assert weighed.separable is True
    assert weighed.sentence.endswith(
        "(about the words as they are read; the learner got them weighed)"
    )
    assert "weighed" not in fit(read(path), "averaged", weighting="none").verdict.sentence


def test_bad_requests_are_refused_in_words(tmp_path):
    path, model = tmp_path / "texts", tmp_path / "m"
    path.write_text(texts(30))
    run("fit", path, "-o", model)
    refused = [
        (["fit", path, "--weighting", "idf"], "--weighting must be one of"),
        (["fit", "iris", "--weighting", "tfidf"], "leave out --weighting"),
        (["fit", path, "-a", "bernoulli", "--weighting", "tfidf"], "which counts words"),
        (["fit", path, "--learn-more", model, "--no-scale"], "leave out --weighting and --no-sc"),
    ]
    for arguments, word in refused:
        assert_refused(run(*arguments), word)
    with pytest.raises(ParameterError, match="weighting must be one of 'tfidf', 'none', 'auto'"):
        fit(read(path), weighting="idf")
    path.write_text("1 1:1e200 40:1\n0 2:1\n" * 5)
    with pytest.raises(DataError, match="too large for a row of length 1"):
        fit(read(path))
    assert fit(read(path), "averaged", scale=False, prove_seconds=0).form == "plain"


def test_documents_are_counted_in_blocks_of_any_size():
    X = sparse.csr_array(np.random.default_rng(5).random((40, 9)) < 0.3)
    y = np.arange(40) % 2
    whole = count_documents(as_blocks(X, y))
    assert whole.n == 40
    np.testing.assert_array_equal(whole.of_columns, X.sum(axis=0))
    with StoreWriter(block_bytes=200) as writer:
        writer.add(X, y)
        stored = writer.finish()
        assert kind_of_rows(stored, None, of_words=False) == "presence"
        grown = count_documents(stored, whole)
    assert grown.n == 80
    np.testing.assert_array_equal(grown.of_columns, 2 * whole.of_columns)
    np.testing.assert_array_equal(whole.of_columns, X.sum(axis=0))  # not changed by going on
