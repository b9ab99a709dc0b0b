"""The plan of a run as its log has it."""

from types import SimpleNamespace
from typing import Any

from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.events import StepEndEvent, StepStartEvent
from dataagent_core.planning import PlanStatus, PlanStep, WorkPlan, edit_plan, read_edits
from dataagent_core.session import Run
from dataagent_core.session.stores.bundle import Stores


async def test_a_failure_that_a_person_saw_while_changing_the_plan_is_still_to_be_planned_again():
    log = Stores.in_memory().log
    steps = tuple(PlanStep(step_number=n, description=f"step {n}") for n in (1, 2, 3))
    plan = WorkPlan(id="r", conversation_id="s", steps=steps, status=PlanStatus.IN_PROGRESS)
    failed = StepEndEvent(plan_id="r", step_number=2, success=False, status="failed")
    begun = StepStartEvent(plan_id="r", step_number=2)
    await log.append("s", "r", [plan.to_event("made", None), begun, failed])
    await edit_plan(log, "s", read_edits([{"op": "skip", "step_number": 3}]), version=1, by="ada")
    context: Any = SimpleNamespace(run=Run(run_id="r", session_id="s", message_id="m"))
    run_plan = RunPlan(log, context, since=0)
    now = await run_plan.look()
    assert now is not None
    assert now.version == 2
    assert run_plan.list_unsettled(now) == [2]
