"""Learns from a run that is over, and again when a person has said something of it since.

The feedback on a run may come while it is learned from, also by another process. So it is read
again afterwards: who learns last has seen all of it.
"""

from typing import Final

from dataagent_core.patterns import (
    InteractionPattern,
    LearningSwitches,
    PatternLibrary,
    read_trace,
)
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
    is_tainted: bool,
    user_id: str,
    switches: LearningSwitches,
) -> InteractionPattern | None:
    """Learn from a run; None where there is nothing to learn, or nobody wants it."""
    if not switches.are_on:
        return None
    of_run = await read_all(log, session_id, run_id=run_id)
    plan = fold_plan(of_run, run_id)
    learned, seen = None, None
    for _ in range(_READINGS_MAX):
        feedback = await read_all(log, session_id, types=("feedback",))
        if (said := last_feedback(feedback, run_id)) == seen:
            break
        seen = said
        trace = read_trace([*of_run, *feedback], goal, is_tainted=is_tainted)
        if not trace.tool_calls:
            # An answer without a call is no way of working.
            return None
        learned = await library.learn(
            trace,
            user_id=user_id,
            switches=switches,
            pattern_id=None if plan is None else plan.interaction_pattern_id,
        )
    return learned
