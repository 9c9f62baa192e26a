"""Experiments with the learning problem: targets, samples, and many runs at once."""

from rosenblatt.lab.bounds import BoundTable, bound
from rosenblatt.lab.covers import CoverTable, cover, labellings
from rosenblatt.lab.experiments import Exercise, RunTable, Summary, exercise_1_4, runs
from rosenblatt.lab.hypotheses import error_in
from rosenblatt.lab.runs import perceptron_runs
from rosenblatt.lab.seen_otherwise import NoisyTarget, WideTarget
from rosenblatt.lab.targets import (
    CircleTarget,
    LineTarget,
    Sample,
    Target,
)

__all__ = [
    "BoundTable",
    "CircleTarget",
    "CoverTable",
    "Exercise",
    "LineTarget",
    "NoisyTarget",
    "RunTable",
    "Sample",
    "Summary",
    "Target",
    "WideTarget",
    "bound",
    "cover",
    "error_in",
    "exercise_1_4",
    "labellings",
    "perceptron_runs",
    "runs",
]
