"""The bases of scikit-learn; the stub beside this file has types for them.

`BaseEstimator` is scikit-learn's, with methods that take Dask's collections, too. `Pipeline` is in
the stub alone: it is loaded by those who need it, from `sklearn.pipeline`.
"""

import sklearn.base
from sklearn.base import (
    ClassifierMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.metaestimators import available_if

from rosenblatt.elsewhere import ANSWERING, SCORE, meeting_collections

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "MultiOutputMixin",
    "RegressorMixin",
    "TransformerMixin",
]


class BaseEstimator(sklearn.base.BaseEstimator):  # type: ignore[misc]  # untyped base
    """scikit-learn's, of rows that may be elsewhere."""

    def __init_subclass__(cls, **how):
        """Let the methods that answer take collections."""
        super().__init_subclass__(**how)
        if not hasattr(cls, "predict"):
            return
        for name in (*ANSWERING, SCORE):
            method = vars(cls).get(name)
            if name == SCORE and method is None:
                method = getattr(cls, SCORE, None)  # of a base that is scikit-learn's
            if method is None or hasattr(method, "meets_collections"):
                continue
            if hasattr(method, "check"):  # there under a condition
                wrapped = meeting_collections(name, method.fn)
                setattr(cls, name, available_if(method.check)(wrapped))
            else:
                setattr(cls, name, meeting_collections(name, method))
