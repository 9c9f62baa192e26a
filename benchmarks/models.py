"""Loading a model, against the safetensors library on the same bytes, which checks no checksum."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import safetensors.numpy

from benchmarks.timing import Row, by_turns, seconds
from rosenblatt import BagOfWords, OnlinePipeline, Perceptron, load, save

BITS = 22
PEER = "safetensors load_file"


def models() -> Iterator[Row]:
    """A perceptron of 2^22 weights, with its checksum; and the same with its words."""
    random = np.random.default_rng(0)
    learner = Perceptron().partial_fit(np.zeros((2, 1 << BITS)), [0, 1])
    learner.coef_ = random.standard_normal(learner.coef_.shape)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.rosenblatt"
        yield _loading("loading a model of 2^22 weights", learner, path, "0.5x")
        texts = [" ".join(map(str, random.integers(0, 1 << 18, 100))) for _ in range(3000)]
        words = BagOfWords(bits=BITS).fit(texts)
        pipeline = OnlinePipeline([("words", words), ("learner", learner)])
        yield _loading("the same with the names of its words", pipeline, path, "none")
        saving = seconds(lambda: save(learner, path))
        arrays = safetensors.numpy.load_file(path)
        peer = seconds(lambda: safetensors.numpy.save_file(arrays, path))
        yield Row("saving it, synced to the disk", "safetensors save_file", saving, peer, "none")


def _loading(work: str, model: object, path: Path, target: str) -> Row:
    save(model, path)
    pair = by_turns(lambda: load(path), lambda: safetensors.numpy.load_file(path), repeats=15)
    return Row(work, PEER, *pair, target)
