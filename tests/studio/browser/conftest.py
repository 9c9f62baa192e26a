"""A real browser and a real server for the tests of the page.

Debian's chromium is driven by Playwright. Where there is none the tests are skipped, unless
ROSENBLATT_NEEDS_BROWSER is set, as it is in the automatic checks. Every test fails on an error in
the console, on a request to another host and on an answer that breaks the security policy.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.browser.driving import Desk

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def _missing(what: str) -> None:
    if os.environ.get("ROSENBLATT_NEEDS_BROWSER"):
        pytest.fail(f"{what}, and ROSENBLATT_NEEDS_BROWSER says that the page must be tested")
    pytest.skip(f"{what}; the tests of the page are left out")


# Of the package, not of the session: while Playwright is open the thread has a running event
# loop, which tests of other folders could not bear.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """One chromium for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        _missing("no chromium is installed")
    with sync_playwright() as playwright:
        # in a container there is neither a sandbox nor a large /dev/shm
        flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        chromium = playwright.chromium.launch(executable_path=path, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture
def new_desk(browser: Any, studio: Any) -> Iterator[Any]:
    """A function that opens a page of given settings; all are judged when the test ends."""
    desks = []

    def open_desk(**settings: Any) -> Desk:
        settings.setdefault("viewport", {"width": 1280, "height": 860})
        settings.setdefault("reduced_motion", "reduce")  # lines jump, tests need not wait
        desks.append(Desk(browser.new_context(accept_downloads=True, **settings), studio.url))
        return desks[-1]

    yield open_desk
    for desk in desks:
        desk.close()
        assert desk.complaints == []


@pytest.fixture
def desk(new_desk: Any) -> Desk:
    """A page at the size of a laptop."""
    opened: Desk = new_desk()
    return opened
