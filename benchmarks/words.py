"""Text file to trained perceptron, one pass, 2^22 features, against the tools made for it."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import Perceptron as PeerPerceptron

from benchmarks.timing import Row, by_turns, one_core
from rosenblatt import BagOfWords, Perceptron
from rosenblatt.blocks.fitting import fit_blocks
from rosenblatt.data.formats.text import TextFile
from rosenblatt.data.text_blocks import TextBlocks

warnings.simplefilter("ignore")

N_DOCUMENTS, N_WORDS, VOCABULARY, BITS = 50_000, 100, 100_000, 22
WORK = "text file to perceptron, 50,000 x 100 words"


def words() -> Iterator[Row]:
    """The whole way from a file of `label<TAB>text` lines, on one core and on two."""
    with tempfile.TemporaryDirectory() as folder:
        plain, vw, fast = write_files(Path(folder))
        with one_core():
            yield Row(WORK, "Vowpal Wabbit", *by_turns(lambda: learn(plain), lambda: _vw(vw)), "3x")
            peers = by_turns(lambda: learn(plain), lambda: _scikit_learn(plain), repeats=3)
            yield Row(WORK, "scikit-learn", *peers, "20x")
            peers = by_turns(lambda: learn(plain), lambda: _fasttext(fast))
            yield Row(WORK, "fastText", *peers, "10x")
        two = by_turns(lambda: learn(plain, n_jobs=2), lambda: learn(plain), repeats=9)
        yield Row(f"{WORK}, 2 cores", "ourselves on 1", *two, "1.7x")
        X = TextFile.of_bytes(plain.read_bytes(), plain.name).whole().columns["text"]
        rows = by_turns(
            lambda: BagOfWords(bits=BITS).transform(X),
            lambda: BagOfWords(bits=BITS, n_jobs=2).transform(X),
            repeats=9,
        )
        yield Row("words to rows alone, 1 core", "ourselves on 2", *rows, "none")


def write_files(folder: Path) -> tuple[Path, Path, Path]:
    """Write the same documents as each tool reads them; words are drawn by Zipf's law."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.poisson(5, VOCABULARY) + 1, 2, 20)
    letters = rng.integers(97, 123, lengths.sum(), dtype=np.uint8).tobytes().decode()
    ends = np.cumsum(lengths)
    known = np.array([letters[a:b] for a, b in zip(ends - lengths, ends, strict=True)])
    share = np.cumsum(1 / np.arange(10, VOCABULARY + 10))
    picked = np.searchsorted(share / share[-1], rng.random((N_DOCUMENTS, N_WORDS)))
    y = rng.standard_normal(VOCABULARY)[picked].sum(axis=1) > 0
    lines = [" ".join(row) for row in known[picked]]
    plain, vw, fast = folder / "plain.tsv", folder / "documents.vw", folder / "documents.fasttext"
    plain.write_text("".join(f"{int(c)}\t{t}\n" for c, t in zip(y, lines, strict=True)))
    vw.write_text("".join(f"{1 if c else -1} |w {t}\n" for c, t in zip(y, lines, strict=True)))
    fast.write_text("".join(f"__label__{int(c)} {t}\n" for c, t in zip(y, lines, strict=True)))
    return plain, vw, fast


def learn(path: Path, n_jobs: int = 1) -> Perceptron:
    words = BagOfWords(bits=BITS, n_jobs=n_jobs)
    return fit_blocks(Perceptron(max_epochs=1), TextBlocks(path, words))


def _scikit_learn(path: Path) -> PeerPerceptron:
    with path.open() as file:
        y, texts = zip(*(line.split("\t", 1) for line in file), strict=True)
    words = HashingVectorizer(n_features=1 << BITS, binary=True, norm=None, alternate_sign=False)
    return PeerPerceptron(max_iter=1, tol=None, shuffle=False).fit(words.transform(texts), y)


def _vw(path: Path) -> None:
    from vowpalwabbit import pyvw

    # plain gradient steps: what a perceptron does, and the least work
    options = "--sgd --loss_function hinge --passes 1 --no_stdin --quiet"
    pyvw.Workspace(f"-d {path} -b {BITS} {options}").finish()


def _fasttext(path: Path) -> None:
    import fasttext

    fasttext.train_supervised(
        str(path), dim=2, epoch=1, thread=1, bucket=1 << BITS, verbose=0, minCount=1
    )
