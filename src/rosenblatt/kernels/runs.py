"""Many small experiments in one compiled loop: PLA with `random` picks on data sets of one size."""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.perceptron import learn
from rosenblatt.kernels.random_rule import POSITION
from rosenblatt.kernels.rows import Columns
from rosenblatt.kernels.selection import SLICE_OVER, UPDATES


@kernel
def learn_each(rule, X, y, none, w, b, n_updates, place, clock):
    """Go on with run place[0] and those behind it until all are done or the slice is over.

    Run r learns from the Columns X[0][r] and y[r], from the weights w[r], b[r] on; `none` is an
    empty array of sample weights. n_updates[r] holds its budget, and what is left of it after.
    """
    while place[0] < y.shape[0]:
        r = place[0]
        D = LabelledRows(Columns(X.blocks[r], X.sums), y[r], none, 1.0)
        clock[UPDATES] = n_updates[r]
        code = learn(rule, D, Hypothesis(w[r], b[r], b[r]), 0, clock)
        n_updates[r] = clock[UPDATES]
        if code == SLICE_OVER:
            return SLICE_OVER
        place[0] += 1
        rule.place[POSITION] = 0
    return 0
