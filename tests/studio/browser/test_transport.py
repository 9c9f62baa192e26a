"""Moving through a run: buttons, keys, scrubber, curves and play."""

from __future__ import annotations

from typing import Any

from tests.studio.browser.driving import Desk, numbers


def test_each_button_and_the_scrubber_go_where_they_say(desk: Desk) -> None:
    desk.open()
    last = desk.counter[1]
    assert desk.counter == (last, last)
    desk.click("#to-first")
    assert desk.counter[0] == 0
    desk.click("#to-step").click("#to-step").click("#to-back")
    assert desk.counter[0] == 1
    desk.click("#to-last")
    assert desk.counter[0] == last
    desk.page.fill("#scrubber", "3")
    assert desk.counter[0] == 3
    assert desk.page.get_attribute("#scrubber", "aria-valuetext").startswith("update 3 of")


def test_stepping_to_the_end_leaves_no_mistake_on_separable_points(desk: Desk) -> None:
    desk.open("#preset=separable&step=0")
    rings = [desk.count(".pt.wrong")]
    assert rings[0] == 20
    while desk.counter[0] < desk.counter[1]:
        assert desk.count(".halo") == 1
        assert desk.count(".arrow.pick") == 1
        desk.click("#to-step")
        rings.append(desk.count(".pt.wrong"))
    assert rings[-1] == 0
    assert desk.count(".halo") == 0
    n = desk.state("table.points.length")
    assert [ring / n for ring in rings] == desk.state("answer.runs.0.errors")


def test_space_arrows_home_and_end_drive_the_run(desk: Desk) -> None:
    desk.open()
    desk.press("Home")
    assert desk.counter[0] == 0
    desk.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert desk.counter[0] == 1
    desk.press("Space")
    assert desk.page.get_attribute("#to-play", "aria-label") == "Pause"
    desk.press("Space", "End")
    assert desk.counter[0] == desk.counter[1]
    # after a click with the mouse Space plays as well, it does not press the button again
    desk.click("#to-first").press("Space")
    assert desk.page.get_attribute("#to-play", "aria-label") == "Pause"


def test_play_runs_to_the_end_and_begins_anew_from_there(desk: Desk) -> None:
    desk.open()
    desk.page.fill("#speed", "8")
    desk.page.click("#to-play")
    desk.until(lambda: desk.page.get_attribute("#to-play", "aria-label") == "Play")
    assert desk.counter[0] == desk.counter[1]


def test_a_click_in_a_curve_seeks_there(desk: Desk) -> None:
    desk.open()
    last = desk.counter[1]
    for card in ("#error-curve", "#cosine-curve"):
        box = desk.page.locator(f"{card} svg").bounding_box()
        desk.page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + 20)
        assert desk.counter[0] == last // 2
        desk.page.mouse.click(box["x"] + 1, box["y"] + 20)
        assert desk.counter[0] == 0


def test_the_card_of_the_update_adds_up(desk: Desk) -> None:
    desk.open("#preset=separable&step=2")
    rows = desk.page.locator("#update-table tbody tr")
    values = [
        [numbers(cell)[0] for cell in rows.nth(i).locator("td").all_inner_texts()] for i in range(3)
    ]
    for now, change, after in zip(*values, strict=True):
        assert abs(now + change - after) < 0.011
    desk.page.hover("#update-table tr[data-kind=next]")
    assert desk.count(".preview-line") == 1
    assert desk.page.get_attribute(".plane", "data-shown") == "next"


def test_the_arrow_of_w_is_perpendicular_to_g(desk: Desk) -> None:
    desk.open()
    direction = (
        "e => { const [a, b] = [0, e.getTotalLength()].map(t => e.getPointAtLength(t));"
        " return [b.x - a.x, b.y - a.y]; }"
    )
    line = desk.page.locator(".plane .line").evaluate(direction)
    arrow = desk.page.locator(".plane .arrow.now").evaluate(direction)
    sizes = [(x * x + y * y) ** 0.5 for x, y in (line, arrow)]
    assert abs(line[0] * arrow[0] + line[1] * arrow[1]) / (sizes[0] * sizes[1]) < 0.02


def test_a_race_has_two_planes_and_one_scrubber(desk: Desk) -> None:
    desk.open("#preset=separable&noise=0.1&n=40&max_updates=60")
    desk.click("#race")
    assert desk.count(".plane") == 2
    assert desk.page.locator(".plane-title").all_inner_texts()[1].startswith("B")
    desk.page.select_option("#algorithm-1", "regression")
    desk.settled()
    desk.click("#to-last")
    assert desk.counter[1] == 60
    assert desk.points(0) != []
    assert len(desk.points(0)) == len(desk.points(1))
    updates = desk.page.locator("#race-table tbody tr").first.locator("td").all_inner_texts()
    assert updates[0] == "60"
    desk.page.mouse.click(*desk.place(0))
    desk.press("Delete")
    assert len(desk.points(0)) == len(desk.points(1)) == 39
    desk.click("#race")
    assert desk.count(".plane") == 1


def test_the_pocket_is_drawn_as_the_best_line_so_far(new_desk: Any) -> None:
    desk = new_desk().open("#preset=outlier&algorithm=pocket&max_updates=40")
    errors = desk.state("answer.runs.0.pocket_errors")
    n = desk.state("table.points.length")
    for place in (0, 7, 20, 40):
        desk.page.fill("#scrubber", str(place))
        assert desk.count(".pt.wrong") == round(errors[place] * n)
