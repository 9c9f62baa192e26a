"""A real browser: Debian's chromium, driven by Playwright.

Where there is none its tests are skipped, unless ROSENBLATT_NEEDS_BROWSER is set, as it is in the
automatic checks.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


@contextmanager
def open_chromium() -> Iterator[Any]:
    """Give a browser.

    While it is open the thread has a running event loop, which other tests could not bear: fixtures
    of a folder or a file close it, those of a session would not.
    """
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


def _missing(what: str) -> None:
    if os.environ.get("ROSENBLATT_NEEDS_BROWSER"):
        pytest.fail(f"{what}, and ROSENBLATT_NEEDS_BROWSER says that the page must be tested")
    pytest.skip(f"{what}; the tests of the page are left out")
