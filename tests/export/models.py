"""Fitted models of many kinds, and 1,000 rows to ask them about."""

import numpy as np

import rosenblatt as r

N_ROWS = 1000


def rows(seed=0, n_classes=3, n=300):
    """Draw clouds that overlap, in four columns."""
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n)
    return random.normal(0, 1.2, (n, 4)) + 2 * np.eye(4)[y], np.array(["ann", "bob", "cat"])[y]


def fresh():
    return rows(seed=1, n=N_ROWS)[0]


def learned(learner, n_classes=3, kind="any"):
    X, y = rows(n_classes=n_classes)
    if kind == "counts":
        X = np.floor(np.abs(X))
    return learner.fit(X, np.where(y == "ann", 7, -3) if kind == "numbers" else y)


MODELS = {
    "two": lambda: learned(r.Perceptron(max_epochs=5), 2),
    "two, numbers": lambda: learned(r.AveragedPerceptron(random_state=0), 2, "numbers"),
    "two, moved": lambda: learned(r.AveragedPerceptron(random_state=0, threshold=2.5), 2),
    "joint": lambda: learned(r.AveragedPerceptron(random_state=0)),
    "rest": lambda: learned(r.PassiveAggressive(multiclass="one-vs-rest", random_state=0)),
    "pairs": lambda: learned(r.AROW(multiclass="one-vs-one", random_state=0)),
    "probabilities": lambda: learned(r.AveragedPerceptron(random_state=0, probability=True), 2),
    "probabilities of three": lambda: learned(r.AROW(random_state=0, probability=True)),
    "pocket": lambda: learned(r.PocketPerceptron(max_updates=50, random_state=0)),
    "regression": lambda: learned(r.LeastSquaresClassifier()),
    "gaussian": lambda: learned(r.GaussianNaiveBayes()),
    "gaussian, moved": lambda: learned(r.GaussianNaiveBayes(threshold=1.5), 2),
    "bernoulli": lambda: learned(r.BernoulliNaiveBayes(binarize=0.5)),
    "multinomial": lambda: learned(r.MultinomialNaiveBayes(), 2, "counts"),
}


def rows_for(name):
    X = fresh()
    return np.floor(np.abs(X)) if name == "multinomial" else X
