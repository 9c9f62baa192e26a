"""One run as it is chosen, and the limits of a scene."""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.workflows.algorithms import IN_STUDIO

MOST_POINTS, MOST_CLASSES = 20_000, 10
MOST_UPDATES, MOST_EPOCHS, MOST_RUNS = 100_000, 1000, 2


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
        return self.tie if "tie" in IN_STUDIO[self.algorithm].options else "mistake"

    @property
    def way(self) -> str:
        """How this algorithm tells more than two classes apart."""
        many = IN_STUDIO[self.algorithm].many
        return self.multiclass if self.multiclass in many else many[0]
