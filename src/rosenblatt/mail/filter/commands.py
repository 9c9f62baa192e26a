"""What the commands of `mail` do: train, filter, learn, explain, evaluate.

The commands themselves parse, call one of these, and show what comes back. One message must pass
within the time of a delivery, so what only the others need is loaded by them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.filter.file import made_of, only_writer, read_memory, write_memory
from rosenblatt.mail.filter.header import tagged
from rosenblatt.mail.filter.memory import (
    HAM,
    LEAST_ODDS,
    SPAM,
    FilterMemory,
    Witnesses,
    each_once,
)
from rosenblatt.mail.filter.pipe import pass_message
from rosenblatt.mail.filter.reading import check_apart, check_is_message, features_of, messages_of
from rosenblatt.mail.filter.rule import MessageVerdict, judge_message
from rosenblatt.mail.filter.seen import forget_seen, note, read_seen

if TYPE_CHECKING:
    from rosenblatt.mail.filter.evaluating import Evaluation
    from rosenblatt.mail.filter.sorting import Sorted
    from rosenblatt.mail.message.boxes import Message

LABELS = {"ham": HAM, "spam": SPAM}
NAMES = {HAM: "ham", SPAM: "spam"}
MOST_ODDS = 1_000_000

Tell = Callable[[str, float], None]


class Doubt(NamedTuple):
    """A message whose label is more likely wrong than right."""

    name: str
    label: str
    score: float  # by a rule that had not learned it
    wrong: float  # the probability that it is


class Doubts(NamedTuple):
    """How many labels seem to be wrong."""

    share: float  # that is expected to be wrong
    messages: list[Doubt]  # the most doubtful first


class Trained(NamedTuple):
    """A filter, and what it says of messages that were held out while it learned."""

    memory: FilterMemory
    names: dict[tuple[int, int], list[str]]  # of the messages, by digest and label

    @property
    def held_out(self) -> Evaluation:
        """The messages that it learned, each judged by a rule that had not learned it."""
        from rosenblatt.mail.filter.evaluating import Evaluation

        messages = self.memory.messages
        pairs = list(zip(messages.scores.tolist(), messages.labels.tolist(), strict=True))
        ham, spam = ([score for score, kind in pairs if kind == label] for label in (HAM, SPAM))
        return Evaluation(self.memory, ham, spam)

    @property
    def doubts(self) -> Doubts:
        """Labels that seem to be wrong."""
        from rosenblatt.mail.filter.marks import noisy_logistic

        messages, names = self.memory.messages, {key: [*found] for key, found in self.names.items()}
        wrong = noisy_logistic(messages.scores, messages.labels).wrong(messages.labels)
        columns = messages.digests, messages.labels, messages.scores, wrong
        found = []
        for digest, label, score, doubt in zip(*(c.tolist() for c in columns), strict=True):
            # messages that are the same have the same names, in any order
            name = names[digest, label].pop()
            if doubt > 0.5:
                found.append(Doubt(name, NAMES[label], score, doubt))
        found.sort(key=lambda doubt: (-doubt.wrong, doubt.name))
        return Doubts(float(wrong.mean()), found)

    @property
    def sureness(self) -> str:
        """How sure the share of lost ham can be after so many messages."""
        from rosenblatt.mail.filter.evaluating import share_below

        lost = self.held_out.shares["ham lost"]
        rate = self.memory.max_false_positives
        bound = share_below(lost.k, lost.n)
        known = f"{lost.k} of {lost.n} ham lost when held out: below {100 * bound:.3g} % with 95 %"
        if bound <= rate:
            return known
        enough = next(n for n in _sizes(rate) if share_below(0, n) <= rate)
        return f"{known}; to be sure of {100 * rate:g} % takes some {enough:,} ham"


def train(
    spam: str,
    ham: str,
    output: str,
    *,
    max_false_positives: float,
    seed: int,
    tell: Tell,
    least_odds: float = LEAST_ODDS,
) -> Trained:
    """Learn a filter from two mailboxes and save it."""
    # not above: it needs the kernels
    from rosenblatt.files import check_output
    from rosenblatt.mail.filter.training import Corpus

    if not 0 < max_false_positives < 1:
        raise ParameterError(
            f"must be a share between 0 and 1, got {max_false_positives}",
            about="max_false_positives",
        )
    if not 1 <= least_odds <= MOST_ODDS:
        raise ParameterError(
            f"must be odds from 1 to {MOST_ODDS:,} to 1, got {least_odds}", about="least_odds"
        )
    check_apart(spam, ham)
    check_output(output)
    corpus, names = Corpus(), defaultdict[tuple[int, int], list[str]](list)
    for path, label in ((spam, SPAM), (ham, HAM)):
        for message, features in _messages(path, "reading", tell):
            names[corpus.add(features, label), label].append(message.name)
    memory = corpus.train(max_false_positives, seed, tell, least_odds)
    made = {"spam": spam, "ham": ham, "seed": seed}
    with only_writer(output) if os.path.exists(output) else nullcontext():
        write_memory(output, memory, made)
    return Trained(memory, names)


def deliver(model: str) -> tuple[int, MessageVerdict | None]:
    """Pass the message on standard input on, with a header; return exit code and verdict."""
    found: list[MessageVerdict] = []

    def change(raw: bytes) -> bytes:
        verdict, changed = judged(raw, model)
        found.append(verdict)
        return changed

    code = pass_message(change)
    return code, found[0] if found and not code else None


def judged(
    raw: bytes, model: str, memory_of: Callable[[str], FilterMemory] = read_memory
) -> tuple[MessageVerdict, bytes]:
    """Return what a filter says of a message that came alone, and the message with that in it."""
    check_is_message(raw, "standard input")
    verdict = _noted(model, memory_of(model), features_of(raw))
    return verdict, tagged(raw, verdict)


def _noted(model: str, memory: FilterMemory, features: Witnesses) -> MessageVerdict:
    """Judge a message that came, and write down that it did."""
    verdict = judge_message(memory, features)
    note(model, memory, [(verdict.score, memory.arrival(features))])
    return verdict


def sort_box(model: str, box: str, into: str, *, move: bool = False) -> Iterator[Sorted]:
    """Sort a mailbox into spam, ham and unsure below `into`; return where each message went."""
    from rosenblatt.mail.filter.sorting import sort_folder

    memory = read_memory(model)
    return sort_folder(box, into, lambda features: _noted(model, memory, features), move=move)


class Corrected(NamedTuple):
    """What a correction did."""

    names: list[str]
    n_twice: int  # of them that were known with the same label before
    n_other: int  # of them that are known with the other label, too
    memory: FilterMemory


def correct_filter(model: str, path: str, label: str, *, forget: bool = False) -> Corrected:
    """Learn or forget the messages of a mailbox; all of them, or none after an error."""
    # not above: it needs NumPy
    from rosenblatt.mail.filter.correcting import Correction, join_judged

    read_memory(model)  # before a long mailbox is read
    messages, kind = list(messages_of(path)), LABELS[label]
    with only_writer(model):
        memory, made = read_memory(model), made_of(model)
        # what was judged says how far those that are told are a sample; who only takes something
        # back leaves all else as it is
        judged = memory.judged if forget else join_judged(memory, read_seen(model, memory))
        correction = Correction(memory, judged)
        n_twice = n_other = 0
        for message, features in messages:
            if forget:
                correction.forget(features, kind, message.name)
                continue
            n_twice += correction.is_known(features, kind)
            n_other += correction.is_known(features, 1 - kind)
            correction.learn(features, kind)
        memory = correction.memory()
        if not (memory.n_spam and memory.n_ham):
            raise DataError(f"{model} would know no {label} any more; keep a message of it")
        write_memory(model, memory, made)
        if not forget:
            forget_seen(model)
    return Corrected([message.name for message, _ in messages], n_twice, n_other, memory)


class ExplainedMessage(NamedTuple):
    """What a filter says of a message, and how many of its words say nothing to it."""

    name: str
    verdict: MessageVerdict
    memory: FilterMemory
    n_silent: int
    n_letters: int  # different windows of its letters

    @property
    def facts(self) -> dict[str, Any]:
        """The verdict as plain data, with the marks that it was compared with."""
        marks = {"spam_from": self.memory.spam_from, "ham_below": self.memory.ham_below}
        return {**self.verdict._asdict(), "sums": self.verdict.sums._asdict(), **marks}


def explain_messages(model: str, path: str) -> Iterator[ExplainedMessage]:
    """Judge the messages of a mailbox, one by one."""
    memory = read_memory(model)
    for message, features in messages_of(path):
        verdict = judge_message(memory, features)
        n_words = sum(len(each_once(text)) for text in memory.texts_of(features))
        sizes = n_words - len(verdict.words), len(memory.places_of(features))
        yield ExplainedMessage(message.name, verdict, memory, *sizes)


def evaluate_boxes(model: str, spam: str, ham: str, tell: Tell) -> Evaluation:
    """Judge the messages of two mailboxes."""
    from rosenblatt.mail.filter.evaluating import evaluate

    check_apart(spam, ham)
    memory = read_memory(model)
    found = ((each for _, each in _messages(path, "judging", tell)) for path in (ham, spam))
    return evaluate(memory, *found)


def _messages(path: str, work: str, tell: Tell) -> Iterator[tuple[Message, Witnesses]]:
    for n, found in enumerate(messages_of(path)):
        if not n % 100:
            tell(f"{work} {path}", 0.0)
        yield found


def _sizes(rate: float) -> Iterator[int]:
    n = int(3 / rate)
    while True:
        yield n
        n += max(1, n // 1000)
