"""CRC-32 of many short words at once, that of `zlib`."""

import numpy as np

from rosenblatt.kernels.compiler import kernel

POLYNOMIAL = 0xEDB88320


def _table():
    """Return what each byte does to the checksum."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ np.uint32(POLYNOMIAL), table >> 1)
    return table.astype(np.uint32)


TABLE = _table()


@kernel
def checksums(names, ends, table, out):
    """Write the CRC-32 of each word; the k-th is names[ends[k]:ends[k + 1]]."""
    ones = np.uint32(0xFFFFFFFF)
    for k in range(out.shape[0]):
        crc = ones
        for p in range(np.uint64(ends[k]), np.uint64(ends[k + 1])):
            crc = crc >> np.uint32(8) ^ table[np.uint8(crc ^ names[p])]
        out[k] = crc ^ ones
