"""A pipeline that learns from a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.utils import get_tags

from rosenblatt.errors import ParameterError
from rosenblatt.text.words import BagOfWords

if TYPE_CHECKING:
    from rosenblatt.sklearn_base import Pipeline
else:
    from sklearn.pipeline import Pipeline


class OnlinePipeline(Pipeline):
    """scikit-learn's Pipeline, with `partial_fit`: the steps learn from one block after the other.

    Parameters
    ----------
    steps : list of (str, estimator)
        Transformers, then a learner with `partial_fit`. A transformer needs `partial_fit` too,
        unless it works without `fit`, as `BagOfWords(bits=20)` does.
    transform_input : list of str or None, default=None
        As in scikit-learn's Pipeline.
    memory : str, joblib.Memory or None, default=None
        As in scikit-learn's Pipeline; used by `fit` only.
    verbose : bool, default=False
        As in scikit-learn's Pipeline; used by `fit` only.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, BagOfWords, OnlinePipeline
    >>> model = OnlinePipeline([("words", BagOfWords()), ("learner", AveragedPerceptron())])
    >>> model = model.partial_fit(["win a prize", "see you at noon"], ["spam", "ham"])
    >>> model = model.partial_fit(["a prize for you"], ["spam"])
    >>> model.predict(["your prize", "at noon"])
    array(['spam', 'ham'], dtype='<U4')
    """

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, **options: Any) -> Self:
        """Let every step learn from a block of examples, each from what the one before made of it.

        Parameters
        ----------
        X : array-like
            Examples, as the first step takes them.
        y : array-like or None, default=None
            Their labels.
        classes : array-like or None, default=None
            Labels to come, for the last step.
        **options
            For the last step: `sample_weight`, say.

        Returns
        -------
        self
            The same object.
        """
        self._check_steps_learn_online()
        steps: list[tuple[str, Any]] = self.steps
        for _, step in steps[:-1]:
            if _is_empty(step):
                continue
            if hasattr(step, "partial_fit"):
                step.partial_fit(X, y)
            X = step.transform(X)
        learner = steps[-1][1]
        if not _is_empty(learner):
            if classes is not None:
                options["classes"] = classes
            learner.partial_fit(X, y, **options)
        return self

    def _check_steps_learn_online(self) -> None:
        self._validate_steps()
        last = len(self.steps) - 1
        for number, (name, step) in enumerate(self.steps):
            if _is_empty(step) or hasattr(step, "partial_fit"):
                continue
            if number == last or get_tags(step).requires_fit:
                raise ParameterError(
                    f"every step of an OnlinePipeline needs partial_fit, but {name!r}, "
                    f"{type(step).__name__}, has none; use `fit` with all examples instead"
                )


def _is_empty(step: Any) -> bool:
    return step is None or step == "passthrough"


def words_of(model: Any) -> BagOfWords | None:
    """Return the bag of words at the beginning of a model, if it has one."""
    first = model[0] if isinstance(model, Pipeline) else None
    return first if isinstance(first, BagOfWords) else None
