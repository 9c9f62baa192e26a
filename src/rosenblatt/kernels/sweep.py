"""The best line through each of some points of the plane: half a turn about every pivot.

A line that turns about a pivot p meets the other points in the order of their directions, taken
without the sign (the *front* of a point is the half of the plane above p). Between two directions
the points on its left hand stay the same, so the gain of the left side is kept by adding:

    left <- sum of the gains in front of p
    for each direction, in order:
        for each point q there:
            left <- left - gain_q if q is in front of p, else left + gain_q
        the best of left and rest - left, and of p on either side, is a candidate

Points on one line with p change sides together: what lies between is no line. So equal directions
must be told from nearly equal ones, and the order must be the true one. A direction is first
compared by its float cotangent, whose relative error is below 4 u, u = 2^-53 (two differences and
a quotient, each u). Where two differ by less than 8 u the sign of the determinant decides, summed
without error (Dekker's product; Shewchuk's expansions). For this coordinates must be 0 or lie
between 2^-430 and 2^430 in size: then no product of two overflows or loses a digit below.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel

# What is known of a best line: the gain of its better side, its pivot, how many points the line
# has passed. Of all lines, and of those that can be turned by more than ROOM without meeting a
# point: where less room is left, weights in float64 may be too coarse for the line.
GAIN, PIVOT, PASSED = 0, 1, 2
ALL, ROOMY = 0, 1
ROOM = 2.0**-40

NEAR = 2.0**-50
LEVEL = -np.finfo(np.float64).max
SPLITTER = 2.0**27 + 1.0
# Six products of two parts each
N_PARTS = 12


class Turn(NamedTuple):
    """Room for the work at one pivot; `make_turn` makes it."""

    front: np.ndarray  # +1 or -1
    cotangent: np.ndarray  # its negative, which grows with the angle
    order: np.ndarray  # the other points in the order of their directions
    spare: np.ndarray
    parts: np.ndarray


def make_turn(n_points: int) -> Turn:
    """Return room for the work on so many points."""
    order, spare = np.empty(n_points, dtype=np.int64), np.empty(n_points, dtype=np.int64)
    front, cotangent = np.empty(n_points, dtype=np.int64), np.empty(n_points)
    return Turn(front, cotangent, order, spare, np.empty(N_PARTS))


@kernel
def sweep(points, gains, pivots, turn, best, width):
    """Turn a line about each pivot; keep the best in `best`, and the angle of its room in `width`.

    Both have a row for all lines and one for roomy ones; of equals the one with most room is kept.
    """
    total = 0
    for i in range(gains.shape[0]):
        total += gains[i]
    for p in pivots:
        left = look_from(points, gains, p, turn)
        sort_directions(points, p, turn)
        turn_about(points, gains, p, turn, left, total - gains[p], best, width)


@inlined
def look_from(points, gains, p, turn):
    """Write down where each point is, seen from p; return the sum of the gains in front."""
    left = 0
    n = 0
    for i in range(points.shape[0]):
        dx = points[i, 0] - points[p, 0]
        dy = points[i, 1] - points[p, 1]
        is_front = dy > 0.0 or (dy == 0.0 and dx > 0.0)
        turn.front[i] = 1 if is_front else -1
        turn.cotangent[i] = LEVEL if dy == 0.0 else -dx / dy
        left += gains[i] if is_front else 0
        # Written at each point and kept if it is another than p: no branch
        turn.order[n] = i
        n += i != p
    return left


@inlined
def turn_about(points, gains, p, turn, left, rest, best, width):
    """Pass the points in order; look at the gain wherever the direction changes."""
    n = points.shape[0] - 1
    own = max(gains[p], 0)
    for k in range(n):
        i = turn.order[k]
        left -= gains[i] * turn.front[i]
        gain = max(left, rest - left) + own
        if gain >= best[ROOMY, GAIN]:
            keep(points, p, turn, k, gain, best, width)


@inlined
def keep(points, p, turn, k, gain, best, width):
    """Keep a line just behind the k-th point, if there is one, where it is better."""
    n = points.shape[0] - 1
    i, j = turn.order[k], turn.order[(k + 1) % n]
    if k + 1 < n and turn_of(points, p, i, j, turn) == 0:
        return
    angle = np.arctan(turn.cotangent[j]) - np.arctan(turn.cotangent[i])
    if k + 1 == n:
        angle += np.pi
    for row in range(2):
        is_better = gain > best[row, GAIN] or (gain == best[row, GAIN] and angle > width[row])
        if is_better and (row == ALL or angle > ROOM):
            best[row, GAIN], best[row, PIVOT], best[row, PASSED] = gain, p, k + 1
            width[row] = angle


@inlined
def sort_directions(points, p, turn):
    """Sort `order` by direction: merge neighbouring runs, each time twice as long."""
    n = points.shape[0] - 1
    source, target = turn.order, turn.spare
    length = 1
    while length < n:
        for start in range(0, n, 2 * length):
            merge(points, p, turn, source, target, start, length, n)
        source, target = target, source
        length *= 2
    for k in range(n):
        turn.order[k] = source[k]


@inlined
def merge(points, p, turn, source, target, start, length, n):
    """Merge the runs of `length` at `start` of `source` into `target`."""
    a, b = start, min(start + length, n)
    a_end, b_end = b, min(start + 2 * length, n)
    for k in range(start, b_end):
        if a < a_end and (b >= b_end or not is_after(points, p, source[a], source[b], turn)):
            target[k] = source[a]
            a += 1
        else:
            target[k] = source[b]
            b += 1


@inlined
def is_after(points, p, i, j, turn):
    """Tell whether the direction of i comes after the direction of j."""
    a, b = turn.cotangent[i], turn.cotangent[j]
    if abs(a - b) > NEAR * max(abs(a), abs(b)):
        return a > b
    return turn_of(points, p, i, j, turn) < 0


@kernel
def turn_of(points, p, i, j, turn):
    """Return the sign of the angle from the direction of i to the direction of j, exactly."""
    ax, ax_tail = exact_difference(points[i, 0], points[p, 0])
    ay, ay_tail = exact_difference(points[i, 1], points[p, 1])
    bx, bx_tail = exact_difference(points[j, 0], points[p, 0])
    by, by_tail = exact_difference(points[j, 1], points[p, 1])
    sides = turn.front[i] * turn.front[j]
    if ax_tail == 0.0 and ay_tail == 0.0 and bx_tail == 0.0 and by_tail == 0.0:
        return sides * compare_products(ax, by, ay, bx)
    return sides * orientation(points, p, i, j, turn.parts)


@inlined
def compare_products(a, b, c, d):
    """Return the sign of a b - c d."""
    first, first_tail = exact_product(a, b)
    second, second_tail = exact_product(c, d)
    # Rounding keeps the order, so the tails matter only for equal products
    if first == second:
        first, second = first_tail, second_tail
    return int(first > second) - int(first < second)


@inlined
def orientation(points, p, i, j, parts):
    """Return the sign of (x_i - x_p)(y_j - y_p) - (y_i - y_p)(x_j - x_p), multiplied out."""
    n = add_product(parts, 0, points[i, 0], points[j, 1])
    n = add_product(parts, n, -points[i, 0], points[p, 1])
    n = add_product(parts, n, -points[p, 0], points[j, 1])
    n = add_product(parts, n, -points[i, 1], points[j, 0])
    n = add_product(parts, n, points[i, 1], points[p, 0])
    n = add_product(parts, n, points[p, 1], points[j, 0])
    # Parts do not overlap: the largest one that is not 0 outweighs the rest
    while n > 0 and parts[n - 1] == 0.0:
        n -= 1
    return 0 if n == 0 else (1 if parts[n - 1] > 0.0 else -1)


@inlined
def add_product(parts, n, a, b):
    """Add a b to the sum of the first n parts without error; return the new number of parts."""
    product, tail = exact_product(a, b)
    return add_part(parts, add_part(parts, n, tail), product)


@inlined
def add_part(parts, n, carry):
    for k in range(n):
        carry, parts[k] = exact_sum(carry, parts[k])
    parts[n] = carry
    return n + 1


@inlined
def exact_sum(a, b):
    """Return the rounded sum and what rounding took away."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


@inlined
def exact_difference(a, b):
    return exact_sum(a, -b)


@inlined
def exact_product(a, b):
    """Return the rounded product and what rounding took away."""
    product = a * b
    a_high, b_high = upper_half(a), upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    tail = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product, tail


@inlined
def upper_half(a):
    """Return the upper 26 bits of a."""
    scaled = SPLITTER * a
    return scaled - (scaled - a)
