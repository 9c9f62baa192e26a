"""fit, compare, explain and report of Python say what the commands say, to the last digit."""

import json
import logging
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rosenblatt
from rosenblatt import DataError, ParameterError
from tests.cli.running import run
from tests.hand_clock import HandClock

NOT_OF_THE_DATA = ("source", "model", "seconds", "bytes")  # where it is, and how long it took


@pytest.fixture(scope="module", autouse=True)
def _all_the_time():
    """Let no verdict be late on a slow machine."""
    patch = pytest.MonkeyPatch()
    patch.setattr("rosenblatt.kernels.compiler.time", HandClock())
    yield
    patch.undo()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    random = np.random.default_rng(3)
    n = 120
    towns, age = random.choice(["Bern", "Basel", "Chur"], n), random.integers(18, 80, n)
    label = np.where(age + 15 * (towns == "Bern") + random.normal(0, 8, n) > 55, "stay", "churn")
    path = tmp_path_factory.mktemp("python") / "customers.csv"
    pd.DataFrame({"town": towns, "age": age, "label": label}).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def model(path):
    file = path.with_name("model.rosenblatt")
    run("fit", path, "-o", file)
    return file


def frames(path):
    frame = pd.read_csv(path)
    return {"pandas": frame, "polars": pl.from_pandas(frame), "Arrow": pa.table(frame)}


def comparable(facts):
    """Return facts without those that are not of the data."""
    if isinstance(facts, list):
        return [comparable(part) for part in facts]
    if not isinstance(facts, dict):
        return facts
    return {key: comparable(part) for key, part in facts.items() if key not in NOT_OF_THE_DATA}


def of_the_shell(*command):
    return comparable(json.loads(run(*command, "--json").out))


@pytest.mark.parametrize("kind", ["pandas", "polars", "Arrow", "path"])
def test_fit_says_the_facts_of_the_command(path, kind):
    data = path if kind == "path" else frames(path)[kind]
    found = rosenblatt.fit(data)
    assert comparable(json.loads(found.to_json())) == of_the_shell("fit", path)
    assert found.n_examples == 120


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ({"algorithm": "averaged", "seed": 3}, ["-a", "averaged", "--seed", "3"]),
        ({"scale": False, "prove_seconds": 0}, ["--no-scale", "--prove-seconds", "0"]),
        ({"balance": "f1", "target": "label"}, ["--balance", "f1", "-t", "label"]),
        ({"category": ["age"], "group": "town"}, ["--category", "age", "--group", "town"]),
    ],
)
def test_options_have_the_names_of_the_command(path, options, command):
    found = rosenblatt.fit(pd.read_csv(path), **options)
    assert comparable(json.loads(found.to_json())) == of_the_shell("fit", path, *command)


def test_what_fit_found_predicts_and_is_saved(path, model, tmp_path):
    frame = pd.read_csv(path)
    found = rosenblatt.fit(frame, output=tmp_path / "m", report=tmp_path / "page.html")
    told = run("predict", model, path).out.split()
    assert found.estimator.predict(frame).tolist() == told
    assert rosenblatt.load(tmp_path / "m").predict(frame).tolist() == told
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert json.loads(found.to_json())["model"] == str(tmp_path / "m")


def test_fit_goes_on_from_a_model(path, tmp_path):
    run("fit", path, "-a", "averaged", "-o", tmp_path / "m")
    found = rosenblatt.fit(pd.read_csv(path), learn_more=tmp_path / "m")
    assert found.went_on
    told = of_the_shell("fit", path, "--learn-more", tmp_path / "m")
    assert comparable(json.loads(found.to_json())) == told
    with pytest.raises(
        ParameterError, match="holds averaged, another learner; leave out algorithm"
    ):
        rosenblatt.fit(path, "pocket", learn_more=tmp_path / "m")


@pytest.mark.parametrize("kind", ["path", "polars"])
def test_compare_says_the_table_of_the_command(path, kind):
    data = path if kind == "path" else frames(path)[kind]
    table = rosenblatt.compare(data)
    facts = json.loads(table.to_json())
    told = of_the_shell("compare", path, "--seconds", "0")
    # who is left out is the same, and what to do about it is in the words of the place
    assert facts.pop("left_out").keys() == told.pop("left_out").keys() == {"bernoulli"}
    assert comparable(facts) == told
    assert [row["algorithm"] for row in facts["rows"]] == table.to_pandas()["algorithm"].tolist()
    assert table.to_polars()["error"].to_list() == [row["error"] for row in told["rows"]]


@pytest.mark.parametrize("kind", ["path", "pandas", "polars"])
def test_explain_adds_up_rows_as_the_command_does(path, model, kind):
    data = path if kind == "path" else frames(path)[kind]
    why = rosenblatt.explain(model, data, first=5)
    assert why.to_json() == run("explain", model, path, "--first", "5", "--json").out.strip()
    assert [one.label for one in why] == run("predict", model, path).out.split()[:5]


def test_explain_lists_the_features_of_the_command(path, model):
    found = run("explain", model, "--json").out.strip()
    assert rosenblatt.explain(model).to_json() == found
    assert rosenblatt.explain(rosenblatt.load(model)).to_json() == found
    assert rosenblatt.explain(rosenblatt.fit(path)).to_json() == found
    listed = rosenblatt.explain(model).to_pandas()
    assert json.loads(found)["stay"] == listed[["feature", "weight"]].to_numpy().tolist()


def test_report_is_the_page_of_the_command(path, tmp_path):
    run("fit", path, "--report", tmp_path / "shell.html")
    page = rosenblatt.report(path)
    page.save(tmp_path / "python.html")
    assert (tmp_path / "python.html").read_text() == (tmp_path / "shell.html").read_text()
    assert rosenblatt.report(rosenblatt.fit(path)).content == page.content
    assert page.to_json() == page.fitted.to_json()


class Tags(HTMLParser):
    """Whether each tag that opens is closed, and the text between them."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_results_show_themselves_in_few_letters_and_as_html(path, model, tmp_path):
    fitted = rosenblatt.fit(path)
    results = [
        fitted,
        rosenblatt.report(fitted),
        rosenblatt.compare(path),
        rosenblatt.explain(model),
        rosenblatt.explain(model, path),
    ]
    for result in results:
        assert len(repr(result)) < 1000
        seen = Tags(result._repr_html_())
        assert seen.open == []
        result.save(tmp_path / "page.html")
        saved = (tmp_path / "page.html").read_text()
        assert saved.startswith("<!doctype html>")
        assert "<script" not in saved


def test_names_of_columns_are_no_markup():
    frame = pd.DataFrame({"<b>x": [1.0, 2, 7, 8] * 5, "y": [0, 0, 1, 1] * 5})
    assert "<b>" not in rosenblatt.explain(rosenblatt.fit(frame))._repr_html_()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda p: rosenblatt.fit([[1]]), DataError, "or a frame, got list"),
        (lambda p: rosenblatt.fit(p, text=["town"], category=["town"]), ParameterError, "say one"),
        (lambda p: rosenblatt.fit(pd.read_csv(p), memory="1G"), ParameterError, "leave out memory"),
        (lambda p: rosenblatt.explain(rosenblatt.fit(p), first=3), ParameterError, "give the data"),
        (lambda p: rosenblatt.report(rosenblatt.fit(p), seed=1), ParameterError, "made already"),
        (
            lambda p: rosenblatt.explain(
                p.with_name("model.rosenblatt"), pd.DataFrame({"age": [30]})
            ),
            DataError,
            "the frame has no column 'town'",
        ),
    ],
)
def test_bad_input_is_refused_in_words(path, model, call, error, words):
    with pytest.raises(error, match=words):
        call(path)


def test_stages_and_notes_go_to_the_logger_and_nowhere_else(path, caplog, capsys):
    with caplog.at_level(logging.INFO, logger="rosenblatt"):
        rosenblatt.fit(path)
    told = [record.message for record in caplog.records]
    assert {"reading", "learning", "validating"} <= set(told)
    assert any(line.startswith("target column guessed: 'label'") for line in told)
    assert capsys.readouterr() == ("", "")
