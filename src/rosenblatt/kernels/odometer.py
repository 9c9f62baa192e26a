"""An exact reason not to look at an example: the weights have not moved far enough.

The odometer adds up how far the weights have moved. An example that was right with margin m
stays right until they have moved by m / |x|, since |Dw . x| <= |Dw| |x|. That reading is when the
example is *due*: until then it need not be looked at, and the updates stay the same, in the same
order.

Rounding is paid for: with a relative error g for each computed product and each update, and |w|
at most start + reading, a margin is certain to be above 0 while

    m / |x| + reading_then  >  reading_now (1 + 2 g) + 2 g start
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined

READING, START, ROUNDING = 0, 1, 2


class Odometer(NamedTuple):
    """The state: dial = (reading, |w| at the start, g)."""

    dial: np.ndarray
    length: np.ndarray  # |x_i| in canonical form, not less, and above 0
    due: np.ndarray  # the reading at which example i must be looked at again


@inlined
def note_margin(dial, length, due, i, margin):
    """Write down when example i, right with this margin now, is due again."""
    g = dial[ROUNDING]
    when = (margin / length[i] + dial[READING] - 2.0 * g * dial[START]) / (1.0 + 2.0 * g)
    # a margin or a length that overflowed tells nothing: look again each time
    due[i] = when if when < np.inf else 0.0


@inlined
def roll(dial, distance):
    """Add a move of the weights to the reading."""
    g = dial[ROUNDING]
    dial[READING] += distance * (1.0 + g) + g * (dial[START] + dial[READING])
