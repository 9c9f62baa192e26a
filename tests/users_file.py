"""What a user may write, as a type checker sees it: `tests/test_types.py` reads this file.

It is checked and never run. A line that ends with `# wrong` must be refused, no other may be.
"""

from pathlib import Path

import rosenblatt
from rosenblatt import (
    AveragedPerceptron,
    BagOfWords,
    BernoulliNaiveBayes,
    Contradiction,
    LeastSquares,
    OnlinePipeline,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    Separable,
    ThresholdUnit,
)

X, y = [[1.0], [2.0], [7.0], [8.0]], ["no", "no", "yes", "yes"]

model = Perceptron(rule="first", tie="+1", multiclass="one-vs-one", random_state=0).fit(X, y)
share_right: float = model.score(X, y)
largest: float = max(model.coef_.ravel().tolist())
updates: int = model.n_updates_
PocketPerceptron(init="best", class_weight={"no": 1.0, "yes": 5.0}, threshold="f1")
PocketPerceptron(init=[0.0, 1.0], class_weight="balanced", threshold=0.5)
BernoulliNaiveBayes(threshold="mistakes").fit(X, y).forget(X[:1], y[:1])
LeastSquares(alpha="loo", solver="iterative").partial_fit(X, [1, 2, 3, 4])
ThresholdUnit([-1.5, 1, 1], tie="-1")
rows, columns = BagOfWords(weighting="tfidf").fit_transform(["a b", "b"]).shape

Perceptron(rule="worng")  # wrong
Perceptron(tie="0")  # wrong
Perceptron(multiclass="one")  # wrong
Perceptron(init="best")  # wrong
Perceptron(class_weight="balance")  # wrong
Perceptron(threshold="f2")  # wrong
Perceptron(random_state="0")  # wrong
Perceptron(epochs=3)  # wrong
AveragedPerceptron(shuffle="no")  # wrong
PassiveAggressive(variant="III")  # wrong
LeastSquares(solver="direct")  # wrong
LeastSquares(alpha="all")  # wrong
BagOfWords(weighting="idf")  # wrong
ThresholdUnit([1, 1], tie="mistake")  # wrong
print(model.coeff_)  # wrong
model.predikt(X)  # wrong

proof = rosenblatt.prove(X, y, multiclass="joint")
if isinstance(proof, Separable):
    bound: int = proof.updates_bound
elif isinstance(proof, Contradiction):
    weights: tuple[int, ...] = proof.weights
else:
    answers: list[bool] = [part.separable for part in proof.values()]
separable: bool = proof.separable
rosenblatt.prove(X, y, multiclass="all")  # wrong
print(proof.margin)  # wrong

loaded = rosenblatt.load(Path("model.rosenblatt"))
answer: list[object] = list(loaded.predict(X))
as_json: str = loaded.to_json()
in_onnx: int = loaded.to_onnx().ir_version
others_answer: list[object] = list(loaded.to_sklearn().predict(X))
how_many: int = len(rosenblatt.load("pipeline.rosenblatt", OnlinePipeline).steps)
print(loaded.steps)  # wrong
words: list[str] = rosenblatt.load("words.rosenblatt", BagOfWords).feature_names([0])
print(loaded.vocabulary_)  # wrong

examples = rosenblatt.read("iris", missing="mean", zero_based="auto")
n_rows: int = examples.X.shape[0]
rosenblatt.read("iris", missing="median")  # wrong
learned: AveragedPerceptron = rosenblatt.fit_file(AveragedPerceptron(), "a.csv").model
rosenblatt.lab.runs(20, learner="regression", features="quadratic")

found = rosenblatt.fit("a.csv", "arow", weighting="tfidf", balance="f1", drop=["id"])
rule: str = found.estimator.to_json()
names: list[object] = found.learner.classes_.tolist()
kept: str = rosenblatt.load("m.rosenblatt", rosenblatt.TableModel).to_json()
rosenblatt.fit("a.csv", "worng")  # wrong
rosenblatt.fit("a.csv", weighting="idf")  # wrong
rosenblatt.fit("a.csv", balance="f2")  # wrong
rosenblatt.fit("a.csv", missing="median")  # wrong
rosenblatt.fit("a.csv", leave_out=["id"])  # wrong
print(found.learner.coeff_)  # wrong
print(found.model.predikt)  # wrong
rosenblatt.compare("a.csv", missing="median")  # wrong
rosenblatt.explain("m.rosenblatt", "a.csv", format="xls")  # wrong
rosenblatt.lab.runs(20, learner="packet")  # wrong
rosenblatt.lab.runs(20, learner=rosenblatt.PocketPerceptron(), noise=0.1)
rosenblatt.lab.bound(rule="worng")  # wrong
