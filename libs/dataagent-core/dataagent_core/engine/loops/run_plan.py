"""The plan of one run, as the log has it: read, and changed version by version.

A person may change it at any time, in another process too. So every change is made to what the log
says now, and one that came second is made again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dataagent_core.events import Event, WorkPlanEvent
from dataagent_core.events.plan import PlanChange
from dataagent_core.planning.plan_projection import PLAN_EVENT_TYPES, PlanFacts
from dataagent_core.planning.work_plan import WorkPlan
from dataagent_core.runs import RunContext
from dataagent_core.session import EventLog, read_all


@dataclass(slots=True, eq=False)
class RunPlan:
    """Reads and writes the plan of a run that goes on."""

    log: EventLog
    context: RunContext
    # The number of the last event before the run's first turn.
    since: int
    events: Sequence[Event] = field(default=(), init=False)
    facts: PlanFacts = field(default_factory=PlanFacts, init=False)

    async def look(self) -> WorkPlan | None:
        """Return the plan as it is now; None before planning has begun."""
        run = self.context.run
        events = await read_all(self.log, run.session_id, after=self.since, types=PLAN_EVENT_TYPES)
        self.events = [event for event in events if getattr(event, "plan_id", "") == run.run_id]
        self.facts = PlanFacts()
        for event in self.events:
            self.facts.add(event)
        return self.facts.make_plan()

    async def commit(
        self, plan: WorkPlan, change: PlanChange, by: str | None = None, reason: str = ""
    ) -> bool:
        """Write a version; False: another one of that number was first."""
        event = plan.to_event(change, by, reason)
        await self.context.recorder.commit(event)
        await self.look()
        return any(
            isinstance(stored, WorkPlanEvent)
            and stored.version == event.version
            and (stored.change, stored.by, stored.steps) == (change, by, event.steps)
            for stored in self.events
        )

    def count_replans(self) -> int:
        """Return how often the rest of the plan was planned again after a failure."""
        return self._count("replanned")

    def list_unsettled(self, plan: WorkPlan) -> list[int]:
        """List the steps that failed and that no version of our own knows as such.

        A person's change holds every step as it stands then, and settles none of them.
        """
        own = [one for one in self.events if isinstance(one, WorkPlanEvent) and one.by is None]
        newest = own[-1] if own else None
        known = {step["step_number"]: step.get("status") for step in newest.steps} if newest else {}
        return [
            step.step_number
            for step in plan.steps
            if step.failed and known.get(step.step_number) != step.status.value
        ]

    def _count(self, change: PlanChange) -> int:
        return sum(
            isinstance(event, WorkPlanEvent) and event.change == change for event in self.events
        )
