"""A work plan of a server's run, seen and changed from a terminal while the run goes on."""

import pytest

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.events import StepEndEvent, StepStartEvent, WorkPlanEvent
from dataagent_core.planning import PlanStatus, StepStatus, read_edits
from dataagent_core.planning.plan_log import PlanChangedError
from tests.remote.conftest import Attach

pytestmark = pytest.mark.timeout(240)


async def test_a_plan_is_changed_while_the_server_carries_it_out(attach: Attach):
    async with attach() as terminal:
        conversation = terminal.conversation
        await conversation.wait_open()
        assert await conversation.plan() is None
        await conversation.say("work by a plan", planning={"mode": "always"})
        await terminal.until(lambda: terminal.of(StepStartEvent))
        plan = await conversation.plan()
        assert plan is not None
        assert [step.step_number for step in plan.steps] == [1, 2, 3, 4]

        skip = read_edits([{"op": "skip", "step_number": 3}])
        changed = await conversation.edit_plan(skip, plan.version)
        skipped = changed.find(3)
        assert skipped is not None
        assert skipped.status is StepStatus.SKIPPED
        await terminal.until(lambda: terminal.of(WorkPlanEvent)[-1].change == "edited")

        with pytest.raises(PlanChangedError) as told:
            await conversation.edit_plan(skip, plan.version)
        assert told.value.plan.version == changed.version
        begun = read_edits([{"op": "skip", "step_number": 1}])
        with pytest.raises(ConflictError, match="step 1 is in progress"):
            await conversation.edit_plan(begun, changed.version)
        missing = read_edits([{"op": "skip", "step_number": 9}])
        with pytest.raises(NotFoundError):
            await conversation.edit_plan(missing, changed.version)

        await terminal.until_done()
        assert {event.step_number for event in terminal.of(StepEndEvent)} == {1, 2, 4}
        over = await conversation.plan()
        assert over is not None
        assert over.status is PlanStatus.COMPLETED
        with pytest.raises(ConflictError, match="the plan is over"):
            await conversation.edit_plan(skip, over.version)


async def test_a_session_without_a_plan_has_none(attach: Attach):
    async with attach() as terminal:
        await terminal.conversation.say("hello")
        await terminal.until_done()
        assert await terminal.conversation.plan() is None
