"""A server that is gone, comes back, refuses or takes its time: said, and only as long."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.browser.driving import Desk

GONE = "ERR_FAILED"


def refuse_once(route: Any) -> None:
    route.fulfill(status=400, json={"error": "this cannot be learned"})


def test_the_message_about_a_server_that_is_gone_goes_when_it_is_back(desk: Desk) -> None:
    desk.open("#preset=xor")
    desk.expected.append(GONE)
    desk.page.route("**/*", lambda route: route.abort())
    desk.page.click(".preset[data-name=iris]")
    desk.until(lambda: desk.page.is_visible("#notice"))
    assert "does not answer" in desk.page.inner_text("#notice")
    desk.page.unroute("**/*")
    desk.until(lambda: not desk.page.is_visible("#notice"))  # by itself
    assert len(desk.click(".preset[data-name=iris]").points()) == 150


@pytest.mark.parametrize("path", ["**/api/presets", "**/api/scene"])
def test_a_page_that_was_opened_too_early_begins_when_the_server_is_there(
    desk: Desk, path: str
) -> None:
    desk.expected.append(GONE)
    desk.page.route(path, lambda route: route.abort())
    desk.page.goto(f"{desk.address}/#preset=xor")
    desk.until(lambda: desk.page.is_visible("#notice"))
    desk.page.unroute(path)
    desk.until(lambda: desk.count(".plane .pt") == 4)
    assert not desk.page.is_visible("#notice")


def test_the_message_of_a_refusal_goes_with_the_next_answer(desk: Desk) -> None:
    desk.open("#preset=xor")
    desk.expect_refusal()
    desk.page.route("**/api/scene", refuse_once)
    desk.page.click(".preset[data-name=iris]")
    desk.until(lambda: desk.page.is_visible("#notice"))
    assert desk.page.inner_text("#notice").strip() == "This cannot be learned"
    desk.page.unroute("**/api/scene")
    desk.click(".preset[data-name=circles]")
    assert not desk.page.is_visible("#notice")


def test_when_the_first_question_is_refused_the_start_is_shown(desk: Desk) -> None:
    desk.expect_refusal()
    desk.page.route("**/api/scene", refuse_once, times=1)
    desk.open("#preset=xor&algorithm=pocket")
    assert "The start is shown instead" in desk.page.inner_text("#notice")
    assert len(desk.points()) == 20
    assert desk.page.is_disabled("#undo")


def test_an_answer_that_takes_long_is_announced(desk: Desk) -> None:
    desk.open("#preset=xor")
    waiting: list[Any] = []
    desk.page.route("**/api/scene", lambda route: waiting.append(route))
    desk.page.click(".preset[data-name=iris]")
    desk.until(lambda: desk.page.is_visible("#waiting"))
    assert desk.page.inner_text("#waiting").startswith("Computing")
    assert float(desk.ask("getComputedStyle(document.querySelector('.plane svg')).opacity")) < 1
    waiting[0].continue_()
    desk.until(lambda: not desk.page.is_visible("#waiting"))
    desk.settled()
    assert len(desk.points()) == 150


def test_seeds_end_where_the_server_ends(desk: Desk) -> None:
    desk.open("#preset=circles&seed=2147483647&rule=random&run_seed=2147483647")
    assert not desk.page.is_visible("#notice")
    limits = desk.state("limits")
    for field, name in {
        "#data-seed": "seed",
        "#seed-0": "seed",
        "#n": "n",
        "#max_updates-0": "max_updates",
    }.items():
        ends = [float(desk.page.get_attribute(field, end)) for end in ("min", "max")]
        assert ends == limits[name], field
    desk.page.fill("#n", "20000")  # the longest numbers are seen whole
    for field in ("#n", "#data-seed", "#seed-0"):
        seen, whole = desk.page.locator(field).evaluate("e => [e.clientWidth, e.scrollWidth]")
        assert whole <= seen, field
    desk.page.fill("#n", "60")
    before = desk.points()
    desk.click("#redraw")
    assert desk.state("data.seed") == 0
    assert desk.points() != before


def test_the_dice_are_there_where_something_is_drawn(desk: Desk) -> None:
    desk.open("#preset=iris")
    assert desk.page.is_disabled("#redraw")
    assert "All 150 rows" in desk.page.get_attribute("#redraw", "title")
    desk.page.fill("#n", "40")
    desk.page.press("#n", "Enter")
    before = desk.settled().points()
    assert desk.click("#redraw").points() != before
    desk.click(".preset[data-name=xor]")
    assert desk.page.is_enabled("#redraw")
