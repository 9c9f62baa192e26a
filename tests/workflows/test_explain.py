"""What features add to a score, and how that is printed."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import CategoricalNaiveBayes, read
from rosenblatt.errors import DataError
from rosenblatt.workflows.explain import explain_rows, names_of, rounded_to_sum, telling
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.task import decision_scores

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(st.lists(NUMBERS, min_size=1, max_size=12), st.integers(0, 6))
def test_printed_parts_add_up_and_are_rounded_by_less_than_a_unit(parts, digits):
    total, shown = rounded_to_sum(sum(parts), parts, digits)
    assert sum(map(Decimal, shown)) == Decimal(total)
    for part, text in zip(parts, shown, strict=True):
        assert abs(Decimal(part) - Decimal(text)) <= 2 * Decimal(10) ** -digits


def test_the_most_telling_features_are_those_with_the_largest_weights():
    report = fit(read("breast-cancer"), prove_seconds=0)
    w = report.learner.coef_[0]
    names = report.examples.feature_names
    (part,) = telling(report.model, names_of(report.model, report.examples.recipe), most=30)
    assert [name for name, _ in part.features] == [names[j] for j in np.argsort(-np.abs(w))]


def test_names_of_a_table_are_in_the_order_of_its_features(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("kind,size,label\n" + "a,1,no\nb,2,yes\n" * 4)
    examples = read(path)
    report = fit(examples, prove_seconds=0)
    columns = np.arange(3)
    assert names_of(report.model, examples.recipe)(columns) == ["size", "kind=a", "kind=b"]
    assert names_of(report.model, examples.recipe)(columns) == list(examples.feature_names)


def test_pairs_of_classes_have_no_weights_for_each_class():
    report = fit(read("iris"), prove_seconds=0)
    report.learner.set_params(multiclass="one-vs-one")
    X, y = report.examples[:2]
    report.model.fit(np.hstack([X, X[:, :1]]), np.where(np.arange(150) % 4 == 3, "other", y))
    with pytest.raises(DataError, match="one-vs-one"):
        explain_rows(report.model, None, report.examples)


@pytest.mark.parametrize("name", ["breast-cancer", "iris"])
@pytest.mark.parametrize("algorithm", ["gaussian", "categorical", "multinomial"])
def test_what_features_add_is_how_far_the_answer_is_ahead(name, algorithm):
    examples = read(name)
    model = fit(examples, algorithm, prove_seconds=0).model
    scores = decision_scores(model, examples.X)
    for row, why in enumerate(explain_rows(model, examples.recipe, examples)):
        ahead, behind = (list(model.classes_).index(label) for label in (why.label, why.rival))
        two = len(model.classes_) == 2
        odds = scores[row] if two else scores[row, ahead] - scores[row, behind]
        parts = [part for _, part in why.contributions]
        assert why.score == pytest.approx(odds, rel=1e-9, abs=1e-9)
        assert sum(parts) + why.intercept == pytest.approx(why.score, rel=1e-9, abs=1e-9)
        assert why.label == model.predict(examples.X[[row]])[0]


def test_a_category_that_is_new_adds_nothing():
    examples = read("iris")
    model = fit(examples, "categorical", prove_seconds=0).model
    new = examples._replace(X=np.full((1, 4), 99.0), y=examples.y[:1])
    (why,) = explain_rows(model, examples.recipe, new)
    assert why.contributions == []
    assert why.score == pytest.approx(why.intercept)


def test_sparse_rows_are_explained_as_dense_ones():
    examples = read("iris")
    model = fit(examples, "gaussian", prove_seconds=0).model
    for one, other in zip(
        explain_rows(model, examples.recipe, examples),
        explain_rows(model, examples.recipe, examples._replace(X=sparse.csr_array(examples.X))),
        strict=True,
    ):
        assert one == other


def test_a_probability_of_zero_is_no_sum():
    examples = read("xor")
    model = CategoricalNaiveBayes(alpha=0).fit([[0, 0], [0, 1], [1, 0], [1, 0]], examples.y)
    with pytest.raises(DataError, match="probability 0"):
        list(explain_rows(model, None, examples))
