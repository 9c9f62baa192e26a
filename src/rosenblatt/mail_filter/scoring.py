"""Scores of many messages: a dictionary of all words, made once, pays there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat

import numpy as np

from rosenblatt.mail_filter.memory import UNIT, Memory, is_head, names_of
from rosenblatt.mail_filter.rule import SMOOTHING


def scorer(memory: Memory) -> Callable[[list[str]], float]:
    """Return a function from the words of a message to its score, that of `rule.judge`."""
    words = [name.decode("utf-8", "surrogatepass") for name in names_of(memory.words)]
    place, unknown = dict(zip(words, range(len(words)), strict=True)).get, len(words)
    weights = np.append(_weights(memory), 0.0)
    of_head = np.fromiter(map(is_head, words), dtype=bool, count=len(words))
    of_head = np.append(of_head, False)  # the last place is for words that are not known

    def score(features: list[str]) -> float:
        places = np.array(list(map(place, features, repeat(unknown))), dtype=np.int64)
        found, heads = weights[places], of_head[places]
        n_head = int(heads.sum())
        if unknown in places:
            new = (features[k] for k in np.flatnonzero(places == unknown).tolist())
            n_head += sum(map(is_head, new))
        head = float(found[heads].sum())
        text = float(found.sum()) - head
        n_text = len(features) - n_head
        return float(text / np.sqrt(max(1, n_text)) + head / np.sqrt(max(1, n_head)))

    return score


def _weights(memory: Memory) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return e_j^2 u_j of each word."""
    spam, ham, weights = (np.asarray(column) for column in memory.words[3:])
    rest = np.log((memory.n_ham + 2 * SMOOTHING) / (memory.n_spam + 2 * SMOOTHING))
    evidence = np.log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = evidence**2 * weights / UNIT
    return found
