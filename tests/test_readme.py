"""The programs in the documentation print what it says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/proofs.md"])
def test_program_prints_what_is_shown(page):
    text = (ROOT / page).read_text()
    code, shown = re.search(r"```python\n([^`]*)```\n\n((?:    .*\n)+)", text).groups()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})  # noqa: S102 - the pages are ours
    assert printed.getvalue().splitlines() == [line[4:] for line in shown.splitlines()]
