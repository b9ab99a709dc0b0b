"""Which stage follows which: one condition for each stage. Pure.

reason > plan > execute > review > the answer
^ sent back |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from dataagent_core.events.plan import StageName

Verdict = Literal["accepted", "sent_back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFacts:
    """What the conditions look at."""

    reasoned: bool = False
    # The plan has steps, and nobody has to be asked about it any more.
    planned: bool = False
    steps_over: bool = False
    verdict: Verdict | None = None


def _after_reason(facts: StageFacts) -> StageName:
    return "plan" if facts.reasoned else "reason"


def _after_plan(facts: StageFacts) -> StageName:
    return "execute" if facts.planned else "plan"


def _after_execute(facts: StageFacts) -> StageName:
    return "review" if facts.steps_over else "execute"


def _after_review(facts: StageFacts) -> StageName | None:
    match facts.verdict:
        case "accepted":
            return None
        case "sent_back":
            return "execute"
        case None:
            return "review"


CONDITIONS: Final[Mapping[StageName, Callable[[StageFacts], StageName | None]]] = {
    "reason": _after_reason,
    "plan": _after_plan,
    "execute": _after_execute,
    "review": _after_review,
}


def route(stage: StageName, facts: StageFacts) -> StageName | None:
    """Return the stage that follows, the same one while it goes on, or None at the end."""
    return CONDITIONS[stage](facts)
