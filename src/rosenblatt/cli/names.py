"""Parameters of the library in its messages, as the options that users of the command know."""

import re

OPTIONS = ("format", "missing", "delimiter", "bits", "memory", "target", "algorithm", "time_limit")

_NAMES = "|".join(OPTIONS)
_GIVEN = re.compile(rf"\b({_NAMES})=(?:'([^']*)'|([\w.]*))( or '\w+')?")
_NAMED = re.compile(rf"\b({_NAMES})(?= must be)|(?<=raise )(time_limit)")


def as_options(message: str) -> str:
    """Return a message of the library in the words of the command line.

    Examples
    --------
    >>> as_options("fill it in, or use missing='drop' or 'mean'")
    'fill it in, or use --missing drop or mean'
    >>> as_options("pass format=, one of csv, tsv; bits must be from 1 to 31")
    'pass --format, one of csv, tsv; --bits must be from 1 to 31'
    """
    message = _GIVEN.sub(_option_with_value, message)
    return _NAMED.sub(lambda found: _option(found[1] or found[2]), message)


def _option_with_value(found: re.Match[str]) -> str:
    words = [_option(found[1]), found[2] or found[3] or ""]
    return " ".join(filter(None, words)) + (found[4] or "").replace("'", "")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
