"""A sum of floats without rounding: for each sign and exponent the sum of the fractions.

A float64 is +-(f + 2^52) 2^(e - 1075) with its fraction f below 2^52 and its exponent e from 1 to
2046, and +-f 2^-1074 where e is 0. Sums of fractions are whole numbers. The low 27 bits of f and
the others are added up apart in int64, which holds 2^36 of them; how many there are says how often
2^52 is to be added.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel

LOW_BITS, FRACTION_BITS = 27, 52
LOW, FRACTION = (1 << LOW_BITS) - 1, np.uint64((1 << FRACTION_BITS) - 1)
SHIFT = np.uint64(FRACTION_BITS)  # unsigned: whether an index is negative is not looked at
N_KINDS = 1 << 12  # of sign and exponent, the sign first


@kernel
def add_fractions(values, sums, kinds):
    """Add to sums[:, sign and exponent] the low bits of fractions, the others, and their number.

    Write the kinds that there are to `kinds`; return how many.
    """
    for x in values:
        bits = np.float64(x).view(np.uint64)
        kind, fraction = bits >> SHIFT, np.int64(bits & FRACTION)
        sums[0, kind] += fraction & LOW
        sums[1, kind] += fraction >> LOW_BITS
        sums[2, kind] += 1
    n_kinds = 0
    for kind in range(N_KINDS):
        if sums[2, kind] > 0:
            kinds[n_kinds] = kind
            n_kinds += 1
    return n_kinds
