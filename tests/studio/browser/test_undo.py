"""Undo and redo: points, data sets and settings, by buttons and keys."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from tests.studio.browser.driving import Desk


def asked(desk: Desk) -> tuple[Any, Any]:
    return desk.state("data"), desk.state("runs")


def test_undo_goes_back_over_a_preset_to_the_points_added_before(desk: Desk) -> None:
    desk.open()
    seen = [asked(desk)]
    for _ in range(3):
        desk.page.mouse.click(*desk.empty_place())
        desk.settled()
        seen.append(asked(desk))
    desk.click(".preset[data-name=xor]")
    assert len(desk.points()) == 4
    seen.append(asked(desk))
    for wanted in (23, 22, 21, 20):
        desk.press("Control+z")
        assert len(desk.points()) == wanted
        assert asked(desk) == seen[wanted - 20]
    assert desk.page.is_disabled("#undo")
    for wanted in (21, 22, 23, 4):
        desk.press("Control+Shift+Z")
        assert len(desk.points()) == wanted
    assert asked(desk) == seen[4]
    assert desk.page.is_disabled("#redo")


CHANGES = {
    "a drag": lambda desk: desk.drag(desk.place(0), desk.plane_at(0.2, 0.2)),
    "an arrow": lambda desk: (desk.page.locator(".pt").first.focus(), desk.press("ArrowUp")),
    "a flip": lambda desk: (desk.page.locator(".pt").first.focus(), desk.press("x")),
    "the dice": lambda desk: desk.click("#redraw"),
    "an algorithm": lambda desk: desk.page.select_option("#algorithm-0", "pocket"),
    "a rule": lambda desk: desk.page.select_option("#rule-0", "worst"),
    "a race": lambda desk: desk.click("#race"),
    "the start line": lambda desk: desk.drag(
        desk.middle(".handle.of-start.body"), desk.plane_at(0.3, 0.3)
    ),
    "the target": lambda desk: desk.drag(
        desk.middle(".handle.of-target.body"), desk.plane_at(0.8, 0.3)
    ),
    "a guided step": lambda desk: desk.click("#tour-steps button:nth-child(5)"),
}


def test_every_change_is_one_step_to_undo_and_redo(desk: Desk) -> None:
    desk.open("#preset=separable&n=12")
    before = asked(desk)
    keys = cycle(["Control+y", "Control+Shift+Z"])  # for the same
    for (name, change), key in zip(CHANGES.items(), keys, strict=False):
        change(desk)
        after = asked(desk.settled())
        assert after != before, name
        desk.press("Control+z")
        assert asked(desk) == before, name
        assert desk.page.get_attribute("#undo", "disabled") is not None, name
        desk.press(key)
        assert asked(desk) == after, name
        desk.press("Control+z")


def test_the_buttons_undo_and_redo(desk: Desk) -> None:
    desk.open()
    before = desk.points()
    desk.click(".preset[data-name=iris]").click("#undo")
    assert desk.points() == before
    desk.click("#redo")
    assert len(desk.points()) == 150


def test_what_is_done_after_undo_takes_the_place_of_what_was_undone(desk: Desk) -> None:
    desk.open()
    desk.click(".preset[data-name=xor]").click("#undo").click(".preset[data-name=circles]")
    assert desk.page.is_disabled("#redo")
    desk.press("Control+z")
    assert desk.state("data.preset") == "separable"


def test_a_refused_change_is_no_step(desk: Desk) -> None:
    desk.open("#preset=xor")
    desk.click(".preset[data-name=iris]")
    desk.expect_refusal()
    desk.page.route("**/api/scene", refuse)
    desk.click(".preset[data-name=circles]")
    desk.page.unroute("**/api/scene")
    assert "in vain" in desk.page.inner_text("#notice")
    assert desk.state("data.preset") == "iris"
    desk.press("Control+z")
    assert desk.state("data.preset") == "xor"
    assert desk.page.is_disabled("#undo")


def refuse(route: Any) -> None:
    route.fulfill(status=400, json={"error": "Asked in vain."})


def test_the_last_point_can_go_and_the_empty_plane_works(desk: Desk) -> None:
    desk.open("#points=0_0_0*0.5_0.5_1&class=a&class=b&box=-1_-1_2")
    desk.page.locator(".pt").first.focus()
    desk.press("Delete")
    assert desk.verdict == "All points are of one class, b; add some of another to tell them apart."
    desk.press("Delete")
    assert desk.points() == []
    assert desk.verdict == "There are no points yet; add some of two classes."
    for algorithm in ("pocket", "batch", "voted", "naive-bayes", "max-margin", "perceptron"):
        desk.page.select_option("#algorithm-0", algorithm)
        desk.settled()
    desk.click("#to-first").click("#race").click("#race")
    link = desk.hash()
    desk.open(link)
    assert desk.points() == []
    desk.page.locator(".plane svg").focus()
    desk.press("Enter")
    assert len(desk.points()) == 1
    desk.page.locator(".class-choice").first.click()
    desk.page.mouse.click(*desk.plane_at(0.2, 0.2))
    desk.settled()
    assert desk.verdict.startswith("Separable")
