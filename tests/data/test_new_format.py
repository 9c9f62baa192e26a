"""A format is a class of few lines and a line in the table: it gets every place for nothing."""

import gzip
import io
import sys

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from rosenblatt.data import store
from rosenblatt.data.example_blocks import open_examples
from rosenblatt.data.formats import FORMATS, Format
from rosenblatt.data.formats.lines import checked_blocks
from rosenblatt.data.table import Table, TableFile, line_place
from tests.cli.running import run

N_ROWS = 200


class PairsFile(TableFile):
    """Lines of `name=value name=value ...`, in any order."""

    def blocks(self, source):
        for line, content in checked_blocks(source, self.how.block_bytes):
            lines = filter(None, bytes(content).decode().splitlines())
            rows = [dict(pair.split("=") for pair in line.split()) for line in lines]
            yield Table(pa.Table.from_pylist(rows), self.name, line_place(content, line))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(FORMATS, "pairs", Format(PairsFile, (".pairs",)))
    monkeypatch.setattr(store, "BLOCK_BYTES", 500)  # bytes: a file has many blocks


def lines():
    rng = np.random.default_rng(0)
    for i, size in enumerate(rng.normal(size=N_ROWS).round(3)):
        colour = rng.choice(["red", "green", "blue"])
        late = f" late={i}" if i > 150 else " late=0"
        yield f"size={size} colour={colour}{late} label={'ab'[int(size > 0)]}"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "toys.pairs"
    path.write_text("\n".join(lines()))
    return path


def learner():
    return AveragedPerceptron(epochs=2, random_state=0)


def assert_in_blocks_as_in_memory(path, **how):
    found, fitted = read(path, **how), fit_file(learner(), path, **how)
    assert (fitted.recipe, fitted.notes) == (found.recipe, found.notes)
    model = learner().fit(found.X, found.y)
    np.testing.assert_array_equal(model.coef_, fitted.model.coef_)


def test_it_is_known_by_its_name_and_its_columns_are_judged_as_all_others(path):
    found = read(path)
    assert found.feature_names == ["size", "late", "colour=blue", "colour=green", "colour=red"]
    assert found.notes == (
        "target column guessed: 'label' (by its name)",
        "columns read as numbers: 'size', 'late'; as categories: 'colour' (3 values)",
    )


def test_it_is_read_in_blocks(path):
    assert_in_blocks_as_in_memory(path)


def test_it_may_be_packed_and_have_another_name(path, tmp_path):
    packed = tmp_path / "toys.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert_in_blocks_as_in_memory(packed, format="pairs")


def test_it_comes_from_standard_input(path, monkeypatch):
    found = read(path)
    for work in (read, lambda *args, **how: fit_file(learner(), *args, **how)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        assert work("-", format="pairs").recipe == found.recipe


def test_a_bad_cell_is_named_by_its_line_in_the_file(path):
    rows = path.read_text().splitlines()
    rows[180] = "size=oops colour=red late=0 label=a"
    path.write_text("\n".join(rows))
    for work in (read, lambda path: fit_file(learner(), path)):
        with pytest.raises(
            DataError, match=r"line 181, column 'size': expected a number, .*'oops'"
        ):
            work(path)
    assert_in_blocks_as_in_memory(path, missing="drop")


def test_a_model_reads_more_of_the_same(path, tmp_path):
    recipe = read(path).recipe
    more = tmp_path / "more.pairs"
    more.write_text("colour=red size=1.5 late=3\n")
    np.testing.assert_array_equal(read(more, recipe=recipe).X, [[1.5, 3, 0, 0, 1]])


def test_a_model_reads_a_file_of_any_size_in_blocks(path):
    found = read(path)
    with open_examples(path, found.recipe, block_bytes=500) as blocks:
        rows = [block.X for block in blocks]
    assert len(rows) > 3
    np.testing.assert_array_equal(np.vstack(rows), found.X)


def test_commands_take_it(path, tmp_path):
    models = [tmp_path / "one.rosenblatt", tmp_path / "two.rosenblatt"]
    run("fit", path, "-o", models[0], "--prove-seconds", "0")
    run("fit", path, "-o", models[1], "--memory", "100M")
    answers = [run("predict", model, path).out.split() for model in models]
    assert answers[0] == answers[1]
    assert len(answers[0]) == N_ROWS
