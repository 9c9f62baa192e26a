"""Texts to rows of words, as a transformer of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt.checks.named import Named
from rosenblatt.checks.parameters import check_choice, check_count, check_flags
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.feature_targets import Hashed
from rosenblatt.kernels.ngrams import Rule, Texts
from rosenblatt.sklearn_base import BaseEstimator, TransformerMixin
from rosenblatt.text.bags import BagSettings, Piece, check_bits, check_ngrams, make_rows, to_matrix
from rosenblatt.text.documents import blocks, check_documents
from rosenblatt.text.tfidf import DocumentCounts
from rosenblatt.text.vocabulary import Vocabulary
from rosenblatt.types import Array, Labels, SparseRows

NO_LIMIT = (1 << 31) - 1
TFIDF: Literal["tfidf"] = "tfidf"


class BagOfWords(Named, TransformerMixin, BaseEstimator):
    """Turn each text into a sparse row: which words it has, or how many of each.

    A word is a run of letters, marks and digits of any script, with its case folded; symbols are
    words on request. By default
    a word's column is a hash of it, the same on every machine and in every version
    (docs/words.md), so `transform` needs no `fit`. Several times faster than other tools: the
    whole way is compiled, over the bytes of Arrow strings.

    Parameters
    ----------
    bits : int or None, default=20
        The rows have 2^bits columns, 1 to 31. None: a column for each word that `fit` or
        `partial_fit` met; others are left out.
    ngrams : int or pair of int, default=1
        Words in a row that make a feature, at most; a pair says from how many to how many.
    counts : bool, default=False
        Count each word, instead of saying that it is there.
    lowercase : bool, default=True
        Fold the case of letters, in all scripts that have any.
    symbols : bool, default=False
        Make words of symbols, too, each character by itself: "$", "!", "%", an emoji. "now!!!"
        then has the word "now" and three times the word "!", and a row says whether there is a "$"
        in a text, however many and whatever stands beside it.
    signed : bool, default=False
        Let another bit of the hash say whether a word counts 1 or -1, so that words that share a
        column cancel out on average. Needs `bits` and `counts=True`.
    characters : bool, default=False
        Make the n-grams of characters inside of words, with a space before and after the word:
        for languages without spaces, and against misspelling.
    weighting : {None, "tfidf"}, default=None
        "tfidf" weighs each word by log((1 + N) / (1 + n)) + 1, where n of the N texts that were
        learned from have it, and brings each row to length 1; with `counts` the weight is also
        multiplied by 1 + log(count). A word that none of them has weighs nothing. Needs `fit` or
        `partial_fit`, which goes on counting: then `n_documents_` is N, and `document_counts_` has
        n for each column. Not for `signed`.
    n_names : int, default=262144
        Hashed words that `fit` remembers, in the order of their coming, to name columns by.
    n_jobs : int, default=1
        Threads; -1 for one on each core. The result is the same.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        The words met by `fit` and `partial_fit`, with their hashes.
    collisions_ : int
        Columns that two or more of these words share; 0 without `bits`.

    Examples
    --------
    >>> from rosenblatt import BagOfWords
    >>> texts = ["To be, or not to be", "Être ou ne pas être"]
    >>> words = BagOfWords(bits=None, counts=True).fit(texts)
    >>> words.get_feature_names_out()
    array(['to', 'be', 'or', 'not', 'être', 'ou', 'ne', 'pas'], dtype=object)
    >>> words.transform(texts).toarray()
    array([[2., 2., 1., 1., 0., 0., 0., 0.],
           [0., 0., 0., 0., 2., 1., 1., 1.]])
    >>> BagOfWords(bits=None, symbols=True).fit(["Earn $200 now!!!"]).get_feature_names_out()
    array(['earn', '$', '200', 'now', '!'], dtype=object)
    >>> BagOfWords(bits=22).transform(texts)
    <Compressed Sparse Row sparse array of dtype 'bool'
        with 8 stored elements and shape (2, 4194304)>
    >>> BagOfWords(bits=None, weighting="tfidf").fit_transform(["a b", "a"]).toarray().round(3)
    array([[0.58 , 0.815],
           [1.   , 0.   ]])
    """

    vocabulary_: Vocabulary
    collisions_: int

    def __init__(
        self,
        *,
        bits: int | None = 20,
        ngrams: int | tuple[int, int] = 1,
        counts: bool = False,
        lowercase: bool = True,
        symbols: bool = False,
        signed: bool = False,
        characters: bool = False,
        weighting: Literal["tfidf"] | None = None,
        n_names: int = 262144,
        n_jobs: int = 1,
    ) -> None:
        self.bits = bits
        self.ngrams = ngrams
        self.counts = counts
        self.lowercase = lowercase
        self.symbols = symbols
        self.signed = signed
        self.characters = characters
        self.weighting = weighting
        self.n_names = n_names
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the words of X: the columns without `bits`, else their names; return self.

        Parameters
        ----------
        X : array-like of str
            The texts.
        y : None, default=None
            Not used; scikit-learn's pipelines pass it.

        Returns
        -------
        self
            The same object.
        """
        rule = self._check()
        return self._learn(Vocabulary(self._most_words()), DocumentCounts.none(0), X, rule)

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn more words, and count more texts; columns that are there keep their places.

        Parameters
        ----------
        X : array-like of str
            The texts.
        y : None, default=None
            Not used; scikit-learn's pipelines pass it.

        Returns
        -------
        self
            The same object.
        """
        rule = self._check()
        start = getattr(self, "vocabulary_", None) or Vocabulary(self._most_words())
        return self._learn(start, self.documents or DocumentCounts.none(0), X, rule)

    def transform(self, X: Any) -> SparseRows:
        """Return a SciPy CSR array, a row for each text.

        Parameters
        ----------
        X : array-like of str
            The texts.

        Returns
        -------
        csr_array of shape (n_texts, n_columns)
            Of bool; with `counts` or `weighting` of float64.
        """
        pieces = self.rows_of(blocks(check_documents(X)))
        rows: SparseRows = to_matrix(list(pieces), self.n_columns)
        return rows

    def rows_of(self, texts: Iterator[Texts]) -> Iterator[Piece]:
        """Return the rows of blocks of texts, in order; some are made ahead, in threads."""
        settings = self._settings(self._check())
        if self.weighting is not None:
            settings = settings._replace(documents=self._known_documents())
        return make_rows(texts, settings, self.n_jobs)

    @property
    def documents(self) -> DocumentCounts | None:
        """What the weights of words come from; None as long as no text was counted."""
        if not hasattr(self, "document_counts_"):
            return None
        return DocumentCounts(self.n_documents_, self.document_counts_)

    def weighed_by(self, documents: DocumentCounts) -> Self:
        """Weigh words by counts of documents that somebody else made; return self."""
        self.weighting = TFIDF
        self.n_documents_, self.document_counts_ = documents
        return self

    def unweighed(self) -> BagOfWords:
        """Return a bag of the same words whose rows are not weighed."""
        plain = clone(self).set_params(weighting=None)
        known: BagOfWords = plain.named_as(self) if hasattr(self, "vocabulary_") else plain
        return known

    def named_as(self, other: BagOfWords) -> Self:
        """Take over the words that another bag has met; return self."""
        self.vocabulary_, self.collisions_ = other.vocabulary_, other.collisions_
        return self

    def meeting(self, later: BagOfWords) -> Self:
        """Learn the words that another bag met in later texts; return self.

        Parameters
        ----------
        later : BagOfWords
            Fitted, with a vocabulary.

        Returns
        -------
        self
            The same object.
        """
        self._keep(self.vocabulary_.plus(later.vocabulary_))
        return self

    @property
    def n_columns(self) -> int:
        """The columns of every row."""
        if self.bits is not None:
            return 1 << int(self.bits)
        self._check_fitted()
        return len(self.vocabulary_)

    def get_feature_names_out(self, input_features: Any = None) -> Labels:
        """Return the name of each column; see `feature_names` for those of hashed words.

        Parameters
        ----------
        input_features : None, default=None
            Not used; scikit-learn passes it.

        Returns
        -------
        ndarray of str
            A name for each column.
        """
        self._check_fitted()
        if self.bits is None:
            return self.vocabulary_.all_names()
        return np.array(self.feature_names(range(1 << self.bits)), dtype=object)

    def feature_names(self, columns: Any) -> list[str]:
        """Return the names of some columns.

        Words that share a column are all named, "one|other"; a column of which no word is known
        is called by its number, "#17".

        Parameters
        ----------
        columns : array-like of int
            Their numbers.

        Returns
        -------
        list of str
            A name for each of them.
        """
        self._check_fitted()
        if self.bits is None:
            return [self.vocabulary_.name(int(column)) for column in columns]
        words = self._words_by_column()
        return [
            "|".join(map(self.vocabulary_.name, words[int(column)]))
            if int(column) in words
            else f"#{int(column)}"
            for column in columns
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = self.bits is None or self.weighting is not None
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        if self.weighting is None:
            return hasattr(self, "vocabulary_") or self.bits is not None
        n = len(getattr(self, "document_counts_", ()))
        if self.bits is None:
            return n > 0 and n == len(getattr(self, "vocabulary_", ()))
        return n.bit_count() == 1 and n.bit_length() - 1 == self.bits

    def _check(self) -> Rule:
        """Check the parameters; return what a feature is."""
        check_bits(self.bits)
        if self.signed and (self.bits is None or not self.counts):
            raise ParameterError(
                f"a signed bag needs bits and counts, got {self.bits!r} and {self.counts!r}",
                do="set {counts:True} and {bits:20}, or {signed:False}",
                in_shell="",
            )
        check_choice(self.weighting, "weighting", (None, TFIDF))
        if self.signed and self.weighting is not None:
            raise ParameterError(
                "words that count 1 or -1 cannot be weighed",
                do="set {signed:False}, or {weighting:None}",
                in_shell="",
            )
        check_count(least=0, n_names=self.n_names)
        if self.n_jobs != -1:
            check_count(n_jobs=self.n_jobs)
        check_flags(symbols=self.symbols)
        low, high = check_ngrams(self.ngrams)
        return Rule(bool(self.lowercase), bool(self.characters), low, high)

    def _settings(self, rule: Rule) -> BagSettings:
        if self.bits is None:
            self._check_fitted()
            return self._settings_of(self.vocabulary_, rule, bool(self.counts))
        target = Hashed(np.uint64(64 - self.bits), bool(self.signed))
        return BagSettings(rule, target, int(self.bits), bool(self.counts), bool(self.symbols))

    def _settings_of(self, words: Vocabulary, rule: Rule, counts: bool = False) -> BagSettings:
        """Return how documents become rows with a column for each word that is known."""
        width = max(1, len(words).bit_length())
        return BagSettings(rule, words.known(), width, counts, bool(self.symbols))

    def _most_words(self) -> int:
        return NO_LIMIT if self.bits is None else int(self.n_names)

    def _learn(self, vocabulary: Vocabulary, documents: DocumentCounts, X: Any, rule: Rule) -> Self:
        texts = check_documents(X)
        grown = vocabulary.learn(blocks(texts), rule, symbols=bool(self.symbols))
        if self.bits is None and len(grown) == 0:
            raise DataError("X has no word in it, so there is no column to learn")
        if self.weighting is not None:
            documents = self._counted(documents, grown, blocks(texts), rule)
        self._keep(grown)
        if self.weighting is not None:
            self.n_documents_, self.document_counts_ = documents
        elif hasattr(self, "document_counts_"):
            del self.n_documents_, self.document_counts_  # not of all texts any more
        return self

    def _keep(self, words: Vocabulary) -> None:
        self.vocabulary_ = words
        self.collisions_ = 0
        if self.bits is not None:
            _, sizes = np.unique(self._columns(), return_counts=True)
            self.collisions_ = int((sizes > 1).sum())

    def _counted(
        self, documents: DocumentCounts, words: Vocabulary, texts: Iterator[Texts], rule: Rule
    ) -> DocumentCounts:
        """Return counts of documents with those of more texts."""
        n_columns = len(words) if self.bits is None else self.n_columns
        settings = self._settings_of(words, rule) if self.bits is None else self._settings(rule)
        # all of them first: what is interrupted then has counted nothing
        pieces = list(make_rows(texts, settings._replace(counts=False), self.n_jobs))
        if self.bits is None or not len(documents.of_columns):
            documents = documents.of_width(n_columns)
        documents.check_width(n_columns)
        for piece in pieces:
            documents = documents.with_rows(piece.indices, len(piece.lengths))
        return documents

    def _known_documents(self) -> DocumentCounts:
        documents = self.documents
        if documents is None:
            raise NotFittedError(
                "this BagOfWords has counted no texts yet, by which it weighs words; call fit or "
                "partial_fit with texts first"
            )
        documents.check_width(self.n_columns)
        return documents

    def _columns(self) -> Array:
        """Return the column of each word that has a name."""
        shift = np.uint64(64 - (self.bits or 0))
        return (self.vocabulary_.hashes >> shift).astype(np.int64)

    def _words_by_column(self) -> dict[int, list[int]]:
        words: dict[int, list[int]] = {}
        for number, column in enumerate(self._columns().tolist()):
            words.setdefault(column, []).append(number)
        return words

    def _check_fitted(self) -> None:
        if not hasattr(self, "vocabulary_"):
            raise NotFittedError(
                "this BagOfWords has met no words yet; call fit or partial_fit with texts first"
            )
