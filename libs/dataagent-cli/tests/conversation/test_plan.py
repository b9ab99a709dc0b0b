"""A work plan is read and changed through a conversation, also while the agent works."""

from collections.abc import Callable
from typing import Any

import pytest
from local_conversations import until
from stored_plans import PLAN_RUN, store_plan

from dataagent_core import events as ev
from dataagent_core.errors import ConflictError
from dataagent_core.events import StepStartEvent
from dataagent_core.planning import WorkPlan, read_edits
from dataagent_core.planning.plan_log import PlanChangedError

Opens = Callable[..., Any]
SLOW = [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}]
SKIP_3 = read_edits([{"op": "skip", "step_number": 3}])


def numbers(plan: WorkPlan) -> list[int]:
    return [step.step_number for step in plan.steps]


async def test_a_session_without_a_plan_has_none(opens: Opens, scripts: Any):
    with scripts():
        async with opens() as conversation:
            assert await conversation.plan() is None


@pytest.mark.requirement("F21-3-edit")
async def test_a_plan_is_changed_while_the_agent_works_and_the_change_is_an_event(
    opens: Opens, scripts: Any
):
    with scripts(slow=SLOW):
        async with opens() as conversation:
            await conversation.say("slow")
            seen = await until(conversation, ev.TextEvent)
            parts = await conversation.wait_open()
            plan = await store_plan(parts.stores, parts.session_id)
            edits = read_edits(
                [
                    {"op": "move", "step_number": 3, "before": 1},
                    {"op": "add", "description": "water", "before": 2},
                    {"op": "edit", "step_number": 2, "assigned_agent": "coder-agent"},
                ]
            )
            changed = await conversation.edit_plan(edits, plan.version)
            assert numbers(changed) == [3, 1, 4, 2]
            assert await conversation.plan() == changed
            told = await until(conversation, ev.WorkPlanEvent, after=seen[-1].seq or 0)
            told = await until(conversation, ev.WorkPlanEvent, after=told[-1].seq or 0)
            (edited,) = [event for event in told if isinstance(event, ev.WorkPlanEvent)]
            assert (edited.change, edited.run_id, edited.version) == ("edited", "", 2)
            assert edited.by
            await conversation.stop()
            await until(conversation, ev.DoneEvent)


async def test_of_two_changes_of_one_version_the_second_is_told_what_the_plan_is_now(
    opens: Opens, scripts: Any
):
    with scripts():
        async with opens() as conversation:
            parts = await conversation.wait_open()
            plan = await store_plan(parts.stores, parts.session_id)
            first = await conversation.edit_plan(SKIP_3, plan.version)
            with pytest.raises(PlanChangedError, match="version 2") as told:
                await conversation.edit_plan(SKIP_3, plan.version)
            assert told.value.plan == first


async def test_a_step_that_has_begun_is_left_as_it_is(opens: Opens, scripts: Any):
    with scripts():
        async with opens() as conversation:
            parts = await conversation.wait_open()
            plan = await store_plan(parts.stores, parts.session_id)
            begun = StepStartEvent(step_number=3, plan_id=PLAN_RUN)
            await parts.stores.log.append(parts.session_id, PLAN_RUN, [begun])
            with pytest.raises(ConflictError, match="step 3 is in progress"):
                await conversation.edit_plan(SKIP_3, plan.version)
