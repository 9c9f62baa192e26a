"""The perceptron on rows of length 1, counting how often each example was a mistake.

    repeat for each i:
        if z_i . w <= 0:   w <- w + z_i / |z_i| ;  c_i <- c_i + 1

Where no rule is right, the examples that stand in each other's way collect the counts.
"""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import correct, judge


@kernel
def count_mistakes(D, h, lengths, counts, start, stop):
    """Visit the rows start <= i < stop; change h and counts in place; return the mistakes."""
    n_mistakes = 0
    for i in range(start, stop):
        # label 0: not an example
        if D.y[i] != 0:
            wrong, _, rival = judge(D, i, h, 0)
            if wrong:
                correct(D, i, rival, h, 1.0 / lengths[i])
                counts[i] += 1
                n_mistakes += 1
    return n_mistakes
