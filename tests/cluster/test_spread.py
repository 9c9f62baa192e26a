"""Rows in parts on Dask: the bits of one machine, whoever does the work."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    EmpiricalBayes,
    GaussianNaiveBayes,
    LeastSquaresClassifier,
    MultinomialNaiveBayes,
    PassiveAggressive,
    Perceptron,
    VotedPerceptron,
    save,
)
from rosenblatt.blocks import as_blocks
from rosenblatt.cluster.crew import DaskCrew, Here
from rosenblatt.cluster.spread import Spread
from rosenblatt.linear.class_weight import with_class_weight
from rosenblatt.workflows import forms
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.task import Task
from rosenblatt.workflows.validate import validate
from tests.cluster.samples import in_parts, sample

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
CUTS = [7, 20, 21, 44]
COUNTING = [
    BernoulliNaiveBayes(binarize=0.5),
    CategoricalNaiveBayes(),
    EmpiricalBayes(),
    GaussianNaiveBayes(),
]
IN_ORDER = [
    Perceptron(max_epochs=5),
    AveragedPerceptron(epochs=2, shuffle=False),
    VotedPerceptron(epochs=2, shuffle=False),
    PassiveAggressive(epochs=2, shuffle=False),
    AROW(epochs=2, shuffle=False),
]
BY_PARTS = [
    MultinomialNaiveBayes(),
    LeastSquaresClassifier(),
    LeastSquaresClassifier(alpha=0.5),
    BatchPerceptron(max_epochs=5),
    Perceptron(rule="shuffled", random_state=1, max_epochs=4),
    AveragedPerceptron(epochs=2, random_state=5),
    AROW(epochs=2, random_state=5, class_weight="balanced"),
    AveragedPerceptron(epochs=2, random_state=5, multiclass="one-vs-one"),
    LeastSquaresClassifier(probability=True),
]


def file_of(model, tmp_path, name):
    save(model, tmp_path / name)
    return (tmp_path / name).read_bytes()


def as_kind(X, kind):
    return {"dense": X, "csr": sparse.csr_array(X)}[kind]


@pytest.mark.parametrize("model", COUNTING, ids=repr)
def test_counting_has_the_bits_of_one_machine_for_any_cut(model, tmp_path):
    X, y = sample(n_rows=40, n_classes=3)
    X = np.round(X)
    whole = file_of(clone(model).fit(X, y), tmp_path, "whole.rosenblatt")
    rng = np.random.default_rng(0)
    for _ in range(50):
        cuts = np.sort(rng.choice(np.arange(1, 40), rng.integers(1, 9), replace=False))
        parts = in_parts(X, y, cuts.tolist())
        assert file_of(clone(model).fit(parts), tmp_path, "parts.rosenblatt") == whole


# the kernels for these are compiled for other tests, too
@pytest.mark.parametrize(("kind", "n_classes"), [("dense", 2), ("csr", 3)])
@pytest.mark.parametrize("model", IN_ORDER, ids=repr)
def test_folds_have_the_bits_of_one_machine_on_threads(model, kind, n_classes, tmp_path):
    X, y = sample(n_classes=n_classes)
    one = clone(model).fit(as_kind(X, kind), y)
    two = clone(model).fit(in_parts(as_kind(X, kind), y, CUTS, DaskCrew()))
    files = (file_of(m, tmp_path, f"{k}.rosenblatt") for k, m in enumerate((one, two)))
    assert len(set(files)) == 1


@pytest.mark.parametrize("model", BY_PARTS, ids=repr)
def test_the_same_parts_give_the_same_bytes_on_threads(model, tmp_path):
    X, y = sample(n_classes=3)
    check_equal_files(model, sparse.csr_array(X), y, [Here(), DaskCrew()], tmp_path)


@pytest.mark.parametrize("n_workers", [1, 2, 3, 7])
def test_the_same_parts_give_the_same_bytes_for_any_number_of_workers(
    n_workers, in_process, tmp_path
):
    X, y = sample()
    for model in (MultinomialNaiveBayes(), *BY_PARTS[1:2], *BY_PARTS[5:6]):
        check_equal_files(model, X, y, [Here(), DaskCrew(in_process(n_workers))], tmp_path)


def test_processes_learn_the_same(processes, tmp_path):
    X, y = sample()
    models = [GaussianNaiveBayes(), LeastSquaresClassifier(), AveragedPerceptron(random_state=3)]
    for model in models:
        check_equal_files(model, X, y, [Here(), DaskCrew(processes)], tmp_path)


def check_equal_files(model, X, y, crews, tmp_path):
    models = [clone(model).fit(in_parts(X, y, CUTS, crew)) for crew in crews]
    files = [file_of(m, tmp_path, f"{k}.rosenblatt") for k, m in enumerate(models)]
    assert len(set(files)) == 1, model


def test_parts_stay_where_they_are(in_process):
    client = in_process(2)
    X, y = sample(n_rows=40_000)
    parts = in_parts(X, y, [10_000, 20_000, 30_000], DaskCrew(client))
    held = [part.future for part in parts._parts]
    before = client.who_has(held)
    for _ in range(9):
        parts.total(lambda _, block: block.rows.sum(), float.__add__)
    assert client.who_has(held) == before


def test_partial_fit_goes_on_from_part_to_part():
    X, y = sample()
    for model in (Perceptron(), AveragedPerceptron(), GaussianNaiveBayes()):
        one = clone(model).partial_fit(X, y).partial_fit(X, y)
        parts = in_parts(X, y, CUTS, DaskCrew())
        two = clone(model).partial_fit(parts).partial_fit(parts)
        for name in ("coef_", "intercept_", "n_updates_", "mean_", "var_"):
            np.testing.assert_equal(getattr(one, name, None), getattr(two, name, None), name)


def test_a_drawn_order_draws_parts_and_then_rows_of_each():
    X, y = sample()
    parts = in_parts(X, y, CUTS)
    blocks = list(parts.one_pass(np.random.RandomState(4)))
    order = np.concatenate([block.first + block.members for block in blocks])
    assert sorted(order) == list(range(len(y)))
    ends = np.array([0, *CUTS, len(y)])
    which = np.searchsorted(ends, order, side="right")
    assert np.count_nonzero(np.diff(which)) == len(CUTS)  # rows of a part stay together
    again = list(in_parts(X, y, CUTS, DaskCrew()).one_pass(np.random.RandomState(4)))
    np.testing.assert_equal(order, np.concatenate([b.first + b.members for b in again]))


def test_rows_are_taken_by_their_numbers_twice():
    X, y = sample()
    parts, whole = in_parts(X, y, CUTS, DaskCrew()), as_blocks(X, y)
    rows, fewer = np.arange(0, 60, 3), np.array([0, 3, 4, 5, 11, 19])
    for chosen, same in (
        (parts.take(rows), whole.take(rows)),
        (parts.take(rows).take(fewer), whole.take(rows).take(fewer)),
    ):
        found = list(chosen.each(lambda block: (block.first, block.rows, block.labels)))
        np.testing.assert_equal(np.concatenate([part[1] for part in found]), same.whole.rows)
        np.testing.assert_equal(np.concatenate([part[2] for part in found]), same.whole.labels)
        assert chosen.n_rows == same.n_rows == chosen.n_members
        lengths = [len(part[1]) for part in found]
        assert [part[0] for part in found] == np.cumsum([0, *lengths])[:-1].tolist()


def test_some_classes_more_classes_and_weights_of_classes():
    X, y = sample(n_classes=3)
    parts, whole = in_parts(X, y, CUTS), as_blocks(X, y)
    assert parts.of_classes(np.array([0, 2])).n_members == whole.of_classes([0, 2]).n_members
    more = np.array(["a", *whole.classes])
    labels = np.concatenate(list(parts.among(more).each(lambda block: block.labels)))
    np.testing.assert_equal(labels, whole.among(more).whole.labels)
    weights = with_class_weight(parts, "balanced").each(lambda block: block.weights)
    same = with_class_weight(whole, "balanced").whole.weights
    np.testing.assert_equal(np.concatenate(list(weights)), same)
    assert parts.n_entries == whole.n_entries


def test_the_tree_joins_neighbours_by_their_numbers():
    X, y = sample(n_rows=5, n_classes=2)
    parts = in_parts(X, y, [1, 2, 3, 4])
    said = parts.total(lambda _, block: str(block.first), lambda a, b: f"({a}{b})")
    assert said == "(((01)(23))4)"


def test_a_task_leaves_what_it_is_given_as_it_was():
    """Dask may do a task again, with the values that it was given before."""
    X, y = sample()
    parts = in_parts(X, y, [30])
    total = np.zeros(6)

    def visit(state, block, piece):
        state += block.rows[piece].sum(axis=0)
        return state

    (found,) = parts.fold(visit, total)
    np.testing.assert_allclose(found, X.sum(axis=0))
    assert found is total  # as on one machine, the arrays of the state have what was learned
    (again,) = in_parts(X, y, [30], DaskCrew()).fold(visit, np.zeros(6))
    np.testing.assert_equal(again, found)


def test_what_travels_of_blocks_are_the_facts():
    import pickle

    X, y = sample()
    facts = pickle.loads(pickle.dumps(in_parts(X, y, CUTS)))  # noqa: S301
    assert not isinstance(facts, Spread)
    assert (facts.n_rows, facts.n_features, facts.is_dense) == (60, 6, True)


def test_columns_are_scaled_by_sums_of_parts(monkeypatch):
    monkeypatch.setattr(forms, "CELLS", 30)  # pieces of 5 rows
    X, y = sample(noise=0.0)
    X[:, 2] = 1 / 3
    here, there = (forms.fit_scaler(in_parts(X, y, CUTS, crew)) for crew in (Here(), DaskCrew()))
    plain = StandardScaler().fit(X)
    for name in ("mean_", "var_", "scale_", "n_samples_seen_"):
        np.testing.assert_equal(getattr(here, name), getattr(there, name))
        np.testing.assert_allclose(getattr(here, name), getattr(plain, name), atol=1e-15)
    assert here.scale_[2] == 1.0


def test_words_are_counted_in_parts():
    X, y = sample()
    words = sparse.csr_array(X > 0.5)
    one = forms.count_documents(as_blocks(words, y))
    two = forms.count_documents(in_parts(words, y, CUTS, DaskCrew()))
    assert one.n == two.n
    np.testing.assert_equal(one.of_columns, two.of_columns)


def test_validation_counts_the_same_mistakes():
    X, y = sample(n_rows=90)
    found = []
    for blocks in (as_blocks(X, y), in_parts(X, y, CUTS, DaskCrew()), in_parts(X, y, [50])):
        task = Task(blocks=blocks, source="rows", recipe=None, notes=())
        done = validate(task, "gaussian", folds_of(task), 0, lambda *_: None)
        scores = done.scores.tolist(), done.labels.tolist()
        found.append((done.fold_errors, done.n_wrong, done.confusion.tolist(), scores))
    assert found[0] == found[1] == found[2]
