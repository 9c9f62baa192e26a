"""A sum of floats without rounding: for each exponent the sum of the mantissas, whole numbers.

A float64 is sign * m * 2^(max(e, 1) - 1075) with its mantissa m below 2^53 and its exponent e from
0 to 2046. The low 27 bits of m and the rest are added up apart in int64, which holds 2^36 of them.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel

LOW_BITS = 27
N_EXPONENTS = 2048
NO_NUMBER = 2047  # the exponent of NaN and infinity


@kernel
def add_mantissas(values, sums):
    """Add to sums[e] what the values of each exponent e are; return (n, least e, largest e).

    NaN and infinity are left out of n and of the range of e, not of `sums`.
    """
    n, least, largest = 0, NO_NUMBER, 0
    for x in values:
        bits = np.float64(x).view(np.int64)
        e = (bits >> 52) & 0x7FF
        m = (bits & 0xFFFFFFFFFFFFF) | (np.int64(e > 0) << 52)
        sign = 1 | (bits >> 63)
        sums[e, 0] += sign * (m & 0x7FFFFFF)
        sums[e, 1] += sign * (m >> LOW_BITS)
        if e != NO_NUMBER:
            n += 1
            least, largest = min(least, e), max(largest, e)
    return n, least, largest
