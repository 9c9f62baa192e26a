"""What happened in a run, in one line."""

from __future__ import annotations

from rosenblatt._validation import Array
from rosenblatt.tracing.steps import Steps
from rosenblatt.workflows.scenes.choices import Choice
from rosenblatt.workflows.scenes.learning import is_binary


def sentence_of(
    choice: Choice, steps: Steps, error: float, X: Array, *, voted: bool = False
) -> str:
    """Say how a run ended.

    `error` is the E_in of its last word, which for votes is not that of the last line.
    """
    n = len(X)
    wrong = f"{round(error * n)} of {n} points wrong"
    name = choice.algorithm
    if name == "max-margin":
        if steps.converged is None:
            return "No margin was found in the time given."
        if len(steps.weights) == 1:
            return "There is no margin: the points are not separable."
        return "The middle of the widest street between the classes."
    if name == "regression":
        return f"Least squares on the labels: {wrong}."
    if name == "naive-bayes":
        if len(steps.weights) == 1:
            return "There is no density: all points are in one place."
        kind = "inputs of 0 and 1" if is_binary(X) else "normal densities with shared variances"
        return f"Naive Bayes, {kind}: {wrong}."
    done = int(steps.steps[-1])
    unit = "step" if name == "batch" else "update"
    count = f"{done:,} {unit}{'' if done == 1 else 's'}"
    if steps.converged is None:
        return f"Stopped by the time limit after {count}: {wrong}."
    if name == "pocket":
        return f"The best of {count}: {wrong}."
    if name == "voted" and not voted:
        return f"Too many lines to count their votes; the last of {count} is shown: {wrong}."
    if name in ("voted", "averaged"):
        word = "The vote of all lines" if name == "voted" else "The mean of all lines"
        return f"{word} after {choice.epochs} epochs, {count}: {wrong}."
    if name == "batch" and steps.converged:
        return f"The last of {count} was shorter than epsilon: {wrong}."
    if steps.converged:
        return f"Converged after {count}: {wrong}."
    return f"Not converged after {count}: {wrong}."
