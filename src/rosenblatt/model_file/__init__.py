"""Models on disk: arrays and JSON in a safetensors file, with a checksum and without code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import rosenblatt
from rosenblatt.errors import ModelFileError, RosenblattError

if TYPE_CHECKING:
    from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
    from rosenblatt.bayes.categorical import CategoricalNaiveBayes
    from rosenblatt.bayes.empirical import EmpiricalBayes
    from rosenblatt.bayes.gaussian import GaussianNaiveBayes
    from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
    from rosenblatt.bayes.optimal import BayesClassifier
    from rosenblatt.linear.arow import AROW
    from rosenblatt.linear.averaged import AveragedPerceptron
    from rosenblatt.linear.batch import BatchPerceptron
    from rosenblatt.linear.least_squares import LeastSquares
    from rosenblatt.linear.least_squares_classifier import LeastSquaresClassifier
    from rosenblatt.linear.passive_aggressive import PassiveAggressive
    from rosenblatt.linear.perceptron import Perceptron
    from rosenblatt.linear.pocket import PocketPerceptron
    from rosenblatt.linear.threshold_unit import ThresholdUnit
    from rosenblatt.linear.voted import VotedPerceptron
    from rosenblatt.model_file.table_model import TableModel
    from rosenblatt.types import Array

    # What `fit` learns with
    Learner = (
        AROW
        | AveragedPerceptron
        | BatchPerceptron
        | BernoulliNaiveBayes
        | CategoricalNaiveBayes
        | GaussianNaiveBayes
        | LeastSquaresClassifier
        | MultinomialNaiveBayes
        | PassiveAggressive
        | Perceptron
        | PocketPerceptron
        | VotedPerceptron
    )
    # What `load` gives if nothing else is named: a model of ours, which predicts and can leave
    Model = Learner | BayesClassifier | EmpiricalBayes | LeastSquares | TableModel | ThresholdUnit

M = TypeVar("M")

# what needs NumPy or scikit-learn is loaded by those who need it: a mail filter is read without it

DAMAGED = (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError)

FLOATS = ("float32", "float64")
TABLE_MODEL = "TableModel"
WITH_WORDS = ("BagOfWords", "MailFilter")  # classes that keep words of what they have learned from


class Saved(NamedTuple):
    """What a model file holds: the model, how its data is read, and how it was made."""

    model: Any
    recipe: Any  # None, or a recipe of `rosenblatt.read`
    made: dict[str, Any]

    @property
    def classes(self) -> Array:
        """The labels that the model knows."""
        labels: Array = self.model.classes_
        return labels

    @property
    def learned_from(self) -> tuple[str, ...]:
        """Digests of the data that it has learned from, as far as its file tells."""
        return tuple(filter(None, (*self.made.get("learned_before", ()), self.made.get("digest"))))


def save(
    model: Any,
    path: str | Path,
    *,
    recipe: Any = None,
    made: dict[str, Any] | None = None,
) -> None:
    """Write a fitted model to a file, by custom named `.rosenblatt`.

    Every estimator of this library can be saved, and pipelines of them. The old file or the new
    one is there whatever happens, never half of one. A new file with words of texts in it can be
    read by its owner only; a file that is replaced keeps its rights.

    Parameters
    ----------
    model : estimator
        A fitted one; a `BayesClassifier` only if its densities are distributions of one
        dimension from `scipy.stats`, since functions cannot be saved.
    path : str or Path
        The file.
    recipe : recipe or None, default=None
        How files become rows for the model: `Examples.recipe`.
    made : dict or None, default=None
        How the model was made, as plain data that JSON can hold.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import rosenblatt
    >>> model = rosenblatt.Perceptron().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "lecture.rosenblatt"
    ...     rosenblatt.save(model, path)
    ...     rosenblatt.load(path).predict([[0], [9]])
    array(['no', 'yes'], dtype='<U3')
    """
    from rosenblatt.model_file.arrays import write_arrays
    from rosenblatt.model_file.state import state_of
    from rosenblatt.model_file.values import Writer

    if type(model).__name__ == TABLE_MODEL:
        model, recipe = model.fitted, model.recipe if recipe is None else recipe
    writer = Writer()
    state = state_of(model, writer)
    metadata = {
        "library": f"rosenblatt {rosenblatt.__version__}",
        "model": _text(state, "the model"),
        "made": _text(made or {}, "made"),
    }
    if recipe is not None:
        metadata["recipe"] = _text(recipe.to_dict(), "recipe")
    write_arrays(path, metadata, writer.arrays, private=_holds_words(state))


@overload
def load(path: str | Path) -> Model: ...
@overload
def load(path: str | Path, expected: type[M]) -> M: ...
def load(path: str | Path, expected: type[M] | None = None) -> Model | M:
    """Return the model of a file that `save` wrote, as it was, to the last bit.

    A model that `rosenblatt fit -o` wrote, or `save` with a recipe of a table, takes frames: it is
    a `TableModel`, which makes their columns into rows as it learned them, and sits in pipelines of
    scikit-learn.

    No code of the file is run: it names one of our classes, and holds numbers and strings. A file
    that is cut off, damaged, too new or of another kind is a ModelFileError.

    Parameters
    ----------
    path : str or path
        A file that `save` or `rosenblatt fit -o` wrote.
    expected : class or None, default=None
        What the file should hold, `BagOfWords` for example: a model of another class is a
        ModelFileError, and type checkers know what they get. The class of the learner gives it
        alone, without its recipe. None takes any; type checkers then count on a learner or a
        `TableModel`, so name words, mail filters and pipelines.

    Returns
    -------
    estimator
        The model, fitted.

    Examples
    --------
    >>> import rosenblatt
    >>> try:
    ...     rosenblatt.load("no-such-file.rosenblatt")
    ... except rosenblatt.ModelFileError as error:
    ...     print(error)
    no-such-file.rosenblatt cannot be read: No such file or directory
    """
    saved = read_model(path)
    model: Any = saved.model
    if saved.recipe is not None:
        from rosenblatt.model_file.table_model import TableModel

        model = TableModel(saved.model, saved.recipe)
    if expected is None or isinstance(model, expected):
        return model  # type: ignore[no-any-return]  # what files hold is known when they are read
    if isinstance(saved.model, expected):
        return saved.model
    raise ModelFileError(f"{path} holds a {type(saved.model).__name__}, not a {expected.__name__}")


def read_model(path: str | Path) -> Saved:
    """Return the model of a file, with the recipe and the facts that were saved with it."""
    from rosenblatt.model_file.arrays import read_arrays
    from rosenblatt.model_file.state import model_of
    from rosenblatt.model_file.values import Reader

    metadata, arrays = read_arrays(path)
    try:
        model = model_of(_parsed(metadata["model"]), Reader(arrays))
        made = _parsed(metadata["made"])
        if not isinstance(made, dict):
            raise ValueError("the facts about the model are no table")
        recipe = _recipe_of(_parsed(metadata["recipe"])) if "recipe" in metadata else None
    except (*DAMAGED, RosenblattError, RecursionError) as error:
        raise ModelFileError(f"{path} holds no sound model: {str(error)[:200]}") from error
    return Saved(model, recipe, made)


def describe(path: str | Path) -> str:
    """Return all that is in a model file as text; of long arrays the first and last few numbers.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rosenblatt import ThresholdUnit, save
    >>> from rosenblatt.model_file import describe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "and.rosenblatt"
    ...     save(ThresholdUnit([-1.5, 1, 1]), path, made={"by": "hand"})
    ...     print(describe(path))
    ThresholdUnit
      tie: '-1'
      weights: [-1.5, 1, 1]
    made
      by: 'hand'
    """
    from rosenblatt.model_file.text import text_of

    return text_of(*read_model(path))


def _text(content: Any, what: str) -> str:
    try:
        text = json.dumps(content, allow_nan=False, separators=(",", ":"))
        if json.loads(text) != content:
            raise ValueError("tuples and keys that are no strings change in JSON")
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"{what} must be plain data that JSON can hold: {error}") from error
    return text


def _holds_words(state: dict[str, Any]) -> bool:
    """Whether a model keeps words of texts, which may be somebody's mail."""
    steps = (step for _, step in state.get("steps", ()) if isinstance(step, dict))
    return state["class"] in WITH_WORDS or any(map(_holds_words, steps))


def _parsed(text: str) -> Any:
    return json.loads(text)


def _recipe_of(facts: dict[str, Any]) -> Any:
    from rosenblatt.data.missing import POLICIES
    from rosenblatt.data.read import recipe_from_dict

    recipe = recipe_from_dict(facts)
    right = json.dumps(recipe.to_dict()) == json.dumps(facts)
    if facts["kind"] == "table":
        right = right and _is_kind(facts["target"], str, None) and _is_kind(facts["bits"], int)
        right = right and _is_kind(facts.get("symbols", False), bool)
        right = right and facts["missing"] in POLICIES and facts["dtype"] in FLOATS
        right = right and all(_is_column(column) for column in facts["columns"])
    if not right:
        raise ValueError("the recipe is not in order")
    return recipe


def _is_column(column: dict[str, Any]) -> bool:
    right = _is_kind(column["name"], str) and _is_kind(column["mean"], int, float, None)
    return right and all(_is_kind(category, str) for category in column["categories"])


def _is_kind(value: Any, *kinds: type | None) -> bool:
    return (None if value is None else type(value)) in kinds
