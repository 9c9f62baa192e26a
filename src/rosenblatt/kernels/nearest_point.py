"""The point of a convex hull that is nearest to 0, for many small sets of points (Wolfe 1976).

    x <- the shortest point;  the corral is this point alone
    repeat:
        j <- the point with the smallest z_j . x;  stop if it is not below |x|^2
        the corral takes j
        repeat:  a <- the affine weights whose point is nearest to 0, of the members alone
                 all above 0:  x <- that point, done;  else go towards it until one of the weights
                 is 0, and let this member go

With z_i = y_i (1, x_i) a rule x that has z_i . x > 0 for all i separates, |x| is the largest
margin in canonical form, and if 0 is in the hull nothing separates. What floats found is a
proposal; `lab/separation.py` judges it.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel

SEPARATED, NEAREST, ZERO, LOST = 1, 2, 3, 0  # how a search ended
FLAT = 1e-13  # a pivot below this share of the squared radius is taken for rounding
NOT_NEARER = 1e-14  # and so is a step forward by less than this share of it
ROUNDING = 4 * np.finfo(np.float64).eps


@kernel
def nearest_points(Z, only_signs, first, last, x, members, weights, ends, factor, turn):
    """Search in the sets Z[first:last]; fill in x, the members and their weights, and how it ended.

    `only_signs`: stop at any x that has z_i . x > 0 for all i, whatever rounding did. `factor` and
    `turn` are room for (d + 1)^2 and d + 1 numbers.
    """
    for r in range(first, last):
        ends[r] = nearest_point(Z[r], only_signs, x[r], members[r], weights[r], factor, turn)


@inlined
def nearest_point(Z, only_signs, x, members, weights, factor, turn):
    """Search in one set; return how it ended."""
    n_points, d = Z.shape
    shortest, radius2 = 0, 0.0
    least = np.inf
    for i in range(n_points):
        length2 = product(Z[i], Z[i])
        radius2 = max(radius2, length2)
        if length2 < least:
            least, shortest = length2, i
    members[:] = -1
    weights[:] = 0.0
    members[0], weights[0], size = shortest, 1.0, 1
    for c in range(d):
        x[c] = Z[shortest, c]
    for _ in range(20 * (n_points + d)):
        length2 = product(x, x)
        if length2 <= FLAT * FLAT * radius2:
            return ZERO
        j, smallest = 0, np.inf
        for i in range(n_points):
            score = product(Z[i], x)
            if score < smallest:
                smallest, j = score, i
        if only_signs and smallest > ROUNDING * (d + 2) * np.sqrt(radius2 * length2):
            return SEPARATED
        if smallest >= length2 - NOT_NEARER * radius2:
            return NEAREST
        for k in range(size):
            if members[k] == j:
                return NEAREST  # rounding is all that moves
        if size > d:
            return LOST
        members[size], weights[size] = j, 0.0
        size = settle(Z, members, weights, size + 1, radius2, factor, turn)
        if size == 0:
            return LOST
        x[:] = 0.0
        for k in range(size):
            for c in range(d):
                x[c] += weights[k] * Z[members[k], c]
    return LOST


@inlined
def product(a, b):
    """Return a . b."""
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@inlined
def settle(Z, members, weights, size, scale, factor, turn):
    """Bring the members to their best weights, less those that leave; return how many stay.

    0 means that they depend on each other too much for floats.
    """
    while True:
        if not best_weights(Z, members, size, scale, factor, turn):
            return 0
        share = 1.0
        for k in range(size):
            if turn[k] <= 0.0:
                # what came with weight 0 and has to leave at once would make no step at all
                share = min(share, weights[k] / (weights[k] - turn[k]))
        for k in range(size):
            weights[k] += share * (turn[k] - weights[k])
        if share >= 1.0:
            return size
        kept, smallest = 0, np.inf
        for k in range(size):
            if turn[k] <= 0.0:
                smallest = min(smallest, weights[k])
        for k in range(size):
            if turn[k] > 0.0 or weights[k] > smallest:
                members[kept], weights[kept] = members[k], weights[k]
                kept += 1
        for k in range(kept, size):
            members[k], weights[k] = -1, 0.0
        if kept == size or kept == 0:
            return 0
        size = kept


@inlined
def best_weights(Z, members, size, scale, factor, turn):
    """Solve (G + scale) a = 1, G the products of the members, and bring the sum of a to 1."""
    for p in range(size):
        for q in range(p + 1):
            total = product(Z[members[p]], Z[members[q]]) + scale
            for k in range(q):
                total -= factor[p, k] * factor[q, k]
            if p != q:
                factor[p, q] = total / factor[q, q]
            elif total <= FLAT * scale:
                return False
            else:
                factor[p, p] = np.sqrt(total)
    for p in range(size):
        total = 1.0
        for k in range(p):
            total -= factor[p, k] * turn[k]
        turn[p] = total / factor[p, p]
    whole = 0.0
    for p in range(size - 1, -1, -1):
        total = turn[p]
        for k in range(p + 1, size):
            total -= factor[k, p] * turn[k]
        turn[p] = total / factor[p, p]
        whole += turn[p]
    for p in range(size):
        turn[p] /= whole
    return True
