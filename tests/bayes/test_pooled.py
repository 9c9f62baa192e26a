"""The linear form of Gaussian naive Bayes with shared variances."""

import numpy as np
import pytest

from rosenblatt import DataError, GaussianNaiveBayes
from rosenblatt.bayes.gaussian import pooled_form


def log_joint(x, mean, variance, prior):
    """Return log p(x, class) as the lecture writes it, a product of normal densities."""
    density = np.exp(-((x - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    return np.log(prior) + np.log(density).sum()


@pytest.mark.parametrize("k", [2, 3])
def test_log_odds_are_those_of_the_densities(k):
    rng = np.random.default_rng(k)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, 30)])
    X = rng.standard_normal((len(labels), 2)) * [1, 3] + labels[:, None]
    W = pooled_form(GaussianNaiveBayes(var_smoothing=0).fit(X, labels))
    means = np.array([X[labels == c].mean(axis=0) for c in range(k)])
    variance = np.mean([(x - means[c]) ** 2 for x, c in zip(X, labels, strict=True)], axis=0)
    priors = np.bincount(labels) / len(labels)
    for x in rng.standard_normal((5, 2)):
        joint = np.array([log_joint(x, means[c], variance, priors[c]) for c in range(k)])
        scores = W[:, 0] + W[:, 1:] @ x
        expected = joint[1:] - joint[0]
        found = scores if k == 2 else scores[1:] - scores[0]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_constant_column_is_refused():
    model = GaussianNaiveBayes(var_smoothing=0).fit([[0, 1], [0, 2], [0, 3], [0, 4]], [0, 0, 1, 1])
    with pytest.raises(DataError, match="column 0 is constant"):
        pooled_form(model)
