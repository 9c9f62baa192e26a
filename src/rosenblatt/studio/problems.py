"""What is wrong with a request, as a status and one sentence."""

from __future__ import annotations


class RequestError(Exception):
    """A request that cannot be answered; the sentence is shown on the page."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status
