"""The one table of algorithms: what a command fits, what is compared, what the studio shows.

A new learner is a line here: `-a` takes it, `compare` tries it on the data that it is for, and the
studio offers it if it says how it is `shown`. Nothing is loaded before a learner is made.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from rosenblatt.choices import Multiclass
from rosenblatt.errors import ParameterError

# A hashed bag has a million columns, most of them never set. Each counts `alpha` examples in
# thought: with alpha=1 they outweigh the words that are there, with 0.01 they do not. Chosen with a
# look at SMS Spam (Bernoulli on pairs, accuracy in 5 folds): 0.922 with 0.1, 0.980 with 0.03, 0.990
# with 0.01, 0.991 with 0.001. So an error measured on that set is a little too good.
ALPHA_OF_WORDS = 0.01
ALL_WAYS: tuple[Multiclass, ...] = get_args(Multiclass)
AUTO = "auto"  # the best of a few, by an inner validation


class Shown(NamedTuple):
    """An algorithm on the page of the studio."""

    place: int  # among the others: the lecture begins with the plain perceptron
    title: str
    sentence: str
    options: tuple[str, ...] = ()  # that can be chosen
    many: tuple[Multiclass, ...] = ALL_WAYS  # how it may tell more than two classes apart
    at_once: bool = False  # solved in one step; the others are watched step by step


class Algorithm(NamedTuple):
    """A learner of `rosenblatt`, how it wants its data, and where it is offered."""

    learner: str  # its public name
    scaled: bool = True  # wants its rows scaled, or weighed; see `forms`
    forms: tuple[tuple[str, str], ...] = ()  # of some kinds of rows, other than `forms.FORMS`
    watched: bool = True  # `fit` takes a callback
    smoothed: bool = False  # has an alpha
    until_right: bool = False  # goes on until nothing is misclassified, or too long
    linear: bool = True  # decides by linear scores
    in_commands: bool = True  # `-a` takes it; else the studio alone has it, or the lab
    in_lab: bool = False  # `lab runs` takes it
    for_words: tuple[int, ...] = (1,)  # words in a row of the bags that it is compared on
    for_wide: bool = True  # compared on sparse rows of very many columns, too
    in_memory: bool = False  # looks at all rows before each step
    goes_on: bool = False  # a saved model can learn more
    row_by_row: bool = False  # has `learn_one`: `stream` takes it
    parameters: tuple[tuple[str, Any], ...] = ()  # other than the learner's own defaults
    # and those of `fit` and `compare`, where all that counts is the rule at the end: a trace and
    # the studio keep to the lecture, step by step
    in_fit: tuple[tuple[str, Any], ...] = ()
    in_trace: tuple[tuple[str, Any], ...] = ()  # those of the worked example in the notes
    shown: Shown | None = None

    def is_named_by(self, learner: Any) -> bool:
        """Whether a learner of this class has the parameters of this algorithm."""
        given = learner.get_params(deep=False)
        return all(given[name] == value for name, value in self.parameters)

    def make(self, seed: int = 0, **parameters: Any) -> Any:
        """Return a new learner with these parameters; those that it does not name are its own."""
        import rosenblatt

        learner = getattr(rosenblatt, self.learner)(**dict(self.parameters))
        if hasattr(learner, "random_state"):
            learner.random_state = seed  # to ask for its parameters takes longer than a step
        return learner.set_params(**parameters)


TABLE = {
    "averaged": Algorithm(
        "AveragedPerceptron",
        in_lab=True,
        goes_on=True,
        row_by_row=True,
        for_words=(1, 2),
        shown=Shown(
            5,
            "Averaged perceptron",
            "Take the mean of all lines on the way.",
            ("epochs", "multiclass", "seed"),
        ),
    ),
    "perceptron": Algorithm(
        "Perceptron",
        goes_on=True,
        row_by_row=True,
        until_right=True,
        in_lab=True,
        for_words=(1, 2),
        in_fit=(("rule", "shuffled"),),  # files are often sorted by class
        in_trace=(("rule", "first"),),
        shown=Shown(
            1,
            "Perceptron (PLA)",
            "Correct one misclassified point at a time until none is left.",
            ("rule", "tie", "multiclass", "max_updates", "init", "seed"),
        ),
    ),
    "pocket": Algorithm(
        "PocketPerceptron",
        in_lab=True,
        in_memory=True,
        in_fit=(("init", "best"),),  # from zero it ends above the averaged perceptron on noisy data
        shown=Shown(
            2,
            "Pocket",
            "Run the perceptron and keep the line that made the fewest mistakes.",
            ("rule", "tie", "multiclass", "max_updates", "init", "seed"),
        ),
    ),
    "voted": Algorithm(
        "VotedPerceptron",
        in_lab=True,
        parameters=(("shuffle", False),),
        in_fit=(("shuffle", True),),
        shown=Shown(
            4,
            "Voted perceptron",
            "Let every line on the way vote, by how long it survived.",
            ("epochs", "multiclass"),
        ),
    ),
    "batch": Algorithm(
        "BatchPerceptron",
        in_lab=True,
        until_right=True,
        shown=Shown(
            3,
            "Batch perceptron",
            "Correct all mistakes at once, by their mean, in every step.",
            ("eta", "epsilon", "multiclass", "max_updates"),
        ),
    ),
    "passive-aggressive": Algorithm(
        "PassiveAggressive",
        in_lab=True,
        row_by_row=True,
        goes_on=True,
        # and C by the rows: see `forms.suited`
        parameters=(("variant", "II"), ("epochs", 30)),
        shown=Shown(
            6,
            "Passive-aggressive",
            "Move just far enough to get each point right with a margin; take the mean.",
            ("epochs", "multiclass", "seed"),
        ),
    ),
    "arow": Algorithm(
        "AROW",
        in_lab=True,
        row_by_row=True,
        goes_on=True,
        shown=Shown(
            7,
            "AROW",
            "Move weights that were corrected often less and less.",
            ("epochs", "multiclass", "seed"),
        ),
    ),
    # regression solves for all columns at once, Gaussians and categories have numbers for each
    # column and class: for a million columns of a sparse file all of them take minutes
    "regression": Algorithm(
        "LeastSquaresClassifier",
        watched=False,
        in_lab=True,
        for_words=(),
        for_wide=False,
        shown=Shown(
            8,
            "Linear regression",
            "Fit the labels as -1 and +1 by least squares; take the sign.",
            many=("one-vs-rest",),
            at_once=True,
        ),
    ),
    "gaussian": Algorithm(
        "GaussianNaiveBayes",
        in_lab=True,
        goes_on=True,
        scaled=False,
        watched=False,
        linear=False,
        for_words=(),
        for_wide=False,
    ),
    "bernoulli": Algorithm(
        "BernoulliNaiveBayes",
        scaled=False,
        watched=False,
        smoothed=True,
        goes_on=True,
        for_words=(1, 2),
        # in a file, numbers other than 0 and 1 are more likely a mistake than counts
        parameters=(("binarize", None),),
    ),
    "multinomial": Algorithm(
        "MultinomialNaiveBayes",
        scaled=False,
        watched=False,
        smoothed=True,
        goes_on=True,
        for_words=(1, 2),
        parameters=(("complement", False),),
    ),
    "complement": Algorithm(
        "MultinomialNaiveBayes",
        scaled=False,
        watched=False,
        smoothed=True,
        goes_on=True,
        for_words=(1, 2),
        parameters=(("complement", True),),
    ),
    "categorical": Algorithm(
        "CategoricalNaiveBayes",
        goes_on=True,
        scaled=False,
        watched=False,
        linear=False,
        for_words=(),
        for_wide=False,
    ),
    "regression-perceptron": Algorithm(
        "Perceptron",
        in_commands=False,
        in_lab=True,
        parameters=(("init", "regression"),),
        shown=Shown(
            9,
            "Regression, then PLA",
            "Start the perceptron from the weights of least squares.",
            ("rule", "tie", "multiclass", "max_updates", "seed"),
        ),
    ),
    "naive-bayes": Algorithm(
        "GaussianNaiveBayes",
        in_commands=False,
        shown=Shown(
            10,
            "Naive Bayes (linear form)",
            "A normal density for each class and axis; the classes share the variances, "
            "so the boundary is a line.",
            many=("joint",),
            at_once=True,
        ),
    ),
    "max-margin": Algorithm(
        "max_margin",
        in_commands=False,
        shown=Shown(
            11,
            "Largest margin",
            "The line in the middle of the widest street between the classes.",
            ("multiclass",),
            at_once=True,
        ),
    ),
}
ALGORITHMS = {name: entry for name, entry in TABLE.items() if entry.in_commands}
OF_LAB = tuple(name for name, entry in TABLE.items() if entry.in_lab)
IN_STUDIO = dict(
    sorted(
        ((name, entry.shown) for name, entry in TABLE.items() if entry.shown is not None),
        key=lambda item: item[1].place,
    )
)


# What `fit` takes when nothing is asked for, and what it chooses from when "auto" is. Measured on
# 32 public tables (5 folds, points of accuracy against the best of LogisticRegression, LinearSVC
# and RidgeClassifier on each): passive-aggressive -0.2, averaged -0.7, AROW -1.2 on average. On
# texts weighed by tf-idf AROW is 0.4 points better than passive-aggressive (mean of 11 sets).
TABLES, TEXTS = "passive-aggressive", "arow"
CONTENDERS = {"words": (TEXTS, TABLES, "multinomial")}
OF_OTHER_ROWS = (TABLES, "averaged", "regression")


def default_algorithm(kind: str) -> str:
    """Return the algorithm for a kind of rows (`forms.FORMS`) when none is asked for.

    Examples
    --------
    >>> default_algorithm("dense"), default_algorithm("words")
    ('passive-aggressive', 'arow')
    """
    return CONTENDERS.get(kind, OF_OTHER_ROWS)[0]


def check_algorithm(name: str) -> Algorithm:
    """Return the algorithm of this name, one that can be fitted by a command.

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


def make_learner(name: str, seed: int = 0, *, of_words: bool = False, **parameters: Any) -> Any:
    """Return a new learner for `fit` or `compare`; `of_words`: the columns are hashed words.

    `parameters` are those that were asked for.

    Examples
    --------
    >>> make_learner("bernoulli", of_words=True)
    BernoulliNaiveBayes(alpha=0.01, binarize=None)
    """
    algorithm = check_algorithm(name)
    smoothing = {"alpha": ALPHA_OF_WORDS} if of_words and algorithm.smoothed else {}
    return algorithm.make(seed, **dict(algorithm.in_fit) | smoothing | parameters)


def name_of(learner: Any) -> str:
    """Return the name of a learner's algorithm; its class if it is none of ours.

    Examples
    --------
    >>> name_of(make_learner("multinomial")), name_of(make_learner("complement"))
    ('multinomial', 'complement')
    """
    kind = type(learner).__name__
    names = [name for name, a in ALGORITHMS.items() if a.learner == kind]
    # several may share a class; then their parameters tell them apart
    exact = [name for name in names if ALGORITHMS[name].is_named_by(learner)]
    return next(iter(exact or names), kind)


def check_not_in_memory(algorithm: str | None, option: str) -> None:
    """Refuse an algorithm that has to see all rows, where an option keeps them elsewhere."""
    # a saved model may be of a learner without a command
    entry = ALGORITHMS.get(algorithm or "")
    if entry is not None and entry.in_memory:
        can = [name for name, entry in ALGORITHMS.items() if not entry.in_memory]
        raise ParameterError(
            f"{algorithm} needs all examples in memory",
            do=f"leave out {{{option}}}, or use {{others}} or {{last}}",
            others=", ".join(can[:-1]),
            last=can[-1],
        )
