"""Bad input gets one line on standard error, exit code 2, and nothing is written."""

import os
import resource
import subprocess

import pytest

from tests.cli.running import COMMAND, process, run

BAD_FILES = {
    "empty.csv": (b"", "empty"),
    "blank.csv": (b"\n\n\n", ""),
    "binary.csv": (bytes(range(256)) * 4, ""),
    "ragged.csv": (b"a,b,label\n1,2,x\n1,2\n3,4,y\n", "line 3"),
    "one-class.csv": (b"a,label\n1,x\n2,x\n", "at least two"),
    "missing.csv": (b"a,label\n1,x\n,y\n2,y\n", "'a'"),
    "text.svm": (b"1 1:2\nhello\n", "line 2"),
    "bad.parquet": (b"PAR1 this is none", ""),
}


def assert_refused(answer, message=""):
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("rosenblatt: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("command", ["fit", "prove", "compare"])
def test_a_bad_file_is_refused(tmp_path, name, command):
    content, message = BAD_FILES[name]
    path, model = tmp_path / name, tmp_path / "model.rosenblatt"
    path.write_bytes(content)
    output = [] if command == "compare" else ["-o", model]
    assert_refused(run(command, path, *output), message)
    assert os.listdir(tmp_path) == [name]


def test_a_wrong_delimiter_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,label\n1,2,x\n3,4,y\n5,6,x\n")
    assert_refused(run("fit", path, "--delimiter", ";"), "single column")
    assert_refused(run("fit", path, "--delimiter", ";"), "or pass --delimiter")
    assert_refused(run("fit", path, "--format", "xls"), "--format must be one of")
    assert_refused(run("fit", path, "--format", "text"), "line 1: expected label<TAB>text")


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_in_blocks_too(tmp_path, name):
    content, message = BAD_FILES[name]
    path, model = tmp_path / name, tmp_path / "model.rosenblatt"
    path.write_bytes(content)
    assert_refused(run("fit", path, "-o", model, "--memory", "64M"), message)
    assert os.listdir(tmp_path) == [name]


def test_a_name_that_cannot_be_told_is_asked_for_by_its_option(tmp_path):
    path = tmp_path / "what"
    path.write_text("one\ntwo\n")
    assert_refused(run("fit", path), "pass --format, one of csv")


def test_nothing_is_written_over_the_data_or_twice_to_one_file(tmp_path):
    path, link, hard = (tmp_path / name for name in ("data.csv", "link.csv", "hard.csv"))
    path.write_text("a,label\n1,x\n2,y\n3,x\n")
    link.symlink_to(path)
    hard.hardlink_to(path)
    for output in (path, link, hard, f"{tmp_path}/./data.csv"):
        assert_refused(run("fit", path, "-o", output), "is the same file as the data")
        assert_refused(run("fit", path, "--report", output), "is the same file as the data")
        assert_refused(run("prove", path, "-o", output), "is the same file as the data")
    new, other = tmp_path / "new", tmp_path / "other"
    other.symlink_to(new)
    assert_refused(run("fit", path, "-o", new, "--report", new), "is the same file as -o")
    assert_refused(run("fit", path, "-o", new, "--report", other), "is the same file as -o")
    assert path.read_text() == "a,label\n1,x\n2,y\n3,x\n"
    assert not new.exists()


def test_a_model_for_other_features_and_labels_never_seen_are_refused(tmp_path):
    files = {
        "data.csv": "a,b,label\n" + "1,2,x\n3,4,y\n" * 3,
        "other.csv": "c,b,label\n1,2,x\n",
        "words.csv": "a,b,label\n1,oops,x\n",
        "new.csv": "a,b,label\n1,2,z\n",
        "rows.svm": "1 1:2\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    model = tmp_path / "m.rosenblatt"
    assert run("fit", tmp_path / "data.csv", "-o", model, "--prove-seconds", "0").code == 0
    for command in ("predict", "score", "explain"):
        for name, message in (
            ("other.csv", "has no column 'a', as in training"),
            ("words.csv", "line 2, column 'b': expected a number, as in training, got 'oops'"),
            ("rows.svm", "is an svmlight file, but the model learned from a table"),
        ):
            assert_refused(run(command, model, tmp_path / name), message)
    assert_refused(run("score", model, tmp_path / "new.csv"), "label 'z' was not there in training")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ft", "iris"], "Did you mean 'fit'?"),
        (["fit", "iri"], "did you mean the built-in set 'iris'?"),
        (["fit", "iris", "-a", "avreaged"], "did you mean 'averaged'?"),
        (["fit", "iris", "-t", "petal width"], "did you mean 'petal width (cm)'?"),
        (["fit", "iris", "--sed", "1"], "--seed"),
        (["fit"], "DATA"),
        (["fit", "iris", "--seed", "-1"], "--seed"),
        (["fit", "iris", "--missing", "zero"], "--missing must be one of"),
        (["fit", "iris", "--format", "csv"], "takes no --format; for a file of that name"),
        (["prove", "iris", "--delimiter", ","], "takes no --delimiter"),
        (["fit", "iris", "-o", "-"], "- cannot be written"),
        (["predict", "-", "-"], "- is given twice"),
        (["verify", "-", "-"], "- is given twice"),
        (["fit", "no/such/file.csv"], "there is no file"),
        (["fit", "iris", "-o", "no/such/folder/m"], "there is no folder"),
        (["fit", "iris", "-o", "."], "is a folder"),
        (["fit", "iris", "-o", "/dev/full"], "no plain file"),
        (["predict", "no-model", "iris"], "no-model cannot be read"),
        (["prove", "xor", "-o", "/dev/full"], "no plain file"),
        (["explain", "m", "iris", "--all"], "--all takes no DATA"),
        (["prove", "iris", "--fewest-mistakes"], "two"),
    ],
)
def test_what_is_wrong_is_said_with_the_nearest_name(arguments, message):
    assert_refused(run(*arguments), message)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "model.rosenblatt"
    path.write_bytes(b"PK\x03\x04 something else")
    for command in ("predict", "score", "explain"):
        assert_refused(run(command, path, "iris"), str(path))


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.rosenblatt"
    path.write_bytes(b"old")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    answer = process(
        *("fit", "iris", "-o", path, "--prove-seconds", "0"),
        preexec_fn=limited,
        environment={"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert answer.returncode == 2
    assert answer.stderr.splitlines()[-1].startswith(f"rosenblatt: {path} cannot be written")
    assert "Traceback" not in answer.stderr
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["model.rosenblatt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_standard_output_on_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        answer = process("prove", "and", stdout=full)
    assert answer.returncode == 2
    assert answer.stderr == "rosenblatt: No space left on device\n"


def test_a_reader_who_has_enough_is_no_error(tmp_path):
    model = tmp_path / "m.rosenblatt"
    run("fit", "digits", "-o", model, "--prove-seconds", "0")
    command = [*COMMAND, "predict", str(model), "digits", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as work:
        work.stdout.readline()
        work.stdout.close()
        assert work.stderr.read() == b""
    assert work.returncode == 141


def test_a_process_says_the_same_as_a_call():
    answer = process("prove", "xor")
    assert (answer.returncode, answer.stdout, answer.stderr) == run("prove", "xor")


@pytest.mark.parametrize("command", ["fit", "compare"])
@pytest.mark.parametrize("option", ["--group", "--by-time"])
def test_a_column_that_is_not_there_is_refused_with_those_that_are(tmp_path, command, option):
    path = tmp_path / "table.csv"
    path.write_text("a,b,label\n1,2,x\n3,4,y\n5,6,x\n")
    said = "table.csv has no column 'zip'; its columns are 'a', 'b', 'label'"
    assert_refused(run(command, path, option, "zip"), said)


@pytest.mark.parametrize("command", ["fit", "compare", "prove"])
def test_a_hundred_thousand_classes_end_in_a_sentence(tmp_path, command):
    path = tmp_path / "table.csv"
    path.write_text("a,b,label\n" + "".join(f"{i},{i % 7},k{i // 2}\n" for i in range(200_000)))
    said = "column 'label' has 100000 different values in 200000 rows; these are names of rows"
    assert_refused(run(command, path), said)


@pytest.mark.parametrize("command", ["fit", "compare"])
def test_weights_that_no_machine_holds_end_in_a_sentence(tmp_path, command):
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"k{i // 2}\tsome words w{i}\n" for i in range(600)))
    answer = run(command, path, "--format", "text", "--bits", "31")
    assert_refused(answer, "the weights of 300 classes and 2,147,483,648 features take 20,616 GB")
