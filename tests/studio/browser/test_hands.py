"""Hands on the plane: a finger drags, a click beside a line adds, grips follow the window."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.browser.driving import Desk

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def phone(new_desk: Any) -> Desk:
    desk: Desk = new_desk(**PHONE)
    return desk


def scrolled(desk: Desk) -> float:
    return float(desk.ask("scrollY"))


@pytest.mark.parametrize("beside", [0, 18])
def test_a_finger_drags_a_point_upwards_and_the_page_stays(phone: Desk, beside: int) -> None:
    phone.open("#points=0_0_0*0.9_-0.9_1*-0.9_0.9_1&class=a&class=b&box=-1_-1_2")
    x, y = phone.place(0)
    phone.drag_by_finger((x + beside, y), (x + beside, y - 96))
    there = phone.place(0)
    assert scrolled(phone) == 0
    assert abs(there[0] - x) < 3
    assert abs(there[1] - (y - 96)) < 3


def test_a_finger_drags_the_selected_one_of_thousands_of_points(phone: Desk) -> None:
    phone.open("#preset=separable&n=1500")
    x, y = phone.place(0)
    step = -96 if y > phone.plane_at(0, 0.5)[1] else 96
    phone.page.touchscreen.tap(x, y)
    phone.settled()
    x, y = phone.place(0)
    phone.drag_by_finger((x, y), (x, y + step))
    assert scrolled(phone) == 0
    assert abs(phone.place(0)[1] - (y + step)) < 3


def test_a_finger_drags_the_target_by_its_handles(phone: Desk) -> None:
    phone.open("#points=0.5_0.5_0*-0.5_-0.5_1&class=a&class=b&box=-1_-1_2&target=0_0_1")
    for handle in (".of-target.body", ".of-target:not(.body)"):
        before = phone.state("table.target")
        x, y = phone.middle(f".handle{handle}")
        phone.drag_by_finger((x, y), (x, y - 60))
        assert scrolled(phone) == 0
        assert abs(phone.middle(f".handle{handle}")[1] - (y - 60)) < 12
        assert phone.state("table.target") != before


def test_a_finger_on_empty_ground_scrolls_the_page(phone: Desk) -> None:
    phone.open("#points=0.9_0.9_0*-0.9_0.9_1&class=a&class=b&box=-1_-1_2")
    before = phone.points()
    x, y = phone.plane_at(0.5, 0.8)
    phone.drag_by_finger((x, y), (x, y - 96))
    phone.until(lambda: scrolled(phone) > 50)
    assert phone.points() == before


def test_a_new_point_is_moved_flipped_and_deleted_by_the_keys_that_its_hint_names(
    desk: Desk,
) -> None:
    desk.open()
    desk.page.mouse.click(*desk.empty_place())
    desk.settled()
    assert "use the arrow keys" in desk.page.inner_text("#hint")
    x, y = desk.state("table.points.20")
    desk.press("ArrowRight", "ArrowUp")
    moved = desk.state("table.points.20")
    assert moved[0] > x
    assert moved[1] > y
    assert desk.counter[0] == desk.counter[1]
    desk.press("x")
    assert "class -1" in desk.points()[20]
    desk.press("Delete")
    assert len(desk.points()) == 20


def test_the_keys_on_the_buttons_hold_while_a_point_is_selected(desk: Desk) -> None:
    desk.open("#preset=outlier")
    desk.page.click(".point-link >> nth=0")
    desk.settled()
    chosen = desk.state("selected")
    assert "arrow keys" not in desk.page.inner_text("#hint")
    before = desk.points()[chosen].split(", ")[1]
    desk.press("x")
    assert desk.points()[chosen].split(", ")[1] != before
    desk.press("Delete")
    assert len(desk.points()) == 25


LINES = "#points=0.9_0.9_1*-0.9_-0.9_0&class=a&class=b&box=-1_-1_2&target=0.5_0_1&init=0_0_1&step=0"


@pytest.mark.parametrize("height", [0.5, 0.75])  # of g, and of f
@pytest.mark.parametrize("jitter", [0, 2])
def test_a_click_on_a_line_adds_a_point(desk: Desk, height: float, jitter: int) -> None:
    desk.open(LINES)
    before = desk.state("runs"), desk.state("table.target")
    x, y = desk.plane_at(0.33, height)
    desk.drag((x, y), (x + jitter, y + jitter), steps=1)
    assert len(desk.points()) == 3
    assert (desk.state("runs"), desk.state("table.target")) == before


def test_a_drag_beside_the_grips_of_a_line_leaves_it_alone(desk: Desk) -> None:
    desk.open(LINES)
    before = desk.state("runs"), desk.state("table")
    for height in (0.5, 0.75):
        desk.drag(desk.plane_at(0.33, height), desk.plane_at(0.33, height - 0.1))
    assert (desk.state("runs"), desk.state("table")) == before


@pytest.mark.parametrize("kind", ["start", "target"])
def test_a_line_is_moved_by_its_grip_and_not_by_a_click_on_it(desk: Desk, kind: str) -> None:
    desk.open(LINES)
    before = desk.state("runs.0.init"), desk.state("table.target")
    x, y = desk.middle(f".handle.of-{kind}.body")
    desk.drag((x, y), (x + 2, y + 2), steps=1)
    assert (desk.state("runs.0.init"), desk.state("table.target")) == before
    size = desk.page.locator(".plane").bounding_box()["width"]
    desk.drag((x, y), (x, y - size / 10))
    moved = {"start": "runs.0.init", "target": "table.target"}[kind]
    was = before[0] if kind == "start" else before[1]
    w0, w1, w2 = desk.state(moved)
    assert (w1, w2) == (was[1], was[2])
    assert abs(w0 - (was[0] - 0.2)) < 0.01  # a tenth of a plane of side 2, upwards
    desk.press("ArrowDown")
    assert desk.state(moved)[0] > w0


def apart(desk: Desk) -> float:
    """How far the grips of g and f are from their lines, in pixels."""
    return float(
        desk.ask(
            """() => Math.max(...[["start", ".line"], ["target", ".target"]].map(([kind, line]) => {
              const { left, top, width, height } =
                document.querySelector(`.handle.of-${kind}.body`).getBoundingClientRect();
              const path = document.querySelector(`.plane ${line}`);
              const corner = path.ownerSVGElement.getBoundingClientRect();
              const place = [left + width / 2 - corner.left, top + height / 2 - corner.top];
              const length = path.getTotalLength();
              return Math.min(...Array.from({ length: 401 }, (_, i) => {
                const { x, y } = path.getPointAtLength((length * i) / 400);
                return Math.hypot(x - place[0], y - place[1]);
              }));
            }))"""
        )
    )


def test_grips_stay_on_their_lines_when_the_window_changes(desk: Desk) -> None:
    desk.open()
    for width, height in ((1280, 860), (1000, 620), (844, 390), (390, 844)):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.until(
            lambda: (
                abs(desk.page.locator(".plane").bounding_box()["width"] - desk.ask(VIEW_WIDTH)) < 1
            )
        )
        assert apart(desk) < 3, (width, height)


VIEW_WIDTH = "document.querySelector('.plane svg').viewBox.baseVal.width"
