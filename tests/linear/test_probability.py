"""Every learner gives probabilities if asked, wherever its rows are, and moves its threshold."""

import warnings
from inspect import signature

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn import clone
from sklearn.datasets import make_blobs, make_classification
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.utils.estimator_checks import estimator_checks_generator

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BagOfWords,
    BatchPerceptron,
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    GaussianNaiveBayes,
    LeastSquaresClassifier,
    MultinomialNaiveBayes,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    TextBlocks,
    ThresholdUnit,
    VotedPerceptron,
    fit_blocks,
    load,
    save,
)
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.decision.calibration import fit_calibration
from rosenblatt.decision.out_of_fold import out_of_fold, stratified
from rosenblatt.linear.progressive import predict_then_learn
from tests.examples import WAYS
from tests.reference.platt import platt, softmax_loss
from tests.test_every_estimator import expected_failures

LINEAR = [
    Perceptron(max_epochs=5),
    PocketPerceptron(max_updates=60, random_state=0),
    BatchPerceptron(max_epochs=9),
    VotedPerceptron(epochs=3, random_state=0),
    AveragedPerceptron(epochs=3, random_state=0),
    PassiveAggressive(epochs=3, random_state=0),
    AROW(epochs=3, random_state=0),
    LeastSquaresClassifier(),
]
BAYES = [
    GaussianNaiveBayes(),
    BernoulliNaiveBayes(binarize=0.5),
    MultinomialNaiveBayes(),
    CategoricalNaiveBayes(),
]
pytestmark = pytest.mark.filterwarnings(
    f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning"
)


def name(learner):
    return type(learner).__name__


def sample(n_classes=2, n=120, seed=0):
    """Return rows of small counts that tell something about their classes."""
    random = np.random.default_rng(seed)
    codes = np.append(np.arange(n_classes), random.integers(0, n_classes, n - n_classes))
    X = random.poisson(1.0 + 1.5 * (codes[:, np.newaxis] == np.arange(4) % n_classes))
    return X.astype(float), np.array(["ham", "spam", "eggs", "oil"])[codes]


def asked(learner, **parameters):
    return clone(learner).set_params(**parameters)


# nothing is learned, or what is learned is a table of probabilities
OTHERS = {ThresholdUnit, rosenblatt.BayesClassifier, rosenblatt.EmpiricalBayes}


def test_every_learner_has_the_parameters():
    public = [getattr(rosenblatt, known) for known in rosenblatt.__all__]
    learners = [kind for kind in public if hasattr(kind, "_keep_decision")]
    for kind in set(learners) - OTHERS:
        assert {"probability", "threshold"} <= set(signature(kind).parameters), kind


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("learner", LINEAR + BAYES, ids=name)
def test_probabilities_are_a_distribution_over_the_classes(learner, n_classes):
    X, y = sample(n_classes)
    model = asked(learner, probability=True).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(X), n_classes)
    assert ((p > 0) & (p < 1)).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(p)
    # better than to say how often each class comes
    _, counts = np.unique(y, return_counts=True)
    plain = np.tile(counts / len(y), (len(y), 1))
    assert log_loss(y, p, labels=model.classes_) < log_loss(y, plain, labels=model.classes_)


@pytest.mark.parametrize("learner", LINEAR, ids=name)
def test_the_sigmoid_is_platts_on_scores_of_folds(learner):
    X, y = make_classification(600, weights=[0.9], class_sep=0.5, random_state=1)
    y = np.array(["ham", "spam"])[y]
    model = asked(learner, probability=True).fit(X, y)
    folds = stratified((y == "spam").astype(int), 5)
    parts = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
    scores = cross_val_predict(clone(learner), X, y, cv=parts, method="decision_function")
    a, b = platt(scores.tolist(), (y == "spam").tolist())
    if model.calibration_.offsets[1] == 0:  # not worth it: see tests/decision
        rows, codes = [(0.0, score) for score in scores], (y == "spam").astype(int).tolist()
        a, b = minimize(lambda x: softmax_loss(x[0], (0, 0), rows, codes), [a]).x[0], 0.0
    p = 1 / (1 + np.exp(-(a * model.decision_function(X) + b)))
    assert a > 0
    assert model.predict_proba(X)[:, 1] == pytest.approx(p, abs=1e-5)


@pytest.mark.parametrize("learner", LINEAR + BAYES, ids=name)
def test_what_is_learned_is_the_same_with_and_without(learner):
    X, y = sample(3)
    plain, calibrated = clone(learner).fit(X, y), asked(learner, probability=True).fit(X, y)
    assert (plain.predict(X) == calibrated.predict(X)).all()
    if hasattr(plain, "decision_function"):
        assert (plain.decision_function(X) == calibrated.decision_function(X)).all()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [Perceptron, VotedPerceptron, AveragedPerceptron])
def test_all_ways_to_learn_many_classes_are_calibrated(kind, way):
    X, y = sample(4)
    p = kind(multiclass=way, probability=True).fit(X, y).predict_proba(X)
    assert p.shape == (len(X), 4)
    assert model_says(p, y).mean() > 0.5


def model_says(p, y):
    """Return how often the likeliest class is right, class by class."""
    classes = np.unique(y)
    right = classes[p.argmax(axis=1)] == y
    return np.array([right[y == label].mean() for label in classes])


@pytest.mark.parametrize("learner", LINEAR, ids=name)
def test_without_it_there_are_no_probabilities_and_a_sentence_says_how_to_get_them(learner):
    X, y = sample()
    model = clone(learner).fit(X, y)
    for method in ("predict_proba", "predict_log_proba"):
        assert not hasattr(model, method)
        with pytest.raises(AttributeError, match=r"set probability=True and call fit$"):
            getattr(model, method)
    model.set_params(probability=True).fit(X, y)
    assert hasattr(model, "predict_proba")
    model.set_params(probability=False).fit(X, y)
    assert not hasattr(model, "predict_proba")


def test_before_fit_the_call_says_that_nothing_was_learned():
    assert not hasattr(Perceptron(), "predict_proba")
    with pytest.raises(NotFittedError):
        Perceptron(probability=True).predict_proba([[1.0]])


def test_a_fixed_unit_has_no_probabilities():
    with pytest.raises(AttributeError, match="its weights are given"):
        ThresholdUnit([-1.5, 1, 1]).predict_proba([[0, 1]])


def test_naive_bayes_has_its_own_posterior_unless_asked():
    X, y = sample()
    own = MultinomialNaiveBayes().fit(X, y)
    joint = own._joint(X)
    expected = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis])
    assert own.predict_proba(X) == pytest.approx(expected)
    # columns that come four times: too sure of itself
    four = np.hstack([X] * 4)
    sure = MultinomialNaiveBayes().fit(four, y)
    calibrated = MultinomialNaiveBayes(probability=True).fit(four, y)
    new, right = sample(seed=9)
    new = np.hstack([new] * 4)
    assert log_loss(right, calibrated.predict_proba(new)) < log_loss(right, sure.predict_proba(new))


def test_sample_weights_count_in_the_calibration():
    X, y = sample()
    heavy = np.where(y == "spam", 5.0, 1.0)
    plain = LeastSquaresClassifier(probability=True).fit(X, y).predict_proba(X)
    weighted = LeastSquaresClassifier(probability=True).fit(X, y, heavy).predict_proba(X)
    share = 5 * (y == "spam").sum() / heavy.sum()
    assert np.average(weighted[:, 1], weights=heavy) == pytest.approx(share, abs=0.03)
    assert plain[:, 1].mean() == pytest.approx((y == "spam").mean(), abs=0.03)


@pytest.mark.parametrize("learner", [*LINEAR, GaussianNaiveBayes()], ids=name)
def test_rows_of_weight_0_are_not_there(learner):
    X, y = sample(3)
    random = np.random.default_rng(0)
    extra = random.normal(9, 5, (30, 4)), random.permutation(y)[:30]
    places = np.sort(random.choice(150, 120, replace=False))
    rows, labels, weights = np.empty((150, 4)), np.empty(150, dtype=y.dtype), np.zeros(150)
    rows[places], labels[places], weights[places] = X, y, 1.0
    others = np.setdiff1d(np.arange(150), places)
    rows[others], labels[others] = extra
    ones = asked(learner, probability=True).fit(X, y, np.ones(120))
    zeros = asked(learner, probability=True).fit(rows, labels, weights)
    assert ones.calibration_.slope == zeros.calibration_.slope


def test_weights_of_classes_do_not_bend_the_probabilities():
    X, y = make_classification(2000, weights=[0.9], random_state=0, flip_y=0.05)
    for weight in (None, "balanced", {1: 20.0}):
        model = AveragedPerceptron(probability=True, class_weight=weight, random_state=0).fit(X, y)
        assert model.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.02)


@pytest.mark.parametrize("learner", [x for x in LINEAR if name(x) != "PocketPerceptron"], ids=name)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_rows_on_disk_get_the_same_probabilities(learner, kind):
    X, y = sample(3)
    parameters = {"probability": True}
    in_memory = asked(learner, **parameters).fit(kind(X), y)
    with StoreWriter(block_bytes=900) as writer:
        for start in range(0, len(y), 17):
            writer.add(kind(X[start : start + 17]), y[start : start + 17])
        on_disk = fit_blocks(asked(learner, **parameters), writer.finish())
    assert on_disk.calibration_.slope == pytest.approx(in_memory.calibration_.slope, rel=1e-6)
    assert on_disk.predict_proba(X) == pytest.approx(in_memory.predict_proba(X), abs=1e-6)


def test_a_file_of_texts_gets_probabilities(tmp_path):
    lines = ["spam\twin a prize now", "ham\tsee you at noon", "spam\ta prize", "ham\tlunch at noon"]
    path = tmp_path / "texts.tsv"
    path.write_text("\n".join(lines * 20) + "\n")
    model = AveragedPerceptron(shuffle=False, probability=True, threshold="f1")
    fit_blocks(model, TextBlocks(str(path), BagOfWords(bits=8)))
    rows = BagOfWords(bits=8).transform(["a prize", "noon"])
    p = model.predict_proba(rows)
    assert p[0, 1] > p[1, 1] + 0.2


@pytest.mark.parametrize("learner", [AveragedPerceptron(), Perceptron(), GaussianNaiveBayes()])
def test_going_on_keeps_the_calibration_until_a_new_class_comes(learner):
    X, y = sample()
    model = asked(learner, probability=True).fit(X, y)
    before = model.calibration_
    model.partial_fit(X[:9], y[:9])
    assert model.calibration_ is before
    scores = model.decision_function(X)
    assert model.predict_proba(X) == pytest.approx(before.probabilities(scores))
    model.partial_fit(X[:1], ["zebra"])
    assert not hasattr(model, "calibration_")
    assert isinstance(learner, GaussianNaiveBayes) or not hasattr(model, "predict_proba")


def test_with_partial_fit_alone_there_are_no_probabilities():
    X, y = sample()
    model = AveragedPerceptron(probability=True).partial_fit(X, y)
    assert not hasattr(model, "predict_proba")


def test_a_class_with_a_single_row_is_no_obstacle():
    X, y = sample(3)
    y = np.append(y[y != "eggs"], "eggs")
    X = np.vstack([X[: len(y) - 1], [[9.0, 0, 0, 0]]])
    for learner in LINEAR + BAYES:
        p = asked(learner, probability=True).fit(X, y).predict_proba(X)
        assert ((p > 0) & (p < 1)).all()


def test_folds_deal_each_class_out_evenly():
    labels = np.repeat([0, 1, 2, 3], [50, 7, 2, 1])
    folds = stratified(labels, 5)
    for label in range(4):
        counts = np.bincount(folds[labels == label], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.bincount(folds).tolist() == [12] * 5


@pytest.mark.parametrize("learner", LINEAR + BAYES, ids=name)
@pytest.mark.parametrize("threshold", ["f1", "balanced", "mistakes", 0.75])
def test_the_threshold_is_taken_off_the_scores(learner, threshold, tmp_path):
    X, y = sample()
    plain = clone(learner).fit(X, y)
    model = asked(learner, threshold=threshold, probability=True).fit(X, y)
    raw = plain._raw_scores(X)
    assert isinstance(model.threshold_, float)
    assert threshold != 0.75 or model.threshold_ == 0.75
    assert (model.predict(X) == model.classes_[(raw > model.threshold_).astype(int)]).all()
    if hasattr(model, "decision_function"):
        assert (model.decision_function(X) == raw - model.threshold_).all()
    # probabilities are of the classes, wherever the boundary is
    same = asked(learner, probability=True).fit(X, y).predict_proba(X)
    assert (model.predict_proba(X) == same).all()
    save(model, tmp_path / "a.rosenblatt")
    loaded = load(tmp_path / "a.rosenblatt")
    assert loaded.threshold_ == model.threshold_
    assert (loaded.predict(X) == model.predict(X)).all()
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()


def test_a_rare_class_is_found_more_often():
    X, y = make_classification(
        3000, 10, n_informative=4, weights=[0.95], class_sep=0.6, flip_y=0.02, random_state=3
    )
    half = slice(0, 1500), slice(1500, 3000)
    for threshold, measure in (("f1", f1_score), ("balanced", balanced_accuracy_score)):
        plain = AveragedPerceptron(random_state=0).fit(X[half[0]], y[half[0]])
        moved = AveragedPerceptron(random_state=0, threshold=threshold).fit(X[half[0]], y[half[0]])
        said = [measure(y[half[1]], model.predict(X[half[1]])) for model in (plain, moved)]
        assert said[1] > said[0] + 0.05


@pytest.mark.parametrize("learner", LINEAR + BAYES, ids=name)
def test_a_threshold_for_three_classes_is_refused_in_one_sentence(learner):
    X, y = sample(3)
    for threshold in ("f1", 0.5):
        with pytest.raises(ParameterError, match="threshold is for two classes, got 3; set thres"):
            asked(learner, threshold=threshold).fit(X, y)


@pytest.mark.parametrize("learner", LINEAR + BAYES, ids=name)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"probability": "yes"}, "probability must be True or False, got 'yes'"),
        ({"threshold": "best"}, "threshold must be None, 'f1', 'balanced', 'mistakes' or a finite"),
        ({"threshold": np.nan}, "threshold must be None"),
    ],
)
def test_bad_parameters_are_refused_before_any_work(learner, parameters, message):
    with pytest.raises(ParameterError, match=message):
        asked(learner, **parameters).fit([[object()]], ["never looked at"])


def test_a_new_class_is_refused_where_there_is_a_threshold():
    X, y = sample()
    model = AveragedPerceptron(threshold=0.5).fit(X, y)
    before = model.coef_.copy()
    with pytest.raises(ParameterError, match="is for two classes, got 3"):
        model.partial_fit(X[:1], ["zebra"])
    assert (model.coef_ == before).all()


def test_a_loaded_threshold_goes_when_a_third_class_comes():
    X, y = sample()
    model = AveragedPerceptron().fit(X, y)
    model.threshold_ = 0.5  # as `fit` of the shell does
    model.partial_fit(X[:1], y[:1])
    assert model.threshold_ == 0.5
    model.partial_fit(X[:1], ["zebra"])
    assert not hasattr(model, "threshold_")


def test_a_fit_that_is_interrupted_leaves_the_model_as_it_was():
    X, y = sample()
    model = AveragedPerceptron(probability=True, random_state=0).fit(X, y)
    before = model.calibration_, model.coef_.copy()

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.fit(X[::2] * 3, y[::2], callback=stop)
    assert model.calibration_ is before[0]
    assert (model.coef_ == before[1]).all()


def test_out_of_fold_models_have_not_seen_the_rows():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 80)), np.arange(60) % 2  # noise that 80 columns learn by heart
    from rosenblatt.blocks import as_blocks

    found = out_of_fold(LeastSquaresClassifier(), as_blocks(X, y))
    assert ((found.scores > 0) == found.labels).mean() < 0.7
    assert (LeastSquaresClassifier().fit(X, y).predict(X) == y).all()
    slope = fit_calibration(found.scores, found.labels, 2).slope
    assert slope < 1.0


CHECKED = [asked(learner, probability=True) for learner in LINEAR + BAYES]
# of clones in folds, which a row that comes twice is dealt into differently
IN_FOLDS = {f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")}


# The last weights of a perceptron that never settles are not the best of their scores: where the
# classes are not separable, another class than the predicted one may be clearly more probable
JUMPS = ("Perceptron", "check_classifiers_train")


# sixty checks with five folds each: one learner of each family here, the others in `make soak`
# (the averaged perceptron is compiled for the same rows by tests/test_every_estimator.py)
QUICK = ("AveragedPerceptron", "LeastSquaresClassifier", "MultinomialNaiveBayes")
SOAKED = [
    pytest.param(each, id=name(each), marks=[] if name(each) in QUICK else pytest.mark.soak)
    for each in CHECKED
]


@pytest.mark.parametrize("estimator", SOAKED)
def test_scikit_learn_checks_pass_with_probabilities(estimator):
    left_out = set(expected_failures(estimator)) | IN_FOLDS
    fresh = type(estimator)(probability=True)
    for each, check in estimator_checks_generator(fresh):
        if check.func.__name__ in left_out:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if (name(estimator), check.func.__name__) == JUMPS:
                with pytest.raises(AssertionError, match="Arrays are not equal"):
                    check(each)
            else:
                check(each)


def test_well_separated_blobs_are_told_apart_with_confidence():
    X, y = make_blobs(300, centers=4, cluster_std=0.4, random_state=2)
    model = AveragedPerceptron(probability=True, random_state=0).fit(X, y)
    p = model.predict_proba(X)
    assert (p.argmax(axis=1) == model.predict(X)).mean() > 0.99
    assert np.median(p.max(axis=1)) > 0.9


@pytest.mark.parametrize("learner", [Perceptron(), AveragedPerceptron(), AROW()], ids=name)
def test_single_rows_are_predicted_beyond_the_threshold(learner):
    X, y = sample()
    plain = clone(learner)
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        plain.learn_one(row, label)
    scores = plain.decision_function(X)
    threshold = float(np.median(scores))
    model = asked(learner, threshold=threshold)
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        model.learn_one(row, label)
    assert model.threshold_ == threshold
    beyond = scores > threshold
    assert (beyond != (scores > 0)).any()
    expected = np.where(beyond, "spam", "ham").tolist()
    assert [model.predict_one(row) for row in X.tolist()] == expected
    assert predict_then_learn(clone(model), X, y).tolist() == [
        *_one_by_one(clone(model), X, y),
    ]


def _one_by_one(model, X, y):
    for k in range(len(y)):
        known = hasattr(model, "classes_")
        yield not known or bool(model.predict(X[[k]])[0] != y[k])
        model.partial_fit(X[[k]], y[[k]])


def test_confidence_is_how_far_a_row_is_from_the_moved_boundary():
    X, y = sample()
    model, plain = AROW(threshold=0.5, random_state=0).fit(X, y), AROW(random_state=0).fit(X, y)
    ratio = model.confidence(X) / plain.confidence(X)
    expected = np.abs(model.decision_function(X)) / np.abs(plain.decision_function(X))
    assert ratio == pytest.approx(expected)
