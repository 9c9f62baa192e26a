"""`fit`, `predict`, `score` and `prove` with the work left to Dask's workers."""

import json

import pytest

import rosenblatt
from rosenblatt.cluster import connecting
from rosenblatt.proof import problem
from tests.cli.running import run
from tests.cli.test_bad_input import assert_refused

ROWS = [
    f"{i % 7 / 10},{i * i % 11},{'red' if i % 3 else 'blue'},{'yes' if i * i % 11 > 4 else 'no'}\n"
    for i in range(90)
]
LINES = [f"{'ab'[i % 2]}\tword{i % 9} word{i % 11} {i}\n" for i in range(60)]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Files of one table, of lines of text, and of svmlight, three each."""
    folder = tmp_path_factory.mktemp("logs")
    for k in range(3):
        (folder / f"{k}.csv").write_text("a,b,colour,label\n" + "".join(ROWS[k::3]))
        (folder / f"{k}.txt").write_text("".join(LINES[20 * k : 20 * k + 20]))
        lines = (f"{i % 2} {1 + i % 3}:{1 + i % 2} {4 + i % 5}:3\n" for i in range(k, 60, 3))
        (folder / f"{k}.svm").write_text("".join(lines))
    return folder


@pytest.mark.parametrize(
    ("ending", "algorithm"),
    [("csv", "gaussian"), ("txt", "bernoulli"), ("svm", "multinomial"), ("txt", "multinomial")],
)
def test_the_model_has_the_bytes_of_one_machine(logs, in_process, tmp_path, ending, algorithm):
    pattern, models = f"{logs}/*.{ending}", [tmp_path / "one", tmp_path / "two"]
    how = {"prove_seconds": 0, "bits": 8}
    one = rosenblatt.fit(pattern, algorithm, output=models[0], **how)
    two = rosenblatt.fit(pattern, algorithm, output=models[1], cluster=in_process(2), **how)
    assert models[0].read_bytes() == models[1].read_bytes()
    assert two.parts == 3
    assert (one.notes, one.validation.error) == (two.notes, two.validation.error)
    assert one.source == two.source


def test_a_learner_that_draws_tells_its_error_too(logs, in_process):
    found = rosenblatt.fit(f"{logs}/*.csv", "perceptron", cluster=in_process(2), prove_seconds=0)
    assert 0 <= found.validation.error < 0.5
    assert json.loads(found.to_json())["parts"] == 3
    assert ("cluster", "rows in 3 parts, held by workers") in found.remarks


@pytest.fixture
def no_workers(monkeypatch):
    """Let a test fail that starts workers."""

    def nobody(*_):
        raise AssertionError("workers were started")

    monkeypatch.setattr(connecting, "_started", nobody)


@pytest.fixture(scope="module")
def there(processes):
    """The address of a scheduler."""
    return processes.scheduler.address


def test_the_command_predicts_and_scores_as_on_one_machine(logs, there, tmp_path):
    model, data = tmp_path / "model", f"{logs}/*.csv"
    one = run("fit", data, "-a", "gaussian", "-o", model, "--prove-seconds", "0", "-q", "--json")
    two = run(
        *("fit", data, "-a", "gaussian", "-o", model, "--prove-seconds", "0", "-q", "--json"),
        *("--cluster", there),
    )
    assert (one.code, two.code, two.err) == (0, 0, "")
    assert json.loads(two.out) == json.loads(one.out) | {"parts": 3}
    for command in (["predict", "--json"], ["score", "--json"], ["predict"]):
        name, *options = command
        here = run(name, model, data, *options)
        assert here.code == 0
        assert run(name, model, data, *options, "--cluster", there) == here


@pytest.mark.parametrize(("target", "separable"), [("label", True), ("colour", False)])
def test_the_command_proves_as_on_one_machine(
    logs, there, tmp_path, monkeypatch, target, separable
):
    monkeypatch.setattr(problem, "FEW", 0)  # or these few rows would come here
    data = [f"{logs}/[01].csv", "-t", target, "--columns", "a,b"]  # each part costs in each pass
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    one = run("prove", *data, "--json", "-o", files[0])
    two = run("prove", *data, "--json", "-o", files[1], "--cluster", there)
    assert one.code == (0 if separable else 1)
    assert two == one
    assert files[1].read_bytes() == files[0].read_bytes()
    held = run("verify", files[0], *data)
    assert held.code == 0
    assert run("verify", files[0], *data, "--cluster", there) == held


def test_a_proof_of_other_rows_does_not_hold_on_workers(logs, there, tmp_path):
    proof = tmp_path / "proof.json"
    run("prove", logs / "0.csv", "-o", proof)
    answer = run("verify", proof, logs / "1.csv", "--cluster", there)
    assert answer.code == 1
    assert answer.out.startswith("the proof does not hold: this proof is about other data")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "100M"], "--memory cannot be used with rows on a cluster"),
        (["--fewest-mistakes"], "--contradictions need all examples in memory; leave out --cl"),
        (["--contradictions"], "--contradictions need all examples in memory; leave out --cl"),
    ],
)
def test_what_workers_do_not_prove_is_refused_before_work(logs, no_workers, options, message):
    assert_refused(run("prove", f"{logs}/*.csv", "--cluster", "2", *options), message)


@pytest.mark.parametrize("data", ["xor", "-"])
def test_only_files_are_proved_on_workers(no_workers, tmp_path, data):
    proof = tmp_path / "proof.json"
    assert run("prove", "lecture", "-o", proof).code == 0
    for command in (["prove"], ["verify", proof]):
        assert_refused(run(*command, data, "--cluster", "2"), f"{data} is not a file on disk")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "0"], "--cluster must be from 1 to 1024 workers on this machine, got 0"),
        (["--cluster", "-2"], "--cluster must be from 1 to 1024"),
        (["--cluster", "localhost"], "--cluster must be the address of a scheduler as tcp://"),
        (["--cluster", "2", "--memory", "100M"], "--memory cannot be used with rows on a cluster"),
        (["--cluster", "2", "--group", "a"], "--group cannot be used with rows on a cluster"),
        (["--cluster", "2", "--by-time", "a"], "--by-time cannot be used with rows on a cluster"),
        (["--cluster", "2", "-a", "pocket"], "pocket needs all examples in memory; leave out --cl"),
        (["--cluster", "2", "--regression"], "--cluster"),
        (["--checkpoint", "c", "-a", "gaussian"], "--checkpoint is written after each epoch, and"),
        (["--checkpoint", "c", "-a", "auto"], "--checkpoint is of one learner that begins anew"),
        (["--checkpoint", "no/such/folder"], "no/such/folder cannot be written"),
    ],
)
def test_what_does_not_go_together_is_refused_before_work(logs, no_workers, options, message):
    assert_refused(run("fit", f"{logs}/*.csv", *options), message)


def test_data_that_workers_cannot_read_is_refused_before_work(logs):
    assert_refused(run("fit", "iris", "--cluster", "2"), "iris is not a file on disk")
    assert_refused(run("fit", "-", "--cluster", "2"), "workers read files")
    assert_refused(run("fit", f"{logs}/none*.csv", "--cluster", "2"), "none")


def test_nobody_answers_at_an_address(logs, monkeypatch):
    monkeypatch.setattr(connecting, "SECONDS_TO_ANSWER", 0.1)
    answer = run("fit", f"{logs}/*.csv", "--cluster", "tcp://127.0.0.1:9")
    assert_refused(answer, "--cluster tcp://127.0.0.1:9 does not answer as a scheduler of Dask")
