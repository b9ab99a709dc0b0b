"""Offers a pattern to the person before anything is planned; its steps become the plan on a yes."""

from typing import Any, Final

from langchain.agents.middleware.types import ModelResponse

from dataagent_core.engine.loops import plan_messages
from dataagent_core.engine.loops.pattern_use import (
    USE_PATTERN,
    make_pattern_event,
    make_pattern_options,
    make_pattern_steps,
)
from dataagent_core.engine.loops.turn import PlanTurn, respond
from dataagent_core.patterns.pattern_note import describe_pattern, describe_way
from dataagent_core.patterns.trace import PATTERN_QUESTION
from dataagent_core.planning.work_plan import WorkPlan

_QUESTION: Final = "This was done before with success. Again that way?"


async def offer_pattern(turn: PlanTurn, pattern_id: str) -> ModelResponse[Any] | None:
    """Ask about the pattern, or do as was answered; None: the run goes on by its plan, if any."""
    run, patterns = turn.context.run, turn.services.patterns
    pattern = None if patterns is None else await patterns.get(pattern_id)
    if pattern is None:
        # Somebody has deleted it meanwhile.
        return None
    answered = plan_messages.find_answer(turn.messages, run.run_id, "pattern")
    if answered is None:
        question = {
            "kind": "clarification",
            "question": f"{_QUESTION}\n\n{describe_pattern(pattern)}",
            "question_type": PATTERN_QUESTION,
            "options": make_pattern_options(),
            "required": False,
            "timeout_s": turn.services.clarification_timeout_s,
        }
        return respond(plan_messages.make_question(run.run_id, "pattern", question))
    asked = plan_messages.find_question(turn.messages, run.run_id, "pattern")
    if answered.get("answer") != USE_PATTERN or describe_way(pattern) not in asked:
        # A yes is for what was shown; somebody may have changed the pattern since.
        return None
    plan = WorkPlan(
        id=run.run_id,
        conversation_id=run.session_id,
        steps=make_pattern_steps(pattern, turn.goal),
        interaction_pattern_id=pattern.id,
    )
    await turn.context.recorder.commit(make_pattern_event(pattern.id, run.run_id, "used"))
    await turn.plan.commit(plan, "made", answered.get("by"), f"As before: {pattern.name}")
    return None
