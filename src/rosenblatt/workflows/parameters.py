"""The parameters of learners, as options of commands and as keywords of `rosenblatt.fit`.

What a learner has is read from its signature; here is what each parameter is called in the shell
(`errors.OPTIONS` has the names), how it is written there and what it is for. Nothing is loaded
before a parameter is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from rosenblatt.choices import Multiclass, Rule, Solver, Tie, Variant
from rosenblatt.errors import ParameterError
from rosenblatt.workflows.algorithms import ALGORITHMS, AUTO, TABLES, TEXTS, check_algorithm

Kind = Literal["word", "count", "number", "numbers", "off"]


class Option(NamedTuple):
    """A parameter in the shell."""

    help: str
    kind: Kind = "word"
    choices: tuple[str, ...] = ()  # words; beside numbers, if it is of that kind
    also: str = ""  # what some learners call it


# Parameters that can be chosen, in the order of help texts
PARAMETERS = {
    "rule": Option("Which mistake is corrected next: {choices}.", choices=get_args(Rule)),
    "tie": Option("What a point on the boundary is: {choices}.", choices=get_args(Tie)),
    "init": Option(
        "Start from w0,w1,...; or {choices}.", "numbers", choices=("regression", "best")
    ),
    "eta": Option("Length of a step.", "number"),
    "epsilon": Option("A step shorter than this is the last.", "number"),
    "max_epochs": Option("Passes over the rows, at most.", "count", also="epochs"),
    "max_updates": Option("Updates, at most.", "count"),
    "first_vote": Option("Votes that a new hypothesis begins with: 0 or 1.", "count"),
    "multiclass": Option(
        "How more than two classes are told apart: {choices}.", choices=get_args(Multiclass)
    ),
    "alpha": Option(
        "Smoothing of naive Bayes, or ridge of a regression, which also takes {choices}.",
        "number",
        choices=("loo",),
    ),
    "C": Option("Largest step of passive-aggressive, or its softness.", "number"),
    "variant": Option("Of passive-aggressive: {choices}.", choices=get_args(Variant)),
    "r": Option("How little AROW believes a row.", "number"),
    "solver": Option("Of a regression: {choices}.", choices=get_args(Solver)),
    "binarize": Option("Numbers above this are 1 to bernoulli.", "number"),
    "var_smoothing": Option("Share of variance that gaussian adds.", "number"),
    "class_weight": Option("Weigh classes: {choices}.", choices=("balanced",)),
    "shuffle": Option("Take the rows in their order.", "off"),
    "average": Option("The last weights, not their mean.", "off"),
    "fit_intercept": Option("Rules through the origin.", "off"),
}
# Those that say what a step is, and where to begin and to end
OF_TRACES = (
    *("rule", "tie", "init", "eta", "epsilon", "max_epochs", "max_updates", "first_vote"),
    *("C", "variant", "r", "shuffle", "average", "fit_intercept"),
)
NAMES = {name: own for own, option in PARAMETERS.items() for name in (own, option.also) if name}


def split_parameters(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of learners among some keywords, and the rest.

    Examples
    --------
    >>> split_parameters({"rule": "first", "target": "y"})
    ({'rule': 'first'}, {'target': 'y'})
    """
    mine = {name: value for name, value in given.items() if name in NAMES}
    return mine, {name: value for name, value in given.items() if name not in mine}


def parameters_for(
    algorithm: str | None, given: Mapping[str, Any], among: Sequence[str] = tuple(PARAMETERS)
) -> dict[str, Any]:
    """Return parameters as a learner calls them; refuse those that it does not have, or not so.

    For the algorithm that suits the data, None, those are taken that some default has. `among`
    are those that can be chosen where the reader is.

    Examples
    --------
    >>> parameters_for("perceptron", {"rule": "first", "epochs": 5})
    {'rule': 'first', 'max_epochs': 5}
    """
    if not given:
        return {}
    if algorithm == AUTO:
        raise ParameterError(
            f"is a parameter of one learner, and {AUTO!r} chooses among several",
            about=next(iter(given)),
            do="name one with {algorithm}",
            in_shell="name one with -a",
        )
    if algorithm is None:
        for name in given:
            if not any(_called(name, default) for default in (TABLES, TEXTS)):
                raise _refused(name, TABLES, among, "the default")
        return dict(given)
    for name in given:
        if _called(name, algorithm) is None:
            raise _refused(name, algorithm, among)
    found = {str(_called(name, algorithm)): value for name, value in given.items()}
    learner = check_algorithm(algorithm).make(**found)
    if hasattr(learner, "_check_parameters"):
        learner._check_parameters()  # before anything is read
    return found


def check_parameters_stay(given: Mapping[str, Any]) -> None:
    """Refuse parameters for a saved model, which has its own."""
    if given:
        raise ParameterError(
            "is known to the saved model", about=next(iter(given)), do="leave it out"
        )


def options_of(algorithm: str) -> list[str]:
    """Return the parameters of an algorithm that can be chosen, as they are called in the table.

    Examples
    --------
    >>> options_of("bernoulli")
    ['alpha', 'binarize']
    """
    return [name for name in PARAMETERS if _called(name, algorithm) is not None]


def _called(name: str, algorithm: str) -> str | None:
    """Return what the learner of an algorithm calls a parameter; None: it has none such."""
    import rosenblatt

    own = NAMES[name]
    has = getattr(rosenblatt, check_algorithm(algorithm).learner).__signature__.parameters
    return next((one for one in (own, PARAMETERS[own].also) if one in has), None)


def _refused(name: str, algorithm: str, among: Sequence[str], which: str = "") -> ParameterError:
    own = NAMES[name]
    takes = ", ".join(f"{{{one}}}" for one in options_of(algorithm) if one in among)
    others = [one for one in ALGORITHMS if _called(own, one) is not None]
    who = " and ".join([", ".join(others[:-1]), others[-1]]) if len(others) > 1 else others[0]
    return ParameterError(
        f"is not for {algorithm}{f', {which}' if which else ''}",
        about=name,
        do=f"it takes {takes}; {{{own}}} is for {who}",
    )
