"""The whole page, and the file that it is written to."""

from __future__ import annotations

import os
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rosenblatt import __version__
from rosenblatt.counting import counted
from rosenblatt.files import write_whole
from rosenblatt.markup import POLICY, Html, plain, tag
from rosenblatt.text.pipeline import words_of
from rosenblatt.workflows.prove import Verdict
from rosenblatt.workflows.report import examples, sections
from rosenblatt.workflows.report.facts import Facts, gather_facts
from rosenblatt.workflows.report.sections import confusion_section
from rosenblatt.workflows.task import Tell

if TYPE_CHECKING:
    from rosenblatt.workflows.fit_report import FitReport


class ReportPage:
    """The page about a fit, to be looked at in a notebook, or saved."""

    def __init__(self, fitted: FitReport, content: str) -> None:
        self.fitted, self.content = fitted, content

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page: whole, or not at all.

        A page about texts shows some of them, so only the owner of a new file can read it.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        private = words_of(self.fitted.model) is not None
        write_whole(path, self.content.encode(), private=private)

    def to_json(self) -> str:
        """Return what the fit found, as `rosenblatt fit --json` says it.

        Returns
        -------
        str
            On one line.
        """
        return self.fitted.to_json()

    def __repr__(self) -> str:
        return f"<ReportPage of {len(self.content):,} letters about {self.fitted!r}>"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own: its style is not the notebook's."""
        return (
            f'<iframe srcdoc="{escape(self.content)}" sandbox style="width: 100%; height: 40em; '
            'border: 0" title="rosenblatt report"></iframe>'
        )


def page_of(fitted: FitReport, seed: int, tell: Tell) -> ReportPage:
    """Return the page about a fit."""
    return ReportPage(fitted, page(gather_facts(fitted, seed, tell), seed))


def write_report(
    report: FitReport,
    path: str | os.PathLike[str],
    *,
    seed: int = 0,
    tell: Tell = lambda stage, share: None,
) -> None:
    """Write one self-contained HTML page about a fit: whole, or not at all.

    `seed` is that of the fit, so that the learning curve has the same splits.
    """
    page_of(report, seed, tell).save(path)


def page(facts: Facts, seed: int = 0) -> str:
    """Return the page.

    Examples
    --------
    >>> from rosenblatt import read
    >>> from rosenblatt.workflows.fit import fit
    >>> from rosenblatt.workflows.report.facts import gather_facts
    >>> facts = gather_facts(fit(read("lecture")), 0, lambda stage, share: None)
    >>> page(facts)[:15]
    '<!doctype html>'
    """
    title = _name(facts.report)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=Html(POLICY)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title, " - rosenblatt"),
        tag("style", Html(files(__package__).joinpath("page.css").read_text("utf-8"))),
    )
    body = tag("body", _header(facts, title), _main(facts), _footer(facts, seed))
    return "<!doctype html>\n" + tag("html", head, body, lang="en") + "\n"


def _main(facts: Facts) -> Html:
    top = (sections.data_section(facts), sections.verdict_section(facts))
    return tag(
        "main",
        *top,
        sections.plane_section(facts),
        sections.curves_sections(facts),
        sections.calibration_section(facts),
        confusion_section(facts),
        sections.quality_section(facts),
        sections.telling_section(facts),
        examples.mistakes_section(facts),
        examples.contradictions_section(facts),
    )


def _name(report: FitReport) -> Html:
    """Return the name of the file, or of the built-in set."""
    source = report.source
    return plain(os.path.basename(source) or source, 80)


def _header(facts: Facts, title: Html) -> Html:
    report, checked = facts.report, facts.report.validation
    if checked is None:
        validated = _tile("validated error", "unknown", report.why_not_validated)
    else:
        low, high = checked.interval
        about = f"±{checked.standard_error:.2%}, 95 %: {low:.2%} to {high:.2%}"
        validated = _tile("validated error", f"{checked.error:.2%}", f"{about}, {checked.way}")
    verdict, base = report.verdict, report.baseline
    known = {True: "yes", False: "no", None: "unknown"}[verdict.separable if verdict else None]
    return tag(
        "header",
        tag("p", "rosenblatt report", class_="kicker"),
        tag("h1", title),
        tag("p", _learner(report), class_="lead"),
        tag(
            "dl",
            validated,
            _tile("baseline error", f"{base.error:.2%}", f"always saying {plain(base.label, 40)}"),
            _tile("in-sample error", f"{report.error_in:.2%}", "on the examples it learned from"),
            _tile("linearly separable", known, _form(verdict)),
            _tile("examples", f"{report.n_examples:,}", counted(len(facts.classes), "class")),
            class_="tiles",
        ),
    )


def _form(verdict: Verdict | None) -> str:
    """Say which rules the answer is about, and whether it is proved."""
    about = {
        "joint": "by a joint rule, with a score for each class; ",
        "one-vs-rest": "each class from the rest; ",
        "one-vs-one": "each class from each other; ",
        None: "",
    }[verdict.multiclass if verdict else None]
    return about + ("no proof" if verdict is None or verdict.separable is None else "proved")


def _tile(name: str, value: str, about: str) -> Html:
    return tag("div", tag("dt", name), tag("dd", value), tag("dd", about, class_="quiet"))


def _learner(report: FitReport) -> str:
    learner: Any = report.learner
    line = type(learner).__name__
    if hasattr(learner, "n_updates_"):
        updates = counted(learner.n_updates_, "update", ",")
        line += f", {updates} in {counted(learner.n_epochs_, 'pass')}"
    if report.said_of_form:
        line += f", {report.said_of_form}"
    return line + (", going on from a saved model" if report.went_on else "")


def _footer(facts: Facts, seed: int) -> Html:
    source = plain(facts.report.source)
    words = (f"Made by rosenblatt {__version__} from ", source, f", seed {seed}.")
    return tag("footer", tag("p", *words))
