"""What can be chosen: algorithms, their options, and the limits of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MOST_POINTS, MOST_CLASSES = 20_000, 10
MOST_UPDATES, MOST_EPOCHS, MOST_RUNS = 100_000, 1000, 2
ALL_WAYS = ("joint", "one-vs-rest", "one-vs-one")


class Kind(NamedTuple):
    """An algorithm by its name: what it does, what it takes, how it tells many classes apart."""

    title: str
    sentence: str
    options: tuple[str, ...]
    many: tuple[str, ...]


ALGORITHMS = {
    "perceptron": Kind(
        "Perceptron (PLA)",
        "Correct one misclassified point at a time until none is left.",
        ("rule", "tie", "multiclass", "max_updates", "init", "seed"),
        ALL_WAYS,
    ),
    "pocket": Kind(
        "Pocket",
        "Run the perceptron and keep the line that made the fewest mistakes.",
        ("rule", "tie", "multiclass", "max_updates", "init", "seed"),
        ALL_WAYS,
    ),
    "batch": Kind(
        "Batch perceptron",
        "Correct all mistakes at once, by their mean, in every step.",
        ("eta", "epsilon", "multiclass", "max_updates"),
        ALL_WAYS,
    ),
    "voted": Kind(
        "Voted perceptron",
        "Let every line on the way vote, by how long it survived.",
        ("epochs", "multiclass"),
        ALL_WAYS,
    ),
    "averaged": Kind(
        "Averaged perceptron",
        "Take the mean of all lines on the way.",
        ("epochs", "multiclass", "seed"),
        ALL_WAYS,
    ),
    "regression": Kind(
        "Linear regression",
        "Fit the labels as -1 and +1 by least squares; take the sign.",
        (),
        ("one-vs-rest",),
    ),
    "regression-perceptron": Kind(
        "Regression, then PLA",
        "Start the perceptron from the weights of least squares.",
        ("rule", "tie", "multiclass", "max_updates", "seed"),
        ALL_WAYS,
    ),
    "naive-bayes": Kind(
        "Naive Bayes (linear form)",
        "A normal density for each class and axis; the classes share the variances, "
        "so the boundary is a line.",
        (),
        ("joint",),
    ),
    "max-margin": Kind(
        "Largest margin",
        "The line in the middle of the widest street between the classes.",
        ("multiclass",),
        ALL_WAYS,
    ),
}


@dataclass(frozen=True)
class Choice:
    """One run as it is asked for."""

    algorithm: str = "perceptron"
    rule: str = "first"
    tie: str = "mistake"
    multiclass: str = "joint"
    eta: float = 1.0
    epsilon: float = 1e-6
    epochs: int = 10
    max_updates: int = 1000
    init: tuple[float, float, float] | None = None
    seed: int = 0

    @property
    def at_zero(self) -> str:
        """What a point on the boundary is: a choice where there is one."""
        return self.tie if "tie" in ALGORITHMS[self.algorithm].options else "mistake"

    @property
    def way(self) -> str:
        """How this algorithm tells more than two classes apart."""
        many = ALGORITHMS[self.algorithm].many
        return self.multiclass if self.multiclass in many else many[0]
