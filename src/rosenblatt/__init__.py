"""Learn linear classifiers from arrays, text and tables, as fast as the machine reads them.

The public names are loaded when they are first used: `import rosenblatt` itself loads neither
Numba nor scikit-learn.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
    from rosenblatt.bayes.categorical import CategoricalNaiveBayes
    from rosenblatt.bayes.empirical import EmpiricalBayes
    from rosenblatt.bayes.gaussian import GaussianNaiveBayes
    from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
    from rosenblatt.bayes.optimal import BayesClassifier
    from rosenblatt.blocks import fit_blocks
    from rosenblatt.data.read import read
    from rosenblatt.data.text_blocks import TextBlocks
    from rosenblatt.errors import (
        DataError,
        DataFileError,
        LabelError,
        ModelFileError,
        NoMarginError,
        NoProofInTimeError,
        OutOfTimeError,
        ParameterError,
        ProofError,
        RosenblattError,
        UnknownParameterError,
    )
    from rosenblatt.linear.averaged import AveragedPerceptron
    from rosenblatt.linear.batch import BatchPerceptron
    from rosenblatt.linear.least_squares import LeastSquares
    from rosenblatt.linear.least_squares_classifier import LeastSquaresClassifier
    from rosenblatt.linear.perceptron import Perceptron
    from rosenblatt.linear.pocket import PocketPerceptron
    from rosenblatt.linear.threshold_unit import ThresholdUnit
    from rosenblatt.linear.voted import VotedPerceptron
    from rosenblatt.model_file import load, save
    from rosenblatt.progress import Progress
    from rosenblatt.proof.certificate import Contradiction, Proofs, Separable
    from rosenblatt.proof.loading import load_proof
    from rosenblatt.proof.margin import MaxMargin, max_margin
    from rosenblatt.proof.mistakes import FewestMistakes, fewest_mistakes
    from rosenblatt.proof.packing import Packing, disjoint_contradictions
    from rosenblatt.proof.prove import prove
    from rosenblatt.text.pipeline import OnlinePipeline
    from rosenblatt.text.words import BagOfWords
    from rosenblatt.tracing.trace import Trace, trace
    from rosenblatt.workflows.fit import fit_file

__version__ = "0.1.0"

_HOMES = {
    "AveragedPerceptron": "rosenblatt.linear.averaged",
    "BagOfWords": "rosenblatt.text.words",
    "BatchPerceptron": "rosenblatt.linear.batch",
    "BayesClassifier": "rosenblatt.bayes.optimal",
    "BernoulliNaiveBayes": "rosenblatt.bayes.bernoulli",
    "CategoricalNaiveBayes": "rosenblatt.bayes.categorical",
    "Contradiction": "rosenblatt.proof.certificate",
    "DataError": "rosenblatt.errors",
    "DataFileError": "rosenblatt.errors",
    "EmpiricalBayes": "rosenblatt.bayes.empirical",
    "FewestMistakes": "rosenblatt.proof.mistakes",
    "GaussianNaiveBayes": "rosenblatt.bayes.gaussian",
    "LabelError": "rosenblatt.errors",
    "LeastSquares": "rosenblatt.linear.least_squares",
    "LeastSquaresClassifier": "rosenblatt.linear.least_squares_classifier",
    "MaxMargin": "rosenblatt.proof.margin",
    "ModelFileError": "rosenblatt.errors",
    "MultinomialNaiveBayes": "rosenblatt.bayes.multinomial",
    "NoMarginError": "rosenblatt.errors",
    "NoProofInTimeError": "rosenblatt.errors",
    "OnlinePipeline": "rosenblatt.text.pipeline",
    "OutOfTimeError": "rosenblatt.errors",
    "Packing": "rosenblatt.proof.packing",
    "ParameterError": "rosenblatt.errors",
    "Perceptron": "rosenblatt.linear.perceptron",
    "PocketPerceptron": "rosenblatt.linear.pocket",
    "Progress": "rosenblatt.progress",
    "ProofError": "rosenblatt.errors",
    "Proofs": "rosenblatt.proof.certificate",
    "RosenblattError": "rosenblatt.errors",
    "Separable": "rosenblatt.proof.certificate",
    "TextBlocks": "rosenblatt.data.text_blocks",
    "ThresholdUnit": "rosenblatt.linear.threshold_unit",
    "Trace": "rosenblatt.tracing.trace",
    "UnknownParameterError": "rosenblatt.errors",
    "VotedPerceptron": "rosenblatt.linear.voted",
    "disjoint_contradictions": "rosenblatt.proof.packing",
    "fewest_mistakes": "rosenblatt.proof.mistakes",
    "fit_blocks": "rosenblatt.blocks",
    "fit_file": "rosenblatt.workflows.fit",
    "load": "rosenblatt.model_file",
    "load_proof": "rosenblatt.proof.loading",
    "max_margin": "rosenblatt.proof.margin",
    "prove": "rosenblatt.proof.prove",
    "read": "rosenblatt.data.read",
    "save": "rosenblatt.model_file",
    "trace": "rosenblatt.tracing.trace",
}

__all__ = [
    "AveragedPerceptron",
    "BagOfWords",
    "BatchPerceptron",
    "BayesClassifier",
    "BernoulliNaiveBayes",
    "CategoricalNaiveBayes",
    "Contradiction",
    "DataError",
    "DataFileError",
    "EmpiricalBayes",
    "FewestMistakes",
    "GaussianNaiveBayes",
    "LabelError",
    "LeastSquares",
    "LeastSquaresClassifier",
    "MaxMargin",
    "ModelFileError",
    "MultinomialNaiveBayes",
    "NoMarginError",
    "NoProofInTimeError",
    "OnlinePipeline",
    "OutOfTimeError",
    "Packing",
    "ParameterError",
    "Perceptron",
    "PocketPerceptron",
    "Progress",
    "ProofError",
    "Proofs",
    "RosenblattError",
    "Separable",
    "TextBlocks",
    "ThresholdUnit",
    "Trace",
    "UnknownParameterError",
    "VotedPerceptron",
    "disjoint_contradictions",
    "fewest_mistakes",
    "fit_blocks",
    "fit_file",
    "load",
    "load_proof",
    "max_margin",
    "prove",
    "read",
    "save",
    "trace",
]


# Names of before, which still load
_OLD_NAMES = dict.fromkeys(("MarginProgress", "MistakesProgress", "ProofProgress"), "Progress")
_ROOMS = ("lab", "mail", "plot")  # modules that are public as a whole


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let the garbage collector rest while much is made that is no garbage.

    No cycles are looked for in this context; what nobody refers to is freed as ever.

    Examples
    --------
    >>> with collector_at_rest():
    ...     gc.isenabled()
    False
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def __getattr__(name: str) -> Any:
    name = _OLD_NAMES.get(name, name)
    if name not in _HOMES and name not in _ROOMS:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    # Nothing that an import makes is garbage: without looking for any, it is a tenth faster
    with collector_at_rest():
        if name in _ROOMS:
            return import_module(f"rosenblatt.{name}")
        value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, *_ROOMS])
