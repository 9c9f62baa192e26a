"""A real browser and a real server for the tests of the page.

Every test fails on an error in the console, on a request to another host and on an answer that
breaks the security policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.chromium import open_chromium
from tests.studio.browser.driving import Desk


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """One chromium for all tests of the folder."""
    with open_chromium() as chromium:
        yield chromium


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
