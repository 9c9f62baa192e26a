"""The one table of algorithms: every name in it leads somewhere, and nobody keeps another."""

import pytest

import rosenblatt
from rosenblatt.lab.experiments import LEARNERS
from rosenblatt.studio.checking import CHOICES, LIMITS
from rosenblatt.studio.scenes.choices import Choice
from rosenblatt.workflows.algorithms import ALGORITHMS, OF_LAB, SHOWN, TABLE, make_learner, name_of
from rosenblatt.workflows.compare import OF_TABLES, OF_WIDE, OF_WORDS


@pytest.mark.parametrize("name", TABLE)
def test_every_learner_is_public(name):
    assert TABLE[name].learner in rosenblatt.__all__


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_learner_knows_the_name_that_made_it(name):
    assert name_of(make_learner(name, seed=3)) == name


@pytest.mark.parametrize("name", SHOWN)
def test_what_the_page_offers_can_be_chosen(name):
    for option in SHOWN[name].options:
        assert hasattr(Choice(), option)
        assert option in {*CHOICES, *LIMITS, "init"}


def test_every_place_on_the_page_is_taken_once():
    assert [shown.place for shown in SHOWN.values()] == list(range(1, len(SHOWN) + 1))


def test_the_lab_has_what_the_table_says():
    assert LEARNERS == OF_LAB


def test_what_is_compared_depends_on_the_data():
    said = [[candidate.options for candidate in them] for them in (OF_WORDS, OF_TABLES, OF_WIDE)]
    plain = ["averaged", "perceptron", "pocket", "voted", "batch"]
    counting = ["bernoulli", "multinomial"]
    pairs = [f"{name} --ngrams 2" for name in ("averaged", "perceptron", *counting)]
    assert said[0] == [*plain, *counting, *pairs]
    assert said[1] == [*plain, "regression", "gaussian", *counting, "categorical"]
    assert said[2] == [*plain, *counting]
