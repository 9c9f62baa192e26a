"""The page of the studio in a real browser: load, a step, a drag.

There is no peer to take turns with; the second column is the limit that the page is to keep.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Iterator
from typing import Any

from benchmarks.studio import running
from benchmarks.timing import Row

LOAD, STEP, DRAG = 0.300, 0.016, 0.060
N_LOADS, N_STEPS, N_MOVES = 9, 200, 60

LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
# what a step computes and changes, with the layout that follows from it
STEPS = """count => {
  const [first, step] = ["to-first", "to-step"].map(id => document.getElementById(id));
  const plane = document.querySelector(".plane svg");
  return Array.from({ length: count }, (_, i) => {
    if (i % 20 === 0) first.click();
    const begun = performance.now();
    step.click();
    plane.getBoundingClientRect();
    return performance.now() - begun;
  });
}"""
ANSWERS = "performance.getEntriesByName('answer').map(e => e.duration)"


def page() -> Iterator[Row]:
    """Load the page, step through 200 points, drag one of 100."""
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        return
    with running() as studio, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        address = f"http://127.0.0.1:{studio.port}/"
        yield Row("page: load", "limit 300 ms", _load(browser, address), LOAD, "1x")
        yield Row("page: a step at 200 points", "limit 16 ms", _step(browser, address), STEP, "1x")
        yield Row("page: a drag at 100 points", "limit 60 ms", _drag(browser, address), DRAG, "1x")
        browser.close()


def _opened(browser: Any, address: str, state: str = "") -> Any:
    """Open the page anew, with nothing in its cache, and wait for the picture."""
    found = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    found.goto(address + state)
    _settled(found)
    return found


def _settled(found: Any) -> None:
    found.locator("body[aria-busy=false] .plane .line").first.wait_for(state="attached")


def _load(browser: Any, address: str) -> float:
    times = []
    for _ in range(N_LOADS):
        found = _opened(browser, address)
        times.append(found.evaluate(LOADED) / 1000)
        found.context.close()
    return statistics.median(times)


def _step(browser: Any, address: str) -> float:
    found = _opened(browser, address, "#preset=separable&n=200&noise=0.1")
    times = found.evaluate(STEPS, N_STEPS)
    found.context.close()
    return statistics.median(times) / 1000


def _drag(browser: Any, address: str) -> float:
    """From a move of the mouse to the drawn answer, for all moves of one drag."""
    found = _opened(browser, address, "#preset=separable&n=100")
    box = found.locator(".pt .grip").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    found.evaluate("performance.clearMeasures()")
    found.mouse.move(x, y)
    found.mouse.down()
    for i in range(N_MOVES):
        found.mouse.move(x + 2 * i, y + i)
        found.wait_for_timeout(20)
    found.mouse.up()
    _settled(found)
    times = found.evaluate(ANSWERS)
    found.context.close()
    return statistics.median(times) / 1000
