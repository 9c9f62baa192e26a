"""Where the public data is.

Where it is absent the tests of it are skipped, unless ROSENBLATT_NEEDS_DATA is set, as it is in the
automatic checks when there is a folder ../shared/data.
"""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared(name):
    """Return the path of a public data file; skip or fail the test where it is absent."""
    path = SHARED / name
    if path.exists():
        return path
    if os.environ.get("ROSENBLATT_NEEDS_DATA"):
        pytest.fail(f"../shared/data/{name} is absent, and ROSENBLATT_NEEDS_DATA wants it tested")
    pytest.skip(f"needs ../shared/data/{name}")
