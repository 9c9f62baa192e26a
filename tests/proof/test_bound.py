"""One bound on updates: the smallest that is proved, exact, the same wherever it is asked for."""

import pytest
from hypothesis import given
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, max_margin, prove, read, trace
from tests.examples import FEW, LECTURE_X, LECTURE_Y, random_data, small_data

SETS = {
    "lecture": (LECTURE_X, LECTURE_Y),
    "and": ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]),
}


@pytest.mark.parametrize(("name", "bound"), [("lecture", 221), ("and", 51)])
def test_proof_margin_and_trace_say_the_same(name, bound):
    # R^2 B^2 by hand: 65 * 3.4 and 3 * 17
    X, y = SETS[name]
    assert prove(X, y).updates_bound == bound
    assert max_margin(X, y).updates_bound == bound
    assert trace(Perceptron(), X, y).bound == bound


@pytest.mark.filterwarnings("ignore:the margin is proved to a gap")
@pytest.mark.parametrize("scaled", [False, True])
def test_they_say_the_same_of_real_data(scaled):
    examples = read("breast-cancer")
    X = StandardScaler().fit_transform(examples.X) if scaled else examples.X
    bound = prove(X, examples.y).updates_bound
    assert bound == trace(Perceptron(max_updates=9, max_epochs=None), X, examples.y).bound
    # the largest margin is at most margin / (1 - gap)
    best = max_margin(X, examples.y)
    assert bound <= best.updates_bound
    assert bound >= (1 - best.gap) ** 2 * (best.radius * best.B) ** 2 * (1 - 1e-9) - 1


@FEW
@given(small_data())
def test_no_perceptron_makes_more_updates_whatever_the_rule(data):
    proof = prove(data.X, data.y)
    if not proof.separable:
        return
    for rule in ("first", "cyclic", "random", "worst"):
        model = Perceptron(rule=rule, random_state=0, max_epochs=None, max_updates=10**6)
        assert model.fit(data.X, data.y).n_updates_ <= proof.updates_bound


def test_a_proof_stays_when_the_time_for_a_better_one_is_over(clock):
    told = []

    def tell(progress):
        told.append(progress.stage)
        clock.let_pass(9 * (progress.stage == "margin"))

    proof = prove(LECTURE_X, LECTURE_Y, time_limit=1, callback=tell)
    assert told[-1] == "margin"
    assert proof.check(LECTURE_X, LECTURE_Y)
    assert proof.updates_bound > 221


def test_the_rest_of_the_time_is_shared_by_the_classes(clock):
    data = random_data(3, 40, 60, n_classes=3)  # more features than rows: all are separable
    stages = []

    def tell(progress):
        stages.append(progress.stage)
        clock.let_pass(0.01)

    proofs = prove(data.X, data.y, time_limit=1000, callback=tell)
    assert proofs.separable
    first = stages.index("margin")
    # every question has its answer before the first margin is looked for
    assert stages[:first].count("check") >= 3
    assert "perceptron" not in stages[first:]


@pytest.mark.parametrize("learner", [Perceptron(init=[1.0, 0.0]), Perceptron(init="regression")])
def test_another_start_has_no_bound(learner):
    steps = trace(learner, LECTURE_X, LECTURE_Y)
    assert steps.bound is steps.cosine_bound is None
    assert steps.cosine is not None
