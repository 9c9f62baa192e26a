"""The perceptron on rows of length 1 counts mistakes as on paper."""

import numpy as np
import pytest
from hypothesis import given

from rosenblatt.checks import NO_WEIGHTS, check_rows
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.perceptron import count_mistakes
from rosenblatt.linear.perceptron import Perceptron
from tests.examples import EVERY_KIND, FEW, KINDS, PRESENCE, small_data


def on_paper(X, signs, lengths, x0, epochs):
    """Return (w0, w), the counts and the mistakes of each epoch; lengths are powers of two."""
    w, counts, mistakes = [0.0] * (len(X[0]) + 1), [0] * len(X), []
    for _ in range(epochs):
        before = sum(counts)
        for i, (x, y) in enumerate(zip(X, signs, strict=True)):
            z = [y * x0, *(y * v for v in x)]
            if y and sum(a * b for a, b in zip(w, z, strict=True)) <= 0:
                w = [a + b / lengths[i] for a, b in zip(w, z, strict=True)]
                counts[i] += 1
        mistakes.append(sum(counts) - before)
    return w, counts, mistakes


@pytest.mark.parametrize("x0", [0.0, 1.0])
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_counts_and_rule_are_those_on_paper(kind, x0):
    low, high = (0, 1) if kind in PRESENCE else (-3, 3)

    @FEW
    @given(small_data(n_classes=3, low=low, high=high))
    def check(data):
        # the third class is no example; powers of two instead of lengths: nothing is rounded
        signs, n = [label - 1 for label in data.y], len(data.y)
        lengths = [2.0 ** (i % 3) for i in range(n)]
        rows = check_rows(Perceptron(), KINDS[kind](data.X), reset=True)[0]
        D = LabelledRows(rows, np.array(signs, dtype=np.int32), NO_WEIGHTS, x0)
        h = Hypothesis(np.zeros(len(data.X[0])), np.zeros(1), np.zeros(1))
        counts, mistakes = np.zeros(n, dtype=np.int64), []
        for _ in range(3):
            # in two slices
            first = count_mistakes(D, h, np.array(lengths), counts, 0, n // 2)
            mistakes.append(first + count_mistakes(D, h, np.array(lengths), counts, n // 2, n))
        w, expected, of_epochs = on_paper(data.X, signs, lengths, x0, 3)
        assert [*h.b, *h.w] == w
        assert counts.tolist() == expected
        assert mistakes == of_epochs

    check()
