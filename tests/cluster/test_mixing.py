"""Parts that learn at once: the weights of the plain algorithm, and its guarantee."""

from itertools import pairwise

import numpy as np
import pytest

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BernoulliNaiveBayes,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    VotedPerceptron,
    fit_blocks,
)
from rosenblatt.cluster.crew import DaskCrew
from tests.cluster.samples import in_parts, sample
from tests.reference.mixing import mixed_arow, mixed_perceptron, weighted_mistakes

CUTS = [13, 20, 47]


@pytest.fixture(scope="module")
def separable():
    rng = np.random.default_rng(1)
    X = rng.integers(-8, 9, (60, 4)) / 4.0
    side = X @ [2.0, -1.0, 0.5, 1.0] + 0.3
    return X, np.where(side > 0, 1, -1)


def parts_of_plain(X, y):
    ends = [0, *CUTS, len(y)]
    return [(X[a:b].tolist(), y[a:b].tolist()) for a, b in pairwise(ends)]


def weights_of(model):
    return np.append(model.intercept_, model.coef_)


def test_mixed_perceptrons_end_with_the_plain_weights(separable):
    X, y = separable
    w, _, history = mixed_perceptron(parts_of_plain(X, y), 1000)
    model = fit_blocks(Perceptron(), in_parts(X, y, CUTS), mixing=True)
    np.testing.assert_allclose(weights_of(model), [float(a) for a in w], rtol=1e-12)
    assert model.n_epochs_ == len(history)
    assert model.n_updates_ == sum(map(sum, history))


def test_on_separable_data_mixing_converges_within_the_bound(separable):
    X, y = separable
    model = fit_blocks(Perceptron(), in_parts(X, y, CUTS), mixing=True)
    assert model.converged_
    assert (model.predict(X) == y).all()
    _, _, history = mixed_perceptron(parts_of_plain(X, y), 1000)
    margin = rosenblatt.max_margin(X, y)
    # R^2 / gamma^2 of rows with their constant 1
    assert weighted_mistakes(history) <= margin.updates_bound


def test_the_mean_is_over_all_weights_that_parts_went_through():
    X, y = sample()
    _, mean, _ = mixed_perceptron(parts_of_plain(X, np.where(y == "spam", 1, -1)), 3)
    model = AveragedPerceptron(epochs=3, shuffle=False)
    fit_blocks(model, in_parts(X, y, CUTS), mixing=True)
    np.testing.assert_allclose(weights_of(model), [float(a) for a in mean], rtol=1e-10)


def test_beliefs_add_up_as_in_plain_python():
    X, y = sample()
    parts = parts_of_plain(X, np.where(y == "spam", 1, -1))
    w, s = mixed_arow(parts, 1.0, 3)
    model = AROW(epochs=3, shuffle=False)
    fit_blocks(model, in_parts(X, y, CUTS), mixing=True)
    np.testing.assert_allclose(weights_of(model), w, rtol=1e-9)
    variances = np.append(model.intercept_variance_, model.variance_)
    np.testing.assert_allclose(variances, s, rtol=1e-9)


LEARNERS = [
    Perceptron(max_epochs=4),
    Perceptron(rule="shuffled", random_state=1, max_epochs=4),
    AveragedPerceptron(epochs=2, random_state=5),
    PassiveAggressive(epochs=2, random_state=5),
    PassiveAggressive(epochs=2, average=False, shuffle=False),
    AROW(epochs=2, random_state=5),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", LEARNERS, ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_mixing_has_the_same_bits_on_threads(model, n_classes):
    X, y = sample(n_classes=n_classes)
    one, two = (type(model)(**model.get_params()) for _ in range(2))
    fit_blocks(one, in_parts(X, y, CUTS), mixing=True)
    fit_blocks(two, in_parts(X, y, CUTS, DaskCrew()), mixing=True)
    assert one.mixed_
    np.testing.assert_equal(one.coef_, two.coef_)
    np.testing.assert_equal(one.intercept_, two.intercept_)
    assert one.n_updates_ == two.n_updates_


def test_one_part_mixed_is_the_perceptron_itself():
    X, y = sample()
    mixed = PassiveAggressive(epochs=2, average=False, shuffle=False)
    fit_blocks(mixed, in_parts(X, y, []), mixing=True)
    alone = PassiveAggressive(epochs=2, average=False, shuffle=False).fit(X, y)
    np.testing.assert_allclose(mixed.coef_, alone.coef_, rtol=1e-12)


def test_a_model_says_whether_it_was_mixed_also_in_its_file(tmp_path):
    X, y = sample()
    model = AveragedPerceptron(epochs=2, shuffle=False)
    assert not model.mixed_
    fit_blocks(model, in_parts(X, y, CUTS), mixing=True)
    rosenblatt.save(model, tmp_path / "m.rosenblatt")
    assert rosenblatt.load(tmp_path / "m.rosenblatt").mixed_
    assert not fit_blocks(model, in_parts(X, y, CUTS)).mixed_
    rosenblatt.save(model, tmp_path / "one.rosenblatt")
    rosenblatt.save(
        AveragedPerceptron(epochs=2, shuffle=False).fit(X, y), tmp_path / "two.rosenblatt"
    )
    one, two = ((tmp_path / f"{name}.rosenblatt").read_bytes() for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (VotedPerceptron(), "keeps every one of its hypotheses"),
        (BernoulliNaiveBayes(), "it learns by sums"),
        (Perceptron(rule="worst"), "looks at all rows before each update"),
    ],
)
def test_what_cannot_be_mixed_says_why(model, word):
    X, y = sample()
    with pytest.raises(ParameterError, match=word):
        fit_blocks(model, in_parts(X, y, CUTS), mixing=True)
