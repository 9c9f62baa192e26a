"""Files larger than memory: the same model as in memory, and the bound holds."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from rosenblatt import (
    AveragedPerceptron,
    BagOfWords,
    DataError,
    MultinomialNaiveBayes,
    ParameterError,
    load,
)
from rosenblatt.data import store
from rosenblatt.data.formats import svmlight
from rosenblatt.data.read import read
from rosenblatt.workflows.fit_file import fit_file
from tests.data.files import shared


def assert_learns_as_in_memory(model, path, **how):
    found = read(path, **how)
    one = type(model)(**model.get_params()).fit(found.X, found.y)
    fitted = fit_file(model, path, memory="256MB", **how)
    assert fitted.recipe == found.recipe
    assert fitted.n_rows == len(found.y)
    for name in ("classes_", "n_updates_", "coef_", "intercept_"):
        np.testing.assert_array_equal(getattr(one, name, 0), getattr(fitted.model, name, 0), name)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("value", ["1", "0.1", "-3"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_svmlight_files_are_learned_the_same(tmp_path, first, value, shuffle):
    path = tmp_path / "rows.svm"
    late = [f"{i % 3} {first}:1 {7 + i % 5}:{value} # late" for i in range(50)]
    path.write_text("\n".join([f"{i % 2} {2 + i % 7}:1 11:1" for i in range(50)] + late))
    model = AveragedPerceptron(epochs=2, shuffle=shuffle, random_state=0)
    assert_learns_as_in_memory(model, path)


def test_text_files_are_learned_the_same(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{'ab'[i % 2]}\tword{i % 9} word{i % 11} {i}\n" for i in range(300)))
    assert_learns_as_in_memory(AveragedPerceptron(random_state=0), path, bits=10)
    assert_learns_as_in_memory(MultinomialNaiveBayes(), path, bits=10)


def test_public_rows_are_learned_the_same():
    assert_learns_as_in_memory(
        AveragedPerceptron(epochs=2, random_state=0), shared("libsvm/a9a.xz")
    )


@pytest.mark.parametrize(
    ("memory", "word"),
    [("much", "number of bytes"), ("1MB", "at least 16MB"), ("40MB", "too small for the weights")],
)
def test_a_memory_that_will_not_do_is_refused(tmp_path, memory, word):
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n2 2000000:1\n")
    with pytest.raises(ParameterError, match=word):
        fit_file(AveragedPerceptron(), path, memory=memory)


def table_lines(n):
    rng = np.random.default_rng(0)
    for i in range(n):
        size = int(rng.integers(0, 9)) if i < 50 else round(float(rng.normal()), 3)
        text = f'"so, word{i}\nword{i % 13} ""x"""'
        yield f"{size},{rng.choice(['red', ' green', 'blue'])},{i % 2 == 0},{text},{'ab'[i % 2]}"


@pytest.mark.parametrize("columns", [5, 2])
def test_csv_files_are_learned_the_same(tmp_path, monkeypatch, columns):
    monkeypatch.setattr(store, "BLOCK_BYTES", 500)
    path = tmp_path / "table.csv"
    if columns == 5:
        path.write_text("size,colour,even,text,label\n" + "\n".join(table_lines(200)))
    else:
        path.write_text("".join(f"{i},{i * 0.1},{'ab'[i > 70]}\n" for i in range(200)))
    assert_learns_as_in_memory(AveragedPerceptron(random_state=0), path, bits=8)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (
            "\n\na,b,label\n" + "1,2,x\n" * 199 + "1,,y\n",
            "line 203, column 'b': a value is missing",
        ),
        (
            "\n\na,b,label\n" + "1,2,x\n" * 199 + "1,2,y,3\n",
            "line 203: 4 fields where the first row has 3",
        ),
        ("a,b,label\n" + "1,2,x\n" * 200, "1 class, 'x'"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(tmp_path, monkeypatch, content, word):
    monkeypatch.setattr(store, "BLOCK_BYTES", 600)
    path = tmp_path / "table.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=word):
        fit_file(AveragedPerceptron(), path)


def test_a_table_needs_some_memory(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,label\n1,x\n2,y\n")
    with pytest.raises(ParameterError, match="at least 64MB"):
        fit_file(AveragedPerceptron(), path, memory="20MB")


# Under a limit that the kernel enforces: 16 MB beyond what the program has when it begins
BOUNDED = """
import hashlib, resource, sys
from rosenblatt import AveragedPerceptron
from rosenblatt.cli.main import main
from rosenblatt.data import store
from rosenblatt.workflows.fit_file import fit_file
from rosenblatt.data.read import read

def digest(path, shuffle):
    model = AveragedPerceptron(epochs=2, shuffle=shuffle, random_state=0)
    fit_file(model, path, memory="16MB", bits=14)
    return hashlib.sha256(model.coef_.tobytes()).hexdigest()

def fit_by_command(path, model):
    try:
        main(["fit", path, "-a", "multinomial", "--memory", "16M", "--json", "-o", model])
    except SystemExit as end:
        assert end.code == 0

small_rows, small_texts, rows, texts, model = sys.argv[1:]
digest(small_rows, False), digest(small_texts, True), fit_by_command(small_rows, model)
with open("/proc/self/status") as status:
    now = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
limit = now + (16 << 20)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
fit_by_command(rows, model)
print(digest(rows, False), digest(rows, True), digest(texts, False))
for path in (rows, texts):
    try:
        read(path)
    except MemoryError:
        print("too large to be read at once")
"""
SEVERAL = 3 * (16 << 20)


def write_rows(path, small):
    rng = np.random.default_rng(0)
    rows = []
    for label in rng.integers(0, 2, 1000):
        columns = np.cumsum(rng.integers(1, 400, 50)) + label
        rows.append(f"{label} " + " ".join(f"{j}:0.5" for j in columns) + "\n")
    small.write_text("".join(rows[:100]))
    path.write_text("".join(rows) * 90)


def write_texts(path, small):
    rng = np.random.default_rng(1)
    lines = [
        f"{'ab'[i % 2]}\t" + " ".join(f"w{k}" for k in rng.integers(0, 9999, 60)) + "\n"
        for i in range(1500)
    ]
    small.write_text("".join(lines[:100]))
    path.write_text("".join(lines) * 100)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the data of a process")
def test_memory_stays_bounded_on_data_several_times_larger(tmp_path):
    rows, texts = tmp_path / "rows.svm", tmp_path / "texts.txt"
    small_rows, small_texts = tmp_path / "small.svm", tmp_path / "small.txt"
    model = tmp_path / "rows.rosenblatt"
    write_rows(rows, small_rows)
    write_texts(texts, small_texts)
    answer = subprocess.run(
        [sys.executable, "-c", BOUNDED, small_rows, small_texts, rows, texts, model],
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    X, y, *_ = read(rows)
    assert X.data.nbytes + X.indices.nbytes > SEVERAL
    assert os.path.getsize(texts) > SEVERAL
    wanted = [_digest(X, y, False), _digest(X, y, True)]
    found = read(texts, bits=14)
    words = BagOfWords(bits=14).transform(found.texts)
    wanted.append(_digest(words, found.y, False))
    _, by_command, digests, *refused = answer.stdout.splitlines()
    assert digests.split() == wanted, answer.stderr
    assert refused == ["too large to be read at once"] * 2
    facts = json.loads(by_command)
    assert (facts["examples"], facts["memory"]) == (len(y), 16 << 20)
    in_memory = MultinomialNaiveBayes().fit(X, y)
    np.testing.assert_array_equal(load(model).coef_, in_memory.coef_)


def _digest(X, y, shuffle):
    model = AveragedPerceptron(epochs=2, shuffle=shuffle, random_state=0).fit(X, y)
    return hashlib.sha256(model.coef_.tobytes()).hexdigest()


def test_blocks_of_a_parser_are_independent_of_their_size(tmp_path, monkeypatch):
    monkeypatch.setattr(svmlight, "BLOCK", 64)
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{i % 2} {1 + i % 9}:{i}\n" for i in range(100)))
    assert_learns_as_in_memory(AveragedPerceptron(epochs=1, shuffle=False), path)
