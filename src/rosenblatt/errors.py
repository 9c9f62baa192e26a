"""Every error raised on purpose, and how it is said where the reader is.

    RosenblattError
      ParameterError            (ValueError)   a parameter of an estimator or a command
        UnknownParameterError   (TypeError)    one that there is not
      DataError                 (ValueError)   X, y or sample weights, given or in a file
        DataFileError                          a file that is not there, or cannot be read
        LabelError                             the labels in y
      ProofError                (ValueError)   a proof that cannot be completed, or does not hold
        NoMarginError                          nothing separates the classes
        NoProofInTimeError                     the time limit came first; an OutOfTimeError, too
      OutOfTimeError                           the time for some work was over before it was done
      ClusterError              (RuntimeError) work on several machines that cannot go on
      ModelFileError            (ValueError)   a model file that cannot be written, read or trusted
      MissingExtraError         (ImportError)  a library that an extra of this one brings

Whoever catches one catches those below it. Signals between two files of a room, which no caller
sees, are where they are used.

A message says what was expected, what came, and what to do. What to do depends on the place: a
parameter in Python is an option in the shell, and may have no counterpart on a page. So an error
carries its advice as a template, and `said_in` fills it in for a place; `str` is Python's.
"""

from typing import Any

__all__ = [
    "ClusterError",
    "DataError",
    "DataFileError",
    "LabelError",
    "MissingExtraError",
    "ModelFileError",
    "NoMarginError",
    "NoProofInTimeError",
    "OutOfTimeError",
    "ParameterError",
    "ProofError",
    "RosenblattError",
    "UnknownParameterError",
]

PYTHON, SHELL, PAGE = "python", "shell", "page"

# Parameters of the library that users of the command know by another name
OPTIONS = {
    "algorithm": "--algorithm",
    "alpha": "--alpha",
    "average": "--no-average",
    "balance": "--balance",
    "binarize": "--binarize",
    "bits": "--bits",
    "by_time": "--by-time",
    "C": "--C",
    "class_weight": "--class-weight",
    "checkpoint": "--checkpoint",
    "cluster": "--cluster",
    "delimiter": "--delimiter",
    "dimension": "--dimension",
    "drop": "--drop",
    "epochs": "--epochs",
    "epsilon": "--epsilon",
    "eta": "--eta",
    "features": "--features",
    "first_vote": "--first-vote",
    "fit_intercept": "--no-intercept",
    "format": "--format",
    "group": "--group",
    "init": "--init",
    "learn_more": "--learn-more",
    "learner": "--algorithm",
    "max_epochs": "--epochs",
    "margin": "--margin",
    "max_false_positives": "--max-false-positives",
    "max_updates": "--updates",
    "memory": "--memory",
    "missing": "--missing",
    "multiclass": "--multiclass",
    "n_points": "--points",
    "n_runs": "--runs",
    "ngrams": "--ngrams",
    "noise": "--noise",
    "only": "--columns",
    "r": "--r",
    "random_state": "--seed",
    "rule": "--rule",
    "seconds": "--seconds",
    "shuffle": "--no-shuffle",
    "solver": "--solver",
    "symbols": "--symbols",
    "target": "--target",
    "thin": "--thin",
    "tie": "--tie",
    "time_limit": "--time-limit",
    "var_smoothing": "--var-smoothing",
    "variant": "--variant",
    "weighting": "--weighting",
}


class _Parameter:
    """A parameter as it is called in a place: `missing='mean'` in Python, `--missing mean` there.

    Examples
    --------
    >>> "use {missing:mean}".format_map(_Wording(PYTHON, {}))
    "use missing='mean'"
    >>> "use {missing:mean}, or another {bits}".format_map(_Wording(SHELL, {}))
    'use --missing mean, or another --bits'
    """

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place

    def __str__(self) -> str:
        """Return the name alone."""
        if self.place == SHELL and self.name in OPTIONS:
            return OPTIONS[self.name]
        return self.name if self.place == PYTHON else self.name.replace("_", " ")

    def __format__(self, value: str) -> str:
        """Return the name, or with a value how to give it that."""
        if not value:
            return str(self)
        if self.place != PYTHON:
            return f"{self} {value}"
        return f"{self.name}={value if _is_plain(value) else repr(value)}"


def _is_plain(value: str) -> bool:
    """Whether a value is written without quotes in Python."""
    return value in ("None", "True", "False") or value.replace(".", "", 1).isdecimal()


class _Wording(dict[str, Any]):
    """Values for a template; a name without one is a parameter."""

    def __init__(self, place: str, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.place = place

    def __missing__(self, name: str) -> _Parameter:
        """Return the parameter of this name."""
        return _Parameter(name, self.place)


class Said:
    """What went wrong, and what to do about it in the place where it is read.

    `about` names the parameter that the message begins with. `do` is a template in which a name in
    braces is a parameter, `{missing:mean}` with a value, or one of `values`. `in_shell` and
    `on_page` take the place of `do` there; "" is for what is never said there. A page has
    controls of its own: advice that is for Python or the shell is left out on it.

    Examples
    --------
    >>> problem = Said("a value is missing", do="use {missing:mean}", on_page="fill it in")
    >>> for place in (PYTHON, SHELL, PAGE):
    ...     print(problem.said_in(place))
    a value is missing; use missing='mean'
    a value is missing; use --missing mean
    a value is missing; fill it in
    >>> Said("must be from 1 to 31", about="bits").said_in(SHELL)
    '--bits must be from 1 to 31'
    """

    def __init__(
        self,
        problem: str,
        *,
        about: str | None = None,
        do: str = "",
        in_shell: str | None = None,
        on_page: str | None = None,
        **values: Any,
    ) -> None:
        self.problem = problem
        self.about = about
        anywhere = do if in_shell is None and "{" not in do else ""
        self.advice = {
            PYTHON: do,
            SHELL: do if in_shell is None else in_shell,
            PAGE: anywhere if on_page is None else on_page,
        }
        self.values = values

    def advise(self, do: str) -> None:
        """Say what to do about it, if nothing is said so far."""
        if not any(self.advice.values()):
            self.advice = dict.fromkeys(self.advice, do)

    def __str__(self) -> str:
        """Return the message as it is said in Python."""
        return self.said_in(PYTHON)

    def said_in(self, place: str) -> str:
        """Return the message as it is said in Python, in the shell or on a page."""
        words = _Wording(place, self.values)
        about = "" if self.about is None else f"{words[self.about]} "
        advice = self.advice[place].format_map(words)
        between = " " if self.problem.endswith(".") else "" if self.problem.endswith("\n") else "; "
        return f"{about}{self.problem}{between if advice else ''}{advice}"


def said_in(place: str, problem: Any) -> str:
    """Return what an error or a warning says in a place, on one line."""
    said = problem.said_in(place) if isinstance(problem, Said) else str(problem)
    return " ".join(said.split())


class RosenblattError(Said, Exception):
    """The root of every error that this library raises on purpose.

    Examples
    --------
    >>> import rosenblatt
    >>> try:
    ...     rosenblatt.Perceptron(rule="next").fit([[0], [1]], [0, 1])
    ... except rosenblatt.RosenblattError as error:
    ...     print(error)
    rule must be one of 'first', 'cyclic', 'random', 'shuffled', 'worst', got 'next'
    """


class ParameterError(RosenblattError, ValueError):
    """A parameter has a value that cannot be used."""


class UnknownParameterError(ParameterError, TypeError):
    """A parameter that the class does not have; a TypeError, as Python's own is."""


class DataError(RosenblattError, ValueError):
    """The data cannot be learned from, or does not fit the model."""


class DataFileError(DataError):
    """A file of data is not there, or cannot be opened or read."""


class LabelError(DataError):
    """The labels cannot be learned: missing, of one class, of several types, too many or few."""


class ProofError(RosenblattError, ValueError):
    """A proof cannot be completed, or does not hold."""


class NoMarginError(ProofError):
    """No rule separates the classes, so there is no margin between them."""


class OutOfTimeError(RosenblattError):
    """The time for some work was over before it was done."""


class NoProofInTimeError(ProofError, OutOfTimeError):
    """The time limit came before the proof."""


class ClusterError(RosenblattError, RuntimeError):
    """Work on several machines cannot go on: a worker or a part was lost, or failed."""


class ModelFileError(RosenblattError, ValueError):
    """A model cannot be saved, or a model file is damaged, too new or not one at all."""


class MissingExtraError(RosenblattError, ImportError):
    """A library is not installed that some work needs: an extra of `rosenblatt` brings it."""
