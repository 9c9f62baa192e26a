"""Models in ONNX: the same arithmetic in the same order of steps, in float64.

Rows of numbers are one input, `X`. A model that knows the columns of its table has an input for
each, named as the column, of shape (rows, 1): strings for categories, float64 for all else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.errors import ModelFileError
from rosenblatt.export.rule import SIGN, VALUE, VOTES, Exported, ModelRule, Scaling, pair_signs
from rosenblatt.extras import needs
from rosenblatt.types import Array

if TYPE_CHECKING:
    import onnx

OPSET, OPSET_OF_TABLES, FILE_VERSION = 17, 3, 8  # of 2022, so that most runtimes read them
OURS = "rosenblatt/"  # before the names of what is inside, which must not be those of columns
ROWS = "rows"


def onnx_of(model: Exported) -> onnx.ModelProto:
    """Return a model as ONNX.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> model = Perceptron().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> [output.name for output in model.to_onnx().graph.output]
    ['label', 'score']
    """
    with needs("onnx"):
        import onnx  # noqa: F401 - asked for here, so that a word is said
    graph = _Graph()
    X = graph.rows() if model.columns is None else graph.table(model)
    for step in model.before:
        X = graph.scaled(X, step) if isinstance(step, Scaling) else graph.of_length_1(X)
    graph.answer(X, model.rule)
    return graph.finished(model.rule.name)


class _Graph:
    """A graph that grows node by node; each method returns the name of what it computes."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.constants: list[Any] = []

    def rows(self) -> str:
        """Take rows of numbers."""
        self._take("X", np.float64, None)
        return "X"

    def table(self, model: Exported) -> str:
        """Take the columns of a table: numbers first, then categories, as in a recipe."""
        columns = model.columns or ()
        numbers = [c for c in columns if c.kind not in ("category", "text")]
        parts = [self._number(c, model) for c in numbers]
        parts += [self._category(c) for c in columns if c.kind == "category"]
        return self._do("Concat", *parts, axis=1) if len(parts) > 1 else parts[0]

    def scaled(self, X: str, step: Scaling) -> str:
        """Scale columns."""
        centred = self._do("Sub", X, self._constant(step.mean))
        return self._do("Div", centred, self._constant(step.scale))

    def of_length_1(self, X: str) -> str:
        """Bring rows to length 1; a row of zeros stays."""
        length = self._do("ReduceL2", X, axes=[1], keepdims=1)
        none = self._do("Equal", length, self._constant(0.0))
        return self._do("Div", X, self._do("Where", none, self._constant(1.0), length))

    def answer(self, X: str, rule: ModelRule) -> None:
        """Give labels, scores and, where there are some, probabilities."""
        if rule.binarize is not None:
            above = self._do("Greater", X, self._constant(rule.binarize))
            X = self._cast(above, np.float64)
        scores = self._linear(X, rule) if rule.variance is None else self._normal(X, rule)
        n_vectors = len(rule.intercept)
        if rule.answer == VALUE:
            one = n_vectors == 1
            self._give(self._column(scores, 0) if one else scores, "value", np.float64, one)
            return
        if rule.answer == SIGN:
            self._two_classes(scores, rule)
            return
        if rule.answer == VOTES:
            scores = self._votes(scores, len(_classes(rule)))
        elif rule.are_logs:
            scores = self._do("LogSoftmax", scores, axis=1)
        self._label(self._do("ArgMax", scores, axis=1, keepdims=0), rule)
        self._give(scores, "score", np.float64, False)
        self._probabilities(scores, rule)

    def _two_classes(self, scores: str, rule: ModelRule) -> None:
        score = self._column(scores, 0)
        if len(rule.intercept) == 2:  # how far the second is ahead of the first
            score = self._do("Sub", self._column(scores, 1), score)
        moved = self._do("Sub", score, self._constant(rule.threshold))
        compare = "GreaterOrEqual" if rule.tie == "+1" else "Greater"
        second = self._do(compare, moved, self._constant(0.0))
        self._label(self._cast(second, np.int64), rule)
        self._give(moved, "score", np.float64, True)
        column = self._do("Unsqueeze", score, self._constant(np.array([1])))
        both = self._do("Mul", column, self._constant(np.array([[0.0, 1.0]])))
        self._probabilities(both, rule)

    def finished(self, name: str) -> onnx.ModelProto:
        """Return the model."""
        from onnx import checker, helper

        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, self.constants)
        sets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", OPSET_OF_TABLES)]
        model = helper.make_model(
            graph, opset_imports=sets, ir_version=FILE_VERSION, producer_name="rosenblatt"
        )
        checker.check_model(model)
        return model

    def _number(self, column: Any, model: Exported) -> str:
        self._take(column.name, np.float64, 1)
        values: str = column.name
        if model.missing == "mean":
            gone = self._do("IsNaN", values)
            values = self._do("Where", gone, self._constant(column.mean or 0.0), values)
        if model.dtype == "float32":
            values = self._cast(self._cast(values, np.float32), np.float64)
        return values

    def _category(self, column: Any) -> str:
        self._take(column.name, np.str_, 1)
        categories = list(column.categories)
        ones = self._do(
            "OneHotEncoder", column.name, domain="ai.onnx.ml", cats_strings=categories, zeros=1
        )
        shape = self._constant(np.array([-1, len(categories)]))
        return self._cast(self._do("Reshape", ones, shape), np.float64)

    def _linear(self, X: str, rule: ModelRule) -> str:
        product = self._do("MatMul", X, self._constant(rule.coef.T))
        return self._do("Add", product, self._constant(rule.intercept))

    def _normal(self, X: str, rule: ModelRule) -> str:
        v: Any = rule.variance
        wide = self._do("Unsqueeze", X, self._constant(np.array([1])))
        off = self._do("Sub", wide, self._constant(rule.coef))
        parts = self._do("Mul", self._do("Mul", off, off), self._constant(-0.5 / v))
        total = self._do("ReduceSum", parts, self._constant(np.array([2])), keepdims=0)
        constant = rule.intercept - 0.5 * np.log(2 * np.pi * v).sum(axis=1)
        return self._do("Add", total, self._constant(constant))

    def _votes(self, scores: str, n_classes: int) -> str:
        """Count the votes of pairs; between equal ones the sum of scores decides."""
        low, high = pair_signs(n_classes)
        won = self._cast(self._do("Greater", scores, self._constant(0.0)), np.float64)
        lost = self._do("Sub", self._constant(1.0), won)
        first = self._do("MatMul", lost, self._constant(low))
        votes = self._do("Add", self._do("MatMul", won, self._constant(high)), first)
        sums = self._do("MatMul", scores, self._constant(high - low))
        most = self._do("ReduceMax", self._do("Abs", sums), axes=[1], keepdims=1)
        none = self._do("Equal", most, self._constant(0.0))
        third = self._do("Mul", self._constant(3.0), most)
        safe = self._do("Where", none, self._constant(1.0), third)
        return self._do("Add", votes, self._do("Div", sums, safe))

    def _label(self, place: str, rule: ModelRule) -> None:
        labels = _classes(rule)
        found = self._do("Gather", self._constant(labels), place)
        kind = np.str_ if labels.dtype.kind in "OU" else labels.dtype
        self._give(found, "label", kind, True)

    def _probabilities(self, scores: str, rule: ModelRule) -> None:
        if rule.calibration is None:
            return
        slope, offsets = rule.calibration
        logs = self._do("Mul", scores, self._constant(slope))
        logs = self._do("Add", logs, self._constant(offsets))
        self._give(self._do("Softmax", logs, axis=1), "probabilities", np.float64, False)

    def _column(self, values: str, number: int) -> str:
        return self._do("Gather", values, self._constant(np.array(number)), axis=1)

    def _cast(self, values: str, kind: Any) -> str:
        return self._do("Cast", values, to=_type(kind))

    def _do(self, operator: str, *values: str, domain: str = "", **how: Any) -> str:
        from onnx import helper

        name = f"{OURS}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, values, [name], domain=domain, **how))
        return name

    def _constant(self, value: Any) -> str:
        from onnx import helper, numpy_helper

        name, array = f"{OURS}constant-{len(self.constants)}", np.asarray(value)
        if array.dtype.kind in "OU":
            texts: Any = [str(text).encode() for text in array.tolist()]  # as onnx wants them
            made = helper.make_tensor(name, _type(np.str_), array.shape, texts)
        else:
            made = numpy_helper.from_array(np.asarray(array, order="C"), name)
        self.constants.append(made)
        return name

    def _take(self, name: str, kind: Any, width: int | None) -> None:
        self.inputs.append(_value(name, kind, [ROWS, "features" if width is None else width]))

    def _give(self, found: str, name: str, kind: Any, is_column: bool) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [found], [name]))
        self.outputs.append(_value(name, kind, [ROWS] if is_column else [ROWS, "columns"]))


def _classes(rule: ModelRule) -> Array:
    """Return the labels as a tensor can hold them; refuse others."""
    classes: Array = np.asarray(rule.classes)
    kind = classes.dtype.kind
    if kind in "iu":
        return classes.astype(np.int64)
    if kind in "bU" or (kind == "O" and all(isinstance(label, str) for label in classes)):
        return classes
    if kind == "f":
        return classes.astype(np.float64)
    raise ModelFileError(
        f"ONNX has no place for labels like {classes.tolist()[0]!r}",
        do="learn from strings or whole numbers",
        in_shell="",
    )


def _type(kind: Any) -> int:
    from onnx import TensorProto, helper

    if kind is np.str_:
        return int(TensorProto.STRING)
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(kind)))


def _value(name: str, kind: Any, shape: list[Any]) -> Any:
    from onnx import helper

    return helper.make_tensor_value_info(name, _type(kind), shape)
