"""The one table of algorithms: every name in it leads somewhere, and nobody keeps another."""

import numpy as np
import pytest

import rosenblatt
from rosenblatt import AveragedPerceptron, load, read
from rosenblatt.lab.learners import LEARNERS
from rosenblatt.progress import Deadline
from rosenblatt.studio.checking import CHOICES, LIMITS
from rosenblatt.studio.scenes.choices import Choice, draw_preset
from rosenblatt.studio.scenes.scene import make_scene
from rosenblatt.studio.services import presets_answer
from rosenblatt.workflows.algorithms import (
    ALGORITHMS,
    IN_STUDIO,
    OF_LAB,
    TABLE,
    Algorithm,
    Shown,
    make_learner,
    name_of,
)
from rosenblatt.workflows.compare import candidates, compare
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.task import WIDE, make_task
from rosenblatt.workflows.trace import record
from tests.cli.running import run


@pytest.mark.parametrize("name", TABLE)
def test_every_learner_is_public(name):
    assert TABLE[name].learner in rosenblatt.__all__


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_learner_knows_the_name_that_made_it(name):
    assert name_of(make_learner(name, seed=3)) == name


def test_algorithms_of_one_class_are_told_apart_by_their_parameters():
    assert name_of(rosenblatt.MultinomialNaiveBayes(alpha=0.5)) == "multinomial"
    assert name_of(rosenblatt.MultinomialNaiveBayes(complement=True)) == "complement"
    assert name_of(rosenblatt.VotedPerceptron(shuffle=True)) == "voted"
    assert name_of(rosenblatt.VotedPerceptron(shuffle=False)) == "voted"
    assert name_of(rosenblatt.LeastSquares()) == "LeastSquares"


def test_a_saved_complement_is_named_so_and_goes_on(tmp_path):
    path, model = tmp_path / "texts.txt", str(tmp_path / "model.rosenblatt")
    path.write_text("no\tsome words here\nyes\tother words there\nso\tthird\n" * 4)
    assert run("fit", path, "-a", "complement", "-o", model).code == 0
    assert "complement" in run("fit", path, "--learn-more", model, "-a", "multinomial").err
    assert run("fit", path, "--learn-more", model, "-a", "complement").code == 0
    assert load(model)[-1].complement is True


@pytest.mark.parametrize("name", IN_STUDIO)
def test_what_the_page_offers_can_be_chosen(name):
    for option in IN_STUDIO[name].options:
        assert hasattr(Choice(), option)
        assert option in {*CHOICES, *LIMITS, "init"}


def test_every_place_on_the_page_is_taken_once():
    assert [shown.place for shown in IN_STUDIO.values()] == list(range(1, len(IN_STUDIO) + 1))


def test_the_lab_has_what_the_table_says():
    assert LEARNERS == OF_LAB


def test_what_is_compared_depends_on_the_data(tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("no\tsome words\nyes\tother words\n" * 3)
    wide = tmp_path / "wide.svm"
    wide.write_text(f"0 1:1\n1 {WIDE + 1}:1\n" * 3)
    sets = (read(texts), read("iris"), read(wide))
    words, table, many = ([c.options for c in candidates(make_task(data))] for data in sets)
    plain = ["averaged", "perceptron", "pocket", "voted", "batch", "passive-aggressive", "arow"]
    counting = ["bernoulli", "multinomial", "complement"]
    pairs = [f"{name} --ngrams 2" for name in ("averaged", "perceptron", *counting)]
    assert words == [*plain, *counting, *pairs]
    assert table == [*plain, "regression", "gaussian", *counting, "categorical"]
    assert many == [*plain, *counting]


class Mine(AveragedPerceptron):
    """A learner of somebody else."""


@pytest.fixture
def one_line(monkeypatch):
    """Enter a new learner: its public name, and a line of the table."""
    monkeypatch.setattr(rosenblatt, "Mine", Mine, raising=False)
    line = Algorithm("Mine", shown=Shown(12, "Mine", "As the averaged.", ("epochs", "seed")))
    for table, entry in ((TABLE, line), (ALGORITHMS, line), (IN_STUDIO, line.shown)):
        monkeypatch.setitem(table, "mine", entry)


@pytest.mark.usefixtures("one_line")
def test_one_line_in_the_table_brings_a_learner_everywhere():
    iris, exercise = read("iris"), read("exercise-1.4")
    assert isinstance(fit(iris, "mine", prove_seconds=0).learner, Mine)
    assert "mine" in {row.candidate.options for row in compare(iris).rows}
    np.testing.assert_array_equal(
        record(exercise, "mine").final, record(exercise, "averaged").final
    )
    offered = [algorithm["name"] for algorithm in presets_answer(None)["algorithms"]]
    assert offered[-1] == "mine"
    data = draw_preset("three-classes")
    runs = [Choice(name, epochs=3, seed=5) for name in ("mine", "averaged")]
    mine, averaged = make_scene(data, runs, Deadline(60.0, lambda: 0.0)).runs
    np.testing.assert_array_equal(mine.steps.final, averaged.steps.final)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_table_says_truly_who_can_go_on(name):
    # least squares of a command is solved at once, and keeps no sums
    can = hasattr(getattr(rosenblatt, ALGORITHMS[name].learner), "partial_fit")
    assert ALGORITHMS[name].goes_on == (can and name != "regression")
