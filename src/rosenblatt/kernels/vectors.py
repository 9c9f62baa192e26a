"""Bytes of a text, many at a time: what LLVM has vectors for and Python has not.

Each function has a plain body as well, for `NUMBA_DISABLE_JIT=1`. None looks beyond the array.

The masks have a loop each for the end of a text. One loop that asks a function for each byte took a
ninth longer on short texts.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from rosenblatt.kernels.compiler import INLINE, inlined

WIDTH = 64  # bytes whose masks fit into one number


@inlined
def word_mask(text, p):
    """Return a bit for each of the 64 bytes from p on: is it an ASCII letter or digit."""
    if p + WIDTH <= text.shape[0]:
        return whole_word_mask(text, p)
    mask = np.uint64(0)
    for k in range(text.shape[0] - p):
        byte = np.uint64(text[p + k])
        small = byte | np.uint64(0x20)
        if (small >= 97 and small <= 122) or (byte >= 48 and byte <= 57):
            mask |= np.uint64(1) << np.uint64(k)
    return mask


@inlined
def foreign_mask(text, p):
    """Return a bit for each of the 64 bytes from p on: is it outside of ASCII."""
    if p + WIDTH <= text.shape[0]:
        return whole_foreign_mask(text, p)
    mask = np.uint64(0)
    for k in range(text.shape[0] - p):
        if text[p + k] >= 128:
            mask |= np.uint64(1) << np.uint64(k)
    return mask


@inlined
def newline_mask(text, p):
    """Return a bit for each of the 64 bytes from p on: is it a newline or 0."""
    if p + WIDTH <= text.shape[0]:
        return whole_newline_mask(text, p)
    mask = np.uint64(0)
    for k in range(text.shape[0] - p):
        if text[p + k] == 10 or text[p + k] == 0:
            mask |= np.uint64(1) << np.uint64(k)
    return mask


@inlined
def black_mask(text, p):
    """Return a bit for each of the 64 bytes from p on: is it more than a space."""
    if p + WIDTH <= text.shape[0]:
        return whole_black_mask(text, p)
    mask = np.uint64(0)
    for k in range(text.shape[0] - p):
        if text[p + k] > 32:
            mask |= np.uint64(1) << np.uint64(k)
    return mask


@inlined
def eight_bytes(text, p):
    """Return the 8 bytes from p on as a number, the first the least; zeros after the end."""
    if p + 8 <= text.shape[0]:
        return whole_eight(text, p)
    value = np.uint64(0)
    for k in range(text.shape[0] - p):
        value |= np.uint64(text[p + k]) << np.uint64(8 * k)
    return value


def trailing_zeros(value):
    """Return the place of the lowest bit that is set; the value must not be 0."""
    value = int(value)
    return (value & -value).bit_length() - 1


def whole_word_mask(text, p):
    """Return `word_mask` where all 64 bytes are there."""
    block = bytes(text[p : p + WIDTH])
    return np.uint64(sum(1 << k for k, b in enumerate(block) if b < 128 and chr(b).isalnum()))


def whole_foreign_mask(text, p):
    """Return `foreign_mask` where all 64 bytes are there."""
    return np.uint64(sum(1 << k for k, b in enumerate(bytes(text[p : p + WIDTH])) if b >= 128))


def whole_newline_mask(text, p):
    """Return `newline_mask` where all 64 bytes are there."""
    block = bytes(text[p : p + WIDTH])
    return np.uint64(sum(1 << k for k, b in enumerate(block) if b in (0, 10)))


def whole_black_mask(text, p):
    """Return `black_mask` where all 64 bytes are there."""
    return np.uint64(sum(1 << k for k, b in enumerate(bytes(text[p : p + WIDTH])) if b > 32))


def whole_eight(text, p):
    """Return `eight_bytes` where all 8 are there."""
    return np.uint64(int.from_bytes(bytes(text[p : p + 8]), "little"))


def _load(context, builder, array, arguments, kind):
    """Load a value of an LLVM type from array[index], aligned or not."""
    data = context.make_array(array)(context, builder, arguments[0]).data
    place = builder.gep(data, [arguments[1]])
    return builder.load(builder.bitcast(place, kind.as_pointer()), align=1)


def _all(value):
    """Return a vector of 64 times the same byte."""
    byte = ir.IntType(8)
    return ir.Constant(ir.VectorType(byte, WIDTH), [ir.Constant(byte, value)] * WIDTH)


BLOCK_OF_BYTES = ir.VectorType(ir.IntType(8), WIDTH)


@intrinsic
def _words_of_block(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        block = _load(context, builder, array, arguments, BLOCK_OF_BYTES)
        small = builder.or_(block, _all(0x20))
        letter = builder.icmp_unsigned("<", builder.sub(small, _all(ord("a"))), _all(26))
        digit = builder.icmp_unsigned("<", builder.sub(block, _all(ord("0"))), _all(10))
        return builder.bitcast(builder.or_(letter, digit), ir.IntType(64))

    return types.uint64(array, types.intp), generate


@intrinsic
def _foreign_of_block(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        block = _load(context, builder, array, arguments, BLOCK_OF_BYTES)
        return builder.bitcast(builder.icmp_signed("<", block, _all(0)), ir.IntType(64))

    return types.uint64(array, types.intp), generate


@intrinsic
def _newlines_of_block(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        block = _load(context, builder, array, arguments, BLOCK_OF_BYTES)
        newline = builder.icmp_unsigned("==", block, _all(10))
        zero = builder.icmp_unsigned("==", block, _all(0))
        return builder.bitcast(builder.or_(newline, zero), ir.IntType(64))

    return types.uint64(array, types.intp), generate


@intrinsic
def _black_of_block(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        block = _load(context, builder, array, arguments, BLOCK_OF_BYTES)
        return builder.bitcast(builder.icmp_unsigned(">", block, _all(32)), ir.IntType(64))

    return types.uint64(array, types.intp), generate


@intrinsic
def _eight(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        # Numba runs on little-endian machines only, so that the first byte is the least
        return _load(context, builder, array, arguments, ir.IntType(64))

    return types.uint64(array, types.intp), generate


@intrinsic
def _cttz(typing_context, value):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate


@overload(whole_word_mask, jit_options=INLINE)
def _(text, p):
    return lambda text, p: _words_of_block(text, p)


@overload(whole_foreign_mask, jit_options=INLINE)
def _(text, p):
    return lambda text, p: _foreign_of_block(text, p)


@overload(whole_newline_mask, jit_options=INLINE)
def _(text, p):
    return lambda text, p: _newlines_of_block(text, p)


@overload(whole_black_mask, jit_options=INLINE)
def _(text, p):
    return lambda text, p: _black_of_block(text, p)


@overload(whole_eight, jit_options=INLINE)
def _(text, p):
    return lambda text, p: _eight(text, p)


@overload(trailing_zeros, jit_options=INLINE)
def _(value):
    return lambda value: _cttz(value)
