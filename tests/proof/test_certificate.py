"""A proof that was tampered with is refused with the place; what it says reads well."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from rosenblatt import DataError, ProofError, prove
from rosenblatt.proof.certificate import rounded
from tests.examples import ALL_KINDS, EVERY_KIND, KINDS, XOR_X, XOR_Y
from tests.proof.evidence import numbers

OTHER = "this proof is about other data"
# XOR and two rows outside of the contradiction; the same with other labels is separable
ROWS = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
CONTRADICTION_Y, SEPARABLE_Y = [0, 1, 1, 0, 1, 1], [0, 0, 0, 1, 1, 1]


def proof_of(kind, separable):
    X, y = KINDS[kind](ROWS), SEPARABLE_Y if separable else CONTRADICTION_Y
    proof = prove(X, y)
    assert proof.separable == separable
    return proof, X, y


def with_one_bit(X, i, j, bit):
    """Return a copy in which one bit of one number is another."""
    dense = np.array(X.toarray() if sparse.issparse(X) else X)
    if dense.dtype == bool:
        dense[i, j] = not dense[i, j]
    else:
        dense[i : i + 1, j].view(f"u{dense.itemsize}")[:] ^= 1 << bit
    return sparse.csr_array(dense) if sparse.issparse(X) else dense


@pytest.mark.parametrize("separable", [True, False])
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_one_bit_of_one_number_is_noticed_and_the_row_named(kind, separable):
    proof, X, y = proof_of(kind, separable)
    assert proof.check(X, y)
    top = 29 if "float32" in kind else 61
    for i in range(len(y)):
        for j, bit in ((0, 0), (1, 7), (2, top)):
            with pytest.raises(ProofError, match=f"{OTHER}: the numbers of row {i} differ"):
                proof.check(with_one_bit(X, i, j, bit), y)


@pytest.mark.parametrize("separable", [True, False])
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_one_label_is_noticed_and_the_row_named(kind, separable):
    proof, X, y = proof_of(kind, separable)
    for i in range(len(y)):
        other = [1 - label if k == i else label for k, label in enumerate(y)]
        with pytest.raises(ProofError, match=f"{OTHER}: the labels of row {i} differ"):
            proof.check(X, other)


@pytest.mark.parametrize("separable", [True, False])
def test_the_same_numbers_may_come_in_another_form(separable):
    proof, _, y = proof_of("dense float64", separable)
    for kind in KINDS:
        assert proof.check(KINDS[kind](ROWS), y)
    negative_zeros = np.where(np.array(ROWS) == 0, -0.0, 1.0)
    assert proof.check(negative_zeros, y)


@pytest.mark.parametrize("separable", [True, False])
@pytest.mark.parametrize("kind", ["dense float64", "presence int32"])
def test_data_of_another_shape_is_other_data(kind, separable):
    proof, X, y = proof_of(kind, separable)
    with pytest.raises(ProofError, match=f"{OTHER}: 6 rows of 3 features, got 5 rows of 3"):
        proof.check(X[:5], y[:5])
    with pytest.raises(ProofError, match=f"{OTHER}: 6 rows of 3 features, got 6 rows of 2"):
        proof.check(X[:, :2], y)


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_tampered_weights_and_indices_of_a_contradiction_are_refused(kind):
    proof, X, y = proof_of(kind, separable=False)
    chosen, weights = proof.indices.tolist(), proof.weights
    outside = next(i for i in range(6) if i not in chosen)
    swapped = sorted([*chosen[:-1], outside])
    changes = [
        {"weights": (weights[0] + 1, *weights[1:])},
        {"weights": tuple(2 * a for a in weights)},
        {"weights": (-weights[0], *weights[1:])},
        {"weights": (0, *weights[1:])},
        {"weights": weights[:-1]},
        {"indices": np.array(swapped)},
        {"indices": np.array(chosen[::-1]), "weights": weights[::-1]},
        {"indices": np.array([*chosen[:-1], 99])},
        {"indices": np.array([*chosen[:-1], chosen[-2]])},
        {"indices": np.array(chosen[1:]), "weights": weights[1:]},
        {"indices": np.array([], dtype=int), "weights": ()},
    ]
    for change in changes:
        with pytest.raises(ProofError):
            replace(proof, **change).check(X, y)


def test_a_superset_of_a_contradiction_is_refused():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1], [5, 5], [5, 5]], [0, 1, 1, 0, 0, 1]
    proof = prove(X, y)
    both = replace(proof, indices=np.arange(6), weights=(1, 1, 1, 1, 2, 2))
    with pytest.raises(ProofError, match="not irreducible"):
        both.check(X, y)


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_tampered_rule_is_refused(kind):
    proof, X, y = proof_of(kind, separable=True)
    for place in range(4):
        w = proof.w.copy()
        w[place] = math.nextafter(w[place], 99)
        with pytest.raises(ProofError, match=f"weight {place} was changed"):
            replace(proof, w=w).check(X, y)
        fractions = [*proof.fractions]
        fractions[place] += 1
        with pytest.raises(ProofError, match=f"weight {place} was changed"):
            replace(proof, fractions=tuple(fractions)).check(X, y)
    flipped = tuple(-v for v in proof.fractions)
    with pytest.raises(ProofError, match="example 0 is not on its side of the boundary"):
        replace(proof, fractions=flipped, w=rounded(flipped)).check(X, y)
    for w in (proof.w[:-1], np.append(proof.w, 0.0), np.zeros((2, 2)), np.full(4, np.nan)):
        with pytest.raises(ProofError, match="w"):
            replace(proof, w=w).check(X, y)
    short = proof.fractions[:-1]
    with pytest.raises(ProofError, match="w must have 4 weights"):
        replace(proof, fractions=short, w=rounded(short)).check(X, y)


@pytest.mark.parametrize("by", [-1, 1, 10**20])
def test_a_tampered_bound_is_refused(by):
    proof, X, y = proof_of("dense float64", separable=True)
    with pytest.raises(ProofError, match=f"the updates_bound is {proof.updates_bound}, not"):
        replace(proof, updates_bound=proof.updates_bound + by).check(X, y)


@pytest.mark.parametrize("name", ["margin", "radius"])
def test_a_tampered_figure_is_refused(name):
    proof, X, y = proof_of("dense float64", separable=True)
    for factor in (1 + 1e-9, 2, 0.5, -1, math.inf, math.nan):
        with pytest.raises(ProofError, match=f"the {name} is"):
            replace(proof, **{name: getattr(proof, name) * factor}).check(X, y)


@pytest.mark.parametrize("separable", [True, False])
def test_a_tampered_question_is_refused(separable):
    proof, X, y = proof_of("dense float64", separable)
    question = proof.question
    swapped = replace(question, positive=question.negative, negative=question.positive)
    for asked in (swapped, replace(question, positive=7), replace(question, negative=7)):
        with pytest.raises(ProofError, match=OTHER):
            replace(proof, question=asked).check(X, y)


def test_a_rule_too_large_for_floats_is_scaled():
    w = rounded((Fraction(10) ** 400, -(Fraction(10) ** 400) / 4, Fraction(1)))
    assert w.tolist() == [1.0, -0.25, 0.0]


def test_a_contradiction_speaks_in_two_sentences():
    assert str(prove(XOR_X, XOR_Y)) == (
        "Not separable: these 4 examples contradict each other (weights 1, 1, 1, 1): 0, 1, 2, 3.\n"
        "Any linear rule makes at least 1 mistake among them."
    )


def test_weights_of_many_digits_are_shown_as_shares():
    proof = prove([[0.1], [0.3], [0.2]], [0, 0, 1])
    shown = str(proof).splitlines()[0]
    assert max(proof.weights) > 10**9
    assert "25 %, 25 %, 50 %" in shown


def test_a_long_list_is_cut_short():
    # the corners of a simplex against a point inside: all are needed
    X = np.vstack([np.zeros(15), 16 * np.eye(15), np.ones(15)])
    proof = prove(X, [0] * 16 + [1])
    assert len(proof.indices) == 17
    assert proof.weights == (*[1] * 16, 16)
    assert "(17 in all)" in str(proof)
    assert len(str(proof)) < 300


def test_separable_speaks_of_margin_and_updates():
    text = str(prove([[-1], [1]], ["no", "yes"], fit_intercept=False))
    assert text == (
        "Separable, 'yes' against 'no': a linear rule classifies every example right.\n"
        "Its margin is 1 (R = 1), so a perceptron that starts from zero makes at most 1 update on "
        "these numbers, whatever the order of the rows."
    )


def test_explain_names_rows_columns_and_labels():
    proof = prove(XOR_X, XOR_Y)
    lines = proof.explain(XOR_X, XOR_Y, names=["left", "right"]).splitlines()
    assert lines[:2] == str(proof).splitlines()
    assert lines[3] == "row 0 is 0, weight 1: left = 0, right = 0"
    assert lines[4] == "row 1 is 1, weight 1: left = 0, right = 1"
    assert len(lines) == 7
    assert "row 2 weight 1: x0 = 1, x1 = 0" in proof.explain(XOR_X)


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_explain_reads_every_kind_of_rows(kind):
    X = KINDS[kind](XOR_X)
    assert "row 2 weight 1: a = 1, b = 0" in prove(X, XOR_Y).explain(X, names=("a", "b"))
    assert numbers(X) == numbers(XOR_X)


def test_explain_takes_the_names_of_a_table():
    table = pd.DataFrame(XOR_X, columns=["left", "right"])
    proof = prove(table, XOR_Y)
    assert "row 3 weight 1: left = 1, right = 1" in proof.explain(table)
    assert "row 3 weight 1: l = 1, r = 1" in proof.explain(table, names=["l", "r"])


def test_explain_shows_messages():
    texts = ["no  words\n", "y" * 500, "two", "three"]
    proof = prove(XOR_X, XOR_Y)
    for messages in (texts, tuple(texts), np.array(texts), pd.Series(texts)):
        lines = proof.explain(messages, ["ham", "spam", "spam", "ham"]).splitlines()
        assert lines[3] == "row 0 is ham, weight 1: no words"
        assert lines[4].endswith("yyy...")
        assert len(lines[4]) < 200
        assert lines[5] == "row 2 is spam, weight 1: two"


@pytest.mark.parametrize("names", [["one"], ["one", "two", "three"], []])
def test_explain_wants_a_name_for_each_column(names):
    with pytest.raises(DataError, match=f"names must name 2 columns, got {len(names)}"):
        prove(XOR_X, XOR_Y).explain(XOR_X, names=names)


def test_explain_shows_the_columns_that_differ_of_many():
    X = np.full((4, 30), 7.0)
    X[:, 20:22] = XOR_X
    line = prove(X, XOR_Y).explain(X).splitlines()[4]
    assert "x20 = 0, x21 = 1" in line
    assert line.endswith("...")
