"""svmlight lines read with regular expressions and Python's own numbers, strictly."""

import math
import re

NUMBER = rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
LINE = re.compile(
    rb"[ \t]*(?:(" + NUMBER + rb")"
    rb"(?:[ \t]+qid:[0-9]+)?((?:[ \t]+[0-9]{1,10}:" + NUMBER + rb")*)[ \t]*)?(?:#.*|\r)?",
    re.DOTALL,
)


def parse_svmlight(content):
    """Return [(label, [(index, value), ...]), ...]; ValueError for a line that is none."""
    return [row for line in content.split(b"\n") if (row := parse_line(line)) is not None]


def parse_line(line):
    match = LINE.fullmatch(line)
    if match is None:
        raise ValueError(line)
    if match[1] is None:
        return None
    pairs = [pair.split(b":") for pair in match[2].split()]
    row = float(match[1]), [(int(index), float(value)) for index, value in pairs]
    check(row)
    return row


def check(row):
    label, pairs = row
    indices = [index for index, _ in pairs]
    if sorted(set(indices)) != indices or any(index > 2**31 - 1 for index in indices):
        raise ValueError("indices must ascend and stay below 2^31")
    if not all(math.isfinite(number) for number in [label, *(value for _, value in pairs)]):
        raise ValueError("numbers must be finite")
