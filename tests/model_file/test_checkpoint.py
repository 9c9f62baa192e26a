"""A fit that is broken off goes on from its checkpoint, to the bits of one that was not."""

import os

import numpy as np
import pytest
from sklearn.base import clone

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    BernoulliNaiveBayes,
    DataError,
    ModelFileError,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    fit_blocks,
    save,
)
from rosenblatt.blocks import as_blocks
from rosenblatt.blocks.stored import StoreWriter
from tests.cluster.samples import in_parts, sample

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, y = sample(n_rows=60, n_classes=3)
LEARNERS = [
    AveragedPerceptron(epochs=5, random_state=3),
    AveragedPerceptron(epochs=4, shuffle=False, multiclass="one-vs-rest"),
    PassiveAggressive(epochs=5, random_state=1),
    AROW(epochs=5, random_state=1),
    Perceptron(max_epochs=5),
    Perceptron(rule="shuffled", max_epochs=5, random_state=7, multiclass="one-vs-one"),
    BatchPerceptron(max_epochs=5),
]


class BrokenError(Exception):
    """What stands for a power cut."""


def breaking(epoch):
    def callback(progress):
        if progress.n_epochs >= epoch:
            raise BrokenError

    return callback


def bytes_of(model, folder):
    save(model, folder / "model")
    return (folder / "model").read_bytes()


def go_on_after_each_epoch(model, blocks, folder, **how):
    """Break a fit off in each epoch, begin anew each time, and return what comes out."""
    file = folder / "fit.checkpoint"
    for epoch in range(2, 6):
        try:
            done = fit_blocks(clone(model), blocks(), breaking(epoch), checkpoint=file, **how)
        except BrokenError:
            assert file.exists() or epoch == 2
            continue
        break
    else:
        done = fit_blocks(clone(model), blocks(), checkpoint=file, **how)
    assert not file.exists()
    return done


@pytest.mark.parametrize("model", LEARNERS, ids=repr)
@pytest.mark.parametrize("place", ["memory", "parts"])
def test_what_is_broken_off_goes_on_to_the_bit(model, place, tmp_path):
    blocks = (lambda: as_blocks(X, y)) if place == "memory" else lambda: in_parts(X, y, [13, 40])
    whole = fit_blocks(clone(model), blocks())
    done = go_on_after_each_epoch(model, blocks, tmp_path)
    assert bytes_of(done, tmp_path) == bytes_of(whole, tmp_path)


def test_rows_on_disk_and_mixed_ones_go_on_too(tmp_path):
    with StoreWriter(block_bytes=500) as writer:
        writer.add(X, y)
        stored = writer.finish()
        model = Perceptron(rule="shuffled", max_epochs=4, random_state=2)
        whole = fit_blocks(clone(model), stored)
        done = go_on_after_each_epoch(model, lambda: stored, tmp_path)
    assert bytes_of(done, tmp_path) == bytes_of(whole, tmp_path)
    for model in (Perceptron(max_epochs=4), AveragedPerceptron(epochs=4, random_state=0)):
        whole = fit_blocks(clone(model), in_parts(X, y, [13, 40]), mixing=True)
        done = go_on_after_each_epoch(
            model, lambda: in_parts(X, y, [13, 40]), tmp_path, mixing=True
        )
        assert bytes_of(done, tmp_path) == bytes_of(whole, tmp_path)


def broken_off(folder, model=LEARNERS[0]):
    file = folder / "fit.checkpoint"
    with pytest.raises(BrokenError):
        fit_blocks(clone(model), as_blocks(X, y), breaking(3), checkpoint=file)
    return file


@pytest.mark.parametrize(
    ("model", "blocks"),
    [
        (LEARNERS[0], as_blocks(X[::-1], y[::-1])),
        (LEARNERS[0], as_blocks(X, np.roll(y, 1))),
        (LEARNERS[0], as_blocks(X, y, np.full(len(y), 2.0))),
        (LEARNERS[0], in_parts(X, y, [30])),
        (AveragedPerceptron(epochs=6, random_state=3), as_blocks(X, y)),
        (AveragedPerceptron(epochs=5, random_state=4), as_blocks(X, y)),
        (AROW(epochs=5, random_state=3), as_blocks(X, y)),
    ],
    ids=["order", "labels", "weights", "parts", "epochs", "seed", "learner"],
)
def test_a_checkpoint_of_another_fit_is_refused(model, blocks, tmp_path):
    file = broken_off(tmp_path)
    before = file.read_bytes()
    with pytest.raises(DataError, match=r"the checkpoint of another fit.*remove it"):
        fit_blocks(clone(model), blocks, checkpoint=file)
    assert file.read_bytes() == before


def test_a_damaged_file_is_refused_and_left(tmp_path):
    file = broken_off(tmp_path)
    whole = file.read_bytes()
    save(AveragedPerceptron().fit(X, y), tmp_path / "model")
    for content in (b"", b"x" * 200, whole[:-9], (tmp_path / "model").read_bytes()):
        file.write_bytes(content)
        with pytest.raises(ModelFileError, match="damaged, or no checkpoint; remove it"):
            fit_blocks(clone(LEARNERS[0]), as_blocks(X, y), checkpoint=file)
        assert file.read_bytes() == content


def test_only_its_owner_can_read_it(tmp_path):
    assert os.stat(broken_off(tmp_path)).st_mode & 0o077 == 0


@pytest.mark.parametrize("model", [BernoulliNaiveBayes(), PocketPerceptron(), VotedPerceptron()])
def test_learners_without_epochs_to_go_on_from_are_refused(model, tmp_path):
    with pytest.raises(ParameterError, match=f"^checkpoint .*{type(model).__name__}"):
        fit_blocks(model, as_blocks(np.sign(X), y), checkpoint=tmp_path / "c")
    assert not (tmp_path / "c").exists()
