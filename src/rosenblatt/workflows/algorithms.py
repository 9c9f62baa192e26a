"""The learners by the names that a command takes; nothing is loaded before it is made."""

from __future__ import annotations

from typing import Any, NamedTuple

from rosenblatt.errors import ParameterError

# A hashed bag has a million columns, most of them never set. Each counts `alpha` examples in
# thought: with alpha=1 they outweigh the words that are there, with 0.01 they do not. Chosen with a
# look at SMS Spam (Bernoulli on pairs, accuracy in 5 folds): 0.922 with 0.1, 0.980 with 0.03, 0.990
# with 0.01, 0.991 with 0.001. So an error measured on that set is a little too good.
ALPHA_OF_WORDS = 0.01


class Algorithm(NamedTuple):
    """A learner of `rosenblatt` and how it wants its data."""

    learner: str
    scaled: bool  # dense columns are brought to mean 0 and deviation 1 first
    watched: bool  # `fit` takes a callback
    smoothed: bool = False  # has an alpha
    linear: bool = True  # decides by linear scores


ALGORITHMS = {
    "averaged": Algorithm("AveragedPerceptron", scaled=True, watched=True),
    "perceptron": Algorithm("Perceptron", scaled=True, watched=True),
    "pocket": Algorithm("PocketPerceptron", scaled=True, watched=True),
    "voted": Algorithm("VotedPerceptron", scaled=True, watched=True),
    "batch": Algorithm("BatchPerceptron", scaled=True, watched=True),
    "regression": Algorithm("LeastSquaresClassifier", scaled=True, watched=False),
    "gaussian": Algorithm("GaussianNaiveBayes", scaled=False, watched=False, linear=False),
    "bernoulli": Algorithm("BernoulliNaiveBayes", scaled=False, watched=False, smoothed=True),
    "multinomial": Algorithm("MultinomialNaiveBayes", scaled=False, watched=False, smoothed=True),
    "categorical": Algorithm("CategoricalNaiveBayes", scaled=False, watched=False, linear=False),
}


def check_algorithm(name: str) -> Algorithm:
    """Return the algorithm of this name.

    Examples
    --------
    >>> check_algorithm("averaged").learner
    'AveragedPerceptron'
    """
    if name not in ALGORITHMS:
        # not above: a help text needs the names alone, and not what checks numbers
        from rosenblatt.checks.parameters import did_you_mean

        hint = did_you_mean(name, ALGORITHMS)
        names = ", ".join(ALGORITHMS)
        raise ParameterError(f"must be one of {names}, got {name!r}", about="algorithm", do=hint)
    return ALGORITHMS[name]


def make_learner(name: str, seed: int = 0, *, of_words: bool = False) -> Any:
    """Return a new learner; `of_words` says that the columns are hashed words.

    Examples
    --------
    >>> make_learner("bernoulli", of_words=True)
    BernoulliNaiveBayes(alpha=0.01)
    """
    import rosenblatt

    algorithm = check_algorithm(name)
    learner = getattr(rosenblatt, algorithm.learner)()
    if "random_state" in learner.get_params():
        learner.set_params(random_state=seed)
    if of_words and algorithm.smoothed:
        learner.set_params(alpha=ALPHA_OF_WORDS)
    return learner


def name_of(learner: Any) -> str:
    """Return the name of a learner's algorithm; its class if it is none of ours."""
    kind = type(learner).__name__
    return next((name for name, a in ALGORITHMS.items() if a.learner == kind), kind)
