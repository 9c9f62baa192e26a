"""Models as JSON that others can read (docs/leaving.md); docs/predict.js is a reader of it."""

from __future__ import annotations

from typing import Any

from rosenblatt.as_json import json_line
from rosenblatt.export.rule import Exported, ModelRule, Scaling

VERSION = 1


def json_of(model: Exported) -> str:
    """Return a model as JSON.

    Examples
    --------
    >>> import json
    >>> from rosenblatt import Perceptron
    >>> model = Perceptron().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> json.loads(model.to_json())["rule"]["answer"]
    'sign'
    """
    facts: dict[str, Any] = {"format": "rosenblatt rule", "version": VERSION}
    if model.columns is not None:
        facts["columns"] = [
            {"name": c.name, "kind": c.kind, "mean": c.mean, "categories": list(c.categories)}
            for c in model.columns
        ]
        facts["missing"], facts["dtype"] = model.missing, model.dtype
    facts["before"] = [
        {"do": "scale", "mean": step.mean, "scale": step.scale}
        if isinstance(step, Scaling)
        else {"do": "length"}
        for step in model.before
    ]
    return json_line(facts | {"rule": _rule(model.rule)})


def _rule(rule: ModelRule) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "learned_by": rule.name,
        "answer": rule.answer,
        "classes": rule.classes,
        "weights" if rule.variance is None else "means": rule.coef,
        "intercept": rule.intercept,
    }
    if rule.variance is not None:
        facts["variances"] = rule.variance
    if rule.are_logs:
        facts["scores"] = "logarithms"
    facts |= {"threshold": rule.threshold, "tie": rule.tie, "binarize": rule.binarize}
    if rule.calibration is not None:
        slope, offsets = rule.calibration
        facts["probability"] = {"slope": slope, "offsets": offsets}
    return facts
