"""Decimal numbers are rounded as Python rounds them, bit for bit."""

import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.numbers import (
    BROKEN,
    FIRST_POWER,
    HARD,
    LAST_POWER,
    LONG_POWERS,
    READ,
    read_number,
)


@kernel
def number_at(text, p):
    return read_number(text, p)


def parse(word):
    return number_at(np.frombuffer(word.encode() + b"\n", dtype=np.uint8), 0)


def bits(number):
    return struct.pack("<d", number)


def check(word):
    value, end, how = parse(word)
    assert how in (READ, HARD)
    assert end == len(word)
    if how == READ:
        assert bits(value) == bits(float(word)), word
    return how


digits = st.text("0123456789", max_size=25)
exponents = st.one_of(
    st.just(""), st.integers(-400, 400).map("e{}".format), st.integers(0, 30).map("E+{}".format)
)


@st.composite
def decimals(draw):
    whole, fraction = draw(digits), draw(digits)
    point = draw(st.booleans())
    if not whole and not (point and fraction):
        whole = "0"
    sign = draw(st.sampled_from(["", "+", "-"]))
    return sign + whole + ("." + fraction if point else "") + draw(exponents)


@settings(max_examples=500, deadline=None)
@given(decimals())
def test_any_decimal_is_read_as_python_reads_it(word):
    check(word)


@settings(max_examples=500, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_shortest_form_of_any_float_gives_it_back(number):
    check(repr(number))


@settings(max_examples=500, deadline=None)
@given(st.floats(1e-300, 1e300), st.integers(1, 19))
def test_any_number_of_digits_is_rounded_right(number, n_digits):
    check(f"{number:.{n_digits - 1}e}")


@settings(max_examples=200, deadline=None)
@given(st.integers(2**52, 2**53 - 1), st.integers(0, 10), st.integers(-1, 1))
def test_numbers_half_way_between_two_floats_are_rounded_right(mantissa, power, off):
    check(str(((2 * mantissa + 1) << power) + off))


@pytest.mark.parametrize(
    "word", ["5", "0.1", "-2.5e-3", "123456.789", "1e22", "-0", "9007199254740992"]
)
def test_common_numbers_need_no_help_from_python(word):
    assert check(word) == READ


def test_floats_with_17_digits_need_help_from_python_seldom():
    rng = np.random.default_rng(0)
    words = [repr(float(x)) for x in rng.standard_normal(2000)]
    assert sum(check(word) == HARD for word in words) < 5


@pytest.mark.parametrize(
    ("word", "end"), [("", 0), ("+", 1), (".", 1), ("-.", 2), ("1e", 2), ("1e+", 3), ("x", 0)]
)
def test_what_is_no_number_is_broken_where_it_goes_wrong(word, end):
    _, where, how = parse(word)
    assert how == BROKEN
    assert where == end


@pytest.mark.parametrize("word", ["inf", "nan", "Infinity", "-inf"])
def test_infinity_and_nan_are_no_numbers(word):
    assert parse(word)[2] == BROKEN


@pytest.mark.parametrize("word", ["1_0", "0x10", "1,5", "1 2", "1e5.5"])
def test_a_number_ends_where_its_decimal_form_ends(word):
    _, end, how = parse(word)
    assert how == READ
    assert end < len(word)
    float(word[:end])


def test_the_powers_of_ten_are_their_first_128_bits():
    for e in range(FIRST_POWER, LAST_POWER + 1):
        high, low = (int(word) for word in LONG_POWERS[e - FIRST_POWER])
        mantissa, power = (high << 64) + low, Fraction(10) ** e
        assert mantissa.bit_length() == 128
        scale = Fraction(2) ** (int(np.floor(e * np.log2(10))) - 127)
        assert mantissa * scale <= power < (mantissa + 1) * scale


@pytest.mark.soak
@settings(max_examples=50_000, deadline=None)
@given(decimals())
def test_any_decimal_is_read_as_python_reads_it_many_times(word):
    check(word)
