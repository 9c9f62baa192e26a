"""Whom the convergence theorem speaks of: a perceptron that starts from zero (Novikoff 1962)."""

from __future__ import annotations

from typing import Any

from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.voted import VotedPerceptron


def why_no_bound(learner: Any, *, from_zero: bool = True, weighted: bool = False) -> str:
    """Return why the theorem does not bound the updates of a learner; "" where it does.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, Perceptron
    >>> why_no_bound(Perceptron()), why_no_bound(AveragedPerceptron())
    ('', 'the theorem is about w, and this is the mean of all w')
    >>> why_no_bound(Perceptron(), from_zero=False)
    'the theorem is about a start from w = 0'
    """
    if isinstance(learner, BatchPerceptron):
        return "the theorem is about single corrections, and a batch makes many at once"
    if isinstance(learner, AveragedPerceptron):
        return "the theorem is about w, and this is the mean of all w"
    if not isinstance(learner, BudgetedPerceptron | VotedPerceptron):
        return "the theorem is about the perceptron, and this learner makes no updates"
    if not from_zero:
        return "the theorem is about a start from w = 0"
    if weighted:
        return "the theorem is about whole corrections, and sample weights change their length"
    return ""
