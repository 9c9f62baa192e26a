"""Learn the words of documents: a number and a name for each, in the order of their coming."""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.feature_targets import enter_hash, has_room
from rosenblatt.kernels.ngrams import (
    DOCUMENT,
    FOUND,
    FUEL,
    add_words,
    is_read,
    most_features,
    next_document,
    read_on,
)

MORE, GROW, DONE = 0, 1, 2  # call again; make the vocabulary larger first; nothing is left


@kernel
def learn_words(T, C, rule, target, room):
    """Enter the features of all documents into a vocabulary; return what to do next."""
    state, most = room.state, most_features(rule)
    while state[DOCUMENT] + 1 < T.offsets.shape[0] and target.count[0] < target.most_words:
        if not has_room(target, state[FOUND], most):
            return GROW
        if state[FUEL] <= 0:
            return MORE
        read_on(T, C, room)
        add_words(T, C, rule, target, room)
        if is_read(T, state):
            next_document(T, state)
    return DONE


@kernel
def enter_hashes(hashes, slots, numbers):
    """Fill an empty table with hashes, all different, numbered from 1 on."""
    for k in range(hashes.shape[0]):
        enter_hash(slots, numbers, hashes[k], k + 1)
