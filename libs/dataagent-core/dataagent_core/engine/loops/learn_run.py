"""Learns from a run that is over, and again when a person has said something of it since.

The feedback on a run may come while it is learned from, also by another process. So it is read
again afterwards: who learns last has seen all of it. Feedback only changes what a pattern has
learned from a run: it makes no pattern, also not one that was deleted since, and counts no run.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from dataagent_core.engine.attachments.attachments import ATTACHED
from dataagent_core.events import Event, WarningEvent
from dataagent_core.patterns import (
    InteractionPattern,
    LearningSwitches,
    PatternLibrary,
    read_trace,
)
from dataagent_core.patterns.trace import ContentSource
from dataagent_core.planning.plan_projection import fold_plan
from dataagent_core.session import EventLog, read_all
from dataagent_core.session.feedback import last_feedback

_READINGS_MAX: Final = 5


async def learn_run(
    library: PatternLibrary,
    log: EventLog,
    session_id: str,
    run_id: str,
    *,
    goal: str,
    user_id: str,
    switches: LearningSwitches,
    before: ContentSource = "conversation",
    external_tools: Collection[str] = (),
) -> InteractionPattern | None:
    """Learn from a run that has just ended; None: there is nothing to learn, or nobody wants it.

    `goal` is what the person wrote themselves; `before` says whose content the conversation held.
    """
    if not switches.are_on:
        return None
    of_run = await read_all(log, session_id, run_id=run_id)
    held: ContentSource = "strangers" if _has_attached(of_run) else before

    async def learn(feedback: Sequence[Event]) -> InteractionPattern | None:
        trace = read_trace([*of_run, *feedback], goal, before=held, external_tools=external_tools)
        if not trace.tool_calls:
            # An answer without a call is no way of working.
            return None
        return await library.learn(
            trace, user_id=user_id, switches=switches, pattern_id=_find_pattern(of_run, run_id)
        )

    return await _with_all_feedback(log, session_id, run_id, learn)


async def learn_feedback(
    library: PatternLibrary,
    log: EventLog,
    session_id: str,
    run_id: str,
    *,
    goal: str,
    user_id: str,
    switches: LearningSwitches,
) -> InteractionPattern | None:
    """Learn what a user said of a run; None where no pattern has learned from it."""
    if not switches.are_on:
        return None
    of_run = await read_all(log, session_id, run_id=run_id)

    async def learn(feedback: Sequence[Event]) -> InteractionPattern | None:
        # Nothing but feedback is taken over.
        trace = read_trace([*of_run, *feedback], goal, before="strangers")
        return await library.learn_again(
            trace, user_id=user_id, pattern_id=_find_pattern(of_run, run_id)
        )

    return await _with_all_feedback(log, session_id, run_id, learn)


async def _with_all_feedback(
    log: EventLog,
    session_id: str,
    run_id: str,
    learn: Callable[[Sequence[Event]], Awaitable[InteractionPattern | None]],
) -> InteractionPattern | None:
    learned, seen = None, None
    for _ in range(_READINGS_MAX):
        feedback = await read_all(log, session_id, types=("feedback",))
        if (said := last_feedback(feedback, run_id)) == seen:
            break
        seen = said
        learned = await learn(feedback)
    return learned


def _has_attached(events: Sequence[Event]) -> bool:
    """Say whether content of strangers came with the message."""
    return any(isinstance(event, WarningEvent) and event.code in ATTACHED for event in events)


def _find_pattern(events: Sequence[Event], run_id: str) -> str | None:
    plan = fold_plan(events, run_id)
    return None if plan is None else plan.interaction_pattern_id
