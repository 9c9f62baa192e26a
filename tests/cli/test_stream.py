"""`rosenblatt stream`: its error is that of predicting each row before learning from it."""

import json
import os
import signal
import subprocess

import numpy as np
import pytest

from rosenblatt import AveragedPerceptron, BagOfWords, Perceptron, load, read
from rosenblatt.data import example_stream
from tests.cli.running import COMMAND, run

LINES = [
    f"{'spam' if i % 3 == 0 else 'ham'}\tword{i % 7} w{i % 3} also{i % 11}" for i in range(400)
]


def by_definition(model, X, y):
    wrong = []
    for i, label in enumerate(y):
        row = X[i : i + 1]
        wrong.append(not hasattr(model, "classes_") or model.predict(row)[0] != label)
        model.partial_fit(row, [label])
    return np.array(wrong)


def points(path, n=500, late=0):
    """Write a table of numbers and categories with 3 classes, the last of which may come late."""
    random = np.random.default_rng(0)
    X = random.standard_normal((n, 2))
    kinds = random.choice(["a", "b"], n)
    y = np.where(X[:, 0] > 0, "x", "y")
    y[late:][X[late:, 1] > 1] = "z"
    rows = [f"{a},{b},{kind},{label}" for (a, b), kind, label in zip(X, kinds, y, strict=True)]
    path.write_text("first,second,kind,label\n" + "\n".join(rows) + "\n")
    return path


def said(answer):
    return [json.loads(line) for line in answer.out.splitlines()]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(example_stream, "FIRST_BLOCK", 2000)


@pytest.mark.parametrize(
    ("algorithm", "learner"), [("averaged", AveragedPerceptron), ("perceptron", Perceptron)]
)
def test_texts_give_the_errors_of_predicting_each_before_learning_it(
    tmp_path, small_blocks, algorithm, learner
):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(LINES) + "\n")
    labels, texts = zip(*(line.split("\t") for line in LINES), strict=True)
    model = learner()
    wrong = by_definition(model, BagOfWords(bits=10).transform(list(texts)), labels)
    how = ("-a", algorithm, "--bits", 10, "--every", 100, "--json")
    answer = run("stream", path, *how, "-o", tmp_path / "model")
    *ticks, summary = said(answer)
    assert [tick["rows"] for tick in ticks] == [100, 200, 300, 400]
    assert [tick["wrong"] for tick in ticks] == np.cumsum(wrong)[99::100].tolist()
    assert summary["error"] == wrong.mean()
    saved = load(tmp_path / "model")
    np.testing.assert_array_equal(saved[-1].coef_, model.coef_)
    np.testing.assert_array_equal(saved[-1].intercept_, model.intercept_)


@pytest.mark.parametrize("asked", [[], ["--symbols"]], ids=["without", "with"])
def test_symbols_are_words_if_they_are_asked_for(tmp_path, asked):
    # the texts of both classes have the same words, and differ by a symbol
    texts = [f"now {'$' * (i % 3 == 0)}" for i in range(40)]
    labels = ["spam" if "$" in text else "ham" for text in texts]
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{y}\t{text}\n" for y, text in zip(labels, texts, strict=True)))
    model, words = Perceptron(), BagOfWords(bits=10, symbols=bool(asked))
    wrong = by_definition(model, words.transform(texts), labels)
    how = ("-a", "perceptron", "--format", "text", "--bits", 10, "-o", tmp_path / "model")
    assert said(run("stream", path, *how, "--json", *asked))[-1]["error"] == wrong.mean()
    saved = load(tmp_path / "model")
    np.testing.assert_array_equal(saved[-1].coef_, model.coef_)
    # with symbols it can tell both texts apart, without them they are one
    is_told_apart = len(set(saved.predict(["$ now !", "now"]))) == 2
    assert is_told_apart == bool(asked)


def test_svmlight_rows_may_grow_wider_block_by_block(tmp_path, small_blocks):
    random = np.random.default_rng(1)
    lines = []
    for i in range(600):
        columns = np.sort(random.choice(5 + i // 20, 4, replace=False)) + 1
        values = random.standard_normal(4)
        label = 1 if values[0] + columns[0] > 5 else -1
        pairs = zip(columns, values, strict=True)
        lines.append(f"{label} " + " ".join(f"{j}:{v}" for j, v in pairs))
    path = tmp_path / "rows.svm"
    path.write_text("\n".join(lines) + "\n")
    X, y, *_ = read(path)
    model = AveragedPerceptron()
    wrong = by_definition(model, X, y)
    answer = run("stream", path, "--json", "-o", tmp_path / "model")
    assert said(answer)[-1]["error"] == wrong.mean()
    assert said(answer)[-1]["features"] == X.shape[1]
    np.testing.assert_array_equal(load(tmp_path / "model").coef_, model.coef_)
    assert run("score", tmp_path / "model", path).code == 0


def test_a_table_is_read_by_what_its_first_rows_tell(tmp_path, small_blocks):
    path = points(tmp_path / "points.csv", late=300)
    with path.open("a") as file:
        file.write("1.5,-0.5,new,x\n")
    answer = run("stream", path, "-o", tmp_path / "model")
    assert answer.code == 0
    assert "501 rows, 4 features, 3 classes" in answer.out
    assert "how columns become features is learned from the first " in answer.err
    assert "column 'kind': 1 value without a feature" in answer.err
    # the saved model takes the same file, scaled in the same way
    rows = example_rows(path)
    saved = load(tmp_path / "model")
    scaler = saved[0]
    model = AveragedPerceptron()
    by_definition(model, scaler.transform(rows.X), rows.y)
    np.testing.assert_array_equal(saved[-1].coef_, model.coef_)
    assert run("predict", tmp_path / "model", path).out.count("\n") == 501


def test_rows_with_something_missing_may_be_dropped(tmp_path, small_blocks):
    path = points(tmp_path / "points.csv")
    lines = path.read_text().splitlines()
    whole = run("stream", path, "--json")
    for k in (7, 300):
        lines.insert(k, ",1.5,a,x")
    lines.append("1.5,1.5,a,")
    path.write_text("\n".join(lines) + "\n")
    answer = run("stream", path, "--missing", "drop", "--json")
    assert "note: 3 of 503 rows dropped: they have missing values" in answer.err
    assert said(answer)[-1]["rows"] == said(whole)[-1]["rows"] == 500
    assert "a value is missing" in run("stream", path).err
    path.write_text("a,label\n" + ",x\n,y\n" * 9)
    empty = run("stream", path, "--missing", "drop", "--category", "a")
    assert empty.code == 2
    assert "every row has a missing value" in empty.err


def example_rows(path):
    """Return a table read as a whole, but for a category that comes in its last row only."""
    from dataclasses import replace

    recipe = read(path).recipe
    columns = [
        replace(column, categories=("a", "b")) if column.kind == "category" else column
        for column in recipe.columns
    ]
    return read(path, recipe=replace(recipe, columns=tuple(columns)))


def test_a_pipe_gives_what_the_file_gives(tmp_path, small_blocks):
    path = points(tmp_path / "points.csv")
    one = run("stream", path, "--json", "--every", 50)
    two = run("stream", "-", "--json", "--every", 50, stdin=path.read_bytes())
    assert said(one)[:-1] == said(two)[:-1]
    assert said(two)[-1]["source"] == "standard input"


def test_some_twenty_lines_come_by_default(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(LINES) + "\n")
    table = run("stream", path).out.splitlines()
    rows = [line.split() for line in table if line.strip()[:1].isdigit()]
    assert [int(row[0].replace(",", "")) for row in rows] == list(range(20, 401, 20))
    piped = run("stream", "-", stdin=path.read_bytes()).out.splitlines()
    rows = [line.split()[0] for line in piped if line.strip()[:1].isdigit()]
    assert rows == ["100", "200"]


def test_drift_tells_where_the_error_rises(tmp_path):
    random = np.random.default_rng(0)
    x = random.standard_normal(6000)
    label = np.where((x > 0) == (np.arange(6000) < 4000), "up", "down")
    path = tmp_path / "turn.csv"
    path.write_text("x,label\n" + "".join(f"{a},{b}\n" for a, b in zip(x, label, strict=True)))
    facts = said(run("stream", path, "--drift", "--json", "--every", 6000))
    rises = [line for line in facts if "since" in line]
    assert 4000 < rises[0]["row"] < 4400
    assert abs(rises[0]["since"] - 4000) < 200
    text = run("stream", path, "--drift").out
    assert f"row {rises[0]['row']:,}: the error rose from " in text
    assert "the error rose" not in run("stream", path).out


LIVE = b"".join(line.encode() + b"\n" for line in LINES)


def test_lines_are_learned_as_they_come_and_ctrl_c_ends_with_the_summary(tmp_path):
    model = tmp_path / "model"
    command = [*COMMAND, "stream", "-", "--bits", "10", "--every", "200", "-o", str(model)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    long = LIVE * (example_stream.FIRST_BLOCK // len(LIVE) + 1)
    n_rows = long.count(b"\n")
    process.stdin.write(long)
    process.stdin.write(LIVE)  # comes after the first block, and fills no other
    wanted = f"{(n_rows + 400) // 200 * 200:,}"
    lines = []
    while not lines or lines[-1].split()[0] != wanted:
        line = process.stdout.readline().decode()
        assert line, process.stderr.read().decode()
        lines.append(line)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err.decode()
    assert f"standard input: {n_rows + 400} rows, so far" in out.decode()
    assert load(model).predict(["word0 w0 also0"]) == ["spam"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("iris", "-a", "pocket"), "pocket cannot learn row by row; averaged"),
        (("iris", "-a", "avreaged"), "did you mean 'averaged'"),
        (("iris", "--every", "0"), "every"),
        (("iris", "--ngrams", "2"), "ngrams are of words"),
        (("nowhere.csv",), "there is no file"),
        (("one.txt",), "has one label only, 'a'"),
        (("late.csv",), "line 903, column 'x': expected a number, as in training, got 'what'"),
        (("lost.csv",), "line 903, column 'label': the label is missing"),
        (("turned.svm",), "an index is 0, but the first rows have indices from 1 on"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, monkeypatch, small_blocks, arguments, words):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 5}.5,{'ab'[i % 2]}\n" for i in range(901))
    (tmp_path / "late.csv").write_text(f"x,label\n{rows}what,a\n")
    (tmp_path / "lost.csv").write_text(f"x,label\n{rows}1.5,\n")
    (tmp_path / "one.txt").write_text("a\tsome words\n" * 20)
    (tmp_path / "turned.svm").write_text("1 1:2\n-1 2:3\n" * 500 + "1 0:1 1:1\n")
    answer = run("stream", *arguments, "-o", "model")
    assert answer.code == 2
    assert words in answer.err
    assert not (tmp_path / "model").exists()
