"""A digest of 64 bits for each row, the same for every kind of rows that holds the same numbers.

    entry(j, x) = finish(j g + finish(bits of x as a float64))
    digest      = finish(sum of entry(j, x_j) over all x_j other than 0)

modulo 2^64, with g odd and `finish` the last step of splitmix64, in which every bit of the input
moves every bit of the result. Zeros are left out, stored or not, and so is -0. Two rows that
differ have the same digest with a chance of 2^-64, unless somebody constructs them.
"""

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.rows import CSR, Presence, of_type

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
# shifts by unsigned numbers: with signed ones the result would be a float64
THIRTY, TWENTY_SEVEN, THIRTY_ONE = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined
def finish(z):
    """Return z with its bits mixed; different numbers stay different."""
    z = (z ^ (z >> THIRTY)) * FIRST
    z = (z ^ (z >> TWENTY_SEVEN)) * SECOND
    return z ^ (z >> THIRTY_ONE)


@inlined
def entry(place, x):
    """Return a digest of the number x at a place."""
    return finish(np.uint64(place) * GOLDEN + finish(np.float64(x).view(np.uint64)))


def digest_row(X, i):
    """Return the digest of row i."""
    body = {CSR: _digest_csr, Presence: _digest_presence}.get(type(X), _digest_dense)
    return body(X, i)


def _digest_dense(X, i):
    total = np.uint64(0)
    for j in range(X.shape[1]):
        if X[i, j] != 0:
            total += entry(j, X[i, j])
    return finish(total)


def _digest_csr(X, i):
    total = np.uint64(0)
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        if X.data[k] != 0:
            total += entry(X.indices[k], X.data[k])
    return finish(total)


def _digest_presence(X, i):
    total = np.uint64(0)
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        total += entry(X.indices[k], 1.0)
    return finish(total)


@overload(digest_row, jit_options=INLINE)
def _(X, i):
    return of_type(X, _digest_dense, _digest_csr, _digest_presence, None)


@kernel
def digest_rows(X, start, stop, out):
    """Write the digests of the rows start <= i < stop to out[i]."""
    for i in range(start, stop):
        out[i] = digest_row(X, i)


@kernel
def digest_examples(digests, members, labels, names, weights, out):
    """Write a digest of row, label and weight for each of the members, in their order.

    `names` holds a digest of each class; no weights: each is 1.
    """
    for k in range(members.shape[0]):
        i = members[k]
        weight = 1.0 if weights.shape[0] == 0 else weights[i]
        out[k] = entry(digests[i] + names[labels[i]], weight)
