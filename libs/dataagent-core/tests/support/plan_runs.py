"""What tests of work plans do with runs: start them, and check what is true of every one."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from plan_scripts import ALWAYS, find

from dataagent_core.engine import AgentExecutor
from dataagent_core.permissions import RunTerms
from dataagent_core.planning import WorkPlan, fold_plan

# How the planner's request begins; a scenario beside a script that answers it badly.
PLANNER = r'^\{"message"'


async def go(
    agent: AgentExecutor, text: str = "go", context: Any = ALWAYS, terms: RunTerms | None = None
) -> list[Any]:
    return [event async for event in agent.execute(text, "s", context, terms=terms)]


def plan_after(events: Sequence[Any]) -> WorkPlan:
    """Give the plan of a run, which must have one."""
    plan = fold_plan(events)
    assert plan is not None
    return plan


def statuses(events: Sequence[Any]) -> dict[int, str]:
    """Give how each step of the plan stands, by its number."""
    return {step.step_number: step.status.value for step in plan_after(events).steps}


def check_steps_once(events: Sequence[Any]) -> None:
    """Check that no step begins or ends twice, and that one `done` is the last event."""
    for kind in ("step_start", "step_end"):
        counted = Counter((e.plan_id, e.step_number) for e in find(list(events), kind))
        assert set(counted.values()) <= {1}, (kind, counted)
    kinds = [event.event_type for event in events]
    assert (kinds.count("done"), kinds[-1]) == (1, "done")
    versions = [event.version for event in find(list(events), "work_plan")]
    assert versions == list(range(1, len(versions) + 1))
