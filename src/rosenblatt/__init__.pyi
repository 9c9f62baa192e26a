"""The public names, written once: type checkers read them here, and `__init__.py` does, too.

A name is a line `from .home import name as name`; without a home it is a room, public as a whole.
"""

from contextlib import AbstractContextManager

from . import lab as lab
from . import mail as mail
from . import plot as plot
from .bayes.bernoulli import BernoulliNaiveBayes as BernoulliNaiveBayes
from .bayes.categorical import CategoricalNaiveBayes as CategoricalNaiveBayes
from .bayes.empirical import EmpiricalBayes as EmpiricalBayes
from .bayes.gaussian import GaussianNaiveBayes as GaussianNaiveBayes
from .bayes.multinomial import MultinomialNaiveBayes as MultinomialNaiveBayes
from .bayes.optimal import BayesClassifier as BayesClassifier
from .blocks.fitting import fit_blocks as fit_blocks
from .cluster.spreading import spread as spread
from .data.read import read as read
from .data.text_blocks import TextBlocks as TextBlocks
from .errors import ClusterError as ClusterError
from .errors import DataError as DataError
from .errors import DataFileError as DataFileError
from .errors import LabelError as LabelError
from .errors import MissingExtraError as MissingExtraError
from .errors import ModelFileError as ModelFileError
from .errors import NoMarginError as NoMarginError
from .errors import NoProofInTimeError as NoProofInTimeError
from .errors import OutOfTimeError as OutOfTimeError
from .errors import ParameterError as ParameterError
from .errors import ProofError as ProofError
from .errors import RosenblattError as RosenblattError
from .errors import UnknownParameterError as UnknownParameterError
from .linear.arow import AROW as AROW
from .linear.averaged import AveragedPerceptron as AveragedPerceptron
from .linear.batch import BatchPerceptron as BatchPerceptron
from .linear.least_squares import LeastSquares as LeastSquares
from .linear.least_squares_classifier import LeastSquaresClassifier as LeastSquaresClassifier
from .linear.passive_aggressive import PassiveAggressive as PassiveAggressive
from .linear.perceptron import Perceptron as Perceptron
from .linear.pocket import PocketPerceptron as PocketPerceptron
from .linear.threshold_unit import ThresholdUnit as ThresholdUnit
from .linear.voted import VotedPerceptron as VotedPerceptron
from .model_file import load as load
from .model_file import save as save
from .model_file.table_model import TableModel as TableModel
from .progress import Progress as Progress
from .proof.certificate import Contradiction as Contradiction
from .proof.certificate import Proofs as Proofs
from .proof.certificate import Separable as Separable
from .proof.loading import load_proof as load_proof
from .proof.margin import LineMargin as LineMargin
from .proof.margin import MaxMargin as MaxMargin
from .proof.margin import line_margin as line_margin
from .proof.margin import max_margin as max_margin
from .proof.mistakes import FewestMistakes as FewestMistakes
from .proof.mistakes import fewest_mistakes as fewest_mistakes
from .proof.packing import Packing as Packing
from .proof.packing import disjoint_contradictions as disjoint_contradictions
from .proof.prove import prove as prove
from .text.pipeline import OnlinePipeline as OnlinePipeline
from .text.words import BagOfWords as BagOfWords
from .tracing.trace import Trace as Trace
from .tracing.trace import trace as trace
from .workflows.amounts import fit_amounts as fit_amounts
from .workflows.compare import compare as compare
from .workflows.explaining import explain as explain
from .workflows.fit import fit as fit
from .workflows.fit_file import fit_file as fit_file
from .workflows.reporting import report as report

__version__: str
HOMES: dict[str, str]

# Names of before, which still load
MarginProgress = Progress
MistakesProgress = Progress
ProofProgress = Progress

def collector_at_rest() -> AbstractContextManager[None]: ...
