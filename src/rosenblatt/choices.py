"""Words to choose from, written once: who checks them asks `get_args`.

Nothing is loaded for them: the command names them in its help texts.
"""

from collections.abc import Mapping
from typing import Literal

Rule = Literal["first", "cyclic", "random", "shuffled", "worst"]
Tie = Literal["mistake", "+1", "-1"]
Multiclass = Literal["joint", "one-vs-rest", "one-vs-one"]
Variant = Literal["plain", "I", "II"]  # of passive-aggressive
Solver = Literal["auto", "iterative"]  # of least squares
NamedThreshold = Literal["f1", "balanced", "mistakes"]
Threshold = float | NamedThreshold | None
Labelled = Mapping[str, float] | Mapping[int, float] | Mapping[float, float]
ClassWeight = Labelled | Literal["balanced"] | None

# of `rosenblatt.fit`
AlgorithmName = Literal[
    "averaged",
    "perceptron",
    "pocket",
    "voted",
    "batch",
    "passive-aggressive",
    "arow",
    "regression",
    "gaussian",
    "bernoulli",
    "multinomial",
    "complement",
    "categorical",
    "auto",
]
Weighting = Literal["tfidf", "none", "auto"]
Balance = Literal["f1", "balanced"]
