"""In which form rows come to a learner: as they are, scaled, of length 1, or weighed.

    plain      as they are; of words, which there are
    columns    each column brought to mean 0 and deviation 1; sparse rows become dense by that
    length     each row brought to length 1
    tfidf      words weighed by how often they come, and how few of the training texts have them;
               rows of length 1
    auto       plain or the other one, whichever has the smaller error inside of the training rows

What a form needs to know, means or counts, is learned from training rows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple, get_args

import numpy as np
from scipy import sparse
from sklearn.preprocessing import Normalizer, StandardScaler

from rosenblatt.blocks import Blocks
from rosenblatt.checks.tables import check_finite
from rosenblatt.choices import Weighting
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.linear.arow import AROW
from rosenblatt.linear.passive_aggressive import PassiveAggressive
from rosenblatt.linear.scaling import DenseScaler, as_dense
from rosenblatt.rows import lengths_of, matrix
from rosenblatt.text.tfidf import DocumentCounts, Presences, WordWeights
from rosenblatt.text.words import TFIDF
from rosenblatt.types import Array, Block, Rows
from rosenblatt.workflows.algorithms import AUTO, check_algorithm

PLAIN, COLUMNS, LENGTH = "plain", "columns", "length"
NONE = "none"
WEIGHTINGS = get_args(Weighting)  # that can be asked for
# The kinds of rows, each with the form that it can have beside the plain one
OTHER_FORM = {
    "words": TFIDF,  # of a single column of texts
    "dense": COLUMNS,
    "full": COLUMNS,  # sparse rows, but most of the numbers are there
    "sparse": LENGTH,
    "presence": LENGTH,  # sparse rows of ones
    "mixed": LENGTH,  # words beside other columns
}
# The form that it has unless something else is asked for, chosen by measurement; an algorithm may
# have forms of its own (`Algorithm.forms`), and those that count want rows as they are
FORMS = {
    "words": TFIDF,
    "dense": COLUMNS,
    "full": COLUMNS,
    "sparse": LENGTH,
    "presence": PLAIN,
    "mixed": PLAIN,
}
SAID = {
    PLAIN: "",
    COLUMNS: "columns scaled to mean 0 and deviation 1",
    LENGTH: "rows of length 1",
    TFIDF: "words weighed by tf-idf, rows of length 1",
}
MEANT = {  # by a weight
    PLAIN: "",
    COLUMNS: "Columns are scaled, so that weights can be compared.",
    LENGTH: "Rows have length 1: a feature adds its weight times its number over the row's length.",
    TFIDF: "Words are weighed, in rows of length 1: a word adds its weight times its tf-idf, which "
    "is larger for rarer words and for those that come often, over the length of its row.",
}
FULL = 0.5  # of all numbers: a dense array of them takes no more than a third more room
LARGEST = 1e150  # a square of it is a number still
CELLS = 1 << 18  # numbers in a piece


def kind_of_rows(blocks: Blocks, recipe: Any, *, of_words: bool) -> str:
    """Return what kind of rows these are, a key of `FORMS`.

    Examples
    --------
    >>> from rosenblatt.blocks import as_blocks
    >>> kind_of_rows(as_blocks([[1.0], [2.0]], ["a", "b"]), None, of_words=False)
    'dense'
    """
    if of_words:
        return "words"
    if blocks.is_dense:
        return "dense"
    if any(column.kind == "text" for column in getattr(recipe, "columns", ())):
        return "mixed"
    if next(iter(blocks.each(lambda block: isinstance(block.rows, Presence)))):
        return "presence"
    is_full = blocks.n_entries >= FULL * blocks.n_rows * blocks.n_features
    return "full" if is_full else "sparse"


def form_of(kind: str, algorithm: str) -> str:
    """Return the form that rows of a kind have for an algorithm: the one place that decides it.

    Examples
    --------
    >>> form_of("words", "averaged"), form_of("words", "bernoulli")
    ('tfidf', 'plain')
    """
    entry = check_algorithm(algorithm)
    return dict(entry.forms).get(kind, FORMS[kind]) if entry.scaled else PLAIN


def suited(learner: Any, blocks: Blocks, form: str, given: Container[str] = ()) -> Any:
    """Give a learner with a margin a step that suits the length of its rows; return it.

    A step that was asked for, by one of the `given` parameters, stays.

    q is the mean of |(1, x)|^2, twice for many classes at once, as it counts in a step. C = 1/(2q)
    makes the softness of a passive-aggressive step what a row counts: the mean error on 38 tables
    is smallest there, and flat around it. For rows of length 1 AROW believes a row little:
    r = 5 q was as good as 1 or better on each of 9 sets of texts, 0.8 points on average.

    Examples
    --------
    >>> from rosenblatt.blocks import as_blocks
    >>> suited(PassiveAggressive(), as_blocks([[1.0], [3.0]], ["a", "b"]), "plain").C
    0.0833
    """
    is_arow = isinstance(learner, AROW) and form in (LENGTH, TFIDF)
    if not (is_arow or isinstance(learner, PassiveAggressive)):
        return learner
    name = "r" if is_arow else "C"
    if name in given:
        return learner
    q = _mean_square(learner, blocks)
    if not 0 < q < np.inf:
        return learner  # rows of zeros, or so long that the learner will refuse them
    value = 5 * q if is_arow else 0.5 / q
    return learner.set_params(**{name: float(f"{value:.3g}")})


def _mean_square(learner: Any, blocks: Blocks) -> float:
    x0 = float(learner.fit_intercept)
    # all at once: a sum of sums would depend on the blocks
    lengths = np.concatenate(list(blocks.each(lambda b: lengths_of(b.rows, b.n_rows, x0))))
    counted = 2.0 if len(blocks.classes) > 2 and learner.multiclass == "joint" else 1.0
    with np.errstate(over="ignore"):
        return counted * float(np.mean(lengths**2))


def check_form_stays(weighting: str | None, scale: bool) -> None:
    """Refuse to be told how rows are made where a saved model knows it."""
    if weighting is not None or not scale:
        raise ParameterError(
            "the saved model knows in which form its rows are",
            do="leave out {weighting} and {scale}",
            in_shell="leave out --weighting and --no-scale",
        )


def fit_form(form: str, blocks: Blocks, *, of_words: bool) -> Any:
    """Return a transformer that brings rows into a form, learned from these; None: as they are."""
    if form == COLUMNS:
        return fit_scaler(blocks)
    if form == LENGTH:
        return Normalizer().fit(sparse.csr_array((1, blocks.n_features)))
    if form == TFIDF:
        return WordWeights(documents=count_documents(blocks))
    return Presences() if of_words else None


def formed(blocks: Blocks, step: Any) -> Blocks:
    """Return blocks with their rows in the form that a fitted transformer gives them."""
    if step is None:
        return blocks
    is_dense = True if isinstance(step, DenseScaler) else None
    return blocks.changed(partial(formed_by, step), is_dense=is_dense)


def formed_by(step: Any, block: Block) -> Block:
    """Return a block with its rows in another form; refuse numbers that become infinite."""
    if isinstance(step, Normalizer):
        _check_squares(block.rows)
    if isinstance(step, Presences):
        return presences_of(block)
    found = step.transform(matrix(block.rows, block.n_features))
    rows = CSR(found.data, found.indices, found.indptr) if sparse.issparse(found) else found
    check_finite(found.data if sparse.issparse(found) else found, found, None)
    return block._replace(rows=rows)


def presences_of(block: Block) -> Block:
    """Return a block of sparse rows that say which columns there are."""
    rows = block.rows
    return block._replace(rows=Presence(rows.indices, rows.indptr))  # type: ignore[union-attr]  # sparse


def _check_squares(rows: Rows) -> None:
    if isinstance(rows, CSR) and np.abs(rows.data).max(initial=0.0) > LARGEST:
        raise DataError(
            f"a number is above {LARGEST:g}, too large for a row of length 1",
            do="divide the numbers by a large one, or use {scale:False}",
            in_shell="divide the numbers by a large one, or use --no-scale",
        )


def form_by(step: Any) -> str:
    """Return the form that a fitted transformer gives to rows."""
    if isinstance(step, Normalizer):
        return LENGTH
    if isinstance(step, WordWeights):
        return TFIDF
    return PLAIN if step is None or isinstance(step, Presences) else COLUMNS


def asked_form(kind: str, algorithm: str, weighting: str | None, scale: bool) -> str | None:
    """Return the form that is asked for by options; None: as the algorithm likes it.

    Examples
    --------
    >>> asked_form("words", "averaged", "none", scale=True)
    'plain'
    """
    if weighting is None:
        return None if scale else PLAIN
    if kind != "words":
        raise DataError(
            "words of a single column of texts are weighed, and there is none",
            do="leave out {weighting}",
        )
    if weighting != NONE and algorithm != AUTO and not check_algorithm(algorithm).scaled:
        raise ParameterError(
            f"cannot be {weighting!r} for {algorithm}, which counts words",
            about="weighting",
            do="leave it out, or use another {algorithm}",
        )
    return PLAIN if weighting == NONE else weighting


def count_documents(blocks: Blocks, known: DocumentCounts | None = None) -> DocumentCounts:
    """Count the rows, and those that have each column; go on from what is known, in a copy.

    Examples
    --------
    >>> from rosenblatt.blocks import as_blocks
    >>> X = sparse.csr_array(np.array([[True, True], [True, False]]))
    >>> count_documents(as_blocks(X, ["a", "b"])).of_columns
    array([2, 1])
    """
    start = (known or DocumentCounts.none(0)).of_width(blocks.n_features)

    def add(state: DocumentCounts | None, block: Block) -> DocumentCounts:
        found = DocumentCounts.none(blocks.n_features) if state is None else state
        return found.with_rows(block.rows.indices, block.n_rows)  # type: ignore[union-attr]  # sparse

    def merge(one: DocumentCounts, other: DocumentCounts) -> DocumentCounts:
        return DocumentCounts(one.n + other.n, one.of_columns + other.of_columns)

    return merge(start, blocks.total(add, merge))


def fit_scaler(blocks: Blocks) -> StandardScaler:
    """Learn the means and deviations of dense rows, or of sparse ones that become dense.

    They are added up over pieces of some thousand rows. Where the pieces end depends on the number
    of columns alone, so blocks of any size are scaled by the same numbers, bit for bit. Parts on
    several machines are added up apart from each other, and merged.

    Examples
    --------
    >>> from rosenblatt.blocks import as_blocks
    >>> fit_scaler(as_blocks([[1.0], [3.0]], ["low", "high"])).mean_
    array([2.])
    """
    new = StandardScaler if blocks.is_dense else DenseScaler
    size = max(1, CELLS // blocks.n_features)
    found = blocks.total(partial(_add_to_scaler, new, size), _both_scalers)
    return found.whole()


class _PartlyScaled(NamedTuple):
    """A scaler that has learned from whole pieces, and the rows that wait for more of theirs."""

    scaler: StandardScaler
    waiting: list[Array]

    def whole(self) -> StandardScaler:
        """Return the scaler with the last rows."""
        if self.waiting:
            self.scaler.partial_fit(np.concatenate(self.waiting))
        return self.scaler


def _add_to_scaler(
    new: Callable[[], StandardScaler], size: int, so_far: _PartlyScaled | None, block: Block
) -> _PartlyScaled:
    """Go on with the rows of a block, `size` rows at a time."""
    scaler, waiting = _PartlyScaled(new(), []) if so_far is None else so_far
    rows = np.ascontiguousarray(as_dense(matrix(block.rows, block.n_features)))
    n_waiting, start = sum(map(len, waiting)), 0
    while len(rows) - start >= size - n_waiting:
        stop = start + size - n_waiting
        piece = rows[start:stop]
        scaler.partial_fit(np.concatenate([*waiting, piece]) if waiting else piece)
        waiting, n_waiting, start = [], 0, stop
    return _PartlyScaled(scaler, [*waiting, rows[start:]] if start < len(rows) else waiting)


def _both_scalers(one: _PartlyScaled, other: _PartlyScaled) -> _PartlyScaled:
    """Return the means and deviations of the rows of both; neither is changed."""
    a, b = deepcopy(one).whole(), deepcopy(other).whole()
    n, share = a.n_samples_seen_ + b.n_samples_seen_, b.n_samples_seen_
    apart = b.mean_ - a.mean_
    squares = a.var_ * a.n_samples_seen_ + b.var_ * b.n_samples_seen_
    squares = squares + apart**2 * (a.n_samples_seen_ * share / n)
    a.mean_, a.var_, a.n_samples_seen_ = a.mean_ + apart * (share / n), squares / n, n
    # as scikit-learn has it: what varies by rounding alone is not scaled
    rounding = np.finfo(np.float64).eps * n
    constant = a.var_ <= rounding * a.var_ + (rounding * a.mean_) ** 2
    a.scale_ = np.where(constant, 1.0, np.sqrt(a.var_))
    return _PartlyScaled(a, [])
