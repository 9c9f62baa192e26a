"""A recipe makes the same features from another file, or says why it cannot."""

import json

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import BagOfWords, DataError, ParameterError, read
from rosenblatt.data.read import recipe_from_dict

TRAIN = (
    "size,kind,ok,y\n"
    "1,red,true,no\n2,blue,false,yes\n4,red,true,no\n5,blue,false,yes\n6,red,false,yes\n7,red,true,no\n"
)


@pytest.fixture
def given(tmp_path):
    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


@pytest.fixture
def train(given):
    return read(given(TRAIN))


def test_kinds_become_features(train):
    assert list(train.feature_names) == ["size", "ok", "kind=blue", "kind=red"]
    np.testing.assert_array_equal(train.X[:2], [[1, 1, 0, 1], [2, 0, 1, 0]])


def test_a_recipe_is_plain_data(train):
    again = recipe_from_dict(json.loads(json.dumps(train.recipe.to_dict())))
    assert again == train.recipe


def test_the_same_file_gives_the_same_features(given, train):
    again = read(given(TRAIN), recipe=train.recipe)
    np.testing.assert_array_equal(again.X, train.X)
    np.testing.assert_array_equal(again.y, train.y)


def test_columns_are_found_by_name_and_labels_may_be_absent(given, train):
    other = read(given("ok,kind,extra,size\nfalse,red,9,3\n"), recipe=train.recipe)
    np.testing.assert_array_equal(other.X, [[3, 0, 0, 1]])
    assert len(other.y) == 0
    assert "columns not used: extra" in other.notes


def test_a_new_category_has_no_feature_and_a_note(given, train):
    other = read(given("size,kind,ok\n3,red,true\n3,teal,true\n"), recipe=train.recipe)
    np.testing.assert_array_equal(other.X, [[3, 1, 0, 1], [3, 1, 0, 0]])
    assert any("'teal' (line 3)" in note for note in other.notes)


def test_a_missing_column_is_an_error_with_the_nearest_name(given, train):
    with pytest.raises(DataError, match="no column 'size', as in training; did you mean 'sizes'"):
        read(given("sizes,kind,ok\n3,red,true\n"), recipe=train.recipe)


def test_text_where_numbers_belong_is_an_error_with_its_place(given, train):
    with pytest.raises(DataError, match=r"line 3, column 'size': expected a number,.*got 'big'"):
        read(given("size,kind,ok\n3,red,true\nbig,red,true\n"), recipe=train.recipe)


def test_categories_that_look_like_numbers_stay_categories(given):
    train = read(given("code,y\n" + "1,0\nA,1\n2,0\n" * 4), target="y")
    other = read(given("code,y\n1,0\n2,1\n"), recipe=train.recipe, header=True)
    np.testing.assert_array_equal(other.X.toarray(), [[1, 0, 0], [0, 1, 0]])


def test_categories_alone_are_presence_rows(given):
    examples = read(given("a,b,y\n" + "u,v,0\nw,v,1\nu,x,1\n" * 3))
    assert sparse.issparse(examples.X)
    assert examples.X.dtype == bool
    np.testing.assert_array_equal(
        examples.X.toarray()[:3], [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    )


def test_many_categories_beside_numbers_are_sparse(given):
    rows = "".join(f"{i},c{i % 40},{i % 2}\n" for i in range(200))
    examples = read(given("n,c,y\n" + rows))
    assert sparse.issparse(examples.X)
    assert examples.X.dtype == np.float64
    assert examples.X.shape == (200, 41)


def test_svmlight_features_beyond_training_are_left_out_with_a_note(given):
    train = read(given("1 1:2 3:4\n0 2:1\n", "a.svm"))
    other = read(given("1 2:5 7:1 9:1\n", "b.svm"), recipe=train.recipe)
    np.testing.assert_array_equal(other.X.toarray(), [[0, 5, 0]])
    assert any(
        "2 values not used: the largest index in training was 3" in note for note in other.notes
    )
    fewer = read(given("1 1:5\n", "c.svm"), recipe=recipe_from_dict(train.recipe.to_dict()))
    np.testing.assert_array_equal(fewer.X.toarray(), [[5, 0, 0]])


def test_tables_and_svmlight_files_do_not_mix(given, train):
    path = given("1 1:2 3:4\n0 2:1\n", "a.svm")
    with pytest.raises(DataError, match="svmlight file, but the model learned from a table"):
        read(path, recipe=train.recipe)
    with pytest.raises(DataError, match="is a table, but the model learned from an svmlight file"):
        read(given(TRAIN), recipe=read(path).recipe)


def test_a_recipe_of_unknown_kind_is_refused():
    with pytest.raises(ParameterError, match="kind must be one of 'table', 'svmlight'"):
        recipe_from_dict({"kind": "code"})


def test_text_columns_become_words(given):
    texts = ["win cash now", "see you soon", "cash for you", ""]
    rows = "".join(f"{n},{text},{n % 2}\n" for n, text in enumerate(texts))
    examples = read(given("n,said,y\n" + rows), bits=12)
    expected = BagOfWords(bits=12).transform(texts)
    assert examples.X.shape == (4, 1 + 4096)
    np.testing.assert_array_equal(examples.X[:, [0]].toarray().ravel(), [0, 1, 2, 3])
    np.testing.assert_array_equal(examples.X[:, 1:].toarray(), expected.toarray())
    assert examples.texts.to_pylist() == texts
    told = {examples.feature_names[int(j)] for j in np.unique(examples.X.indices)}
    assert "said:cash" in told
    again = read(given("said,n\nmore cash,7\n"), recipe=examples.recipe, header=True)
    np.testing.assert_array_equal(
        again.X[:, 1:].toarray(), BagOfWords(bits=12).transform(["more cash"]).toarray()
    )
