"""Fitted models of every class, and files sealed by hand, as docs/model-files.md says."""

import warnings
from functools import cache, partial

import numpy as np
from scipy import sparse
from scipy.stats import norm, poisson
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Normalizer

import rosenblatt as r
from rosenblatt.linear.scaling import DenseScaler
from tests.examples import WAYS
from tests.reference.xxh64 import xxh64

LABELS = {
    "str": np.array(["ham", "spam", "straße"]),
    "int": np.array([-3, 0, 7]),
    "uint8": np.array([0, 1, 255], dtype=np.uint8),
    "float": np.array([-2.0, 0.0, 3.0]),
    "float32": np.array([-2.0, 0.0, 3.0], dtype=np.float32),
    "bool": np.array([False, True]),
    "object": np.array(["a", "b", "c"], dtype=object),
}
LEARNERS = [
    r.Perceptron(max_epochs=3),
    r.Perceptron(max_epochs=2, init="regression", rule="shuffled", random_state=4),
    r.PocketPerceptron(max_updates=40, random_state=1),
    r.BatchPerceptron(max_epochs=4),
    r.AveragedPerceptron(epochs=2, random_state=2),
    r.VotedPerceptron(epochs=2, shuffle=False),
    r.PassiveAggressive(epochs=2, C=0.5, random_state=2),
    r.PassiveAggressive(epochs=2, variant="II", average=False, random_state=2),
    r.AROW(epochs=2, random_state=2),
    r.LeastSquaresClassifier(),
    r.BernoulliNaiveBayes(binarize=0.0),
    r.MultinomialNaiveBayes(alpha=0.5),
    r.GaussianNaiveBayes(),
    r.CategoricalNaiveBayes(),
    r.EmpiricalBayes(alpha=0.25),
]


def rows(seed=0, n=24, d=3, n_classes=3, dtype=np.float64):
    """Return rows of small counts and the numbers of their classes, all of which occur."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (n, d)).astype(dtype)
    y = np.concatenate([np.arange(n_classes), random.integers(0, n_classes, n - n_classes)])
    return X, y


def fitted(model, X, y):
    """Return the model, fitted, without its word about convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


WITH_A_WAY = (
    r.Perceptron,
    r.AveragedPerceptron,
    r.VotedPerceptron,
    r.PassiveAggressive,
    r.AROW,
)
TEXTS = ["win a prize", "see you at noon", "a prize for you", "ß and Ж"]
ANSWERS = np.array(["spam", "ham", "spam", "ham"])


def _makers():
    """Return what makes a fitted model, by the name of the model."""
    X, y = rows()
    found = {type(model).__name__: partial(_relearned, model, X, y) for model in LEARNERS}
    for way in WAYS:
        for kind in WITH_A_WAY:
            presence = sparse.csr_array(X > 0)
            found[f"{kind.__name__} {way}"] = partial(_relearned, kind(multiclass=way), presence, y)
    steps = [("words", r.BagOfWords(bits=None)), ("learner", r.BernoulliNaiveBayes())]
    two = np.minimum(y, 1)
    for kind in (r.AveragedPerceptron, r.VotedPerceptron, r.GaussianNaiveBayes):
        decided = kind(probability=True, threshold="f1")
        found[f"{kind.__name__}, decided"] = partial(_relearned, decided, X, two)
    return found | {
        "LeastSquares": lambda: r.LeastSquares().fit(X, X[:, 0] - X[:, 1]),
        "LeastSquares, columns": lambda: r.LeastSquares().fit(X, X[:, :2]),
        "LeastSquares, sums": lambda: r.LeastSquares().partial_fit(X, X[:, :2]),
        "LeastSquaresClassifier, sums": lambda: r.LeastSquaresClassifier().partial_fit(X, y),
        "ThresholdUnit": lambda: r.ThresholdUnit([-1.5, 1, 1, 1]),
        "BayesClassifier": lambda: r.BayesClassifier(
            [0.5, 0.5], [[norm(0, 1)] * 3, [poisson(2), norm(loc=1.0), norm(0, scale=3.0)]]
        ),
        "BagOfWords": lambda: r.BagOfWords(bits=6, ngrams=(1, 2)).fit(TEXTS),
        "BagOfWords, weighed": lambda: r.BagOfWords(bits=6, counts=True, weighting="tfidf").fit(
            TEXTS
        ),
        "BagOfWords, weighed vocabulary": lambda: r.BagOfWords(bits=None, weighting="tfidf").fit(
            TEXTS
        ),
        "DenseScaler": lambda: DenseScaler().fit(X),
        "Normalizer": lambda: Normalizer().fit(X),
        "Pipeline": lambda: Pipeline(steps).fit(TEXTS, ANSWERS),
        "OnlinePipeline": lambda: r.OnlinePipeline(
            [("words", r.BagOfWords(bits=6)), ("none", "passthrough"), ("p", r.Perceptron())]
        ).partial_fit(TEXTS, ANSWERS),
    }


def _relearned(model, X, y):
    return fitted(type(model)(**model.get_params()), X, y)


_MAKERS = _makers()
# A model of every class and every way to learn many classes
NAMES = sorted(_MAKERS)


# Tests ask for names while they are collected, and for a model only when they run: some take
# seconds to compile. Nobody changes what others will ask for, too.
@cache
def sample(name):
    """Return the fitted model of this name, always the same one."""
    return _MAKERS[name]()


def sealed(raw):
    """Return the bytes of a file with the length and the checksum that it should have."""
    start = raw.index(b'"xxh64":"') + len(b'"xxh64":"')
    raw = raw[:start] + b"0" * 16 + raw[start + 16 :]
    place = start + 16 + len(b'","bytes":"')
    raw = raw[:place] + b"%020d" % len(raw) + raw[place + 20 :]
    return raw[:start] + xxh64(raw).encode() + raw[start + 16 :]


def parts(raw):
    """Return (header, bytes of the arrays) of a file."""
    length = int.from_bytes(raw[:8], "little")
    return raw[8 : 8 + length], raw[8 + length :]


def joined(header, data):
    """Return the file with this header and these bytes, sealed."""
    return sealed(len(header).to_bytes(8, "little") + header + data)
