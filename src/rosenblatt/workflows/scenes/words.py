"""What happened in a run, in one line."""

from __future__ import annotations

from rosenblatt._counting import counted
from rosenblatt._validation import Array
from rosenblatt.tracing.steps import Steps
from rosenblatt.workflows.scenes.choices import Choice
from rosenblatt.workflows.scenes.learning import AT_ONCE, is_binary


def sentence_of(
    choice: Choice, steps: Steps, error: float, X: Array, *, voted: bool = False
) -> str:
    """Say how a run ended.

    `error` is the E_in of its last word, which for votes is not that of the last line.
    """
    wrong = f"{round(error * len(X))} of {counted(len(X), 'point')} wrong"
    if choice.algorithm in AT_ONCE:
        return _solution(choice.algorithm, steps, wrong, X)
    done = int(steps.steps[-1])
    unit = "step" if choice.algorithm == "batch" else "update"
    return _end(choice, steps, counted(done, unit, ","), wrong, voted)


def _solution(name: str, steps: Steps, wrong: str, X: Array) -> str:
    found = len(steps.weights) > 1
    if name == "max-margin":
        if steps.converged is None:
            return "No margin was found in the time given."
        if not found:
            return "There is no margin: the points are not separable."
        return "The middle of the widest street between the classes."
    if name == "regression":
        return f"Least squares on the labels: {wrong}."
    if not found:
        return "There is no density: all points are in one place."
    kind = "inputs of 0 and 1" if is_binary(X) else "normal densities with shared variances"
    return f"Naive Bayes, {kind}: {wrong}."


def _end(choice: Choice, steps: Steps, count: str, wrong: str, voted: bool) -> str:
    name = choice.algorithm
    if steps.converged is None:
        return f"Stopped by the time limit after {count}: {wrong}."
    if name == "pocket":
        return f"The best of {count}: {wrong}."
    if name == "voted" and not voted:
        return f"Too many lines to count their votes; the last of {count} is shown: {wrong}."
    if name in ("voted", "averaged"):
        word = "vote" if name == "voted" else "mean"
        return f"The {word} of all lines after {counted(choice.epochs, 'epoch')}, {count}: {wrong}."
    if name == "batch" and steps.converged:
        return f"The last of {count} was shorter than epsilon: {wrong}."
    return f"{'Converged' if steps.converged else 'Not converged'} after {count}: {wrong}."
