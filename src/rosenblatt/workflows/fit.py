"""Learn from examples, validate, prove, and say what came out.

Rows are in memory, within a given memory on disk, or with workers; the model is the same, bit for
bit, and so is the validated error (of workers: docs/cluster.md says of which learners). What
differs is what is known of single examples.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from rosenblatt.blocks.fitting import check_has_epochs
from rosenblatt.checks.parameters import check_choice
from rosenblatt.choices import AlgorithmName, Balance, Weighting
from rosenblatt.data.beside import check_nothing_beside
from rosenblatt.data.read import with_kinds
from rosenblatt.errors import ParameterError
from rosenblatt.linear.base import NotConvergedWarning
from rosenblatt.linear.rules import IN_PASSES
from rosenblatt.linear.run import check_in_passes
from rosenblatt.logs import log_notes, log_stages
from rosenblatt.model_file import Saved
from rosenblatt.model_file.checkpoint import Checkpoint
from rosenblatt.text.pipeline import words_of
from rosenblatt.text.words import BagOfWords
from rosenblatt.workflows.algorithms import (
    AUTO,
    check_algorithm,
    check_not_in_memory,
    default_algorithm,
    make_learner,
    name_of,
)
from rosenblatt.workflows.apply import check_goes_on, model_to_go_on_from, save_report
from rosenblatt.workflows.calibrate import (
    check_balance,
    has_decided,
    learn_decision,
    said_of_going_on,
)
from rosenblatt.workflows.choosing import choose, contenders_for, said_of_choice
from rosenblatt.workflows.explain import names_of_task, telling
from rosenblatt.workflows.fit_report import FitReport, digest_of
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.forms import (
    COLUMNS,
    PLAIN,
    WEIGHTINGS,
    asked_form,
    check_form_stays,
    count_documents,
    form_by,
    formed,
)
from rosenblatt.workflows.parameters import (
    check_parameters_stay,
    parameters_for,
    split_parameters,
)
from rosenblatt.workflows.places import NOT_SPREAD, check_goes_with_cluster, open_rows
from rosenblatt.workflows.prove import (
    AS_READ,
    Verdict,
    update_bound,
    verdict,
)
from rosenblatt.workflows.room import check_fits
from rosenblatt.workflows.task import (
    Data,
    HowToFit,
    Task,
    Tell,
    learner_of,
    of_rows,
    step_of,
)
from rosenblatt.workflows.validate import answers_to, validate

PROVE_SECONDS = 2.0
KNOWN = ("target", "bits", "symbols")  # by a saved model
SEEN = "the saved model has learned from these very examples before"
OF_SAVED = "of the saved model, before it learned from these examples"


def fit(
    data: Data,
    algorithm: AlgorithmName | None = None,
    *,
    memory: int | str | None = None,
    cluster: Any = None,
    checkpoint: str | Path | None = None,
    saved: Saved | None = None,
    learn_more: str | Path | None = None,
    ngrams: int = 1,
    weighting: Weighting | None = None,
    scale: bool = True,
    balance: Balance | None = None,
    seed: int = 0,
    prove_seconds: float = PROVE_SECONDS,
    output: str | Path | None = None,
    report: str | Path | None = None,
    tell: Tell | None = None,
    **others: Unpack[HowToFit],
) -> FitReport:
    r"""Learn from data, validate, and prove what can be proved: what `rosenblatt fit` does.

    Parameters
    ----------
    data : str, path, list of them, frame or Examples
        Files or a built-in set, as for `read`; a frame of pandas or polars, an Arrow table or
        whatever else has `__arrow_c_stream__`; or what `read` gave.
    algorithm : str or None, default=None
        A name that `rosenblatt fit -a` takes, or "auto", the best of a few in training; None is
        what suits the data.
    memory : int, str or None, default=None
        Keep the rows of a file on disk; they and the weights take "500M", "2G", ...
    cluster : int, str, client of Dask or None, default=None
        Leave the rows to Dask's workers: the address of a scheduler, "tcp://HOST:8786", a client,
        or the number of workers to start on this machine (docs/cluster.md). Data may then be a
        collection of Dask, too.
    checkpoint : str, path or None, default=None
        A file to go on from if the fit is broken off: written after each epoch of the model, gone
        at the end.
    saved : Saved or None, default=None
        A model with its recipe, from `rosenblatt.model_file.read_model`, to go on from.
    learn_more : str, path or None, default=None
        The file of a model to go on from: one pass of its learner over the data.
    ngrams : int, default=1
        Words in a row that are a feature, at most.
    weighting : {"tfidf", "none", "auto"} or None, default=None
        Of words; "auto" is the better one in training, None what suits the algorithm.
    scale : bool, default=True
        False learns from rows as they are.
    balance : {"f1", "balanced"} or None, default=None
        Move the boundary between two classes for the largest F1 of the second, or balanced
        accuracy, on validated scores. None moves it where that saves more mistakes than chance.
    seed : int, default=0
        Draws the orders of the examples, and the folds.
    prove_seconds : float, default=2.0
        Time for the verdict on separability; 0 is none.
    output : str, path or None, default=None
        Save the model here, for `rosenblatt.load` and the command.
    report : str, path or None, default=None
        Write an HTML page about it here.
    tell : callable or None, default=None
        Told what is done, and the share of it that is finished; None tells the logger.
    **others
        Parameters of the learner: `rule`, `multiclass`, `alpha`, `max_epochs` and the others, which
        are refused if the chosen algorithm does not have them. And what `read` takes: `target`,
        `missing`, `format`, `group`, `by_time` and the others; also `text` and `category`, lists of
        columns to be read as such.

    Returns
    -------
    FitReport
        With `estimator`, which predicts from frames; `error_in`, `validation`, `verdict`,
        `telling`; `to_json()`, the facts that the command prints; and `save(page)`.

    Examples
    --------
    >>> import rosenblatt
    >>> found = rosenblatt.fit("lecture", "perceptron")
    >>> found.error_in, found.verdict.separable
    (0.0, True)
    >>> found = rosenblatt.fit("lecture", "perceptron", rule="first", scale=False)
    >>> found.weights
    {1: [-7.0, 3.0]}
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n" * 10)
    ...     fit(str(path), memory="100M").error_in
    0.0
    """
    if weighting is not None:
        check_choice(weighting, "weighting", WEIGHTINGS)
    name: str | None = algorithm
    tell = log_stages() if tell is None else tell
    parameters, how = split_parameters(with_kinds(others))
    if learn_more is not None:
        saved = model_to_go_on_from(learn_more, algorithm)
        # the saved model knows them
        how = {name: said for name, said in how.items() if name not in KNOWN}
    check_balance(balance, 2 if saved is None else None)
    if saved is not None:
        check_form_stays(weighting, scale)
        check_parameters_stay(parameters)
        check_goes_on(learner_of(saved.model))
        check_nothing_beside(how)
        how["recipe"] = saved.recipe
        name = name_of(learner_of(saved.model))
    elif name not in (None, AUTO):
        check_algorithm(name)
    parameters = parameters_for(name, parameters)
    if cluster is not None:
        beside = {option: how.get(option) for option in NOT_SPREAD}
        beside |= {"memory": memory, "learn_more": learn_more, "saved": saved}
        check_goes_with_cluster(cluster, data, **beside)
    if memory is not None or cluster is not None:
        check_not_in_memory(name, "memory" if cluster is None else "cluster")
        check_in_passes(parameters.get("rule", IN_PASSES[0]))
    kept = None if checkpoint is None else _checkpoint(checkpoint, name, saved)
    with open_rows(data, memory, cluster, ngrams, saved, tell, how) as task:
        if saved is None:
            name = name or default_algorithm(task.kind)
            task = replace(
                task,
                form=asked_form(task.kind, name, weighting, scale),
                parameters=parameters_for(name, parameters),
            )
            check_balance(balance, len(task.blocks.classes))
            if kept is not None:
                check_has_epochs(task.learner(name))
            found = _begun(task, name, balance, seed, prove_seconds, tell, kept)
        else:
            found = _gone_on(task, saved, prove_seconds, tell)
    found = replace(found, seed=seed, output=None if output is None else os.fspath(output))
    log_notes(found.notes)
    if output is not None:
        save_report(found, output, seed)
    if report is not None:
        found.save(report)
    if kept is not None:
        kept.remove()
    return found


def _checkpoint(path: str | Path, algorithm: str | None, saved: Saved | None) -> Checkpoint:
    """Return a file to go on from, for a learner that is known and begins anew."""
    if algorithm == AUTO or saved is not None:
        why = "another model" if saved is not None else "the best of several learners"
        raise ParameterError(
            f"is of one learner that begins anew, not of {why}",
            about="checkpoint",
            do="leave it out",
        )
    if algorithm is not None:
        check_has_epochs(make_learner(algorithm))
    return Checkpoint(path)


def _begun(
    task: Task,
    algorithm: str,
    balance: str | None,
    seed: int,
    seconds: float,
    tell: Tell,
    kept: Checkpoint | None = None,
) -> FitReport:
    """Learn anew."""
    asked = algorithm
    settled, algorithm = _settled(task, asked, seed, tell)
    tell("learning", 0.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = settled.learn(
            algorithm,
            seed,
            callback=lambda progress: tell("learning", progress.share),
            checkpoint=kept,
        )
    folds, checked = folds_of(task, seed), None
    if folds.parts:
        # asked for the best of several, each fold chooses anew: no row is tested that had a say
        checked = validate(task, asked, folds, seed, tell, delivered=fitted)
    decided, checked = learn_decision(checked, task.blocks.classes, balance, alone=folds.are_alone)
    if decided is not None:
        decided.teach(learner_of(fitted))
    report = _report(settled, settled.model(fitted), fitted, seconds, tell, from_zero=True)
    is_about_these = report["form"] in (PLAIN, COLUMNS)  # else the learner saw other rows
    _pass_on([warning.message for warning in caught], report["verdict"] if is_about_these else None)
    return FitReport(
        algorithm=algorithm,
        validation=checked,
        decided=decided,
        why_not_validated=folds.why_none,
        **report | {"notes": (*report["notes"], *folds.notes)},
    )


def _settled(task: Task, asked: str, seed: int, tell: Tell) -> tuple[Task, str]:
    """Return the task with the form of its rows, and the algorithm; a note if they were chosen."""
    contenders = contenders_for(task, asked)
    for contender in contenders:
        check_fits(task, task.learner(contender.algorithm, seed))
    if len(contenders) == 1:
        return replace(task, form=contenders[0].form), contenders[0].algorithm
    tell("choosing", 0.0)
    choice = choose(task, contenders, seed)
    algorithm, form = choice.winner
    return replace(task, form=form, notes=(*task.notes, said_of_choice(choice))), algorithm


def _gone_on(task: Task, saved: Saved, seconds: float, tell: Tell) -> FitReport:
    """Go on from a fitted model with one pass over more examples.

    If these examples are not what it has learned from before, its answers before it learns from
    them validate the model as it was. (A part of them that it knew already, or another order, is
    not noticed.) The scaling of the columns stays as it was; weighed words go on being counted.
    """
    model, learner, words = saved.model, learner_of(saved.model), words_of(saved.model)
    fitted = of_rows(model)
    answers = answers_to(fitted, task.blocks, all_of_them=task.examples is not None)
    everyone = None if task.examples is None else np.arange(answers.n)
    before = answers.validation(OF_SAVED, (answers.n_wrong / answers.n,), everyone)
    is_known, decided_before = digest_of(task.plain) in saved.learned_from, has_decided(learner)
    tell("learning", 0.0)
    if words is not None:
        _grow(words, task)
        fitted = of_rows(model)
    learner.partial_fit(formed(task.blocks, step_of(fitted)))
    tell("learning", 1.0)
    report = _report(task, model, fitted, seconds, tell, from_zero=False)
    return FitReport(
        algorithm=name_of(learner),
        validation=None if is_known else before,
        why_not_validated=SEEN,
        went_on=True,
        learned_before=saved.learned_from,
        **report | {"notes": (*report["notes"], *said_of_going_on(learner, decided_before))},
    )


def _grow(words: BagOfWords, task: Task) -> None:
    """Let the bag of a saved model learn the words of more texts, and count these."""
    met: Any = task.words
    if task.examples is not None:  # on disk they were met while they were read
        met.partial_fit(task.examples.texts)
    words.named_as(met)
    if words.weighting is not None:
        words.weighed_by(count_documents(task.blocks, words.documents))


def _report(
    task: Task, model: Any, fitted: Any, seconds: float, tell: Tell, *, from_zero: bool
) -> dict[str, Any]:
    """Return what every fit finds out at its end."""
    blocks, learner, step = task.blocks, learner_of(model), step_of(fitted)
    n_wrong = answers_to(fitted, blocks, all_of_them=False).n_wrong
    known = _verdict(task, fitted, seconds, tell)
    learned = None if form_by(step) == PLAIN else formed(blocks, step)
    from_zero = from_zero and getattr(learner, "init", None) is None
    bound = update_bound(learner, known, learned, seconds, tell, form_by(step), from_zero=from_zero)
    names = names_of_task(model, task)
    return {
        "source": task.source,
        "n_examples": blocks.n_rows,
        "notes": task.notes,
        "recipe": task.recipe,
        "examples": task.examples,
        "classes": blocks.classes,
        "digest_on_disk": digest_of(task.plain) if task.examples is None else None,
        "blocks": None if task.examples is None else task.plain,
        "counts": np.bincount(task.labels, minlength=len(blocks.classes)),
        "model": model,
        "form": form_by(step),
        "error_in": n_wrong / blocks.n_rows,
        "verdict": known,
        "bound": bound,
        "telling": telling(model, names),
        "naming": names,
        "memory": task.memory,
        "stored": getattr(blocks, "n_bytes", 0),
        "parts": getattr(blocks, "n_parts", None),
    }


def _verdict(task: Task, fitted: Any, seconds: float, tell: Tell) -> Verdict | None:
    if task.rounded:
        return Verdict(
            None, "not sought: a whole number is too large to be read exactly, see the note"
        )
    if seconds <= 0:
        return None
    found = verdict(task.plain, learner_of(fitted), seconds, tell)
    return replace(found, sentence=found.sentence + AS_READ[form_by(step_of(fitted))])


def _pass_on(messages: list[Any], known: Verdict | None) -> None:
    """Warn as the learner did, with what is known by now."""
    is_separable = None if known is None else known.separable
    for message in messages:
        can_know = is_separable is not None and isinstance(message, NotConvergedWarning)
        warnings.warn(message.knowing(is_separable) if can_know else message, stacklevel=4)
