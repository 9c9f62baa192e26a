"""The long part of XXH64, a checksum of 64 bits that is as quick as memory.

    for each stripe of four words w:   v_k <- rotate(v_k + w_k P2, 31) P1      modulo 2^64

Every step can be undone, so a change in one word always changes v.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel

P1, P2 = np.uint64(0x9E3779B185EBCA87), np.uint64(0xC2B2AE3D27D4EB4F)
# shifts by unsigned numbers: with signed ones the result would be a float64
LEFT, RIGHT = np.uint64(31), np.uint64(33)


@inlined
def mixed(v, word):
    """Return v after one more word."""
    v += word * P2
    return (v << LEFT | v >> RIGHT) * P1


@kernel
def add_stripes(words, v):
    """Add whole stripes of four words to v, which is changed in place."""
    a, b, c, d = v[0], v[1], v[2], v[3]
    for k in range(words.shape[0] // 4):
        i = np.uint64(4 * k)
        a = mixed(a, words[i])
        b = mixed(b, words[i + np.uint64(1)])
        c = mixed(c, words[i + np.uint64(2)])
        d = mixed(d, words[i + np.uint64(3)])
    v[0], v[1], v[2], v[3] = a, b, c, d
