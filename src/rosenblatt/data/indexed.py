"""The recipe of svmlight files: features have numbers, and a file may not have the last of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt._counting import counted
from rosenblatt.data.names import Numbered
from rosenblatt.data.svmlight import SvmlightRows


@dataclass(frozen=True)
class IndexedRecipe:
    """How many features there are in training, and the number of the first.

    Examples
    --------
    >>> IndexedRecipe(n_features=3, first=1).to_dict()
    {'kind': 'svmlight', 'n_features': 3, 'first': 1}
    """

    n_features: int
    first: int

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data that JSON can hold."""
        return {"kind": "svmlight", **asdict(self)}

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> IndexedRecipe:
        """Return the recipe that `to_dict` wrote."""
        return cls(n_features=int(facts["n_features"]), first=int(facts["first"]))

    @property
    def feature_names(self) -> Numbered:
        """The numbers of the features, as they stand in a file."""
        return Numbered(self.first, self.n_features)

    def apply(self, rows: SvmlightRows) -> tuple[Any, list[str]]:
        """Return rows with the features of training, and notes: features beyond are left out."""
        X = rows.X
        if X.shape[1] <= self.n_features:
            shape = (X.shape[0], self.n_features)
            return sparse.csr_array((X.data, X.indices, X.indptr), shape=shape), []
        n_beyond = int(np.count_nonzero(X.indices >= self.n_features))
        note = (
            f"{counted(n_beyond, 'value')} not used: the largest index in training was "
            f"{self.first + self.n_features - 1}"
        )
        return X[:, : self.n_features], [note]
