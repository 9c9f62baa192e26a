"""A person at the page: what the tests do with it and what they read from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

MINUS = "\N{MINUS SIGN}"


class Desk:
    """One page in a context of its own; what must never happen is collected in `complaints`."""

    def __init__(self, context: Any, address: str) -> None:
        self.context, self.address = context, address.rstrip("/")
        self.complaints: list[str] = []
        self.expected: list[str] = []
        self.fingers: Any = None
        self.page = context.new_page()
        self.page.set_default_timeout(60000)  # kernels may have to be compiled
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error.stack)))
        self.page.on("request", self._watch)

    def _hear(self, message: Any) -> None:
        # The browser itself reports every refusal of the server; a test announces those it makes.
        if message.type not in ("error", "warning"):
            return
        if not any(part in message.text for part in self.expected):
            self.complaints.append(message.text)

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:", "about:")):
            self.complaints.append(f"request to {request.url}")

    def expect_refusal(self, status: int = 400) -> None:
        self.expected.append(f"status of {status}")

    def open(self, state: str = "") -> Desk:
        if self.page.url != "about:blank":
            self.page.goto("about:blank")  # another part behind # alone would not load anew
        self.page.goto(f"{self.address}/{state}")
        return self.settled()

    def close(self) -> None:
        self.context.close()

    def settled(self) -> Desk:
        """Wait until the server has answered the last question and the answer is drawn."""
        self.page.locator("body[aria-busy=false] .plane .layer-grid .grid").first.wait_for(
            state="attached"
        )
        return self

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for what comes without a sign of its own, as during a drag."""
        for _ in range(6000):  # two minutes: a loaded machine is slow, not wrong
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("waited in vain")

    # -- what is seen

    def ask(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def state(self, expression: str) -> Any:
        """A value of the page's own state, for what is not written on the page."""
        return self.ask(
            "async (e) => { const { studio } = await import('/static/state.js');"
            # no eval under the policy: walk the names
            " return e.split('.').reduce((value, name) => value?.[name], studio); }",
            expression,
        )

    @property
    def verdict(self) -> str:
        return str(self.page.inner_text("#verdict"))

    @property
    def counter(self) -> tuple[int, int]:
        made, most = self.page.inner_text("#counter").split("/")
        return int(made), int(most)

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def points(self, plane: int = 0) -> list[str]:
        """What a screen reader says about each point."""
        dots = self.page.locator(".plane").nth(plane).locator(".pt")
        return [str(name) for name in dots.evaluate_all("a => a.map(e => e.ariaLabel)")]

    def line(self) -> str:
        return str(self.page.locator(".plane .line").first.get_attribute("d"))

    def hash(self) -> str:
        """The address behind its host, once it has followed, which it does a little later."""
        written = "async () => (await import('/static/address.js')).written()"
        self.until(lambda: self.ask("location.hash") == f"#{self.ask(written)}")
        return str(self.ask("location.hash"))

    # -- what hands do

    def place(self, index: int) -> tuple[float, float]:
        """The middle of a point on the screen."""
        dot = self.page.locator(f".plane .pt[data-index='{index}'] .grip").first
        box = dot.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def plane_at(self, across: float, down: float) -> tuple[float, float]:
        box = self.page.locator(".plane").first.bounding_box()
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def empty_place(self) -> tuple[float, float]:
        """A place of the plane where a click meets neither a point nor a grip."""
        steps = [0.06 + 0.04 * i for i in range(23)]
        for across, down in ((a, d) for a in steps for d in steps):
            x, y = self.plane_at(across, down)
            if self.ask(
                "([x, y]) => [[0, 0], [14, 0], [-14, 0], [0, 14], [0, -14]].every(([a, b]) =>"
                " !document.elementFromPoint(x + a, y + b).closest('.pt, .handle'))",
                [x, y],
            ):
                return x, y
        raise AssertionError("the plane is full")

    def click(self, selector: str) -> Desk:
        self.page.click(selector)
        return self.settled()

    def press(self, *keys: str) -> Desk:
        for key in keys:
            self.page.keyboard.press(key)
        return self.settled()

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 12) -> Desk:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=steps)
        self.page.mouse.up()
        return self.settled()

    def drag_by_finger(self, start: tuple[float, float], end: tuple[float, float]) -> Desk:
        """Drag as a finger does, which scrolls wherever the page does not want it for itself."""
        if self.fingers is None:
            self.fingers = self.context.new_cdp_session(self.page)
        steps = [[a + (b - a) * k / 8 for a, b in zip(start, end, strict=True)] for k in range(9)]
        kinds = ["touchStart", *["touchMove"] * 8]
        for kind, (x, y) in zip(kinds, steps, strict=True):
            told = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            self.fingers.send("Input.dispatchTouchEvent", told)
        self.fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return self.settled()

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element on the screen."""
        box = self.page.locator(selector).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def download(self, selector: str, folder: Path) -> Path:
        with self.page.expect_download() as waiting:
            self.page.click(selector)
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path


def numbers(text: str) -> list[float]:
    """The numbers of a sentence of the page; the 1 of x1 is none."""
    plain = text.replace(MINUS, "-")
    return [float(part) for part in re.findall(r"(?<!\w)-?\d+(?:\.\d+)?", plain)]
