"""Separable or not, with the proof, for two classes or for many."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rosenblatt.checks import check_block
from rosenblatt.choices import Multiclass
from rosenblatt.errors import OutOfTimeError, ProofError
from rosenblatt.progress import Deadline, PassReporter, ProofReporter
from rosenblatt.proof.certificate import Contradiction
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.margin import JointVerdict, MaxMargin, prove_joint, solve_margin
from rosenblatt.proof.problem import check_data
from rosenblatt.proof.prove import prove_question
from rosenblatt.proof.question import REST, questions
from rosenblatt.proof.widest import TOLERANCE
from rosenblatt.studio.scenes.choices import PlaneSet
from rosenblatt.tracing.steps import pairs
from rosenblatt.types import Array

SEPARABLE, CONTRADICTION, UNKNOWN, TRIVIAL = "separable", "contradiction", "unknown", "trivial"


@dataclass(frozen=True)
class Finding:
    """The verdict on one question; what it does not have is None."""

    title: str
    kind: str
    sentence: str
    margin: MaxMargin | None = None
    weights: Array | None = None  # (vectors, 3) of the largest margin, w0 first
    support: Array | None = None
    indices: Array | None = None
    multiples: tuple[int, ...] | None = None  # how often each of them counts
    rivals: Array | None = None  # joint: the class that each must beat
    total: Array | None = None  # the weighted sum: zeros
    hulls: list[Array] = field(default_factory=list)
    parts: list[Finding] = field(default_factory=list)


def judge_points(
    data: PlaneSet, way: Multiclass, deadline: Deadline, *, briefly: bool = False
) -> Finding:
    """Prove, for two classes; for more prove what the way of telling them apart needs."""
    present = np.unique(data.labels)
    if len(present) == 0:
        return Finding("", TRIVIAL, "There are no points yet; add some of two classes.")
    if len(present) == 1:
        name = data.classes[present[0]]
        sentence = f"All points are of one class, {name}; add some of another to tell them apart."
        return Finding("", TRIVIAL, sentence)
    if len(present) == 2:
        low, high = present.tolist()
        return _two(data, "", data.labels == low, data.labels == high, deadline)
    if way == "one-vs-one":
        parts = [_pair(data, present, low, high, deadline) for low, high in pairs(len(present))]
        return _all_of(parts, "every pair of classes is separable", "pairs of classes")
    rest = [] if briefly and way == "joint" else [_rest(data, c, deadline) for c in present]
    if way == "one-vs-rest":
        return _all_of(rest, "each class is separable from the rest", "classes")
    joint = _joint(data, present, deadline)
    return replace(joint, parts=[joint, *rest])


def _pair(data: PlaneSet, present: Array, low: int, high: int, deadline: Deadline) -> Finding:
    a, b = int(present[low]), int(present[high])
    title = f"{data.classes[a]} against {data.classes[b]}"
    return _two(data, title, data.labels == a, data.labels == b, deadline)


def _rest(data: PlaneSet, c: int, deadline: Deadline) -> Finding:
    title = f"{data.classes[c]} against the rest"
    return _two(data, title, data.labels != c, data.labels == c, deadline)


def _two(
    data: PlaneSet, title: str, negative: Array, positive: Array, deadline: Deadline
) -> Finding:
    rows = np.flatnonzero(negative | positive)
    X, y = data.points[rows], np.where(positive[rows], 1, -1)
    try:
        # without the search of `prove` for the largest margin: it comes next, and one is enough
        checked = check_data(X, y)
        asked = questions(checked.classes, True, REST)
        (mark,) = Fingerprint.of_each(checked, asked)
        proof = prove_question(checked, asked[0], mark, ProofReporter(deadline))
        if isinstance(proof, Contradiction):
            return _contradiction(title, X, y, rows, proof)
        found = solve_margin(
            check_block(None, X, y),
            True,
            TOLERANCE,
            PassReporter(deadline, deadline.check),
        )
    except (ProofError, OutOfTimeError):
        return Finding(title, UNKNOWN, "Separable or not: not known in the time given.")
    # of the street that is drawn; the theorem's margin counts the 1 as a coordinate
    sentence = f"Separable: margin {found.geometric_margin:.3g}."
    support = rows[found.support]
    return Finding(title, SEPARABLE, sentence, found, found.w[np.newaxis], support)


def _contradiction(title: str, X: Array, y: Array, rows: Array, proof: Contradiction) -> Finding:
    a = np.array([float(v) for v in proof.weights])
    Z = y[proof.indices, np.newaxis] * np.column_stack([np.ones(len(a)), X[proof.indices]])
    corners = [rows[y == sign][hull(X[y == sign])] for sign in (-1, 1)]
    n = len(a)
    return Finding(
        title,
        CONTRADICTION,
        f"Not separable: {n} points contradict each other; weighted, they add up to zero.",
        indices=rows[proof.indices],
        multiples=proof.weights,
        total=_sum(a, Z),
        hulls=corners,
    )


def _sum(a: Array, Z: Array) -> Array:
    """Return the weighted sum; it was proved to be zero, floats may leave a speck."""
    scale = np.abs(a[:, np.newaxis] * Z).sum(axis=0)
    total = a @ Z
    return np.where(np.abs(total) <= 1e-9 * scale, 0.0, total)


def _joint(data: PlaneSet, present: Array, deadline: Deadline) -> Finding:
    title, k = "all classes at once", len(present)
    labels = np.searchsorted(present, data.labels)
    try:
        found = prove_joint(
            data.points, labels, k, time_limit=deadline.left, callback=deadline.check
        )
    except (ProofError, OutOfTimeError):
        return Finding(title, UNKNOWN, "Separable or not: not known in the time given.")
    if found.margin is None:
        return _joint_contradiction(title, data, present, found)
    margin = found.margin
    return Finding(
        title,
        SEPARABLE,
        f"Separable by a joint linear rule of {k} scores: margin {margin.margin:.3g}.",
        margin,
        found.weights(k),
        found.support,
    )


def _joint_contradiction(
    title: str, data: PlaneSet, present: Array, found: JointVerdict
) -> Finding:
    proof: Any = found.proof
    members = [np.flatnonzero(data.labels == c) for c in present]
    return Finding(
        title,
        CONTRADICTION,
        f"No joint linear rule of {len(present)} scores gets every point right: "
        f"{len(proof.indices)} comparisons contradict each other.",
        indices=proof.indices,
        multiples=proof.weights,
        rivals=present[np.array(proof.rivals)],
        total=np.zeros(3),
        hulls=[rows[hull(data.points[rows])] for rows in members],
    )


def _all_of(parts: list[Finding], good: str, what: str) -> Finding:
    kinds = [part.kind for part in parts]
    no = [part.title for part in parts if part.kind == CONTRADICTION]
    if no:
        kind, sentence = CONTRADICTION, f"Not separable: {', '.join(no)}."
    elif UNKNOWN in kinds:
        kind, sentence = UNKNOWN, f"Not all {what} could be judged in the time given."
    else:
        kind, sentence = SEPARABLE, good[0].upper() + good[1:] + "."
    return Finding("", kind, sentence, parts=parts)


def hull(points: Array) -> Array:
    """Return the corners of the convex hull, as rows of `points`, counter-clockwise.

    Where two hulls meet, no line keeps them apart. Andrew's chain: along the points in order, drop
    whoever makes the chain turn right.

    Examples
    --------
    >>> hull(np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.3], [1.0, 1.0], [0.0, 1.0]]))
    array([0, 1, 3, 4])
    """
    order = np.lexsort((points[:, 1], points[:, 0]))
    same = np.zeros(len(order), dtype=bool)
    same[1:] = (points[order[1:]] == points[order[:-1]]).all(axis=1)
    rows = order[~same].tolist()
    if len(rows) < 3:
        return np.array(rows, dtype=np.int64)
    places = dict(zip(rows, points[rows].tolist(), strict=True))
    lower, upper = _chain(rows, places), _chain(rows[::-1], places)
    return np.array(lower[:-1] + upper[:-1])


def _chain(rows: list[int], places: dict[int, list[float]]) -> list[int]:
    kept: list[int] = []
    for row in rows:
        while len(kept) > 1 and _turn(places[kept[-2]], places[kept[-1]], places[row]) <= 0:
            kept.pop()
        kept.append(row)
    return kept


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
