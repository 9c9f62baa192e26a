"""The models that count, and data that all of them take."""

import copy

import numpy as np

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.empirical import EmpiricalBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes

COUNTING = (
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    EmpiricalBayes,
    GaussianNaiveBayes,
    MultinomialNaiveBayes,
)
DISCRETE = tuple(cls for cls in COUNTING if cls is not GaussianNaiveBayes)


def binary(seed=0, n=60, d=5, n_classes=3):
    """Rows of 0 and 1 that depend on the class."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    p = rng.uniform(0.1, 0.9, (n_classes, d))
    return (rng.random((n, d)) < p[y]).astype(float), y


def bits(model):
    """Return all that a model knows, as bytes that can be compared."""
    public = {name: value for name, value in vars(model).items() if name.endswith("_")}
    return {name: _bits(value) for name, value in public.items()}


def _bits(value):
    if isinstance(value, list):
        return [_bits(part) for part in value]
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    return value


def same_after_error(model, call):
    """Run a call that fails; return the error, having looked that the model is as before."""
    before = bits(copy.deepcopy(model))
    try:
        call()
    except ValueError as error:
        assert bits(model) == before
        return error
    raise AssertionError("there was no error")
