"""How long the agent itself has worked on a step, and what that used, as the log has it.

The time that a person takes to answer is not counted, and neither is a time in which no process
worked on the run.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.events import (
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    StepFinishEvent,
    StepStartEvent,
)
from dataagent_core.session import read_all
from dataagent_core.usage import CallUse, TokenUsage, Total
from dataagent_core.usage.budget import nano_of

_EVENT_TYPES: Final = (
    "tool_call",
    "tool_result",
    "step_finish",
    "hitl_request",
    "hitl_answer",
    "resumed",
)


@dataclass(frozen=True, slots=True)
class OwnWork:
    """The agent's work on a step so far."""

    worked_s: float
    # Its model calls are the turns that the step has taken.
    used: Total


async def read_own_work(plan: RunPlan, start: StepStartEvent) -> OwnWork:
    """Read the work on a step that is under way."""
    run = plan.context.run
    events = await read_all(
        plan.log, run.session_id, after=start.seq or 0, run_id=run.run_id, types=_EVENT_TYPES
    )
    return OwnWork(sum_worked_s(start.timestamp, events, time.time()), _sum_use(events))


def sum_worked_s(began_s: float, events: Iterable[Event], now_s: float) -> float:
    """Sum up the time from the beginning to now in which somebody worked."""
    worked_s, last_s, waiting = 0.0, began_s, set[str]()
    for event in events:
        if not waiting and not isinstance(event, RunResumedEvent):
            worked_s += max(0.0, event.timestamp - last_s)
        last_s = event.timestamp
        if isinstance(event, HITLRequestEvent):
            waiting.add(event.interrupt_id)
        elif isinstance(event, HITLAnswerEvent):
            waiting.discard(event.interrupt_id)
    return worked_s if waiting else worked_s + max(0.0, now_s - last_s)


def _sum_use(events: Iterable[Event]) -> Total:
    total = Total()
    for event in events:
        if isinstance(event, StepFinishEvent) and event.subagent_id is None:
            cost = None if event.cost is None else nano_of(event.cost)
            total = total.plus(CallUse(tokens=TokenUsage.from_dict(event.tokens), cost_nano=cost))
    return total
