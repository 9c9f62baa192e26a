"""Experiments with the learning problem: targets, samples, and many runs at once."""

from rosenblatt.lab.experiments import Exercise, RunTable, Summary, exercise_1_4, runs
from rosenblatt.lab.hypotheses import error_in
from rosenblatt.lab.runs import perceptron_runs
from rosenblatt.lab.targets import (
    CircleTarget,
    LineTarget,
    NoisyTarget,
    Sample,
    Target,
)

__all__ = [
    "CircleTarget",
    "Exercise",
    "LineTarget",
    "NoisyTarget",
    "RunTable",
    "Sample",
    "Summary",
    "Target",
    "error_in",
    "exercise_1_4",
    "perceptron_runs",
    "runs",
]
