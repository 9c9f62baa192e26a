"""What was found, as JSON: for the commands and for Python, so that both say the same."""

from __future__ import annotations

import json
from typing import Any


def json_line(facts: Any) -> str:
    """Return facts as JSON on one line; what is not a number is null.

    Examples
    --------
    >>> json_line({"error": 0.5, "bound": float("inf")})
    '{"error": 0.5, "bound": null}'
    """
    return json.dumps(_plain(facts), allow_nan=False)


def _plain(value: Any) -> Any:
    """Return arrays and numbers of NumPy as JSON has them."""
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
