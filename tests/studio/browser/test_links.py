"""The state in the address: what one person sees, another sees from the link."""

from __future__ import annotations

from typing import Any

from tests.studio.browser.driving import Desk

SETTINGS = (
    "#preset=separable&n=24&seed=3&noise=0.1&algorithm=pocket&rule=random&run_seed=9"
    "&max_updates=77&step=5&b.algorithm=batch&b.eta=0.25&b.max_updates=40&off=ghosts&tour=5"
)


def test_settings_come_back_from_the_address(desk: Desk, new_desk: Any) -> None:
    desk.open(SETTINGS)
    assert desk.state("data.seed") == 3
    assert desk.state("runs.0.seed") == 9
    assert desk.state("runs.0.max_updates") == 77
    assert desk.state("runs.1.eta") == 0.25
    assert desk.counter[0] == 5
    assert not desk.page.locator("#layers [name=ghosts]").is_checked()
    link = desk.hash()
    other = new_desk().open(link)
    assert other.hash() == link
    assert other.points() == desk.points()
    assert other.line() == desk.line()


def test_edited_points_come_back_exactly(desk: Desk, new_desk: Any) -> None:
    desk.open()
    desk.page.mouse.click(*desk.empty_place())
    desk.settled()
    desk.drag(desk.place(2), desk.plane_at(0.31, 0.77))
    link = desk.hash()
    other = new_desk().open(link)
    assert other.state("table") == desk.state("table")
    assert other.points() == desk.points()
    assert other.verdict == desk.verdict
    assert other.place(2) == desk.place(2)


def test_another_link_in_the_same_page_is_followed(desk: Desk) -> None:
    desk.open("#preset=xor")
    desk.page.goto(f"{desk.address}/#preset=iris")
    desk.until(lambda: desk.state("answer.data.classes.length") == 3)
    desk.settled()
    assert desk.count(".class-choice") == 3


def test_a_broken_link_is_said_and_the_start_is_shown(desk: Desk) -> None:
    desk.open("#points=1_2_0*3_oops_1&class=a&class=b")
    assert "Point 2 of the link" in desk.page.inner_text("#notice")
    assert len(desk.points()) == 20


def test_a_lecture_hides_what_it_does_not_need(desk: Desk) -> None:
    desk.open("#preset=separable&hide=data,algorithm,cards,tour,header,tools,editing")
    page = desk.page
    for selector in (".data", ".algorithm", ".cards", ".tour", ".tools", "#share"):
        assert not page.is_visible(selector), selector
    assert page.is_visible("#to-play")
    before = desk.points()
    page.mouse.click(*desk.plane_at(0.1, 0.1))
    desk.settled()
    assert desk.points() == before
    width = page.locator(".stage").bounding_box()["width"]
    assert width > 1200


def test_the_link_is_copied(new_desk: Any) -> None:
    desk = new_desk(permissions=["clipboard-read", "clipboard-write"])
    desk.open("#preset=xor")
    desk.page.click("#share")
    desk.until(lambda: "Copied" in desk.page.inner_text("#share"))
    copied = desk.ask("navigator.clipboard.readText()")
    assert copied.startswith(f"{desk.address}/#preset=xor")
