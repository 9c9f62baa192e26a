"""The page about a fit, from Python."""

from __future__ import annotations

from typing import Any

from rosenblatt.errors import ParameterError
from rosenblatt.logs import log_stages
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.fit_report import FitReport
from rosenblatt.workflows.report.page import ReportPage, page_of
from rosenblatt.workflows.task import Data, Tell


def report(data: Data | FitReport, *, tell: Tell | None = None, **options: Any) -> ReportPage:
    """Return the page about a fit, that of `rosenblatt fit --report`.

    Parameters
    ----------
    data : str, path, frame, Examples or FitReport
        What to learn from, as for `fit`; or what `fit` found.
    tell : callable or None, default=None
        Told what is done, and the share of it that is finished; None tells the logger.
    **options
        What `fit` takes; none for what it found already.

    Returns
    -------
    ReportPage
        With `content`, the HTML; `save(path)`; `to_json()`, the facts of the fit; `fitted`, all
        that it found. A notebook shows the page.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.report("lecture").content[:15]
    '<!doctype html>'
    """
    tell = log_stages() if tell is None else tell
    if isinstance(data, FitReport) and options:
        raise ParameterError(
            f"the fit is made already, and {next(iter(options))} cannot change it",
            do="leave it out, or give the data",
            in_shell="",
        )
    fitted = data if isinstance(data, FitReport) else fit(data, tell=tell, **options)
    return page_of(fitted, fitted.seed, tell)
