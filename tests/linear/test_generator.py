"""`random_state` may be a Generator of NumPy: it is drawn from, and goes on."""

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt as r
from rosenblatt.lab import runs

LEARNERS = [
    r.Perceptron(rule="random", max_epochs=3),
    r.PocketPerceptron(max_updates=200),
    r.AveragedPerceptron(),
    r.VotedPerceptron(),
    r.PassiveAggressive(),
    r.AROW(),
]


def data():
    random = np.random.default_rng(5)
    X = random.normal(size=(200, 3))
    return X, (X @ [1, 2, 3] + random.normal(size=200) > 0).astype(int)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_the_same_generator_gives_the_same_bits(learner):
    X, y = data()
    one, same, other = (
        clone(learner).set_params(random_state=np.random.default_rng(seed)).fit(X, y)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one.coef_, same.coef_)
    assert not np.array_equal(one.coef_, other.coef_)


def test_a_generator_goes_on_from_fit_to_fit():
    X, y = data()
    generator = np.random.default_rng(0)
    model = r.AveragedPerceptron(random_state=generator)
    before = generator.bit_generator.state["state"]["state"]
    first = model.fit(X, y).coef_.copy()
    assert generator.bit_generator.state["state"]["state"] != before
    assert not np.array_equal(model.fit(X, y).coef_, first)


def test_others_that_draw_take_one_too():
    one, same = (runs(10, 50, random_state=np.random.default_rng(3)).updates for _ in range(2))
    np.testing.assert_array_equal(one, same)
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert r.fewest_mistakes(X, y, random_state=np.random.default_rng(0)).upper == 1
    packing = r.disjoint_contradictions(X, y, random_state=np.random.default_rng(0))
    assert packing.lower_bound == 1
    trace = r.trace(r.AveragedPerceptron(random_state=np.random.default_rng(0)), X, y)
    model = r.AveragedPerceptron(random_state=np.random.default_rng(0)).fit(X, y)
    np.testing.assert_array_equal(trace.final[1:], model.coef_[0])


def test_a_model_is_saved_with_its_generator(tmp_path):
    X, y = data()
    model = r.AveragedPerceptron(random_state=np.random.default_rng(7)).fit(X, y)
    r.save(model, tmp_path / "m")
    again = r.load(tmp_path / "m")
    np.testing.assert_array_equal(again.fit(X, y).coef_, model.fit(X, y).coef_)
