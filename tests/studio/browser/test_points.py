"""Points under the hand: added, dragged, flipped, deleted, by mouse, touch and keys."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from tests.studio.browser.driving import Desk, numbers


def test_a_click_adds_a_point_of_the_chosen_class(desk: Desk) -> None:
    desk.open()
    before = desk.points()
    desk.page.mouse.click(*desk.empty_place())
    desk.settled()
    assert len(desk.points()) == len(before) + 1
    assert "class +1" in desk.points()[-1]
    desk.page.locator(".class-choice").first.click()
    desk.page.mouse.click(*desk.empty_place())
    desk.settled()
    assert "class -1" in desk.points()[-1]


def test_shift_click_adds_a_point_of_the_next_class(desk: Desk) -> None:
    desk.open()
    desk.page.keyboard.down("Shift")
    desk.page.mouse.click(*desk.empty_place())
    desk.page.keyboard.up("Shift")
    desk.settled()
    assert "class -1" in desk.points()[-1]


def test_everything_answers_while_a_point_is_dragged(desk: Desk) -> None:
    desk.open()
    before = desk.line(), desk.verdict
    start, end = desk.place(0), desk.plane_at(0.12, 0.75)
    desk.page.mouse.move(*start)
    desk.page.mouse.down()
    desk.page.mouse.move(*((a + b) / 2 for a, b in zip(start, end, strict=True)), steps=3)
    desk.until(lambda: (desk.line(), desk.verdict) != before)
    halfway = desk.settled().line(), desk.verdict
    desk.page.mouse.move(*end, steps=3)
    desk.until(lambda: (desk.line(), desk.verdict) != halfway)
    desk.page.mouse.up()
    desk.settled()
    assert desk.verdict != before[1]
    here = desk.place(0)
    assert abs(here[0] - end[0]) < 3
    assert abs(here[1] - end[1]) < 3


def test_a_dragged_point_is_where_its_name_says(desk: Desk) -> None:
    desk.open()
    desk.drag(desk.place(3), desk.plane_at(0.3, 0.2))
    box = desk.state("box")
    x, y = numbers(desk.points()[3])[-2:]
    assert abs((x - box["x"]) / box["side"] - 0.3) < 0.01
    assert abs((y - box["y"]) / box["side"] - 0.8) < 0.01


def test_x_flips_and_delete_deletes_the_selected_point(desk: Desk) -> None:
    desk.open()
    first = desk.points()[0]
    assert "class -1" in first
    desk.page.mouse.click(*desk.place(0))
    desk.press("x")
    assert "class +1" in desk.points()[0]
    desk.press("Delete")
    assert len(desk.points()) == 19
    desk.press("Control+z", "Control+z")
    assert desk.points()[0].split(", mistake")[0] == first.split(", mistake")[0]


def test_buttons_flip_delete_and_undo_for_those_without_keys(new_desk: Any) -> None:
    desk = new_desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open()
    desk.page.touchscreen.tap(*desk.empty_place())
    desk.settled()
    assert len(desk.points()) == 21
    desk.page.tap("#flip")
    desk.settled()
    assert "class -1" in desk.points()[-1]
    desk.page.tap("#remove")
    desk.settled()
    assert len(desk.points()) == 20
    desk.page.tap("#undo")
    desk.settled()
    assert len(desk.points()) == 21


def test_the_plane_is_worked_by_keys_alone(desk: Desk) -> None:
    desk.open()
    for _ in range(30):
        desk.page.keyboard.press("Tab")
        if desk.ask("document.activeElement.matches('.plane svg')"):
            break
    desk.press("Enter")
    assert len(desk.points()) == 21
    x, y = numbers(desk.points()[20])[-2:]
    desk.press("ArrowRight", "ArrowUp", "ArrowUp")
    moved_x, moved_y = numbers(desk.points()[20])[-2:]
    assert moved_x > x
    assert moved_y > y
    desk.press("x")
    assert "class -1" in desk.points()[20]
    desk.press("Shift+Tab")
    assert desk.ask("document.activeElement.dataset.index") == "19"
    desk.press("n", "Delete")
    assert len(desk.points()) == 20
    desk.press("Escape")
    assert desk.ask("document.activeElement.id") == "to-play"


def test_no_huge_focus_ring_covers_the_plane_after_a_drag(desk: Desk) -> None:
    """Chrome draws the outline of SVG elements in user units: once a black disc over all."""
    desk.open()
    desk.drag(desk.place(0), desk.plane_at(0.8, 0.3))
    focused = "getComputedStyle(document.activeElement)"
    assert desk.ask("document.activeElement.matches('.pt')")
    assert desk.ask(f"{focused}.outlineStyle") == "none"
    image = Image.open(io.BytesIO(desk.page.locator(".plane").screenshot())).convert("L")
    dark = sum(image.histogram()[:60]) / (image.width * image.height)
    assert dark < 0.03


def test_a_point_reached_by_tab_has_a_ring_of_its_own(desk: Desk) -> None:
    desk.open()
    desk.page.locator(".pt").first.focus()
    desk.page.keyboard.press("Tab")
    ring = "getComputedStyle(document.activeElement.querySelector('.focus')).strokeWidth"
    assert desk.ask(ring) == "2.5px"


def test_dragging_the_target_flips_the_points_it_passes(desk: Desk) -> None:
    desk.open()
    before = [name.split(",")[1] for name in desk.points()]
    box = desk.page.locator(".handle.of-target").first.bounding_box()
    desk.drag((box["x"] + 14, box["y"] + 14), desk.plane_at(0.95, 0.5))
    after = [name.split(",")[1] for name in desk.points()]
    assert before != after
    assert desk.verdict.startswith("Separable")
    assert desk.state("data.target") is not None


def test_dragging_the_line_sets_the_start_of_the_run(desk: Desk) -> None:
    desk.open()
    desk.page.select_option("#init-0", "line")
    desk.settled()
    assert desk.counter[0] == 0
    before = desk.line()
    box = desk.page.locator(".handle.of-start").first.bounding_box()
    desk.drag((box["x"] + 14, box["y"] + 14), desk.plane_at(0.3, 0.9))
    assert desk.line() != before
    assert desk.counter[0] == 0
    assert len(desk.state("runs.0.init")) == 3
    desk.press("Escape", "End")
    assert desk.count(".pt.wrong") == 0


def test_twenty_thousand_points_are_painted_and_can_still_be_moved(desk: Desk) -> None:
    desk.open("#preset=separable&n=20000")
    assert desk.count(".plane .pt") == 1
    painted = desk.ask(
        "() => { const canvas = document.querySelector('.plane canvas');"
        " const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        " let count = 0; for (let i = 3; i < data.length; i += 4) count += data[i] > 0;"
        " return count; }"
    )
    assert painted > 20000
    desk.drag(desk.place(0), desk.plane_at(0.4, 0.4), steps=2)
    box = desk.state("box")
    assert abs((desk.state("table.points.0.0") - box["x"]) / box["side"] - 0.4) < 0.02
