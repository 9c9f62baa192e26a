"""XXH64 with seed 0 in plain Python, after doc/xxhash_spec.md of github.com/Cyan4973/xxHash."""

import struct

PRIME = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)
MASK = 0xFFFFFFFFFFFFFFFF


def rotl(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & MASK


def round_of(acc, lane):
    acc = (acc + lane * PRIME[1]) & MASK
    return rotl(acc, 31) * PRIME[0] & MASK


def merge(acc, lane):
    acc ^= round_of(0, lane)
    return (acc * PRIME[0] + PRIME[3]) & MASK


def xxh64(data):
    """Return the digest of some bytes as 16 hexadecimal digits."""
    place = 0
    if len(data) >= 32:
        acc = [(PRIME[0] + PRIME[1]) & MASK, PRIME[1], 0, -PRIME[0] & MASK]
        while place + 32 <= len(data):
            lanes = struct.unpack_from("<4Q", data, place)
            acc = [round_of(a, lane) for a, lane in zip(acc, lanes, strict=True)]
            place += 32
        h = (rotl(acc[0], 1) + rotl(acc[1], 7) + rotl(acc[2], 12) + rotl(acc[3], 18)) & MASK
        for a in acc:
            h = merge(h, a)
    else:
        h = PRIME[4]
    h = (h + len(data)) & MASK
    while place + 8 <= len(data):
        h ^= round_of(0, struct.unpack_from("<Q", data, place)[0])
        h = (rotl(h, 27) * PRIME[0] + PRIME[3]) & MASK
        place += 8
    if place + 4 <= len(data):
        h ^= struct.unpack_from("<I", data, place)[0] * PRIME[0] & MASK
        h = (rotl(h, 23) * PRIME[1] + PRIME[2]) & MASK
        place += 4
    for byte in data[place:]:
        h ^= byte * PRIME[4] & MASK
        h = rotl(h, 11) * PRIME[0] & MASK
    h = (h ^ (h >> 33)) * PRIME[1] & MASK
    h = (h ^ (h >> 29)) * PRIME[2] & MASK
    return f"{h ^ (h >> 32):016x}"
