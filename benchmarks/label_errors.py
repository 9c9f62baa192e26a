"""How many known label errors are among the first suspects: `python -m benchmarks.label_errors`.

Prints every number of docs/label-errors.md. Seeds are fixed. Needs the folder `../shared/data`.
"""

from __future__ import annotations

import itertools
import json
import lzma
import sys
import tarfile
import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_svmlight_file, load_wine
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import StratifiedKFold

from benchmarks.real import DATA, read_idx
from rosenblatt import AveragedPerceptron, disjoint_contradictions, prove

NEEDED = ("label-errors/label-errors-subset.tar.xz", "label-errors/20news_test_order.txt")
NEEDED += ("mnist/t10k-images-idx3-ubyte.xz", "20news/20news-bydate.tar.xz", "libsvm/mushrooms.xz")
FIRST = (100, 500, 1000)
ROUNDS = 5
Rankings = dict[str, np.ndarray]  # a score for each example, the most suspect highest


def main() -> None:
    missing = [name for name in NEEDED if not (DATA / name).exists()]
    if missing:
        sys.exit(f"the study needs these files in ../shared/data: {', '.join(missing)}")
    start = time.perf_counter()
    print("Known label errors among the first suspects")
    for name, X, raw, y in (("mnist", *digits()), ("20news", *posts())):
        known_errors(name, X, raw, y)
    _, pixels, y = digits()
    verdicts = [prove(pixels[pair], y[pair]).separable for pair in pairs_of(y)]
    print(f"\nmnist, all pixels: {sum(verdicts)} of {len(verdicts)} pairs are separable")
    print("\nLabels flipped by us in separable data")
    for name, X, y, n_seeds in separable_sets():
        for share in (0.01, 0.05):
            flips(name, X, y, share, n_seeds)
    print(f"\n{time.perf_counter() - start:.0f} s")


# ---- data ----


def errors_of(name: str) -> np.ndarray:
    """Return the test examples whose label fewer than 3 of 5 people chose."""
    with tarfile.open(DATA / NEEDED[0]) as archive:
        file = next(m for m in archive if m.name.endswith(f"mturk/{name}_mturk.json"))
        checked = json.load(archive.extractfile(file))
    return np.array(sorted(c["id"] for c in checked if c["mturk"]["given"] < 3))


def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MNIST's test images: 40 principal components in whole numbers, and the pixels."""
    path = DATA / "mnist" / "t10k-images-idx3-ubyte.xz"
    pixels = read_idx(path, header=16).reshape(-1, 784).astype(np.float64)
    y = read_idx(path.with_name("t10k-labels-idx1-ubyte.xz"), header=8).astype(np.int64)
    centred = pixels - pixels.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, ::-1]
    return np.round(centred @ axes[:, :40]), pixels, y


def posts() -> tuple[np.ndarray, object, np.ndarray]:
    """The test posts of 20 Newsgroups without headers: 50 components of tf-idf, and tf-idf."""
    texts = {}
    with tarfile.open(DATA / "20news" / "20news-bydate.tar.xz") as archive:
        for member in archive:
            if member.isfile() and "-test/" in member.name:
                text = archive.extractfile(member).read().decode("latin-1")
                texts["/".join(member.name.split("/")[-2:])] = text.partition("\n\n")[2]
    order = (DATA / NEEDED[1]).read_text().split()
    y = np.unique([name.split("/")[0] for name in order], return_inverse=True)[1]
    words = TfidfVectorizer(sublinear_tf=True, min_df=3, stop_words="english")
    counts = words.fit_transform([texts[name] for name in order])
    X = TruncatedSVD(50, random_state=0).fit_transform(counts)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return np.round(1e4 * X / np.where(lengths > 0, lengths, 1.0)), counts, y


def separable_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray, int]]:
    cancer = load_breast_cancer()
    yield "breast cancer", cancer.data, cancer.target, 5
    with lzma.open(DATA / "libsvm" / "mushrooms.xz") as file:
        X, y = load_svmlight_file(file)
    yield "mushrooms", X.toarray(), (y == y.max()).astype(np.int64), 1
    # not looked at before the ranking by depth was chosen
    X, y = load_digits(return_X_y=True)
    pair = np.flatnonzero((y == 4) | (y == 9))
    yield "digits, 4 or 9 (fresh)", X[pair], (y[pair] == 9).astype(np.int64), 5
    X, y = load_wine(return_X_y=True)
    yield "wine, 1 or not (fresh)", X, (y == 1).astype(np.int64), 5


# ---- rankings ----


def pairs_of(y: np.ndarray) -> Iterator[np.ndarray]:
    """Give the examples of each pair of classes."""
    for a, b in itertools.combinations(np.unique(y), 2):
        yield np.flatnonzero((y == a) | (y == b))


def by_contradictions(X: np.ndarray, y: np.ndarray, rounds: int) -> tuple[Rankings, int]:
    """Pack each pair of classes; add up what the packings say of each example."""
    scores = {name: np.zeros(len(y)) for name in ("counts", "blame", "depth")}
    n_found = 0
    for pair in pairs_of(y):
        packing = disjoint_contradictions(X[pair], y[pair], rounds=rounds)
        n_found += len(packing)
        for name, score in scores.items():
            score[pair] += getattr(packing, name)
    # the order of `suspects`: by depth, then by blame
    scores["depth"] += np.where(scores["depth"] > 0, 1.0, 1e-9 * scores["blame"])
    return scores, n_found


def confidently_wrong(X: object, y: np.ndarray, folds: int) -> np.ndarray:
    """Return by how much a rule prefers another label; 0 folds: it has seen the example."""
    scores = np.zeros((len(y), len(np.unique(y))))

    def learn(train: np.ndarray, test: np.ndarray) -> None:
        s = AveragedPerceptron(random_state=0).fit(X[train], y[train]).decision_function(X[test])
        scores[test] = s if s.ndim == 2 else np.column_stack([-s, s]) / 2

    everyone = np.arange(len(y))
    if not folds:
        learn(everyone, everyone)
    else:
        for part in StratifiedKFold(folds, shuffle=True, random_state=0).split(y, y):
            learn(*part)
    own = scores[everyone, y]
    scores[everyone, y] = -np.inf
    return np.maximum(scores.max(axis=1) - own, 0.0)


# ---- tables ----


def found(score: np.ndarray, is_error: np.ndarray, firsts: tuple[int, ...]) -> list[int]:
    """Return the errors among the first k for each k, among all suspects, and their number."""
    order = np.argsort(-score, kind="stable")
    hits = is_error[order[score[order] > 0]]
    return [*(int(hits[:k].sum()) for k in firsts), int(hits.sum()), len(hits)]


def known_errors(name: str, X: np.ndarray, raw: object, y: np.ndarray) -> None:
    is_error = np.isin(np.arange(len(y)), errors_of(name))
    n = int(is_error.sum())
    chance = [f"{k * n / len(y):.1f}" for k in FIRST]
    print(f"\n{name}: {len(y)} examples, {n} known errors; by chance {chance}")
    print(f"{'ranking':<44}{'first ' + ', '.join(map(str, FIRST)):>24} {'all':>5} {'of':>6} chance")

    def line(title: str, score: np.ndarray) -> None:
        *firsts, every, size = found(score, is_error, FIRST)
        print(f"{title:<44}{firsts!s:>24} {every:>5} {size:>6} {size * n / len(y):.1f}", flush=True)

    for rounds in (1, ROUNDS):
        rankings, n_found = by_contradictions(X, y, rounds)
        for title, score in rankings.items():
            line(f"{title}, {rounds} rounds ({n_found} contradictions)", score)
    for title, features in (("the same features", X), ("all features", raw)):
        for folds in (0, 5):
            line(f"perceptron, {title}, {folds} folds", confidently_wrong(features, y, folds))


def flips(name: str, X: np.ndarray, y: np.ndarray, share: float, n_seeds: int) -> None:
    """Flip labels at random; print the mean number of flips among the first suspects."""
    if not prove(X, y).separable:
        raise RuntimeError(f"{name} is not separable before labels are flipped")
    n = round(share * len(y))
    rows: dict[str, list[list[int]]] = {}
    for seed in range(n_seeds):
        flipped = np.random.default_rng(seed).choice(len(y), n, replace=False)
        is_error = np.isin(np.arange(len(y)), flipped)
        for title, ranking in flip_rankings(X, np.where(is_error, 1 - y, y)):
            rows.setdefault(title, []).append(found(ranking(), is_error, (n, 2 * n)))
    chance = f"by chance {n * n / len(y):.2f} in the first {n}"
    print(f"\n{name}, {len(y)} x {X.shape[1]}: {n} flipped; {chance}")
    print(f"{'ranking':<44}in the first {n}, {2 * n}, in all, of how many")
    for title, results in rows.items():
        print(f"{title:<44}{np.round(np.mean(results, axis=0), 1).tolist()}", flush=True)


def flip_rankings(X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, Callable[[], np.ndarray]]]:
    for rounds in (1, ROUNDS):
        rankings, _ = by_contradictions(X, y, rounds)
        for title, score in rankings.items():
            yield f"{title}, {rounds} rounds", lambda score=score: score
    deviation = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    for folds in (0, 5):
        yield f"perceptron, {folds} folds", lambda folds=folds: confidently_wrong(Z, y, folds)


if __name__ == "__main__":
    main()
