"""A trace is the fit, step by step."""

import json

import numpy as np
import pytest
from scipy import sparse

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    DataError,
    LeastSquares,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

LECTURE, LABELS = [[1], [2], [7], [8]], [-1, -1, 1, 1]
RULES = ["first", "cyclic", "random", "shuffled", "worst"]


def separable(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X @ rng.standard_normal(d) + 0.2 > 0, "yes", "no")


def overlapping(n=80, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1, -1)


def weights(model):
    return np.concatenate([model.intercept_, model.coef_[0]])


LEARNERS = [
    *[Perceptron(rule=rule, random_state=3) for rule in RULES],
    *[PocketPerceptron(rule=rule, max_updates=300, random_state=3) for rule in RULES],
    BatchPerceptron(),
    VotedPerceptron(epochs=4, shuffle=True, random_state=3),
    AveragedPerceptron(epochs=4, random_state=3),
    PassiveAggressive(epochs=4, random_state=3),
    PassiveAggressive(epochs=4, variant="II", average=False, random_state=3),
    AROW(epochs=4, random_state=3),
    Perceptron(init=[0.5, 1, -1, 2]),
    Perceptron(rule="random", fit_intercept=False, random_state=3),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("data", [separable(), overlapping()], ids=["separable", "overlapping"])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_final_weights_are_those_of_fit_bit_for_bit(learner, data):
    if not isinstance(learner, PocketPerceptron) and hasattr(learner, "rule"):
        learner.set_params(max_epochs=5)
    record = rosenblatt.trace(learner, *data)
    assert record.final.tobytes() == weights(learner.fit(*data)).tobytes()
    mean = isinstance(learner, AveragedPerceptron) or getattr(learner, "average", False)
    if not isinstance(learner, PocketPerceptron) and not mean:
        assert record.weights[-1].tobytes() == record.final.tobytes()
        assert record.steps[-1] == (
            learner.n_epochs_ if isinstance(learner, BatchPerceptron) else learner.n_updates_
        )


def test_worked_trace_of_the_lecture():
    record = rosenblatt.trace(Perceptron(rule="first"), LECTURE, LABELS)
    shown = "0,0 -1,-1 0,6 -1,5 -2,4 -3,3 -4,2 -5,0 -4,7 -5,6 -6,5 -7,3"
    np.testing.assert_array_equal(
        record.weights, [[float(v) for v in pair.split(",")] for pair in shown.split()]
    )
    np.testing.assert_array_equal(record.picked + 1, [1, 3, 1, 1, 1, 1, 2, 3, 1, 1, 2])
    np.testing.assert_array_equal(record.steps, np.arange(12))


@pytest.mark.parametrize("rule", RULES)
def test_picked_example_was_a_mistake_and_moves_as_it_must(rule):
    X, y = separable()
    record = rosenblatt.trace(Perceptron(rule=rule, random_state=0), X, y)
    Z = np.column_stack([np.ones(len(X)), X]) * np.where(y == "yes", 1, -1)[:, np.newaxis]
    z = Z[record.picked]
    before = (z * record.weights[:-1]).sum(axis=1)
    after = (z * record.weights[1:]).sum(axis=1)
    assert (before <= 1e-12).all()
    np.testing.assert_allclose(after, before + (z**2).sum(axis=1), atol=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_bounds_hold_at_every_step(rule):
    X, y = separable(seed=5)
    record = rosenblatt.trace(Perceptron(rule=rule, random_state=0), X, y)
    T = record.steps[1:]
    assert len(record.picked) <= record.bound
    assert (record.cosine[1:] >= record.cosine_bound[1:] - 1e-12).all()
    assert (record.cosine[1:] <= 1 + 1e-12).all()
    R = np.sqrt(1 + (X**2).sum(axis=1)).max()
    assert ((record.weights[1:] ** 2).sum(axis=1) <= T * R**2 + 1e-9).all()
    limits = T / record.cosine_bound[1:] ** 2  # (R B)^2, of which the bound is the whole part
    np.testing.assert_allclose(limits, limits[0], rtol=1e-12)
    assert record.bound <= limits[0] < record.bound + 1


def test_bound_of_the_lecture_points_is_that_of_their_margin():
    # by hand: z.w >= 1 for -(w0 + 2 w1) and w0 + 7 w1 both active: w1 = 2/5, w0 = -9/5
    record = rosenblatt.trace(Perceptron(), LECTURE, LABELS)
    assert record.bound == pytest.approx(65 * ((9 / 5) ** 2 + (2 / 5) ** 2))


def test_errors_are_the_share_of_mistakes_and_the_pocket_their_minimum():
    X, y = overlapping()
    record = rosenblatt.trace(PocketPerceptron(max_updates=200, random_state=0), X, y)
    scores = record.weights[:, :1] + record.weights[:, 1:] @ X.T
    np.testing.assert_allclose(record.errors, (scores * y <= 0).mean(axis=1))
    np.testing.assert_array_equal(record.pocket_errors, np.minimum.accumulate(record.errors))
    assert record.cosine is None
    assert record.bound is None


def test_no_bound_from_a_start_other_than_zero():
    record = rosenblatt.trace(Perceptron(init=[1, 1]), LECTURE, LABELS)
    assert record.bound is None
    assert record.cosine_bound is None
    assert record.cosine is not None


def test_thinned_record_is_part_of_the_whole():
    X, y = overlapping()
    learner = PocketPerceptron(max_updates=10_000, random_state=0)
    whole, thin = rosenblatt.trace(learner, X, y), rosenblatt.trace(learner, X, y, thin=7)
    np.testing.assert_array_equal(thin.weights, whole.weights[::7])
    np.testing.assert_array_equal(thin.picked, whole.picked[6::7])
    np.testing.assert_array_equal(thin.steps, whole.steps[::7])
    after = whole.thin(7)
    np.testing.assert_array_equal(after.weights[:-1], whole.weights[::7])
    np.testing.assert_array_equal(after.weights[-1], whole.weights[-1])


def test_sparse_rows_give_the_same_record():
    X, y = separable()
    dense = rosenblatt.trace(Perceptron(), X.round(), y)
    thin = rosenblatt.trace(Perceptron(), sparse.csr_array(X.round()), y)
    np.testing.assert_array_equal(dense.weights, thin.weights)


def test_arrow_and_json_hold_every_step():
    record = rosenblatt.trace(Perceptron(rule="first"), LECTURE, LABELS)
    table = record.to_arrow()
    assert table.column("picked").to_pylist() == [None, 0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 1]
    np.testing.assert_array_equal(table.column("w1").to_numpy(), record.weights[:, 1])
    facts = json.loads(record.to_json())
    assert facts["weights"] == record.weights.tolist()
    assert facts["cosine"][0] is None
    assert facts["bound"] == record.bound


@pytest.mark.parametrize(
    "learner",
    [
        Perceptron(),
        Perceptron(init=[1, 1, 1, 1]),
        BatchPerceptron(),
        AveragedPerceptron(),
        PassiveAggressive(),
        AROW(),
    ],
    ids=repr,
)
def test_every_trace_can_be_drawn_and_filmed(learner, tmp_path):
    record = rosenblatt.trace(learner, *separable(n=20))
    curves = 1 if record.cosine is None else 2
    assert len(record.plot().axes) == 1 + curves
    record.animate(tmp_path / "steps.gif", most_frames=6)
    assert (tmp_path / "steps.gif").read_bytes().startswith(b"GIF89a")


def test_learner_is_not_changed():
    learner = Perceptron()
    rosenblatt.trace(learner, LECTURE, LABELS)
    assert not hasattr(learner, "coef_")


def test_bad_requests_are_refused():
    with pytest.raises(DataError, match="a trace shows two classes, got 3"):
        rosenblatt.trace(Perceptron(), [[1], [2], [3]], [0, 1, 2])
    with pytest.raises(ParameterError, match="thin must be a whole number"):
        rosenblatt.trace(Perceptron(), LECTURE, LABELS, thin=0)
    with pytest.raises(ParameterError, match="no trace of a LeastSquares"):
        rosenblatt.trace(LeastSquares(), LECTURE, LABELS)
    with pytest.raises(ParameterError, match="variant must be one of"):
        rosenblatt.trace(PassiveAggressive(variant="III"), LECTURE, LABELS)
