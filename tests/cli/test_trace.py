"""`rosenblatt trace` is the lecture's table, and its options are the parameters of Python."""

import csv
import json

import numpy as np
import pytest

import rosenblatt
from rosenblatt.workflows.parameters import OF_TRACES, options_of
from tests.cli.running import run

# The second set of notes, worked example: w before each update, and the x that is picked
WEIGHTS = [
    *("0,0", "-1,-1", "0,6", "-1,5", "-2,4", "-3,3"),
    *("-4,2", "-5,0", "-4,7", "-5,6", "-6,5", "-7,3"),
]
PICKS = [1, 3, 1, 1, 1, 1, 2, 3, 1, 1, 2]
X = {1: (1, 1), 2: (1, 2), 3: (1, 7), 4: (1, 8)}
Y = {1: -1, 2: -1, 3: 1, 4: 1}


def lines_of_notes():
    """Write the notes as lines of the table: what an update does is in exercise 1.3."""
    w = [tuple(map(int, pair.split(","))) for pair in WEIGHTS]
    for step, pick in enumerate(PICKS):
        x, y, before = X[pick], Y[pick], w[step]
        score = y * np.dot(before, x)
        wrong = sum(Y[i] * np.dot(w[step + 1], X[i]) <= 0 for i in X)
        cells = (step + 1, pick - 1, x, f"{y:+d}", before, score, score + np.dot(x, x))
        yield [*map(str, cells), str(w[step + 1]), f"{wrong / 4:g}"]


def cells_of(line):
    """Split a line of the table; the numbers of a vector stay together."""
    parts = line.replace(", ", ",").split()
    return [part.replace(",", ", ") for part in parts]


def test_the_table_is_that_of_the_notes():
    lines = run("trace", "lecture").out.splitlines()
    assert cells_of(lines[1]) == ["0", "(0, 0)", "1"]
    assert [cells_of(line) for line in lines[2:13]] == list(lines_of_notes())
    assert lines[14] == "final weights, w0 first: -7, 3"
    assert "with R = 8.06226 and B = 1.84391 " in lines[15]  # sqrt(65), 1 / the largest margin
    assert "at most 221 updates" in lines[15]
    assert lines[15].endswith("this one made 11")


def test_print_in_python_is_the_same_table():
    examples = rosenblatt.read("lecture")
    trace = rosenblatt.trace(rosenblatt.Perceptron(rule="first"), examples.X, examples.y)
    assert run("trace", "lecture").out == f"{trace}\n"


def test_proof_shows_each_quantity_beside_its_bound():
    lines = run("trace", "lecture", "--proof").out.splitlines()
    table = [list(map(float, line.split())) for line in lines[16:27]]
    best = np.array([-1.8, 0.4])  # of largest margin: y (w* . x) = 1 at x = 2 and at x = 7
    for T, along, least, length2, most, cosine, bound in table:
        w = np.array(list(map(int, WEIGHTS[int(T)].split(","))))
        assert (along, least) == (pytest.approx(best @ w), T)
        assert (length2, most) == (w @ w, 65 * T)
        assert cosine == pytest.approx(best @ w / np.sqrt(w @ w * best @ best), rel=1e-5)
        assert bound == pytest.approx(np.sqrt(T / 65 / (best @ best)), rel=1e-5)
        assert along >= least
        assert length2 <= most
        assert cosine >= bound


OPTIONS = [
    ("perceptron", ["--rule", "worst"], {"rule": "worst"}),
    ("perceptron", ["--rule", "cyclic", "--tie", "+1"], {"rule": "cyclic", "tie": "+1"}),
    ("perceptron", ["--init", "-5,2.5,1"], {"init": [-5, 2.5, 1]}),
    ("perceptron", ["--init", "regression"], {"init": "regression"}),
    ("perceptron", ["--updates", "3"], {"max_updates": 3}),
    ("perceptron", ["--epochs", "2"], {"max_epochs": 2}),
    ("perceptron", ["--no-intercept"], {"fit_intercept": False}),
    ("batch", ["--eta", "0.5"], {"eta": 0.5}),
    ("batch", ["--epsilon", "0.3", "--epochs", "40"], {"epsilon": 0.3, "max_epochs": 40}),
    ("voted", ["--epochs", "2", "--first-vote", "1"], {"epochs": 2, "first_vote": 1}),
    ("averaged", ["--no-shuffle", "--epochs", "2"], {"shuffle": False, "epochs": 2}),
    (
        "passive-aggressive",
        ["--C", "0.1", "--variant", "I", "--no-average", "--epochs", "2"],
        {"C": 0.1, "variant": "I", "average": False, "epochs": 2},
    ),
    ("arow", ["--r", "2", "--epochs", "2"], {"r": 2.0, "epochs": 2}),
]
LEARNERS = {
    "perceptron": lambda **p: rosenblatt.Perceptron(**{"rule": "first"} | p),
    "batch": rosenblatt.BatchPerceptron,
    "voted": lambda **p: rosenblatt.VotedPerceptron(shuffle=False, **p),
    "averaged": rosenblatt.AveragedPerceptron,
    "passive-aggressive": rosenblatt.PassiveAggressive,
    "arow": rosenblatt.AROW,
}


@pytest.mark.parametrize(("algorithm", "options", "parameters"), OPTIONS)
def test_an_option_is_the_parameter_of_python(algorithm, options, parameters):
    examples = rosenblatt.read("exercise-1.4")
    learner = LEARNERS[algorithm](random_state=0, **parameters)
    expected = rosenblatt.trace(learner, examples.X, examples.y)
    found = json.loads(run("trace", "exercise-1.4", "-a", algorithm, *options, "--json").out)
    assert found == json.loads(expected.to_json())


def test_every_option_of_a_trace_is_tried():
    tried = {name for _, _, parameters in OPTIONS for name in parameters}
    assert {"max_epochs" if name == "epochs" else name for name in tried} == set(OF_TRACES)


REFUSED = [
    ("perceptron --eta 3", "--eta is not for perceptron; it takes --rule, --tie, --init"),
    ("perceptron --eta 3", "--eta is for batch"),
    ("voted --rule first", "--rule is not for voted; it takes --epochs, --first-vote, --no-sh"),
    ("voted --rule first", "--rule is for perceptron and pocket"),
    ("batch --first-vote 1", "--first-vote is not for batch; it takes --eta, --epsilon, --ep"),
    ("averaged --tie +1", "--tie is not for averaged"),
    ("pocket --epsilon 1", "--epsilon is not for pocket"),
    ("arow --C 1", "--C is not for arow"),
    ("perceptron --rule frist", "--rule must be one of 'first', 'cyclic'"),
    ("perceptron --init best", "--init must be one of 'regression', got 'best'"),
    ("perceptron --init 1,2,3", "--init must hold finite weights, 2 of them with w0 first, got 3"),
    ("perceptron --init 1;2", "--init must be numbers with commas between them or regression or"),
    ("perceptron --init 1,nan", "--init must be numbers with commas between them"),
    ("perceptron --epochs x", "--epochs must be a whole number, got 'x'"),
    ("perceptron --epochs 0", "--epochs must be a whole number from 1 on, got 0"),
    ("batch --eta -1", "--eta must be a number above 0, got -1.0"),
    ("voted --first-vote 2", "--first-vote must be 0 or 1, got 2"),
    ("perceptron --init 1,2 --no-intercept", "make it 0, or leave out --no-intercept"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_what_a_learner_does_not_have_is_refused(options, words):
    answer = run("trace", "lecture", "-a", *options.split())
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_options_are_refused_before_the_data_is_read():
    assert "--eta is not for" in run("trace", "no-such-file.csv", "--eta", "1").err


def test_two_of_many_classes_are_chosen():
    answer = run("trace", "iris", "--classes", "virginica,setosa", "--json")
    iris = rosenblatt.read("iris")
    rows = iris.y != "versicolor"
    expected = rosenblatt.trace(rosenblatt.Perceptron(rule="first"), iris.X[rows], iris.y[rows])
    assert json.loads(answer.out)["final"] == expected.final.tolist()
    for classes, words in [
        ("setosa,rose", "iris has no class 'rose'; its classes are setosa, versicolor, virginica"),
        ("setosa", "two different classes are needed, got setosa; name them with --classes A,B"),
        ("setosa,setosa", "two different classes are needed"),
    ]:
        refused = run("trace", "iris", "--classes", classes)
        assert refused.code == 2
        assert words in refused.err
    assert "--classes A,B" in run("trace", "iris").err


def test_steps_are_saved_as_csv(tmp_path):
    path = tmp_path / "steps.csv"
    assert run("trace", "lecture", "-o", path).code == 0
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [f"{row['w0']},{row['w1']}" for row in rows] == WEIGHTS
    assert [row["picked"] for row in rows] == ["", *(str(pick - 1) for pick in PICKS)]
    assert {"ywx_before", "ywx_after", "along_best", "length2_bound"} <= set(rows[0])


def test_many_steps_are_thinned_with_a_word():
    out = run("trace", "xor").out.splitlines()
    assert len(out) < 32
    assert "(3976 steps left out here; -o steps.csv, or to_pandas() in Python, has all)" in out


def test_data_that_is_not_separable_is_said_to_be_so():
    answer = run("trace", "xor")
    assert answer.code == 0
    assert "the data is not separable" in answer.out
    assert "`prove` shows" in answer.out
    assert "pocket" in answer.out
    assert "The data is not separable: -a pocket" in answer.err


def test_help_names_what_each_learner_has():
    shown = run("trace", "--help").out
    for name in options_of("perceptron"):
        assert (rosenblatt.errors.OPTIONS[name] in shown) == (name in OF_TRACES)
