"""Texts for the tests."""

import unicodedata

import numpy as np
from hypothesis import strategies as st

# Characters that this Python knows: what is not assigned in its version of Unicode may be a letter
# in the version of our table, or the other way round
ASSIGNED = st.characters(exclude_categories=("Cs", "Cn")).filter(
    lambda character: unicodedata.category(character) != "Cn"
)


def random_texts(n, alphabet="abc ", longest=100, seed=0):
    rng = np.random.default_rng(seed)
    letters = np.array(list(alphabet))
    return ["".join(rng.choice(letters, rng.integers(0, longest))) for _ in range(n)]
