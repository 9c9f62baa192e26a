"""Print the lowest versions that `pyproject.toml` allows, as constraints for pip.

`make test-lowest` installs them, so that a bound that does not hold is found. The tools of `dev`
have no bounds: the newest will do.
"""

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]


def lowest(lines):
    """Return `name==version` for each `name>=version`.

    Examples
    --------
    >>> lowest(["numpy>=2.0", "pytest", "rosenblatt[plot]"])
    ['numpy==2.0']
    """
    return [line.replace(">=", "==") for line in lines if re.fullmatch(r"[\w-]+>=[\w.]+", line)]


if __name__ == "__main__":
    extras = PROJECT["optional-dependencies"].values()
    for lines in (PROJECT["dependencies"], *extras):
        print(*lowest(lines), sep="\n", end="\n" if lowest(lines) else "")
