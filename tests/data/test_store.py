"""The rows of a file as blocks: the same, whether they are in memory or on disk."""

import numpy as np
import pytest

from rosenblatt import DataError, read
from rosenblatt.data import store
from rosenblatt.data.store import open_blocks
from rosenblatt.rows import matrix

TEXTS = "".join(f"{'ab'[i % 2]}\t word{i % 9} and {i} \n\n" for i in range(90))
TABLE = "size,said,label\n" + "".join(
    f"{i % 7 if i % 8 else ''},so it{i} was,{'ab'[i % 5 > 2]}\n" for i in range(90)
)
ROWS = "".join(f"{i % 2} {1 + i % 7}:{i} 9:1\n" for i in range(90))
FILES = {"texts.txt": TEXTS, "table.csv": TABLE, "rows.svm": ROWS}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 500)


@pytest.fixture(params=FILES)
def path(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(FILES[request.param])
    return path


def rows_of(blocks):
    found = [np.asarray(matrix(b.rows, b.n_features).todense()) for b in blocks.one_pass()]
    return np.vstack(found)


def test_rows_in_memory_and_on_disk_are_the_same(path):
    how = {"missing": "drop", "bits": 8}
    one = read(path, **how)
    with open_blocks(path, memory="100MB", **how) as two:
        assert len(list(two.blocks.one_pass())) > 1
        assert (one.recipe, one.notes, one.source) == (two.recipe, two.notes, two.source)
        labels = np.concatenate(list(two.blocks.each(lambda block: block.classes[block.labels])))
        np.testing.assert_array_equal(one.y, labels)
        np.testing.assert_array_equal(one.X.toarray(), rows_of(two.blocks))


def test_a_built_in_set_needs_no_disk():
    with pytest.raises(DataError, match="iris is a built-in set, which is small"):
        open_blocks("iris", memory="100MB").__enter__()
