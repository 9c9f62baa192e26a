"""The batch perceptron.

delta <- (1/N) sum of y_i x_i over all i with y_i w . x_i <= 0 ;  w <- w + eta delta
"""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import correct, judge


@kernel
def add_mistakes(D, order, h, delta):
    """Add the corrections of all mistakes of h to delta; return how many there were."""
    n_mistakes = 0
    for i in order:
        wrong, _, rival = judge(D, i, h, 0)
        if wrong:
            correct(D, i, rival, delta, 1.0)
            n_mistakes += 1
    return n_mistakes
