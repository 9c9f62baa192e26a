"""A learner of thirty lines learns from rows in memory, on disk and in a file, all to one model."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import TextBlocks, fit_blocks, fit_file, read
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.kernels.rows import add_row, dot_row, norm2_row
from rosenblatt.linear.multiclass import assemble, grow, hypotheses, layout, n_vectors, splits
from rosenblatt.linear.online import OnlineClassifier

KINDS = {
    "dense": np.asarray,
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X != 0),
}


class Corrected(NamedTuple):
    """The weights of one problem, and how often they were corrected."""

    h: object
    n_updates: int = 0


class MarginOfOne(OnlineClassifier):
    """Correct each row just enough to get it right with margin 1."""

    def __init__(
        self,
        *,
        epochs=3,
        shuffle=True,
        multiclass="one-vs-rest",
        fit_intercept=True,
        random_state=0,
    ):
        self.epochs, self.shuffle, self.multiclass = epochs, shuffle, multiclass
        self.fit_intercept, self.random_state = fit_intercept, random_state

    def _blank(self, blocks):
        n = len(splits(len(blocks.classes), self.multiclass))
        shape = (n_vectors(len(blocks.classes), self.multiclass), blocks.n_features + 1)
        return np.zeros(shape, order=layout(n))

    def _grown(self, blank, before, classes):
        blank[:] = grow(self._memory, before, classes, self.multiclass)
        return blank

    def _states(self, memory, n_problems):
        return [Corrected(h) for h in hypotheses(memory, n_problems, is_ours=True)]

    @staticmethod
    def _visit(state, part, piece):
        X, y, _, x0 = part.D
        h, n_updates = state
        for i in piece:
            loss = 1.0 - y[i] * (dot_row(X, i, h.w) + h.b[0])
            if loss > 0.0:
                step = y[i] * loss / (norm2_row(X, i) + x0 * x0)
                add_row(X, i, step, h.w)
                h.b[0] += step * x0
                n_updates += 1
        return Corrected(h, n_updates)

    def _finish(self, blocks, memory, states):
        self._keep(blocks, *assemble([state.h for state in states]))
        self._memory = memory


def sample(n_classes, n=60):
    random = np.random.default_rng(n_classes)
    X = random.integers(0, 4, (n, 5)) * random.choice([0.1, 0.7, 1.0], (n, 5))
    y = (X @ random.standard_normal((5, n_classes))).argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def assert_the_same(one, two):
    for name in ("coef_", "intercept_", "classes_", "n_updates_", "converged_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_rows_on_disk_give_the_model_of_rows_in_memory(kind, n_classes, way, shuffle):
    X, y = sample(n_classes)
    X = KINDS[kind](X)
    how = {"multiclass": way, "shuffle": shuffle}
    one, two = MarginOfOne(**how).fit(X, y), MarginOfOne(**how)
    with StoreWriter(block_bytes=200) as writer:
        for start in range(0, len(y), 11):
            writer.add(X[start : start + 11], y[start : start + 11])
        fit_blocks(two, writer.finish())
    assert one.n_updates_ > 5
    assert_the_same(one, two)


def test_it_goes_on_with_classes_that_come_late():
    X, y = sample(3)
    early = y < 2
    model = MarginOfOne().partial_fit(X[early], y[early]).partial_fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.coef_.shape == (3, 5)


def test_a_file_gives_the_model_of_its_rows(tmp_path):
    X, y = sample(2)
    path = tmp_path / "table.csv"
    lines = [
        ",".join([*map(repr, row), str(label)]) for row, label in zip(X.tolist(), y, strict=True)
    ]
    path.write_text("a,b,c,d,e,label\n" + "\n".join(lines) + "\n")
    one = MarginOfOne().fit(*read(path)[:2])
    assert_the_same(one, fit_file(MarginOfOne(), path, memory="64MB").model)


def test_texts_give_the_model_of_their_words(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{'ab'[i % 2]}\tword{i % 9} word{i % 11}\n" for i in range(40)))
    one = MarginOfOne(shuffle=False).fit(*read(path)[:2])
    two = fit_blocks(MarginOfOne(shuffle=False), TextBlocks(path, block_bytes=100))
    assert_the_same(one, two)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_single_rows_teach_it_without_a_line_more(n_classes):
    X, y = sample(n_classes)
    one, two = MarginOfOne(), MarginOfOne()
    for i in range(len(y)):
        if i:
            assert two.predict_one(X[i]) == one.predict(X[i : i + 1])[0]
        one.partial_fit(X[i : i + 1], y[i : i + 1])
        two.learn_one(X[i], y[i])
    assert_the_same(one, two)
