"""The state in the address: what one person sees, another sees from the link."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from rosenblatt.studio.scenes.choices import PlaneSet
from tests.studio.browser.driving import Desk
from tests.studio.serving import serve_in_a_thread

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
    assert "point 2 of the link" in desk.page.inner_text("#notice")
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


@pytest.mark.parametrize(
    ("link", "named"),
    {
        "#preset=nope": "preset=nope",
        "#n=abc": "n=abc",
        "#tour=2.5": "tour=2.5",
        "#tour=7": "tour=7",
        "#n=20001": "n=20001",
        "#seed=2147483648": "seed=2147483648",
        "#noise=": "noise=",
        "#algorithm=forest&rule=next": "rule=next",
        "#init=1_2": "init=1_2",
        "#presett=xor": "presett=xor",
        "#b.eta=3": "b.eta=3",
        "#preset=xor&preset=iris": "said twice",
        "#off=lines": "off=lines",
        "#theme=blue": "theme=blue",
        "#table=lost": "open the table again",
        "#points=1_2_0*3_4_1": "points=1_2_0*3_4_1",
        "#points=1e12_2_0&class=a": "point 1 of the link",
        "#points=1_2_0.5&class=a": "point 1 of the link",
        "#points=&class=a&class=b&box=0_0_0": "box=0_0_0",
    }.items(),
)
def test_what_a_link_does_not_make_clear_is_named_and_the_page_works(
    desk: Desk, link: str, named: str
) -> None:
    desk.open(link)
    assert named in desk.page.inner_text("#notice")
    assert desk.verdict != "Getting ready …"
    desk.click(".preset[data-name=xor]")
    assert len(desk.points()) == 4


def test_a_guided_step_is_opened_by_its_number(desk: Desk) -> None:
    desk.open("#tour=3")
    assert not desk.page.is_visible("#notice")
    assert desk.state("data.preset") == "xor"
    assert desk.page.get_attribute("#tour-steps button:nth-child(3)", "aria-pressed") == "true"
    assert "diagonals" in desk.page.inner_text("#tour-text")
    desk.open("#tour=5")
    assert desk.count(".plane") == 2
    assert desk.counter[0] == 0
    link = desk.click("#to-last").click("#race").hash()  # one run of two, at its end
    desk.open(link)
    assert (desk.state("tour"), desk.count(".plane")) == (5, 1)
    assert desk.counter[0] == desk.counter[1]


def test_a_link_may_change_a_guided_step(desk: Desk) -> None:
    desk.open("#tour=5&noise=0.2&rule=worst&b.algorithm=voted")
    assert (desk.state("data.noise"), desk.state("data.n"), desk.state("tour")) == (0.2, 60, 5)
    assert desk.state("runs.0.rule") == "worst"
    assert desk.state("runs.1.algorithm") == "voted"


NAMES = (
    *("preset", "n", "seed", "noise", "points", "class", "name", "target", "drawn", "box", "table"),
    *("algorithm", "rule", "tie", "multiclass", "eta", "epsilon", "epochs", "max_updates", "init"),
    *("run_seed", "b.algorithm", "b.rule", "b.init", "step", "off", "hide", "theme", "tour", "odd"),
)
VALUES = (
    *(
        "",
        "0",
        "1",
        "-1",
        "2.5",
        "3",
        "20",
        "1e9",
        "1e999",
        "NaN",
        "abc",
        "true",
        "null",
        "\0",
        "+1",
    ),
    *("xor", "iris", "three-classes", "pocket", "voted", "random", "one-vs-one", "dark", "é\ud83d"),
    *("0_0_0*1_1_1", "0_1", "1_0", "0_1_2", "1e300_0_0", "_", "*", "constructor", "__proto__"),
    *("regions.ghosts", "editing", "a" * 100),
)


@pytest.mark.parametrize("n_links", [40, pytest.param(400, marks=pytest.mark.soak)])
def test_whatever_a_link_says_the_page_shows_a_picture(desk: Desk, n_links: int) -> None:
    chance = random.Random(n_links)  # noqa: S311 - no secret
    desk.open()
    for k in range(n_links):
        names = chance.choices(NAMES, k=1 + k % 4)
        values = [chance.choice(VALUES) for _ in names]
        pairs = zip(names, values, strict=True)
        link = "&".join(f"{n}={quote(v, errors='replace', safe='')}" for n, v in pairs)
        desk.ask("link => { location.hash = link; }", link + f"&turn={k}")
        desk.until(lambda k=k: f"turn={k} (" in desk.page.inner_text("#notice") or too_many(desk))
        desk.settled()
        shown = desk.state("answer.data.points.length")
        assert len(desk.points()) == shown, link
        wanted = desk.state("data.n") or desk.state("data.points.length")
        assert shown in (wanted, min(150, wanted), 4), link  # iris has no more; XOR four corners


def too_many(desk: Desk) -> bool:
    """Whether the notice holds as many complaints as it can."""
    return desk.page.inner_text("#notice").count(";") >= 5


def large(seed: int = 0, n: int = 1500) -> PlaneSet:
    points = np.random.default_rng(seed).standard_normal((n, 2)).round(3)
    labels = (points[:, 0] > 0).astype(np.int64)
    return PlaneSet(points, labels, ["u", "v"], ["a", "b"], None, (-4.0, 4.0))


@pytest.mark.parametrize("n", [12, 1500])
def test_the_table_of_the_command_line_survives_a_reload(browser: Any, n: int) -> None:
    with serve_in_a_thread(large(n=n)) as served:
        desk = Desk(browser.new_context(), served.url)
        desk.open()
        wanted = large(n=n).points.tolist()
        assert desk.state("table.points") == wanted
        link = desk.hash()
        for _ in range(2):
            desk.page.reload()
            assert desk.settled().state("table.points") == wanted
        desk.page.select_option("#algorithm-0", "pocket")
        desk.settled()
        other = Desk(browser.new_context(), served.url).open(link)  # without what a tab remembers
        assert other.state("table.points") == wanted
        other.open("#hide=data")
        assert other.state("table.points") == wanted
        for opened in (desk, other):
            opened.close()
            assert opened.complaints == []


def test_a_link_to_another_table_is_not_taken_for_this_one(browser: Any) -> None:
    with serve_in_a_thread(large(1)) as served:
        desk = Desk(browser.new_context(), served.url).open()
        link = desk.hash()
        desk.close()
    with serve_in_a_thread(large(2)) as served:
        desk = Desk(browser.new_context(), served.url).open(link)
        assert "open the table again" in desk.page.inner_text("#notice")
        desk.close()


def test_a_long_table_that_was_edited_survives_a_reload(desk: Desk) -> None:
    desk.open("#preset=separable&n=1200")
    desk.drag(desk.place(0), desk.plane_at(0.4, 0.4), steps=2)
    wanted = desk.state("table")
    desk.hash()
    desk.page.reload()
    assert desk.settled().state("table") == wanted


def test_a_chosen_theme_is_in_the_link(desk: Desk, new_desk: Any) -> None:
    desk.open("#preset=xor")
    assert "theme" not in desk.hash()
    desk.page.click("#theme")
    link = desk.hash()
    assert "theme=dark" in link
    other = new_desk(color_scheme="light").open(link)
    assert other.ask("document.documentElement.dataset.theme") == "dark"
    other.page.goto(f"{other.address}/#preset=xor&theme=light")
    other.until(lambda: other.ask("document.documentElement.dataset.theme") == "light")
