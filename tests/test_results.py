"""Results show themselves in few letters and as HTML, and are tables to other libraries."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import rosenblatt as r
from rosenblatt.lab import bound, cover, exercise_1_4, runs
from rosenblatt.model_file import read_model

X, Y = [[1], [2], [7], [8]], [-1, -1, 1, 1]
AMOUNTS = pd.DataFrame(np.random.default_rng(0).normal(size=(400, 13))).add_prefix("<x>")


def wide(n=3000, d=40):
    """Draw many points that a rule separates, and the same with the first label turned."""
    points = np.random.default_rng(0).normal(size=(n, d))
    return points, np.where(points[:, 0] > 0, "<right>", "left")


def results():
    points, labels = wide()
    turned, line, letters = [-1, 1, -1, 1], [[0], [1], [5], [6], [9]], ["a", "a", "b", "b", "c"]
    return {
        "trace": r.trace(r.Perceptron(rule="first"), X, Y),
        "long trace": r.trace(r.Perceptron(), points, labels),
        "separable": r.prove(points, labels),
        "contradiction": r.prove(X, turned),
        "proofs": r.prove(
            [[0], [1], [5], [6], [9]], ["a", "a", "b", "b", "c"], multiclass="one-vs-rest"
        ),
        "joint": r.prove(line, letters, multiclass="joint"),
        "margin": r.max_margin(X, Y),
        "line": r.line_margin(np.arange(41), points, labels),
        "mistakes": r.fewest_mistakes(X, turned),
        "packing": r.disjoint_contradictions(X, turned),
        "runs": runs(20, 500, random_state=0),
        "noisy runs": runs(20, 50, r.AveragedPerceptron(), noise=0.1, random_state=0),
        "bound": bound(20, 500, random_state=0),
        "cover": cover((2, 10), n_runs=20, random_state=0),
        "amounts": r.fit_amounts(AMOUNTS),
        "exercise": exercise_1_4(),
    }


RESULTS = results()


class Balanced(HTMLParser):
    """HTML of which every tag that opens is closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_shown_in_few_letters(name):
    result = RESULTS[name]
    assert len(repr(result)) < 1000
    assert type(result).__name__ in repr(result)
    assert "array(" not in repr(result)


@pytest.mark.parametrize("name", RESULTS)
def test_a_notebook_shows_html(name):
    shown = Balanced(RESULTS[name]._repr_html_())
    assert "right" not in shown.tags  # a label is no markup
    assert len(shown.text) > 20


def test_sentences_are_the_same_in_a_notebook():
    margin = RESULTS["margin"]
    assert Balanced(margin._repr_html_()).text == str(margin).replace("\n", "")


def test_the_table_of_a_notebook_has_the_first_and_the_last_rows():
    table = RESULTS["runs"]
    text = Balanced(table._repr_html_()).text
    assert text.startswith("500 rows")
    assert text.count("...") == len(table.to_arrow().column_names)


def test_print_of_a_trace_is_the_table_of_the_lecture():
    # the notes: 11 updates from zero by the rule "first", ending with w = (-7, 3)
    lines = str(RESULTS["trace"]).splitlines()
    assert lines[0].split()[:2] == ["step", "row"]
    assert len([line for line in lines if line.split()[0].isdecimal()]) == 13  # and the end
    assert lines[12].split()[:2] == ["11", "1"]
    assert lines[12].endswith("(-7, 3)   0")
    long = str(RESULTS["long trace"]).splitlines()
    assert len(long) <= 30
    assert max(map(len, long[:26])) <= 120


@pytest.mark.parametrize("name", ["trace", "long trace", "runs", "bound", "cover"])
def test_tables_speak_arrow_pandas_and_polars(name):
    result = RESULTS[name]
    wanted = result.to_arrow()
    assert pa.table(result).schema == wanted.schema
    # by frames, to which NaN, the cosine of w = 0, is the same as NaN
    pd.testing.assert_frame_equal(pa.table(result).to_pandas(), wanted.to_pandas())
    pd.testing.assert_frame_equal(result.to_pandas(), wanted.to_pandas())
    assert result.to_polars().equals(pl.from_arrow(wanted))
    assert pl.DataFrame(result).equals(pl.from_arrow(wanted))


def test_the_table_of_runs_has_a_row_for_each():
    table = RESULTS["runs"]
    frame = table.to_pandas()
    np.testing.assert_array_equal(frame["updates"], table.updates)
    np.testing.assert_array_equal(frame[["w0", "w1", "w2"]], table.weights)


def test_a_trace_is_drawn_on_axes_of_ones_own():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert RESULTS["trace"].plot(ax=left) is figure
    assert left.has_data()
    assert not right.has_data()


def test_what_is_read_and_saved_is_shown_in_few_letters(tmp_path):
    examples = r.read("digits")
    assert repr(examples) == "<Examples of digits: 1797 rows, 64 features, labelled>"
    assert len(repr(examples.recipe)) < 1000
    found = r.fit("digits", "averaged", prove_seconds=0, output=tmp_path / "m")
    for result in (
        found,
        found.estimator,
        r.load(tmp_path / "m"),
        read_model(tmp_path / "m").recipe,
    ):
        assert len(repr(result)) < 1000
