"""The page as a whole: names for every control, size, themes, phone, nothing that jumps."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.browser.driving import Desk

# What a screen reader would say for each control; an empty name is a control that nobody can find.
NAMELESS = """() => {
  const controls = "button, input, select, textarea, a[href], [role=button], [role=radiogroup],"
    + " [role=group], [tabindex='0'], svg[role=img], article, section, dialog";
  const named = (e) => {
    const by = e.getAttribute("aria-labelledby");
    const text = by ? document.getElementById(by)?.textContent : e.getAttribute("aria-label");
    const own = e.matches("button, a") ? e.textContent : "";
    const labels = [...(e.labels ?? [])].map((label) => label.textContent).join("");
    return (text || own || labels || "").trim() !== "";
  };
  return [...document.querySelectorAll(controls)].filter((e) => !named(e)).map((e) => e.outerHTML);
}"""

TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}"""

STATES = {
    "contradiction": "#preset=xor",
    "race": "#preset=separable&b.algorithm=pocket",
    "three classes, voted": "#preset=three-classes&algorithm=voted&epochs=2",
    "start line": "#preset=separable&init=0_1_0&step=0",
}


def test_every_control_has_a_name(desk: Desk) -> None:
    for name, state in STATES.items():
        desk.open(state)
        assert desk.ask(NAMELESS) == [], name
        assert desk.ask(TWICE) == [], name
    desk.page.click("#open-table")
    assert desk.ask(NAMELESS) == []


def test_the_page_is_small_and_comes_from_here_alone(desk: Desk) -> None:
    desk.open()
    sizes = desk.ask(
        "performance.getEntriesByType('resource')"
        ".concat(performance.getEntriesByType('navigation')).map(e => [e.name, e.transferSize])"
    )
    assert all(name.startswith(desk.address) for name, _ in sizes)
    assert sum(size for _, size in sizes) < 100_000


@pytest.mark.parametrize(("width", "height"), [(1280, 860), (390, 844)])
def test_nothing_jumps_while_the_page_loads_and_steps(
    new_desk: Any, width: int, height: int
) -> None:
    desk = new_desk(viewport={"width": width, "height": height})
    desk.page.add_init_script(
        "window.jumps = []; new PerformanceObserver(list => { for (const e of list.getEntries())"
        " window.jumps.push([e.value, e.sources.map(s => s.node?.id || s.node?.className)]); })"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    desk.open("#preset=separable&step=0")
    for _ in range(3):
        desk.press("ArrowRight")
    desk.press("End")
    jumps = desk.ask("window.jumps")
    assert sum(value for value, _ in jumps) < 0.01, jumps


def test_the_phone_has_one_column_and_no_sideways_scroll(new_desk: Any) -> None:
    desk = new_desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for state in ("contradiction", "race"):
        desk.open(STATES[state])
        assert desk.ask("document.documentElement.scrollWidth") <= 390
        lefts = desk.ask(
            "['.stage', '.left', '.right'].map(s => document.querySelector(s).offsetLeft)"
        )
        assert len(set(lefts)) == 1
        plane = desk.page.locator(".plane").first.bounding_box()
        assert abs(plane["width"] - plane["height"]) < 1


def test_the_plane_is_square_and_scaled_alike(desk: Desk) -> None:
    desk.open("#preset=iris")
    box, points = desk.state("box"), desk.state("table.points")
    plane = desk.page.locator(".plane").bounding_box()
    assert abs(plane["width"] - plane["height"]) < 1
    for i in (0, 60, 149):
        left, top = desk.place(i)
        x = (left - plane["x"]) / plane["width"] * box["side"] + box["x"]
        y = box["side"] - (top - plane["y"]) / plane["height"] * box["side"] + box["y"]
        assert abs(x - points[i][0]) < box["side"] / 200
        assert abs(y - points[i][1]) < box["side"] / 200


def test_the_system_chooses_the_colours_and_the_switch_changes_them(new_desk: Any) -> None:
    dark = new_desk(color_scheme="dark").open()
    light = new_desk(color_scheme="light").open()
    shade = "getComputedStyle(document.body).backgroundColor"
    assert dark.ask(shade) != light.ask(shade)
    night = dark.ask(shade)
    light.page.click("#theme")
    assert light.ask(shade) == night
    light.page.reload()
    assert light.settled().ask(shade) == night


def test_words_stand_out_from_what_they_are_written_on(desk: Desk) -> None:
    """Contrast as WCAG counts it, 4.5 at least for words and 3 for marks."""
    desk.open()
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme)
        desk.until(
            lambda wanted=scheme: desk.ask("document.documentElement.dataset.theme") == wanted
        )
        check_contrast(colours_of(desk))


def colours_of(desk: Desk) -> dict[str, str]:
    found: dict[str, str] = desk.ask(
        "() => { const style = getComputedStyle(document.documentElement);"
        " const names = ['paper', 'card', 'ink', 'soft', 'accent', 'pick-ink', 'next', 'best',"
        " 'clash', 'good', 'class-0', 'class-1', 'class-2'];"
        " return Object.fromEntries("
        "   names.map(n => [n, style.getPropertyValue('--' + n).trim()])); }"
    )
    return found


def light_of(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def check_contrast(colours: dict[str, str]) -> None:
    def contrast(one: str, other: str) -> float:
        low, high = sorted((light_of(colours[one]), light_of(colours[other])))
        return (high + 0.05) / (low + 0.05)

    for word in ("ink", "soft", "accent", "pick-ink", "next", "best", "clash", "good"):
        for paper in ("paper", "card"):
            assert contrast(word, paper) >= 4.5, (word, paper)
    for mark in ("class-0", "class-1", "class-2"):
        assert contrast(mark, "card") >= 3, mark
