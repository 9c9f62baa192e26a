"""What the page says beside the picture is true of what decides in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.studio.browser.driving import Desk, numbers

NOISY = "#preset=separable&n=60&seed=1&noise=0.1&algorithm=pocket&max_updates=300"
SOLVED = ["regression", "naive-bayes", "max-margin"]
LEVEL = "#points=0_0_0*1_0_0*10_0_1*11_0_1&class=no&class=yes"


def shown_weights(desk: Desk) -> list[float]:
    cells = desk.page.locator("#update-table tbody tr").first.locator("td").all_inner_texts()
    return [numbers(cell)[0] for cell in cells]


def test_the_result_of_the_pocket_is_the_pocket(desk: Desk) -> None:
    desk.open(NOISY)
    run = desk.state("answer.runs.0")
    best, last = run["pocket_rows"][-1], len(run["weights"]) - 1
    assert best != last  # else the test would say nothing
    assert shown_weights(desk) == [round(v, 2) for v in run["weights"][best][0]]
    said = dict(zip(("E_in", "last w", "E_out"), numbers(head(desk, "error")), strict=True))
    assert said == {
        "E_in": round(run["errors"][best], 3),
        "last w": round(run["errors"][last], 3),
        "E_out": round(run["e_out"][best], 3),
    }
    # the arrow of w stands upright on the line that decides
    (x0, y0), (x1, y1) = ends(desk, ".plane .line")
    (a0, b0), (a1, b1) = ends(desk, ".plane .arrow.now")
    cosine = (x1 - x0) * (a1 - a0) + (y1 - y0) * (b1 - b0)
    assert abs(cosine) < 0.02 * np.hypot(x1 - x0, y1 - y0) * np.hypot(a1 - a0, b1 - b0)


def head(desk: Desk, card: str) -> str:
    return str(desk.page.inner_text(f"#{card}-numbers"))


def ends(desk: Desk, selector: str) -> Any:
    """The points of the first path of a kind, in pixels."""
    path = desk.page.locator(selector).first.get_attribute("d")
    return [tuple(map(float, part.split())) for part in path[1:].split("L")]


def test_on_its_way_the_pocket_shows_both_lines(desk: Desk) -> None:
    desk.open(NOISY + "&step=7")
    run = desk.state("answer.runs.0")
    kept, now = run["pocket_errors"][7], run["errors"][7]
    assert numbers(head(desk, "error"))[:2] == [round(kept, 3), round(now, 3)]
    assert shown_weights(desk) == [round(v, 2) for v in run["weights"][7][0]]


@pytest.mark.parametrize("algorithm", SOLVED)
def test_what_is_solved_for_has_neither_bound_nor_curve(desk: Desk, algorithm: str) -> None:
    desk.open(f"#algorithm={algorithm}")
    text = desk.page.inner_text(".cards") + desk.verdict
    assert "≤" not in text
    assert "at most" not in text.lower()
    assert "(R B)" not in text
    assert not desk.page.locator("#error-curve").is_visible()
    assert not desk.page.locator("#cosine-curve").is_visible()
    assert "Solved for in one step" in text
    assert numbers(head(desk, "error"))[0] == desk.state("answer.runs.0.final.error")


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("#init=100_100_0&max_updates=100000", "start"),
        ("#algorithm=batch", "batch"),
        ("#algorithm=averaged", "mean"),
        ("#algorithm=passive-aggressive", "small margins"),
        ("#algorithm=arow", "small margins"),
        ("#algorithm=regression-perceptron", "start"),
    ],
)
def test_where_the_theorem_gives_no_bound_none_is_shown(desk: Desk, state: str, why: str) -> None:
    desk.open(state)
    assert head(desk, "bound") == ""
    assert "at most" not in desk.verdict
    assert not desk.page.locator("#bound-bar").is_visible()
    assert why in desk.page.inner_text("#bound-sentence").lower()
    # w goes its way all the same, and a curve shows it
    assert desk.page.locator("#cosine-curve .curve-line").last.get_attribute("d") != ""


def test_a_bound_is_a_whole_number_and_never_rounded_up(desk: Desk) -> None:
    for seed in range(4):
        desk.open(f"#preset=separable&seed={seed}")
        run = desk.state("answer.runs.0")
        bound = int(np.floor(run["bound"]))
        assert numbers(head(desk, "bound").replace(",", "")) == [run["steps"][-1], bound]
        assert f"at most {bound:,} update" in desk.verdict


def test_a_large_bound_is_not_rounded_up_either(desk: Desk) -> None:
    said = desk.open().ask(
        "async () => { const { atMost } = await import('/static/svg.js');"
        " return [163.9, 15961234.7, 1999999999, 1.5999e17].map(atMost); }"
    )
    assert said == ["163", "15,961,234", "1.99B", "159,000T"]


def test_the_margin_that_is_said_is_the_street_that_is_drawn(desk: Desk) -> None:
    desk.open(LEVEL)
    assert "margin 4.5" in desk.verdict
    side = desk.state("box.side")
    size = desk.page.locator(".plane svg").first.bounding_box()["width"]
    middle, *sides = [ends_of(path)[0][0] for path in paths(desk, ".layer-margin path")]
    for x in sides:
        assert abs(x - middle) * side / size == pytest.approx(4.5, abs=0.02)


def paths(desk: Desk, selector: str) -> list[str]:
    found = desk.page.locator(selector).evaluate_all("a => a.map(e => e.getAttribute('d'))")
    return [str(d) for d in found]


def ends_of(path: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, part.split())) for part in path[1:].split("L")]


def test_a_street_between_two_of_three_classes_is_as_wide_as_they_allow(desk: Desk) -> None:
    desk.open("#preset=three-classes&multiclass=one-vs-one")
    verdict, table = desk.state("answer.verdict"), desk.state("table")
    points, labels = np.array(table["points"]), np.array(table["labels"])
    size = desk.page.locator(".plane svg").first.bounding_box()["width"]
    per_pixel = desk.state("box.side") / size
    drawn = paths(desk, ".layer-margin path")
    assert len(drawn) == 3 * len(verdict["parts"])
    pairs = [(0, 1), (0, 2), (1, 2)]
    for k, (pair, part) in enumerate(zip(pairs, verdict["parts"], strict=True)):
        w0, *w = part["street_w"]
        there = np.isin(labels, pair)
        nearest = np.abs(w0 + points[there] @ w).min() / np.hypot(*w)
        middle, one, other = (ends_of(path) for path in drawn[3 * k : 3 * k + 3])
        for street in (one, other):
            assert distance(middle, street[0]) * per_pixel == pytest.approx(nearest, rel=0.02)


def distance(line: list[tuple[float, ...]], point: tuple[float, ...]) -> float:
    (x0, y0), (x1, y1) = line
    turned = (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
    return float(abs(turned) / np.hypot(x1 - x0, y1 - y0))


def test_a_part_of_the_columns_is_called_one_beside_the_verdict_on_all(desk: Desk) -> None:
    desk.open("#preset=breast-cancer&n=120")
    desk.until(lambda: "judged" not in desk.verdict)
    whole, seen = desk.verdict.splitlines()
    assert whole == "All 30 columns: separable, proved."
    assert seen.startswith("This picture, 2 of 30 columns: Not separable")
    kinds = desk.page.locator("#verdict span").evaluate_all("a => a.map(e => e.dataset.kind)")
    assert kinds == ["separable", "contradiction"]
    # a point that was moved is of no table any more
    desk.press("Tab")
    desk.page.locator(".pt").first.focus()
    desk.press("ArrowUp")
    desk.until(lambda: "columns" not in desk.verdict)
