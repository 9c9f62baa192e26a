"""Files of texts, read, hashed and learned block by block."""

import gzip
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import rosenblatt as r
from rosenblatt import AveragedPerceptron, BagOfWords, DataError, ParameterError, Perceptron
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.data.read import read
from rosenblatt.data.text_blocks import TextBlocks
from tests.data.files import shared

LEARNERS = [Perceptron(max_epochs=3), AveragedPerceptron(epochs=2, shuffle=False)]


def lines(n, n_classes=2, seed=0):
    """Return lines of a label and ten words, some of them not ASCII, blank lines in between."""
    rng = np.random.default_rng(seed)
    known = [f"word{k}" for k in range(60)] + ["Straße", "été", "日本", "don't", "ÇA"]
    found = []
    for i in range(n):
        label = f"class-number-{i % n_classes}" if i % n_classes else "x"
        words = rng.choice(known[i % n_classes :: n_classes], 10)
        found.append(f"{label}\t{' '.join(words)}" + ("\r" if i % 7 == 0 else ""))
        if i % 11 == 0:
            found.append("  ")
    return "\n".join(found)


def in_memory(path, words, model):
    """Return the model that learns from all texts at once, taken apart by `read`."""
    found = read(path, format="text", bits=8)
    X = words.transform(found.texts)
    return type(model)(**model.get_params()).fit(X, found.y)


def assert_the_same(one, two):
    for name in ("classes_", "coef_", "intercept_", "n_updates_", "n_epochs_", "converged_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), name)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", LEARNERS, ids=repr)
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("block_bytes", [100, 1000, 1 << 20])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_model_is_that_of_all_texts_at_once(tmp_path, model, n_jobs, block_bytes, n_classes):
    path = tmp_path / "texts.tsv"
    path.write_text(lines(200, n_classes))
    words = BagOfWords(bits=10, n_jobs=n_jobs)
    blocks = TextBlocks(path, words, block_bytes=block_bytes)
    assert_the_same(
        in_memory(path, words, model), fit_blocks(type(model)(**model.get_params()), blocks)
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "words",
    [BagOfWords(bits=9, ngrams=2, counts=True), BagOfWords(bits=9, characters=True, ngrams=(2, 3))],
)
def test_any_bag_of_words_will_do(tmp_path, words):
    path = tmp_path / "texts.tsv"
    path.write_text(lines(100))
    two = fit_blocks(Perceptron(max_epochs=2), TextBlocks(path, words, block_bytes=500))
    assert_the_same(in_memory(path, words, Perceptron(max_epochs=2)), two)


def test_a_label_that_comes_late_is_learned_as_if_it_had_been_known(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text(lines(200) + "\nlate\tword1 word2\nlater\tword3\n")
    model, words = AveragedPerceptron(epochs=1, shuffle=False), BagOfWords(bits=10)
    blocks = TextBlocks(path, words, block_bytes=300)
    assert len(blocks.classes) == 2
    two = fit_blocks(model, blocks)
    assert_the_same(in_memory(path, words, model), two)
    assert (len(two.classes_), blocks.n_rows) == (4, 202)


def test_labels_sorted_by_class_are_found(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("1\tgood day\n" * 100 + "-1\tbad day\n" * 100)
    blocks = TextBlocks(path, block_bytes=64)
    assert blocks.classes.tolist() == [-1, 1]
    assert blocks.classes.dtype.kind == "i"


def test_a_packed_file_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "texts.tsv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfham\tone\nspam\ttwo"))
    blocks = TextBlocks(path)
    assert blocks.classes.tolist() == ["ham", "spam"]
    assert blocks.n_rows == 2


def test_public_texts_are_learned_the_same():
    path = shared("sms-spam/SMSSpamCollection.xz")
    words = BagOfWords(bits=18, n_jobs=2)
    model = AveragedPerceptron(epochs=1, shuffle=False)
    two = fit_blocks(AveragedPerceptron(epochs=1, shuffle=False), TextBlocks(path, words))
    assert_the_same(in_memory(path, words, model), two)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"a\tone\nb\ttwo\nno tab here\n", "line 3: expected label<TAB>text, got no tab in 'no t"),
        (b"a\tone\n\n\ttwo\nb\tthree\n", "line 3: the label is missing"),
        (b"a\tone\nb\ttw\xffo\n", "line 2: byte 0xff is not UTF-8"),
        (b"a\tone\nb\ttw\0o\n", "binary file"),
        (b"a\tone\na\ttwo\n", "1 class, 'a'"),
        (b"\n  \n", "blank lines only"),
    ],
)
@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
def test_what_is_wrong_with_a_file_is_said(tmp_path, content, word, block_bytes):
    path = tmp_path / "texts.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=word):
        TextBlocks(path, block_bytes=block_bytes).look_for_labels()


def test_a_shuffled_order_is_refused(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("a\tone\nb\ttwo\n")
    with pytest.raises(ParameterError, match="order of its lines"):
        fit_blocks(AveragedPerceptron(), TextBlocks(path))


LINES = "".join(f"{'abc'[i * i % 3]}\tword{i % 7} word{i % 5} {i % 4}\n" for i in range(60))
EVERY = [
    r.Perceptron(max_epochs=4),
    r.AveragedPerceptron(epochs=2, shuffle=False),
    r.VotedPerceptron(epochs=2, shuffle=False),
    r.PassiveAggressive(epochs=2, shuffle=False),
    r.AROW(epochs=2, shuffle=False),
    r.BatchPerceptron(max_epochs=4),
    r.BernoulliNaiveBayes(),
    r.MultinomialNaiveBayes(),
    r.LeastSquaresClassifier(solver="iterative"),
]


@pytest.mark.parametrize("model", EVERY, ids=repr)
@pytest.mark.parametrize("way", ["joint", "one-vs-one"])
def test_every_learner_takes_texts(tmp_path, model, way):
    if way != "joint" and not hasattr(model, "multiclass"):
        return
    path, words = tmp_path / "texts.txt", r.BagOfWords(bits=4)
    path.write_text(LINES)
    how = model.get_params() | ({"multiclass": way} if hasattr(model, "multiclass") else {})
    labels, texts = zip(*(line.split("\t") for line in LINES.splitlines()), strict=True)
    X = words.transform(list(texts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = type(model)(**how).fit(X, np.array(labels))
        two = r.fit_blocks(type(model)(**how), r.TextBlocks(path, words, block_bytes=200))
    tolerance = 1e-9 if isinstance(model, r.LeastSquaresClassifier) else 0
    np.testing.assert_allclose(two.coef_, one.coef_, rtol=0, atol=tolerance)
    np.testing.assert_array_equal(two.predict(X), one.predict(X))


@pytest.mark.parametrize("model", [m for m in EVERY if hasattr(m, "partial_fit")], ids=repr)
def test_every_learner_goes_on_with_texts(tmp_path, model):
    path, words = tmp_path / "texts.txt", r.BagOfWords(bits=4)
    path.write_text(LINES)
    labels, texts = zip(*(line.split("\t") for line in LINES.splitlines()), strict=True)
    X, y = words.transform(list(texts)), np.array(labels)
    early = np.flatnonzero(y != "b")[:9]
    one, two = (type(model)(**model.get_params()).partial_fit(X[early], y[early]) for _ in "12")
    one.partial_fit(X, y)
    two.partial_fit(r.TextBlocks(path, words, block_bytes=200))
    np.testing.assert_allclose(two.coef_, one.coef_, rtol=0, atol=1e-12)


def test_rows_that_are_taken_after_a_pass_are_those_asked_for(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text(lines(60))
    blocks = TextBlocks(path, block_bytes=300)
    numbers = [
        n for block in blocks.one_pass() for n in range(block.first, block.first + block.n_rows)
    ]
    rows = [set(part.tolist()) for part in words_of(blocks)]
    again = [
        n for block in blocks.one_pass() for n in range(block.first, block.first + block.n_rows)
    ]
    assert numbers == again == list(range(60))
    assert [set(part.tolist()) for part in words_of(blocks.take(np.array([3, 40])))] == [
        rows[3],
        rows[40],
    ]


def words_of(blocks):
    """Return the columns of each row."""
    return [
        block.rows.indices[start:stop]
        for block in blocks.one_pass()
        for start, stop in zip(block.rows.indptr, block.rows.indptr[1:], strict=False)
    ]


@pytest.mark.parametrize("way", ["joint", "one-vs-rest"])
def test_texts_in_a_file_are_proved_as_those_in_memory(tmp_path, way):
    path = tmp_path / "texts.txt"
    path.write_text(lines(40, n_classes=3))
    examples = read(path, bits=8)
    proof = r.prove(examples.X, examples.y, multiclass=way)
    blocks = TextBlocks(path, BagOfWords(bits=8), block_bytes=300)
    assert r.prove(blocks, multiclass=way).to_json() == proof.to_json()
    assert proof.check(blocks)
