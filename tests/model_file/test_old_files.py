"""Files that earlier code wrote load, answer as they did, and go on learning to the same bits.

The files in `old` were written before rows went one road (`rosenblatt.blocks`), by the learners of
`samples` and by the commands; `.more` and `.less` are what came of them by learning and forgetting.
"""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import load, save
from rosenblatt.mail.filter.file import read_memory
from rosenblatt.model_file import read_model
from tests.cli.running import process, run
from tests.mail.filter.mails import mail
from tests.model_file.samples import ANSWERS, NAMES, TEXTS, rows

# The last digit of NumPy's logarithm and of the sums of BLAS is another one on other processors
DIGITS = {"rtol": 1e-13, "atol": 1e-14}
BY_LOGARITHMS = ("NaiveBayes", "EmpiricalBayes")
BY_BLAS = ("LeastSquares, sums", "LeastSquaresClassifier, sums")
OLD = Path(__file__).parent / "old"
COMMANDS = OLD / "commands"
WORDS = ("Pipeline", "OnlinePipeline", "BagOfWords")
FITTED = ["table-averaged", "table-perceptron", "rows-averaged", "rows-perceptron"]
FITTED += ["texts-averaged", "texts-bernoulli"]
ENDINGS = {"table": ".csv", "rows": ".svm", "texts": ".tsv"}


def old(name, change=""):
    stem = name.replace(", ", "-").replace(" ", "-")
    return OLD / f"{stem}{change}.rosenblatt"


def more_of(name):
    """Return what the old code went on with."""
    if name in WORDS:
        return (["a new word"],) if name == "BagOfWords" else (TEXTS, ANSWERS)
    X, y = rows(seed=9, n=12)
    return (X, X[:, :2]) if name.startswith("LeastSquares,") else (X, y)


def bytes_after(model, folder):
    save(model, folder / "model.rosenblatt")
    return (folder / "model.rosenblatt").read_bytes()


WRITTEN = [name for name in NAMES if old(name).exists()]  # others came later


def test_every_old_file_is_asked():
    there = {path.name.partition(".")[0] for path in OLD.glob("*.rosenblatt")}
    assert there == {old(name).stem for name in WRITTEN}


@pytest.mark.parametrize("name", WRITTEN)
def test_an_old_file_answers_as_it_did(name):
    model = load(old(name))
    new = TEXTS if name in WORDS else rows(seed=5, n=16)[0]
    answers = np.load(OLD / "answers.npz")
    asked = [key for key in answers.files if key.rpartition(" ")[0] == old(name).stem]
    assert asked
    for key in asked:
        answer = getattr(model, key.rpartition(" ")[2])(new)
        answer = answer.toarray() if hasattr(answer, "toarray") else answer
        if name.endswith(BY_LOGARITHMS) and answer.dtype.kind == "f":
            np.testing.assert_allclose(answer, answers[key], **DIGITS)
        else:
            assert np.array_equal(answer.astype(answers[key].dtype), answers[key])


@pytest.mark.parametrize("name", WRITTEN)
def test_an_old_file_is_written_again_as_it_is(name, tmp_path):
    assert bytes_after(load(old(name)), tmp_path) == old(name).read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if old(name, ".more").exists()])
def test_an_old_file_goes_on_learning_to_the_same_bits(name, tmp_path):
    model = load(old(name)).partial_fit(*more_of(name))
    if name in BY_BLAS:
        then = load(old(name, ".more"))
        np.testing.assert_allclose(model.coef_, then.coef_, **DIGITS)
        np.testing.assert_allclose(model.intercept_, then.intercept_, **DIGITS)
    else:
        assert bytes_after(model, tmp_path) == old(name, ".more").read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if old(name, ".less").exists()])
def test_an_old_file_forgets_to_the_same_bits(name, tmp_path):
    X, y = rows()
    model = load(old(name)).forget(X[:5], y[:5])
    assert bytes_after(model, tmp_path) == old(name, ".less").read_bytes()


@pytest.mark.parametrize("name", FITTED)
def test_what_fit_saved_predicts_and_goes_on_as_it_did(name, tmp_path, monkeypatch):
    stem = name.partition("-")[0]
    data = f"{stem}-new{ENDINGS[stem]}"
    shutil.copy(COMMANDS / data, tmp_path)
    monkeypatch.chdir(tmp_path)
    model = COMMANDS / f"{name}.rosenblatt"
    answer = run("predict", model, data, "--json")
    assert as_then(answer.out) == (COMMANDS / f"{name}.json").read_text()
    assert run("fit", data, "--learn-more", model, "-o", "more.rosenblatt").code == 0
    expected = (COMMANDS / f"{name}.more.rosenblatt").read_bytes()
    assert (tmp_path / "more.rosenblatt").read_bytes() == expected


# the perceptron of `fit` draws its order by now
@pytest.mark.parametrize("name", [name for name in FITTED if not name.endswith("perceptron")])
def test_fit_saves_the_same_model_as_it_did(name, tmp_path, monkeypatch):
    stem, _, algorithm = name.partition("-")
    data = f"{stem}{ENDINGS[stem]}"
    shutil.copy(COMMANDS / data, tmp_path)
    monkeypatch.chdir(tmp_path)
    bits = () if stem == "rows" else ("--bits", 8)
    plain = () if stem == "table" else ("--no-scale",)  # only columns were scaled
    assert run("fit", data, "-a", algorithm, "-o", "now.rosenblatt", *bits, *plain).code == 0
    undecided(tmp_path / "now.rosenblatt")
    then = COMMANDS / f"{name}.rosenblatt"
    assert but_validation(tmp_path / "now.rosenblatt") == but_validation(then)


def as_then(lines):
    """Return lines of `predict --json` without the probabilities, which naive Bayes has always."""
    facts = [json.loads(line) for line in lines.splitlines()]
    for one in facts:
        assert ("probability" in one) == ("probabilities" in one)
        one.pop("probability", None)
        one.pop("probabilities", None)
    return "".join(json.dumps(one) + "\n" for one in facts)


def undecided(path):
    """Take from a file what a fit makes of its validated scores by now."""
    model, recipe, made = read_model(path)
    learner = model[-1] if hasattr(model, "steps") else model
    assert "calibration_" in vars(learner)
    for name in ("calibration_", "threshold_"):
        vars(learner).pop(name, None)
    for name in ("brier_score", "log_loss", "boundary"):
        del made[name]
    save(model, path, recipe=recipe, made=made)


def but_validation(path):
    """Return all of a file but how the error was validated: the folds are drawn otherwise now."""
    content = path.read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    facts = header["__metadata__"]
    made = json.loads(facts.pop("made"))
    for name in ("error_validated", "error_interval", "validated_by"):
        del made[name]
    for name in ("xxh64", "bytes"):  # of the whole file
        del facts[name]
    return header, made, content[end:]


@pytest.fixture
def mails(tmp_path, monkeypatch):
    for kind in ("ham", "spam"):
        (tmp_path / "mail" / kind).mkdir(parents=True)
        for seed in range(12):
            (tmp_path / "mail" / kind / f"{seed}.eml").write_bytes(mail(kind, seed))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("algorithm", ["averaged", "bernoulli"])
def test_a_model_of_mail_folders_predicts_as_it_did(algorithm, mails):
    answer = run("predict", COMMANDS / f"mail-{algorithm}.rosenblatt", "mail", "--json")
    now, then = as_then(answer.out), (COMMANDS / f"mail-{algorithm}.json").read_text()
    if algorithm == "bernoulli":
        now, then = ([json.loads(line) for line in text.splitlines()] for text in (now, then))
        scores = [[one.pop("score") for one in facts] for facts in (now, then)]
        np.testing.assert_allclose(*scores, **DIGITS)
    assert now == then


def test_an_old_mail_filter_learns_and_forgets_as_it_did(mails):
    """It keeps its two witnesses; the marks are chosen by another rule now."""
    shutil.copy(COMMANDS / "filter.rosenblatt", "filter.rosenblatt")
    os.chmod("filter.rosenblatt", 0o600)
    for kind in ("ham", "spam"):
        Path(f"{kind}.eml").write_bytes(mail(kind, 50))
    for change in ([], ["--forget"]):
        expected = COMMANDS / f"filter.{'less' if change else 'more'}.rosenblatt"
        message = "mail/spam/3.eml" if change else "spam.eml"
        assert run("mail", "learn", "filter.rosenblatt", "--spam", *change, message).code == 0
        found, then = read_memory("filter.rosenblatt"), read_memory(expected)
        assert found.letters is None
        for name, column in zip(found.words._fields, found.words, strict=True):
            assert column.tolist() == getattr(then.words, name).tolist()
        for name in ("digests", "labels", "text_steps", "head_steps", "scores"):
            assert getattr(found.messages, name).tolist() == getattr(then.messages, name).tolist()


@pytest.mark.parametrize("kind", ["ham", "spam"])
def test_an_old_mail_filter_marks_messages_as_it_did(kind, tmp_path):
    model = shutil.copy(
        COMMANDS / "filter.rosenblatt", tmp_path
    )  # what it judges it notes beside it
    answer = process("mail", "filter", model, input=mail(kind, 50), text=False)
    assert answer.stdout == (COMMANDS / f"filtered-{kind}.eml").read_bytes()
