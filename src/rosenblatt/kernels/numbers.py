"""Decimal numbers from bytes, rounded as Python's `float` rounds them, bit for bit.

    [+-] digits [. digits] [e [+-] digits]        at least one digit before or after the point

With m the digits as a whole number and e the power of ten:

    m < 2^53, |e| <= 22     m and 10^|e| are floats without error, so m * 10^e or m / 10^|e| is
                            rounded once, which is right (Clinger, PLDI 1990)
    m < 10^19               m times a 128-bit 10^e, unless the bits that are cut off could decide
                            the rounding (Eisel and Lemire, Softw. Pract. Exp. 2021)
    else                    HARD: the caller asks Python

A text must end with a byte that belongs to no number, so that no loop can run past its end.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined

READ, HARD, BROKEN = 0, 1, 2

PLUS, MINUS, POINT, ZERO, LOWER_E, UPPER_E = 43, 45, 46, 48, 101, 69
MAX_DIGITS = 19  # the most that fit into 64 bits
FAR = 100_000  # an exponent beyond every float; longer ones are not counted on

SMALL_POWERS = np.array([float(f"1e{e}") for e in range(23)])
FIRST_POWER, LAST_POWER = -342, 308


def _long_powers():
    """Return the first 128 bits of each power of ten, as (high, low)."""
    words = []
    for e in range(FIRST_POWER, LAST_POWER + 1):
        if e >= 0:
            bits = 10**e << 128 >> (10**e).bit_length()
        else:
            bits = (1 << 128 + (10**-e).bit_length() - 1) // 10**-e
        words.append((bits >> 64, bits & (1 << 64) - 1))
    return np.array(words, dtype=np.uint64)


LONG_POWERS = _long_powers()

U0, U1, U3, U10, U32 = (np.uint64(c) for c in (0, 1, 3, 10, 32))
LOW_WORD = np.uint64(0xFFFFFFFF)
CUT_OFF = np.uint64(0x1FF)  # the nine bits below a mantissa of 55
EXACT = np.uint64(1 << 53)
FRACTION = np.uint64((1 << 52) - 1)


@inlined
def digit_at(text, p):
    """Return the digit at p; 10 or more when there is none."""
    return np.uint8(text[p] - np.uint8(48))


@inlined
def read_number(text, p):
    """Return (value, where it ends, READ | HARD | BROKEN); BROKEN ends where it went wrong."""
    negative = text[p] == MINUS
    if negative or text[p] == PLUS:
        p += 1
    mantissa, e, start, first = U0, 0, p, p
    digit = digit_at(text, p)
    while digit < 10:
        mantissa = mantissa * U10 + np.uint64(digit)
        p += 1
        digit = digit_at(text, p)
    n_digits = p - first
    if text[p] == POINT:
        p += 1
        first = p
        digit = digit_at(text, p)
        while digit < 10:
            mantissa = mantissa * U10 + np.uint64(digit)
            p += 1
            digit = digit_at(text, p)
        e = first - p
        n_digits -= e
    if n_digits == 0:
        return 0.0, p, BROKEN
    if text[p] == LOWER_E or text[p] == UPPER_E:
        power, p = _read_exponent(text, p + 1)
        if power == FAR:
            return 0.0, p, BROKEN
        e += power
    if n_digits > MAX_DIGITS and n_digits - _zeros_ahead(text, start) > MAX_DIGITS:
        return 0.0, p, HARD
    if mantissa <= EXACT and -22 <= e <= 22:
        value = np.float64(mantissa)
        value = value * SMALL_POWERS[e] if e >= 0 else value / SMALL_POWERS[-e]
        return -value if negative else value, p, READ
    if mantissa == U0 or e < FIRST_POWER or e > LAST_POWER:
        return 0.0, p, HARD
    value, certain = _product(mantissa, e)
    return -value if negative else value, p, READ if certain else HARD


@inlined
def _read_exponent(text, p):
    """Return (power, where it ends); FAR when there is no digit."""
    negative = text[p] == MINUS
    if negative or text[p] == PLUS:
        p += 1
    if digit_at(text, p) >= 10:
        return FAR, p
    power = 0
    while digit_at(text, p) < 10:
        power = min(10 * power + digit_at(text, p), FAR - 1)
        p += 1
    return -power if negative else power, p


@inlined
def _zeros_ahead(text, p):
    """Count the zeros before the first digit that matters."""
    n = 0
    while text[p] == POINT or text[p] == ZERO:
        n += text[p] == ZERO
        p += 1
    return n


@inlined
def _times(a, b):
    """Return the 128 bits of a * b as (high, low)."""
    a1, a0, b1, b0 = a >> U32, a & LOW_WORD, b >> U32, b & LOW_WORD
    low, cross = a0 * b0, a1 * b0
    middle = a0 * b1 + (low >> U32) + (cross & LOW_WORD)
    high = a1 * b1 + (cross >> U32) + (middle >> U32)
    return high, (middle << U32) | (low & LOW_WORD)


@inlined
def _product(mantissa, e):
    """Return (mantissa * 10^e, True), or False for a case that needs more than 128 bits."""
    shift = _leading_zeros(mantissa)
    mantissa <<= np.uint64(shift)
    high, low = _times(mantissa, LONG_POWERS[e - FIRST_POWER, 0])
    if high & CUT_OFF == CUT_OFF and low + mantissa < mantissa:
        more, rest = _times(mantissa, LONG_POWERS[e - FIRST_POWER, 1])
        before, low = low, low + more
        if low < before:
            high += U1
        if high & CUT_OFF == CUT_OFF and low + U1 == U0 and rest + mantissa < mantissa:
            return 0.0, False
    top = high >> np.uint64(63)
    kept = high >> (top + np.uint64(9))  # 54 bits: one to round by
    if low == U0 and high & CUT_OFF == U0 and kept & U3 == U1:
        return 0.0, False  # half-way between two floats, perhaps
    kept = (kept + (kept & U1)) >> U1
    # 217706 / 2^16 is log2(10), near enough for every e of the table
    exponent = (217706 * e >> 16) + 1023 + 63 - shift + np.int64(top)
    if kept >> np.uint64(53) > U0:
        kept >>= U1
        exponent += 1
    if exponent < 1 or exponent > 2046:
        return 0.0, False  # subnormal, or too large
    bits = np.uint64(np.uint64(exponent) << np.uint64(52) | kept & FRACTION)
    return np.uint64(bits).view(np.float64), True


@inlined
def _leading_zeros(word):
    n = 0
    for step in (32, 16, 8, 4, 2, 1):
        if word >> np.uint64(64 - step) == U0:
            word <<= np.uint64(step)
            n += step
    return n
