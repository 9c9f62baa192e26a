"""The README's program prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_program_prints_what_is_shown():
    code, shown = re.search(r"```python\n([^`]*)```\n\n((?:    .*\n)+)", README).groups()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})  # noqa: S102 - the README is ours
    assert printed.getvalue().splitlines() == [line[4:] for line in shown.splitlines()]
