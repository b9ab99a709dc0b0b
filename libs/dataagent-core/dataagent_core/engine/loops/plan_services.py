"""What the plans of an agent work with; a run's own terms come with its message."""

from collections.abc import Mapping
from dataclasses import dataclass

from dataagent_core.engine.delegation.task_tool import Delegate
from dataagent_core.engine.loops.pattern_use import PatternUse
from dataagent_core.engine.model_calls.side_calls import SideCalls
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.sandbox.files.root import Root
from dataagent_core.session import EventLog
from dataagent_core.skills.offer import AgentSkills


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanServices:
    """The parts of one agent that its plans use."""

    terms: PlanTerms
    side_calls: SideCalls
    log: EventLog
    # Whom steps may be given to, by name; empty: the agent works on all of them itself.
    delegates: Mapping[str, Delegate]
    clarification_timeout_s: float
    decision_timeout_s: float
    # The files of the workspace; None where they are on another machine.
    files: Root | None = None
    # What was learned from earlier runs.
    patterns: PatternUse | None = None
    # Those that a step may name; None: the agent knows none.
    skills: AgentSkills | None = None

    async def list_skills(self, run_id: str) -> list[str]:
        """List the skills of a run by name."""
        if self.skills is None:
            return []
        return [skill.name for skill in (await self.skills.of_run(run_id)).skills]
