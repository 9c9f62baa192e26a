"""What the commands of `mail` do: train, filter, learn, explain, evaluate.

The commands themselves parse, call one of these, and show what comes back. One message must pass
within the time of a delivery, so what only the others need is loaded by them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.filter.file import made_of, only_writer, read_memory, write_memory
from rosenblatt.mail.filter.header import tagged
from rosenblatt.mail.filter.memory import HAM, SPAM, FilterMemory, Witnesses, each_once
from rosenblatt.mail.filter.pipe import pass_message
from rosenblatt.mail.filter.reading import check_apart, check_is_message, features_of, messages_of
from rosenblatt.mail.filter.rule import MessageVerdict, judge_message

if TYPE_CHECKING:
    from rosenblatt.mail.filter.evaluating import Evaluation
    from rosenblatt.mail.filter.sorting import Sorted

LABELS = {"ham": HAM, "spam": SPAM}

Tell = Callable[[str, float], None]


class Trained(NamedTuple):
    """A filter, and what it says of messages that were held out while it learned."""

    memory: FilterMemory

    @property
    def held_out(self) -> Evaluation:
        """The messages that it learned, each judged by a rule that had not learned it."""
        from rosenblatt.mail.filter.evaluating import Evaluation
        from rosenblatt.mail.filter.thresholds import held_out

        ham, spam = (
            Counter(self.memory.label_of(score) for score in held_out(self.memory.messages, label))
            for label in (HAM, SPAM)
        )
        return Evaluation(ham, spam)

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
    spam: str, ham: str, output: str, *, max_false_positives: float, seed: int, tell: Tell
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
    check_apart(spam, ham)
    check_output(output)
    corpus = Corpus()
    for path, label in ((spam, SPAM), (ham, HAM)):
        for features in _features(path, "reading", tell):
            corpus.add(features, label)
    memory = corpus.train(max_false_positives, seed, tell)
    made = {"spam": spam, "ham": ham, "seed": seed}
    with only_writer(output) if os.path.exists(output) else nullcontext():
        write_memory(output, memory, made)
    return Trained(memory)


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
    verdict = judge_message(memory_of(model), features_of(raw))
    return verdict, tagged(raw, verdict)


def sort_box(model: str, box: str, into: str, *, move: bool = False) -> Iterator[Sorted]:
    """Sort a mailbox into spam, ham and unsure below `into`; return where each message went."""
    from rosenblatt.mail.filter.sorting import sort_folder

    memory = read_memory(model)
    return sort_folder(box, into, lambda features: judge_message(memory, features), move=move)


class Corrected(NamedTuple):
    """What a correction did."""

    names: list[str]
    n_twice: int  # of them that were known with the same label before
    n_other: int  # of them that are known with the other label, too
    memory: FilterMemory


def correct_filter(model: str, path: str, label: str, *, forget: bool = False) -> Corrected:
    """Learn or forget the messages of a mailbox; all of them, or none after an error."""
    # not above: it needs NumPy
    from rosenblatt.mail.filter.correcting import Correction

    read_memory(model)  # before a long mailbox is read
    messages, kind = list(messages_of(path)), LABELS[label]
    with only_writer(model):
        correction, made = Correction(read_memory(model)), made_of(model)
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
    return Corrected([message.name for message, _ in messages], n_twice, n_other, memory)


class ExplainedMessage(NamedTuple):
    """What a filter says of a message, and how many of its words say nothing to it."""

    name: str
    verdict: MessageVerdict
    memory: FilterMemory
    n_silent: int

    @property
    def facts(self) -> dict[str, Any]:
        """The verdict as plain data, with the marks that it was compared with."""
        marks = {"spam_from": self.memory.spam_from, "ham_below": self.memory.ham_below}
        return {**self.verdict._asdict(), **marks}


def explain_messages(model: str, path: str) -> Iterator[ExplainedMessage]:
    """Judge the messages of a mailbox, one by one."""
    memory = read_memory(model)
    for message, features in messages_of(path):
        verdict = judge_message(memory, features)
        n_words = sum(len(each_once(witness)) for witness in features)
        yield ExplainedMessage(message.name, verdict, memory, n_words - len(verdict.words))


def evaluate_boxes(model: str, spam: str, ham: str, tell: Tell) -> Evaluation:
    """Judge the messages of two mailboxes."""
    from rosenblatt.mail.filter.evaluating import evaluate

    check_apart(spam, ham)
    memory = read_memory(model)
    ham_features, spam_features = (_features(path, "judging", tell) for path in (ham, spam))
    return evaluate(memory, ham_features, spam_features)


def _features(path: str, work: str, tell: Tell) -> Iterator[Witnesses]:
    for n, (_, features) in enumerate(messages_of(path)):
        if not n % 100:
            tell(f"{work} {path}", 0.0)
        yield features


def _sizes(rate: float) -> Iterator[int]:
    n = int(3 / rate)
    while True:
        yield n
        n += max(1, n // 1000)
