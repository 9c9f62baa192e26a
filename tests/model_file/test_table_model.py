"""A model that `rosenblatt fit -o` wrote predicts from frames as `predict` does on the file."""

import json
import logging

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from onnxruntime import InferenceSession
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.datasets import dump_svmlight_file
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rosenblatt import AveragedPerceptron, DataError, fit, load, read, save
from tests.cli.running import run

TOWNS = np.array(["Bern", "Basel", "Chur"])


def frame_of(n, seed=0):
    random = np.random.default_rng(seed)
    towns, age = TOWNS[random.integers(0, 3, n)], random.integers(18, 80, n).astype(float)
    noise = random.normal(0, 3, n)
    label = np.where(age + 15 * (towns == "Bern") + noise > 55, "stay", "churn")
    age[random.random(n) < 0.1] = np.nan
    return pd.DataFrame({"town": towns, "age": age, "paid": random.random(n) < 0.5, "label": label})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    frame_of(200).to_csv(folder / "train.csv", index=False)
    frame = frame_of(50, seed=1)
    frame.loc[0, "town"] = "Genf"  # a town that it has not met
    frame.to_csv(folder / "new.csv", index=False)
    run("fit", folder / "train.csv", "--missing", "mean", "-o", folder / "table", "--json")
    (folder / "texts").write_text("spam\twin a prize\nham\tsee you at noon\n" * 8)
    run("fit", folder / "texts", "--format", "text", "-o", folder / "texts.rosenblatt")
    return folder


@pytest.fixture
def told(folder):
    """What the command says of the file."""
    return run("predict", folder / "table", folder / "new.csv").out.split()


@pytest.mark.parametrize("library", ["pandas", "polars", "Arrow"])
def test_frames_get_the_answers_of_the_command(folder, told, library):
    frame = pd.read_csv(folder / "new.csv")
    frame = {"pandas": frame, "polars": pl.from_pandas(frame), "Arrow": pa.table(frame)}[library]
    model = load(folder / "table")
    assert model.predict(frame).tolist() == told
    assert model.predict_proba(frame).shape == (50, 2)
    assert model.feature_names_in_.tolist() == ["town", "age", "paid"]


def test_columns_may_be_more_and_in_another_order(folder, told):
    frame = pd.read_csv(folder / "new.csv")[["paid", "label", "age", "town"]].assign(more=1)
    assert load(folder / "table").predict(frame).tolist() == told


def test_texts_are_the_column_that_it_learned_from(folder):
    model, frame = load(folder / "texts.rosenblatt"), {"text": ["a prize", "at noon"]}
    assert model.predict(pd.DataFrame(frame)).tolist() == ["spam", "ham"]
    assert model.predict(pl.DataFrame(frame)).tolist() == ["spam", "ham"]
    assert model.predict(frame["text"]).tolist() == ["spam", "ham"]


def test_rows_that_were_made_before_are_taken_as_they_are(folder, told):
    model = load(folder / "table")
    assert model.predict(read(folder / "new.csv", recipe=model.recipe).X).tolist() == told


def test_other_columns_are_named_in_a_sentence(folder):
    with pytest.raises(DataError, match="no column 'age', as in training, nor 'paid'; its columns"):
        load(folder / "table").predict(pd.DataFrame({"town": ["Bern"]}))


def test_it_sits_in_a_pipeline(folder, told):
    model, frame = load(folder / "table"), pd.read_csv(folder / "new.csv")
    alone = Pipeline([("model", model)])
    assert alone.predict(frame).tolist() == told
    assert alone.feature_names_in_.tolist() == ["town", "age", "paid"]
    assert is_classifier(alone)
    filled = ColumnTransformer(
        [("age", SimpleImputer(strategy="constant", fill_value=50.0), ["age"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    before = Pipeline([("fill", filled), ("model", model)]).set_output(transform="pandas")
    before[0].fit(frame)
    by_hand = model.predict(frame.fillna({"age": 50.0}))
    np.testing.assert_array_equal(before.predict(frame), by_hand)


def test_a_clone_learns_anew_and_is_validated(folder):
    model, frame = load(folder / "table"), pd.read_csv(folder / "train.csv")
    again = clone(model)
    with pytest.raises(ValueError, match="not fitted"):
        check_is_fitted(again)
    fitted = again.fit(frame, frame["label"])
    # the same rows and learner: what the file holds was learned by the very same calls
    np.testing.assert_allclose(fitted[-1].coef_, model[-1].coef_)
    assert cross_val_score(model, frame, frame["label"], cv=3).mean() > 0.8
    assert fitted.score(frame, frame["label"]) > 0.8


def test_what_is_inside_is_at_hand(folder, tmp_path):
    examples = read(folder / "train.csv", missing="mean")
    learner = AveragedPerceptron(random_state=0).fit(examples.X, examples.y)
    save(learner, tmp_path / "plain", recipe=examples.recipe)
    model = load(tmp_path / "plain")
    np.testing.assert_array_equal(model.coef_, learner.coef_)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="probability=True"):
        model.predict_proba(examples.X)


def test_saving_it_again_keeps_how_frames_are_read(folder, told, tmp_path):
    save(load(folder / "table"), tmp_path / "again")
    assert load(tmp_path / "again").predict(pd.read_csv(folder / "new.csv")).tolist() == told
    assert run("predict", tmp_path / "again", folder / "new.csv").out.split() == told


def test_a_row_that_would_be_dropped_is_an_error(folder, tmp_path):
    run("fit", folder / "train.csv", "--missing", "drop", "-o", tmp_path / "drops")
    frame = pd.read_csv(folder / "new.csv")
    n = int(frame["age"].isna().sum())
    with pytest.raises(DataError, match=f"{n} of 50 rows have missing values.*'mean'"):
        load(tmp_path / "drops").predict(frame)
    assert len(load(tmp_path / "drops").predict(frame.dropna())) == 50 - n


def test_what_was_new_in_the_frame_is_logged(folder, caplog):
    with caplog.at_level(logging.INFO, logger="rosenblatt"):
        load(folder / "table").predict(pd.read_csv(folder / "new.csv"))
    assert any("the first 'Genf'" in record.message for record in caplog.records)


@pytest.mark.parametrize("scale", [True, False])
def test_a_model_of_an_svmlight_file_takes_rows_and_leaves_as_others_do(tmp_path, scale):
    X = np.random.default_rng(0).normal(size=(1000, 4))
    y = np.where(X @ [1, -2, 0, 1] > 0.3, 1, -1)
    dump_svmlight_file(X[:200], y[:200], str(tmp_path / "few.svm"))
    dump_svmlight_file(X, y, str(tmp_path / "all.svm"))
    found = fit(tmp_path / "few.svm", scale=scale, prove_seconds=0, output=tmp_path / "m")
    told = [int(word) for word in run("predict", tmp_path / "m", tmp_path / "all.svm").out.split()]
    for model in (found.estimator, load(tmp_path / "m")):
        assert model.n_features_in_ == 4
        assert not hasattr(model, "feature_names_in_")
        assert model.predict(X).tolist() == told
        assert model.to_sklearn().predict(X).tolist() == told
        (labels, *_) = InferenceSession(model.to_onnx().SerializeToString()).run(None, {"X": X})
        assert labels.tolist() == told
        leaves = json.loads(model.to_json())
        assert "columns" not in leaves
        assert len(leaves["before"]) == scale
