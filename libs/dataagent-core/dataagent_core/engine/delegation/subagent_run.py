"""One task of a sub-agent: its events, its time, and its report.

Whatever happens to a sub-agent, whoever delegated gets a report: a failure, a timeout or used up
turns never end the run or disturb the other sub-agents. Four things are not the sub-agent's own
and pass: an interrupt, a limit of the run, a store that fails, and a cancellation.
"""

import asyncio
import time
from dataclasses import dataclass

from langgraph.errors import GraphBubbleUp

from dataagent_core.engine.delegation.subagent_graph import SubAgentGraph
from dataagent_core.engine.delegation.subagent_report import SubAgentReport, make_report
from dataagent_core.errors import LimitReachedError, StorageError
from dataagent_core.events import SubAgentEvent
from dataagent_core.events.agents import DelegationMode, SubAgentPhase
from dataagent_core.runs import RunContext, SubAgentTask
from dataagent_core.usage import Total
from dataagent_core.usage.budget import usd_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentRun:
    """A sub-agent with a task."""

    graph: SubAgentGraph
    task: SubAgentTask
    description: str
    mode: DelegationMode
    timeout_s: float | None = None

    async def work(self, context: RunContext) -> SubAgentReport:
        """Work on the task and record it."""
        run = context.run
        await context.recorder.commit(
            # A later attempt is another fact, because `resumed` may void the first.
            self._event("started", f"subagent started:{run.run_id}:{self.task.id}:{run.attempt}")
        )
        began_s = time.perf_counter()
        try:
            report = await self._try(context)
        finally:
            # Also before it waits for a person: it goes on here.
            context.progress.add_work(self.task.id, time.perf_counter() - began_s)
        used = context.account.by_subagent.get(self.task.id, Total())
        phase: SubAgentPhase = "failed" if report.failed else "finished"
        await context.recorder.commit(
            self._event(
                phase,
                f"subagent {phase}:{run.run_id}:{self.task.id}:{run.attempt}",
                duration_ms=round(context.progress.worked_s[self.task.id] * 1000),
                used=used,
                reason=report.text if report.failed else report.reason,
            )
        )
        return report

    async def _try(self, context: RunContext) -> SubAgentReport:
        limit = asyncio.timeout(self.timeout_s)
        try:
            async with limit:
                messages = await self.graph.work(self.description, self.task, context)
        except (GraphBubbleUp, LimitReachedError, StorageError):
            raise
        except asyncio.CancelledError as error:
            # Some clients raise it for a lost connection; it is ours only if we are cancelled.
            current = asyncio.current_task()
            if current is None or current.cancelling():
                raise
            return self._fail(error)
        except Exception as error:  # noqa: BLE001 (whatever it is, the others go on)
            if limit.expired():
                return SubAgentReport(
                    name=self.task.name,
                    text=f"It did not finish within {self.timeout_s:g} s "
                    "(DATAAGENT_SUBAGENT_TIMEOUT_S). Give it a smaller task, or do it yourself.",
                    failed=True,
                )
            return self._fail(error)
        return make_report(self.task.name, messages)

    def _fail(self, error: BaseException) -> SubAgentReport:
        text = f"{type(error).__name__}: {error}"
        return SubAgentReport(name=self.task.name, text=text, failed=True)

    def _event(
        self,
        phase: SubAgentPhase,
        event_id: str,
        *,
        duration_ms: int | None = None,
        used: Total | None = None,
        reason: str = "",
    ) -> SubAgentEvent:
        parent = self.task.parent
        return SubAgentEvent(
            event_id=event_id,
            subagent_id=self.task.id,
            parent_id=None if parent is None else parent.id,
            phase=phase,
            name=self.task.name,
            agent_id=self.task.agent_id,
            task=self.description,
            mode=self.mode,
            reason=reason,
            duration_ms=duration_ms,
            tokens={} if used is None else used.tokens.as_dict(),
            cost=None if used is None else usd_of(used.known_cost_nano),
        )
