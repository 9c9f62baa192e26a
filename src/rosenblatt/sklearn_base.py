"""The bases of scikit-learn; the stub beside this file has types for them.

`Pipeline` is in the stub alone: it is loaded by those who need it, from `sklearn.pipeline`.
"""

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "MultiOutputMixin",
    "RegressorMixin",
    "TransformerMixin",
]
