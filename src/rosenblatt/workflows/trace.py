"""Traces and pictures, to files."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.extras import check_extra
from rosenblatt.files import check_output, write_whole
from rosenblatt.linear.base import not_converged
from rosenblatt.tracing.recorder import check_traceable
from rosenblatt.tracing.trace import NOT_SEPARABLE, Trace, trace
from rosenblatt.workflows.algorithms import check_algorithm
from rosenblatt.workflows.parameters import OF_TRACES, parameters_for

STEPS, MOVIES = (".csv", ".json", ".arrow"), (".gif",)
PICTURES = (".png", ".svg", ".pdf")
MOST_FEATURES = 4096  # a trace holds all weights of every step


def check_outputs(steps: str | None, movie: str | None, picture: str | None = None) -> None:
    """Refuse other endings, places that cannot be written to, and pictures without matplotlib."""
    for path, endings in ((steps, STEPS), (movie, MOVIES), (picture, PICTURES)):
        if path is not None:
            if Path(path).suffix.lower() not in endings:
                expected = " or ".join([", ".join(endings[:-1]), endings[-1]][-len(endings) :])
                raise ParameterError(f"{path} must end with {expected}, so that its kind is known")
            check_output(path)
    if movie is not None or picture is not None:
        check_extra("plot")


def learner_to_watch(algorithm: str, seed: int, given: Mapping[str, Any]) -> Any:
    """Return a learner as the notes have it, but for what was asked for by its parameters.

    Examples
    --------
    >>> learner_to_watch("perceptron", 0, {"epochs": 3})
    Perceptron(max_epochs=3, random_state=0, rule='first')
    """
    entry = check_algorithm(algorithm)
    check_traceable(entry.make())
    return entry.make(seed, **dict(entry.in_trace) | parameters_for(algorithm, given, OF_TRACES))


def record(
    examples: Examples, algorithm: str, seed: int = 0, thin: int = 1, **parameters: Any
) -> Trace:
    """Record every `thin`-th step of a learner, on the numbers as they are.

    Examples
    --------
    >>> from rosenblatt import read
    >>> record(read("lecture"), "perceptron").final
    array([-7.,  3.])
    >>> record(read("lecture"), "perceptron", rule="cyclic").final
    array([-6.,  2.])
    """
    learner = learner_to_watch(algorithm, seed, parameters)
    check_features(examples, "a trace keeps all weights of every step, so it")
    steps = trace(learner, examples.X, examples.y, thin=thin)
    if check_algorithm(algorithm).until_right and steps.errors[-1] > 0:
        late = not_converged(learner, int(steps.steps[-1]), "the budget")
        if steps.best is not None or steps.no_bound == NOT_SEPARABLE:
            late = late.knowing(steps.best is not None)
        warnings.warn(late, stacklevel=2)
    return steps


def check_features(examples: Examples, who: str) -> None:
    """Refuse more features than can be kept step by step, or shown."""
    n_features = examples.X.shape[1]
    if n_features > MOST_FEATURES:
        raise DataError(
            f"{who} takes at most {MOST_FEATURES} features, got {n_features}",
            do="keep fewer columns, or learn without it: `rosenblatt fit`",
        )


def save_steps(steps: Trace, path: str) -> None:
    """Write the steps as CSV, JSON or Arrow, or the moving line as a GIF, by the ending."""
    ending = Path(path).suffix.lower()
    if ending == ".gif":
        with tempfile.TemporaryDirectory() as room:
            draft = Path(room) / "trace.gif"
            steps.animate(draft)
            write_whole(path, draft.read_bytes())
    elif ending == ".arrow":
        from pyarrow import feather

        whole = BytesIO()
        feather.write_feather(steps.to_arrow(), whole, compression="uncompressed")
        write_whole(path, whole.getvalue())
    elif ending == ".csv":
        from pyarrow import csv

        whole = BytesIO()
        csv.write_csv(steps.to_arrow(), whole)
        write_whole(path, whole.getvalue())
    else:
        write_whole(path, steps.to_json().encode())


def save_picture(figure: Any, path: str) -> None:
    """Write a figure of matplotlib."""
    whole = BytesIO()
    figure.savefig(whole, format=Path(path).suffix[1:].lower(), dpi=150, bbox_inches="tight")
    write_whole(path, whole.getvalue())
