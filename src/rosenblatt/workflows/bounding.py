"""The most updates that a learner can make on the rows that it saw, or why nobody can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rosenblatt._counting import at_most
from rosenblatt.errors import ProofError
from rosenblatt.proof.certificate import Separable
from rosenblatt.proof.proofs import answers_of
from rosenblatt.tracing.bound import why_no_bound
from rosenblatt.workflows.proving import Verdict, prove_form
from rosenblatt.workflows.tasks import Tell

AS_THEY_ARE, SCALED = "on these numbers", "on the scaled columns"


@dataclass(frozen=True)
class UpdateBound:
    """A bound that is proved, and for which numbers; or why there is none."""

    most: int | None
    about: str
    reason: str = ""

    @property
    def sentence(self) -> str:
        """What there is to say, without a capital and a full stop."""
        if self.most is None:
            return f"none: {self.reason}"
        return (
            f"at most {at_most(self.most, 'update')} {self.about}, whatever the order of the rows"
        )


def update_bound(
    learner: Any,
    verdict: Verdict | None,
    scaled: Any,
    y: Any,
    seconds: float,
    tell: Tell,
    *,
    from_zero: bool = True,
) -> UpdateBound | None:
    """Bound the updates of a learner on separable rows; None if they are not known to be so.

    Whether rows can be separated does not depend on a scale, but the bound does. So for `scaled`
    rows (None: the verdict is about the rows as they were learned) there is a proof of its own.
    """
    if verdict is None or verdict.separable is not True:
        return None
    about = AS_THEY_ARE if scaled is None else SCALED
    reason = why_no_bound(learner, from_zero=from_zero)
    if reason:
        return UpdateBound(None, about, reason)
    proof = verdict.proof
    if scaled is not None:
        try:
            proof = prove_form(learner, scaled, y, seconds, tell)
        except ProofError:
            return UpdateBound(None, about, f"no proof {about} within {seconds:g} s")
    bounds = [part.updates_bound for part in answers_of(proof) if isinstance(part, Separable)]
    if not proof.separable:
        return UpdateBound(None, about, f"no margin is left {about}, which are rounded")
    return UpdateBound(sum(bounds), about)
