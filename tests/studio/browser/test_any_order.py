"""A hand that does anything in any order: nothing it does may break the page."""

from __future__ import annotations

import random

import pytest

from tests.studio.browser.driving import Desk

BUTTONS = ["#to-first", "#to-back", "#to-play", "#to-step", "#to-last", "#redraw", "#undo", "#redo"]
KEYS = [
    "x",
    "Delete",
    "n",
    "p",
    "ArrowLeft",
    "ArrowUp",
    "Home",
    "End",
    "Space",
    "2",
    "Tab",
    "Enter",
]


class Hand:
    """One random action after another; seeded, so that what it broke can be broken again."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk, self.chance = desk, random.Random(seed)  # noqa: S311 - no secret
        self.actions = [
            self.press_button,
            self.press_keys,
            self.click_plane,
            self.drag_something,
            self.choose_preset,
            self.choose_option,
            self.switch,
            self.walk,
        ]

    def act(self) -> None:
        if self.desk.page.is_visible("#table-dialog"):
            self.desk.page.keyboard.press("Escape")  # Tab and Enter may have opened it
        self.chance.choice(self.actions)()

    def anywhere(self) -> tuple[float, float]:
        return self.desk.plane_at(self.chance.random(), self.chance.random())

    def press_button(self) -> None:
        button = self.desk.page.locator(self.chance.choice(BUTTONS))
        if button.is_enabled():
            button.click()

    def press_keys(self) -> None:
        for _ in range(3):
            self.desk.page.keyboard.press(self.chance.choice(KEYS))

    def click_plane(self) -> None:
        self.desk.page.mouse.click(*self.anywhere())

    def drag_something(self) -> None:
        mouse = self.desk.page.mouse
        mouse.move(*self.anywhere())
        mouse.down()
        mouse.move(*self.anywhere(), steps=4)
        mouse.up()

    def choose_preset(self) -> None:
        presets = self.desk.page.locator(".preset")
        presets.nth(self.chance.randrange(presets.count())).click()

    def choose_option(self) -> None:
        selects = self.desk.settled().page.locator(".algorithm select:visible")
        select = selects.nth(self.chance.randrange(selects.count()))
        options = select.locator("option").evaluate_all("a => a.map(e => e.value)")
        select.select_option(self.chance.choice(options))

    def switch(self) -> None:
        boxes = self.desk.page.locator("#race, #theme, .layer input:enabled, .class-choice input")
        # at one go: a scene that arrives between counting and clicking may take boxes away
        boxes.evaluate_all("(all, n) => all[n % all.length].click()", self.chance.randrange(5040))

    def walk(self) -> None:
        self.desk.page.locator("#tour-steps button").nth(self.chance.randrange(6)).click()


def play_about(desk: Desk, seed: int, actions: int) -> None:
    desk.expect_refusal()  # some mixtures, as a start line for three classes, may be refused
    desk.open()
    hand = Hand(desk, seed)
    for _ in range(actions):
        hand.act()
    desk.settled()
    assert len(desk.points()) == min(1000, desk.state("table.points.length"))


@pytest.mark.soak
def test_a_dozen_random_actions_break_nothing(desk: Desk) -> None:
    play_about(desk, seed=1, actions=12)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_hundreds_of_random_actions_break_nothing(desk: Desk, seed: int) -> None:
    play_about(desk, seed, actions=300)
