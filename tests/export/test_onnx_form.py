"""to_onnx gives models that onnxruntime answers from as we do."""

import sys

import numpy as np
import onnxruntime
import pandas as pd
import pytest

import rosenblatt as r
from tests.export.models import MODELS, N_ROWS, rows, rows_for


def run(model, inputs):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_onnxruntime_predicts_the_same(name):
    model, X = MODELS[name](), rows_for(name)
    found = run(model.to_onnx(), {"X": X})
    assert len(found["label"]) == N_ROWS
    np.testing.assert_array_equal(found["label"], model.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-12)
    if hasattr(model, "decision_function"):
        np.testing.assert_allclose(found["score"], model.decision_function(X), rtol=1e-9, atol=1e-9)


def test_a_regression_foretells_the_same():
    X, _ = rows()
    model = r.LeastSquares().fit(X, X @ [1.0, -2, 0, 3] + 0.5)
    np.testing.assert_allclose(run(model.to_onnx(), {"X": X})["value"], model.predict(X))


def table():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "kind": random.choice(list("abc"), N_ROWS),
            "n": random.normal(size=N_ROWS),
            "sold": random.random(N_ROWS) < 0.5,
        }
    )
    frame["label"] = np.where(frame["n"] + (frame["kind"] == "a") > 0.4, "yes", "no")
    return frame


@pytest.mark.parametrize("how", [{}, {"algorithm": "gaussian"}, {"category": ["n"]}])
def test_a_model_of_a_table_has_an_input_for_each_column(how):
    frame = table()
    if how.get("category"):
        frame["n"] = frame["n"].round(1).astype(str)  # many categories: rows of length 1, or plain
    model = r.fit(frame, missing="mean", prove_seconds=0, **how).estimator
    if not how.get("category"):
        frame.loc[::10, "n"] = np.nan
    frame.loc[::7, "kind"] = "never seen"
    inputs = {
        name: frame[[name]].to_numpy(object if frame[name].dtype.kind not in "bf" else float)
        for name in model.feature_names_in_
    }
    found = run(model.to_onnx(), inputs)
    np.testing.assert_array_equal(found["label"], model.predict(frame))


def test_labels_of_other_kinds_are_given_as_they_are():
    X = np.array([[1.0], [2.0], [7.0], [8.0]])
    for labels in ([True, True, False, False], [1.0, 1.0, 2.0, 2.0], ["no", "no", "yes", "yes"]):
        model = r.Perceptron().fit(X, np.array(labels))
        assert run(model.to_onnx(), {"X": X})["label"].tolist() == labels
    model.classes_ = np.array([(0, 1), (0, 2), None], dtype=object)[:2]
    with pytest.raises(r.ModelFileError, match=r"labels like \(0, 1\); learn from strings"):
        model.to_onnx()


def test_texts_are_refused_with_what_to_use_instead():
    frame = pd.DataFrame({"text": ["win a prize", "see you at noon"] * 8, "label": ["s", "h"] * 8})
    model = r.fit(frame, text=["text"], prove_seconds=0).estimator
    for form in (model.to_onnx, model.to_json):
        with pytest.raises(r.ModelFileError, match=r"hashed words.*use to_sklearn"):
            form()


def test_without_onnx_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'rosenblatt\[onnx\]'"):
        r.ThresholdUnit([-2, 1]).to_onnx()
