"""Windows of 4 bytes as places of a table, for many documents at once.

    place of a window = the upper half of  window * secret  mod 2^32

Multiplying by an odd number that nobody knows and keeping the upper bits is a universal hash
(Dietzfelbinger et al. 1997): nobody can choose windows that meet.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel

WINDOW = 4  # bytes


@kernel
def letter_places(text, stops, secret, last, indices, indptr):
    """Write the different places of each document into indices; return how many there are in all.

    `last` has a number for each place, all below 0 at first; `stops` says where documents end.
    """
    count, start = 0, 0
    for i in range(stops.shape[0]):
        window = np.uint64(0)
        for k in range(start, stops[i]):
            window = (window >> np.uint64(8)) | (np.uint64(text[k]) << np.uint64(24))
            if k - start < WINDOW - 1:
                continue
            place = ((window * secret) & np.uint64(0xFFFFFFFF)) >> np.uint64(16)
            if last[place] != i:
                last[place] = i
                indices[count] = place
                count += 1
        start = stops[i]
        indptr[i + 1] = count
    return count
