"""One task of a sub-agent: its events, its time, and its report.

Whatever happens to a sub-agent, whoever delegated gets a report: a failure, a timeout or used up
turns never end the run or disturb the other sub-agents. Four things are not the sub-agent's own
and pass: an interrupt, a limit of the run, a store that fails, and a cancellation.

What was under way below a sub-agent that fails is cut off: `open_work.py` knows what it was.
"""

import asyncio
import time
from dataclasses import dataclass, replace

from langgraph.errors import GraphBubbleUp

from dataagent_core.engine.delegation.open_work import CutOff, TaskRecorder, cut_off
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
        recorder, limit = TaskRecorder.of(context.recorder), asyncio.timeout(self.timeout_s)
        try:
            report = await self._try(replace(context, recorder=recorder), limit)
        finally:
            # Also before it waits for a person: it goes on here.
            context.progress.add_work(self.task.id, time.perf_counter() - began_s)
        # One that finished waited for all it began.
        ends = CutOff()
        if report.failed:
            ends = self._cut_off(context, recorder, timed_out=limit.expired())
        phase: SubAgentPhase = "failed" if report.failed else "finished"
        reason = report.text if report.failed else report.reason
        end = self._event(phase, _end_id(context, phase, self.task.id), reason=reason)
        await context.recorder.commit(
            *ends.events, _with_use(end, context, self.task.id), journal=ends.journal
        )
        context.journal.finished.update({entry.call_key: entry for entry in ends.entries})
        return report

    def _cut_off(self, context: RunContext, recorder: TaskRecorder, *, timed_out: bool) -> CutOff:
        """End what was cancelled with this task: its calls, and the tasks it delegated."""
        name = self.task.name
        cause = f"the time of the sub-agent {name} was up" if timed_out else f"{name} failed"
        why = "its delegator's time was up" if timed_out else "its delegator failed"

        def end_task(began: SubAgentEvent) -> SubAgentEvent:
            task_id = began.subagent_id or ""
            ended = replace(
                began,
                event_id=_end_id(context, "failed", task_id),
                timestamp=time.time(),
                phase="failed",
                reason=f"It was stopped: {why}.",
            )
            return _with_use(ended, context, task_id)

        items = recorder.open_work.take_below(self.task.id)
        return cut_off(items, context.run.run_id, cause, end_task)

    async def _try(self, context: RunContext, limit: asyncio.Timeout) -> SubAgentReport:
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
                    timed_out=True,
                )
            return self._fail(error)
        return make_report(self.task.name, messages)

    def _fail(self, error: BaseException) -> SubAgentReport:
        text = f"{type(error).__name__}: {error}"
        return SubAgentReport(name=self.task.name, text=text, failed=True)

    def _event(self, phase: SubAgentPhase, event_id: str, *, reason: str = "") -> SubAgentEvent:
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
        )


def _end_id(context: RunContext, phase: SubAgentPhase, task_id: str) -> str:
    return f"subagent {phase}:{context.run.run_id}:{task_id}:{context.run.attempt}"


def _with_use(end: SubAgentEvent, context: RunContext, task_id: str) -> SubAgentEvent:
    """Say how long a task took, and what it used."""
    used = context.account.by_subagent.get(task_id, Total())
    return replace(
        end,
        duration_ms=round(context.progress.worked_s.get(task_id, 0.0) * 1000),
        tokens=used.tokens.as_dict(),
        cost=usd_of(used.known_cost_nano),
    )
