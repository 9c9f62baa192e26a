"""The JSON of a model, read by docs/predict.js in a real browser, gives equal predictions."""

import base64
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt as r
from tests.chromium import open_chromium
from tests.export.models import MODELS, N_ROWS, rows, rows_for

SCRIPT = Path(__file__).parents[2] / "docs" / "predict.js"
CALL = "async ([script, model, rows]) => (await import(script)).predict(JSON.parse(model), rows)"


@pytest.fixture(scope="module")
def ask():
    """Return a function that predicts in the browser."""
    script = "data:text/javascript;base64," + base64.b64encode(SCRIPT.read_bytes()).decode()
    with open_chromium() as browser:
        page = browser.new_page()
        yield lambda model, rows: page.evaluate(CALL, [script, model, rows])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_the_browser_predicts_the_same(ask, name):
    model, X = MODELS[name](), rows_for(name)
    found = ask(model.to_json(), X.tolist())
    assert len(found) == N_ROWS
    assert [one["label"] for one in found] == model.predict(X).tolist()
    if hasattr(model, "predict_proba"):
        p = [one["probabilities"] for one in found]
        np.testing.assert_allclose(p, model.predict_proba(X), atol=1e-12)
    if hasattr(model, "decision_function"):
        scores = [one["score"] for one in found]
        np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-9, atol=1e-9)


def test_a_regression_foretells_the_same(ask):
    X, _ = rows()
    model = r.LeastSquares().fit(X, X @ [1.0, -2, 0, 3] + 0.5)
    found = [one["value"] for one in ask(model.to_json(), X.tolist())]
    np.testing.assert_allclose(found, model.predict(X))


def test_points_on_the_line_are_what_the_tie_says(ask):
    for tie, wanted in (("+1", [-1, 1, 1]), ("-1", [-1, -1, 1])):
        found = ask(r.ThresholdUnit([-2, 1], tie=tie).to_json(), [[1], [2], [3]])
        assert [one["label"] for one in found] == wanted


def test_a_model_of_a_table_takes_objects(ask):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "kind": random.choice(list("abc"), N_ROWS),
            "n": random.normal(size=N_ROWS),
            "sold": random.random(N_ROWS) < 0.5,
            "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(N_ROWS), unit="D"),
        }
    )
    frame["label"] = np.where(frame["n"] + (frame["kind"] == "a") > 0.4, "yes", "no")
    model = r.fit(frame, missing="mean", prove_seconds=0).estimator
    frame.loc[::10, "n"] = np.nan
    frame.loc[::7, "kind"] = "never seen"
    objects = json.loads(frame.to_json(orient="records", date_format="iso"))
    found = ask(model.to_json(), objects)
    assert [one["label"] for one in found] == model.predict(frame).tolist()


def test_the_documents_name_every_key():
    model = MODELS["probabilities"]()
    keys = json.loads(model.to_json()) | json.loads(model.to_json())["rule"]
    told = (SCRIPT.parent / "leaving.md").read_text()
    assert [key for key in keys if f"`{key}`" not in told] == []


@pytest.mark.parametrize("how", [{}, {"with_mean": False}, {"with_std": False}], ids=str)
def test_a_pipeline_leaves_as_it_scales(how):
    X, y = rows(n_classes=2)
    scaled = make_pipeline(StandardScaler(**how), r.AveragedPerceptron(random_state=0)).fit(X, y)
    found = json.loads(r.TableModel(scaled, None).to_json())
    (step,), rule, X_new = found["before"], found["rule"], rows(seed=1, n=N_ROWS)[0]
    (w,), (b,) = rule["weights"], rule["intercept"]
    scores = (X_new - step["mean"]) / step["scale"] @ w + b
    np.testing.assert_allclose(scores, scaled.decision_function(X_new), rtol=1e-9, atol=1e-9)
