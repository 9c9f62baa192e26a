"""Where the public data is, and files made for a test."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared(name):
    """Return the path of a public data file; skip the test where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/data/{name}")
    return path
