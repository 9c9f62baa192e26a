"""Ask for a row before it is needed: rows in a shuffled order come from all over the memory.

Measured on 200,000 sparse rows in a shuffled order: 1.6 times faster. In the order of the rows the
hardware does the same by itself, and for dense rows asking made no difference.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from rosenblatt.kernels.compiler import INLINE, inlined
from rosenblatt.kernels.rows import of_type

AHEAD = 8  # rows: long enough for the memory to answer, short enough to stay in the cache
LINE = 64  # bytes that come at a time


def fetch_ahead(X, order, p):
    """Ask for the row that follows order[p] at some distance."""


@intrinsic
def touch(typing_context, array, index):
    """Ask for the cache line of array[index]; nothing else happens."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        int32 = cgutils.int32_t
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, int32, int32, int32])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
        # to read, to keep in all caches, data
        builder.call(prefetch, [address, int32(0), int32(3), int32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@inlined
def is_scattered(order, p):
    """Tell whether the row ahead is one that the hardware cannot guess."""
    return p + AHEAD < order.shape[0] and order[p + AHEAD] != order[p] + AHEAD


def _fetch_csr(X, order, p):
    if is_scattered(order, p):
        i = order[p + AHEAD]
        for k in range(X.indptr[i], X.indptr[i + 1], LINE // X.data.itemsize):
            touch(X.data, k)
        for k in range(X.indptr[i], X.indptr[i + 1], LINE // X.indices.itemsize):
            touch(X.indices, k)


def _fetch_presence(X, order, p):
    if is_scattered(order, p):
        i = order[p + AHEAD]
        for k in range(X.indptr[i], X.indptr[i + 1], LINE // X.indices.itemsize):
            touch(X.indices, k)


def _fetch_nothing(X, order, p):
    pass


@overload(fetch_ahead, jit_options=INLINE)
def _(X, order, p):
    return of_type(X, _fetch_nothing, _fetch_csr, _fetch_presence, _fetch_nothing)
