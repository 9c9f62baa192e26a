"""Typical mistakes: each is answered with what was expected, what came, and what to do."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest
from sklearn import linear_model

import rosenblatt as r
from tests.cli.running import run
from tests.mail.filter.mails import write_boxes
from tests.test_messages import PYTHON_SYNTAX

X, Y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 0, 1]
WEEK = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-02"])})
FILES = {
    "t.csv": "a,b,label\n" + "1,2,x\n3,4,y\n" * 4,
    "bad.csv": "a,b,label\n" + "1,2,x\n3,4,y\n" * 10 + "oops,4,y\n",
    "gap.csv": "a,b,label\n1,,x\n3,4,y\n",
    "ragged.csv": "a,b,label\n1,2,x\n3,4\n",
    "one.csv": "a,label\n1,x\n2,x\n",
    "other.csv": "c,label\n1,x\n",
    "new.csv": "a,b,label\n1,2,z\n",
    "words": "one\ntwo\n",
    "list.json": '[{"a": 1}]\n',
    "model.pkl": "(dp0\n" + "S'coef'\np1\n" * 40,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    for name, content in FILES.items():
        (folder / name).write_text(content)
    (folder / "latin.csv").write_bytes(b"a,label\n1,\xe9\n2,y\n")
    (folder / "utf16.csv").write_text("a,label\n1,x\n2,y\n", encoding="utf-16")
    (folder / "empty").mkdir()
    write_boxes(folder, 4)
    model, mail = folder / "m.rosenblatt", folder / "mail.rosenblatt"
    assert run("fit", folder / "t.csv", "-o", model, "--prove-seconds", "0").code == 0
    boxes = ["--spam", folder / "spam.mbox", "--ham", folder / "ham.mbox"]
    assert run("mail", "train", *boxes, "-o", mail).code == 0
    (folder / "cut.rosenblatt").write_bytes(model.read_bytes()[:-9])
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


def fit(*data, **parameters):
    return r.Perceptron(**parameters).fit(*(data or (X, Y)))


def traced():
    return r.trace(r.Perceptron(), X, Y)


# name: (the mistake, what was expected, what came, what to do)
IN_PYTHON = {
    "max_iter": (lambda: fit(max_iter=5), "Perceptron has no", "'max_iter'", "mean 'max_epochs'?"),
    "n_epochs": (
        lambda: r.AveragedPerceptron(n_epochs=5),
        *("AveragedPerceptron has no", "'n_epochs'", "mean 'epochs'?"),
    ),
    "max_epochs of another": (
        lambda: r.VotedPerceptron(max_epochs=5),
        *("VotedPerceptron has no", "'max_epochs'", "mean 'epochs'?"),
    ),
    "class_weight": (
        lambda: r.GaussianNaiveBayes(class_weight="balanced"),
        *("GaussianNaiveBayes has no", "'class_weight'", "sample_weight="),
    ),
    "class_weight of no label": (
        lambda: r.AveragedPerceptron(class_weight={"spma": 2}).fit(X, ["ham", "spam"] * 2),
        *("class_weight names", "'spma'", "did you mean 'spam'?"),
    ),
    "weights of zero": (
        lambda: r.Perceptron().fit(X, ["a", "a", "a", "b"], sample_weight=[1, 1, 1, 0]),
        *("weights are all zero", "class 'b'", "a sample_weight above 0, or leave its rows out"),
    ),
    "eta0": (lambda: r.BatchPerceptron(eta0=1), "has no parameter", "'eta0'", "mean 'eta'?"),
    "fit_prior": (
        lambda: r.MultinomialNaiveBayes(fit_prior=True),
        *("MultinomialNaiveBayes has no", "'fit_prior'", "mean 'priors'?"),
    ),
    "ngram_range": (
        lambda: r.BagOfWords(ngram_range=(1, 2)),
        *("BagOfWords has no", "'ngram_range'", "mean 'ngrams'?"),
    ),
    "unknown": (lambda: r.LeastSquares(C=1), "LeastSquares has no", "'C'", "it has "),
    "without a name": (
        lambda: r.Perceptron("first"),
        *("parameters by their names", "'first'", "are rule, tie"),
    ),
    "rule": (lambda: fit(rule="frist"), "one of 'first'", "got 'frist'", "did you mean 'first'?"),
    "multiclass": (lambda: fit(multiclass="ovr"), "must be one of", "got 'ovr'", "'one-vs-rest'"),
    "epochs": (
        lambda: r.AveragedPerceptron(epochs=0).fit(X, Y),
        *("epochs must be", "got 0", "a whole number from 1 on"),
    ),
    "seed": (lambda: fit(random_state=-1), "random_state must be", "got -1", "from 0 to 2**32 - 1"),
    "bits of a generator": (
        lambda: fit(random_state=np.random.PCG64(0)),
        *("random_state must be", "PCG64", "numpy.random.Generator"),
    ),
    "start": (lambda: fit(init=[1, 2]), "3 of them", "w0 first", "got 2"),
    "missing value": (
        lambda: fit([[np.nan, 0], [1, 1]], [0, 1]),
        *("finite numbers", "NaN at row 0, column 0", "drop those rows or fill them in"),
    ),
    "texts": (lambda: fit(["free", "hi"], [0, 1]), "must hold numbers", "got text", "BagOfWords"),
    "text column": (
        lambda: fit(pd.DataFrame({"town": ["Bern", "Basel"]}), [0, 1]),
        *("must hold numbers", "text in column 'town'", "OneHotEncoder"),
    ),
    "dates": (lambda: fit(WEEK, [0, 1]), "must hold numbers", "column 'day'", "the days since"),
    "file name for X": (lambda: fit("t.csv", Y), "a table of numbers", "got str", "pass an array"),
    "one class": (lambda: fit(X, [1] * 4), "at least two", "has 1 class, 1", "label column"),
    "lengths": (lambda: fit(X, [0, 1]), "same length", "2 labels", "4 rows in X"),
    "one row": (lambda: fit([1, 2], [0, 1]), "Expected 2D array", "got 1D", "reshape"),
    "no labels": (lambda: fit(X, None), "requires y", "y is None", "pass one label per row"),
    "amounts": (lambda: fit(X, [0.1, 0.2, 0.3, 0.4]), "must hold classes", "0.1", "LeastSquares"),
    "not fitted": (
        lambda: r.Perceptron().predict(X),
        *("This Perceptron instance", "is not fitted yet", "Call 'fit'"),
    ),
    "other columns": (
        lambda: fit().predict([[1, 2, 3]]),
        *("expecting 2 features", "has 3 features", "Pass the columns"),
    ),
    "predict_proba": (
        lambda: fit().predict_proba(X),
        *("Perceptron has no predict_proba", "not calibrated", "set probability=True"),
    ),
    "weights": (
        lambda: r.Perceptron().fit(X, Y, sample_weight=[1, 2]),
        *("shape (4,)", "got (2,)", "one weight per row"),
    ),
    "trace of another library": (
        lambda: r.trace(linear_model.Perceptron(), X, Y),
        *("step by step", "sklearn.Perceptron", "PocketPerceptron"),
    ),
    "trace of three classes": (
        lambda: r.trace(r.Perceptron(), X, [0, 1, 2, 2]),
        *("two classes", "got 3", "rows of two of them"),
    ),
    "mp4": (lambda: traced().animate("a.mp4"), "must end with .gif", "'a.mp4'", "a GIF is written"),
    "folder": (lambda: r.read("empty"), "each label", "empty is taken for mail", "name its file"),
    "no file": (lambda: r.read("tt.csv"), "no file", "'tt.csv'", "did you mean 't.csv'?"),
    "address": (
        lambda: r.read("https://x.org/iris.csv"),
        *("this computer only", "is an address", "download it first"),
    ),
    "pattern": (lambda: r.read("q*.csv"), "a pattern", "'q*.csv'", "no file fits it here"),
    "target": (
        lambda: r.read("t.csv", target="lable"),
        *("no column", "'lable'", "did you mean 'label'?"),
    ),
    "format": (lambda: r.read("t.csv", format="xls"), "must be one of", "'xls'", "'csv', 'tsv'"),
    "gap": (lambda: r.read("gap.csv"), "line 2, column 'b'", "is missing", "use missing='drop'"),
    "pickle": (lambda: r.load("model.pkl"), "model file", "model.pkl is not", "rosenblatt.save"),
    "cut": (lambda: r.load("cut.rosenblatt"), "of ", "is cut off", "bytes"),
    "save of another library": (
        lambda: r.save(linear_model.Perceptron().fit(X, Y), "x"),
        *("the estimators of rosenblatt", "Perceptron cannot be saved", "joblib"),
    ),
    "save before fit": (
        lambda: r.save(r.Perceptron(), "x"),
        *("this Perceptron", "has learned nothing yet", "call fit first"),
    ),
    "numbers for Bernoulli": (
        lambda: r.BernoulliNaiveBayes(binarize=None).fit([[0.5], [1]], [0, 1]),
        *("0 and 1 only", "got 0.5 at row 0, column 0", "binarize=0.0"),
    ),
    "negative counts": (
        lambda: r.MultinomialNaiveBayes().fit([[-1], [1]], [0, 1]),
        *("must hold counts", "got -1.0 at row 0", "GaussianNaiveBayes"),
    ),
    "margin of xor": (
        lambda: r.max_margin(X, [0, 1, 1, 0]),
        *("there is no margin", "is not separable", "rosenblatt.prove(X, y)"),
    ),
    "one text": (lambda: r.BagOfWords().fit("a text"), "a list of texts", "single str", "[text]"),
    "lab": (lambda: r.lab.runs(9, 9, "packet"), "one of", "got 'packet'", "'pocket'"),
}

IN_SHELL = {
    "ft t.csv": ("No such command", "'ft'", "Did you mean 'fit'? See rosenblatt --help"),
    "fit": ("DATA is missing", "a file", "iris"),
    "fit t.csv other.csv": ("which t.csv has", "other.csv has no column", "'a'"),
    "fit t.csv --drop labell": ("no column", "'labell'", "did you mean 'label'?"),
    "fit tt.csv": ("there is no file", "'tt.csv'", "did you mean 't.csv'?"),
    "fit iri": ("there is no file", "'iri'", "the built-in set 'iris'?"),
    "fit 'q*.csv'": ("a pattern", "'q*.csv'", "no file fits it here"),
    "fit https://x.org/a.csv": ("this computer only", "is an address", "download it first"),
    "fit empty": ("a folder or .mbox file for each label", "empty is taken for mail", "its file"),
    "compare t.csv --epochs 5": ("there is no option", "--epochs", "`fit` and `trace` take it"),
    "trace t.csv --eta 2": ("--eta is for batch", "is not for perceptron", "it takes --rule"),
    "fit t.csv --sed 1": ("there is no option", "--sed", "did you mean --seed? See"),
    "fit t.csv --frobnicate": ("there is no option", "--frobnicate", "rosenblatt fit --help"),
    "fit t.csv --seed -1": ("--seed must be from 0 on", "got '-1'", "rosenblatt fit --help"),
    "fit t.csv --seed=x": ("--seed must be a whole number", "got 'x'", "rosenblatt fit --help"),
    "fit t.csv -a svm": ("--algorithm must be", "got 'svm'", "one of averaged, perceptron"),
    "fit t.csv -a avreaged": ("must be one of", "got 'avreaged'", "did you mean 'averaged'?"),
    "fit t.csv -a bernoulli": ("0 and 1 only", "got 2.0 at row 0", "-a gaussian takes any"),
    "fit t.csv -t lable": ("no column", "'lable'", "did you mean 'label'?"),
    "fit t.csv -t 7": ("--target must be a number", "got 7", "from -3 to 2"),
    "fit t.csv --format xls": ("--format must be one of", "got 'xls'", "'csv', 'tsv'"),
    "fit t.csv --missing zero": ("--missing must be", "got 'zero'", "'drop', 'mean'"),
    "fit t.csv --delimiter ';;'": ("--delimiter must be", "got ';;'", "a single character"),
    "fit t.csv --bits 99": ("--bits must be", "got 99", "from 1 to 31"),
    "fit t.csv --ngrams 2": ("of words", "not a single column of texts", "leave out --ngrams"),
    "fit t.csv --memory lots": ("--memory must be", "got 'lots'", "as 500M"),
    "fit t.csv -a pocket --memory 200M": ("all examples", "pocket needs", "leave out --memory"),
    "fit t.csv -o .": ("expected the name of a file", ". is a folder", "to write"),
    "fit t.csv -o no/folder/m": ("cannot be written", "no/folder/m", "there is no folder"),
    "fit bad.csv": ("expected a number", "line 22, column 'a'", "--missing drop"),
    "fit gap.csv": ("column 'b'", "a value is missing", "--missing drop or --missing mean"),
    "fit ragged.csv": ("the first row has 3", "line 3: 2 fields", "mend the line"),
    "fit one.csv": ("at least two", "has 1 class, 'x'", "check the label column"),
    "fit words": ("cannot tell what it holds", "'one'", "pass --format, one of csv"),
    "fit list.json": ("one JSON object per line", "begins with '['", "write"),
    "fit latin.csv": ("UTF-8", "line 2: byte 0xe9", "iconv -f LATIN1"),
    "fit utf16.csv": ("UTF-8", "UTF-16", "iconv -f UTF-16"),
    "fit iris --format csv": ("takes no --format", "iris is a built-in set", "say ./iris"),
    "predict m.rosenblatt": ("DATA is missing", "a file", "rosenblatt predict --help"),
    "predict t.csv m.rosenblatt": ("model file", "t.csv is not", "the model comes first"),
    "predict m.rosenblatt other.csv": ("'a', as in training", "has no column", "'c', 'label'"),
    "score m.rosenblatt new.csv": ("the model knows x, y", "label 'z'", "not there in training"),
    "predict - -": ("only one thing", "- is given twice", "standard input"),
    "explain mail.rosenblatt": ("no weights", "MailFilter", "`rosenblatt mail explain`"),
    "explain m.rosenblatt t.csv --all": ("--all takes no DATA", "got both", "leave out one"),
    "verify m.rosenblatt t.csv": ("no proof", "m.rosenblatt", "prove"),
    "prove iris --fewest-mistakes": ("two classes are needed", "got 3", "keep the rows of two"),
    "prove t.csv --time-limit -1": ("must be from 0 on", "got '-1'", "rosenblatt prove --help"),
    "trace digits": ("two classes", "got 10", "--classes A,B"),
    "trace t.csv -a gaussian": ("step by step", "GaussianNaiveBayes", "-a perceptron, pocket"),
    "trace t.csv --animate a.mp4": ("must end with .gif", "a.mp4", "so that its kind is known"),
    "lab rns": ("No such command", "'rns'", "Did you mean 'runs'?"),
    "lab runs -a packet": ("--algorithm must be one of", "got 'packet'", "'pocket'"),
    "compare one.csv": ("at least two", "no learner can take one.csv", "check the label column"),
    "mail train --spam spam.mbox -o x": ("--ham is missing", "an mbox", "mail train --help"),
    "mail filter mail.rosenblatt --folder spam.mbox": ("--into DIR", "--folder needs", "go"),
    "mail explain m.rosenblatt spam.mbox": ("mail filter", "it holds a Pipeline", "`mail train`"),
    "studio --port 99999": ("must be at most 65535", "got '99999'", "rosenblatt studio --help"),
    "studio --features a,b": ("about DATA", "which is missing", "rosenblatt studio --help"),
    "studio t.csv --features a,z": ("no feature", "'z'", "'a', 'b'"),
}


def test_there_are_65_and_more():
    assert len(IN_PYTHON) >= 32
    assert len(IN_SHELL) >= 33


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_mistake_in_python_is_told_with_what_to_do(here, name):
    mistake, expected, came, advice = IN_PYTHON[name]
    # AttributeError: what scikit-learn asks for of what is not there
    with pytest.raises((r.RosenblattError, ValueError, AttributeError)) as caught:
        mistake()
    said = " ".join(str(caught.value).split())
    assert expected in said
    assert came in said
    assert advice in said
    assert not re.search(r"BudgetedPerceptron|__init__|pydantic|codec", said)


@pytest.mark.parametrize("line", IN_SHELL)
def test_a_mistake_in_the_shell_is_told_with_what_to_do(here, line):
    expected, came, advice = IN_SHELL[line]
    answer = run(*shlex.split(line))
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("rosenblatt: ")
    assert answer.err.count("\n") == 1
    assert expected.lower() in answer.err.lower()
    assert came.lower() in answer.err.lower()
    assert advice.lower() in answer.err.lower()
    assert not PYTHON_SYNTAX.search(answer.err.replace(line, ""))
