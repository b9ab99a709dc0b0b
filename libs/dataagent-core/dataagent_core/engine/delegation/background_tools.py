"""The tools `start_task`, `check_task` and `cancel_task`: tasks that go on beside the conversation.

A task is a run in a session of its own (`runs/background.py`), under the same rules, mode and
budgets of its user. Only the agent itself starts one: not a sub-agent, and not a background task.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits.subagents import (
    BACKGROUND_LOOK_S,
    BACKGROUND_TASKS_OPEN_MAX,
    BACKGROUND_TASKS_PER_RUN_MAX,
    BACKGROUND_WAIT_S_MAX,
)
from dataagent_core.engine.delegation.background_state import (
    BackgroundState,
    StateReader,
    is_over,
    list_task_ids,
)
from dataagent_core.engine.delegation.task_description import TaskDescription
from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.events import SubAgentEvent
from dataagent_core.runs import BackgroundRuns, BackgroundTask, NewBackgroundRun, RunContext
from dataagent_core.runs.background import is_task_id, make_task_id
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.session import EventLog, Run, check_prompt
from dataagent_core.session.titles import title_from
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.agent_call import RunningCall, running_call

# Returns the name of a sub-agent that may be given a task, or raises.
CheckName = Callable[[str, RunContext], str]
# Lists the sub-agents that the person does not want for a message.
ListForbidden = Callable[[RunContext], frozenset[str]]
TaskId = Annotated[str, Field(description="The id that start_task returned")]


@dataclass(frozen=True, slots=True, repr=False)
class BackgroundServices:
    """What the tools work with."""

    runs: BackgroundRuns
    log: EventLog
    check_name: CheckName
    list_forbidden: ListForbidden
    # One start at a time: calls of one message would not see each other's tasks.
    start_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, task_id: str, parent_session_id: str) -> BackgroundTask:
        """Return a task of this conversation."""
        task = await self._find_own(task_id, parent_session_id)
        if task is None:
            known = ", ".join(await self.list_tasks(parent_session_id)) or "none"
            raise NotFoundError(
                f"this conversation has no background task {task_id!r:.80}. It has: {known}."
            )
        return task

    async def list_tasks(self, parent_session_id: str) -> dict[str, BackgroundTask]:
        """List the tasks of this conversation whose sessions exist, the oldest first."""
        known = await list_task_ids(self.log, parent_session_id)
        found = {one: await self._find_own(one, parent_session_id) for one in known}
        return {task_id: task for task_id, task in found.items() if task is not None}

    async def _find_own(self, task_id: str, parent_session_id: str) -> BackgroundTask | None:
        task = await self.runs.find(task_id) if is_task_id(task_id) else None
        is_own = task is not None and task.parent_session_id == parent_session_id
        return task if is_own else None

    async def look(self, task_id: str, wait_s: float = 0) -> BackgroundState:
        """Read how a task stands, and continue it if a process left it unfinished.

        With `wait_s` as soon as it is over or waits, at the latest after that time.
        """
        until_s = time.monotonic() + wait_s
        reader = StateReader(self.log, task_id)
        state = await reader.read()
        if state.state == "running":
            await self.runs.continue_stopped(task_id)
        while state.state in {"queued", "running"} and time.monotonic() < until_s:
            await asyncio.sleep(min(BACKGROUND_LOOK_S, wait_s))
            state = await reader.read()
        return state


@define_tool("idempotent")
async def start_task(
    services: BackgroundServices,
    description: TaskDescription,
    subagent_type: Annotated[str, Field(description="The name of the sub-agent, as for `task`")],
) -> str:
    """Start a task that a sub-agent works on in the background, and go on at once.

    It goes on after your answer. Use it for long work that the user need not wait for; tell them
    its id. Look at it later with check_task. For work whose result you need now, use task.
    """
    running = _require_run()
    call, context = running.call, running.context
    check_prompt(description)
    name = services.check_name(subagent_type, context)
    _require_may_start(context)
    run = context.run
    task_id = make_task_id(run.run_id, call.key)
    new = NewBackgroundRun(
        session_id=task_id,
        task=BackgroundTask(
            parent_session_id=run.session_id, parent_run_id=run.run_id, subagent=name
        ),
        description=description,
        title=title_from(f"{name}: {description}") or name,
        sources=tuple(sorted(context.permissions.taint.sources)),
        forbid=tuple(sorted(services.list_forbidden(context))),
    )
    async with services.start_lock:
        if await services.runs.find(task_id) != new.task:
            await _require_room(services, run)
        # Also when cancelled: a task that runs must be in the log of its starter.
        await run_to_completion(_start_and_record(services, new, context))
    return f"Started {task_id} ({name}). check_task tells how it stands."


@define_tool("pure")
async def check_task(
    services: BackgroundServices,
    task_id: Annotated[str, Field(description="The id; empty for all tasks of the session")] = "",
    wait_s: Annotated[
        int,
        Field(
            description="How long to wait for its end, in seconds", ge=0, le=BACKGROUND_WAIT_S_MAX
        ),
    ] = 0,
) -> str:
    """Look at a task in the background: whether it is at work, waits for a person, or its report.

    If you need the result, wait with `wait_s` instead of asking again and again.
    """
    session_id = _require_run().context.run.session_id
    if task_id:
        task = await services.find(task_id, session_id)
        return (await services.look(task_id, wait_s)).render(task_id, task.subagent)
    lines = [
        (await services.look(known_id)).without_text().render(known_id, task.subagent)
        for known_id, task in (await services.list_tasks(session_id)).items()
    ]
    return "\n".join(lines) or "This conversation has started no background task."


@define_tool("idempotent")
async def cancel_task(services: BackgroundServices, task_id: TaskId) -> str:
    """Cancel a task in the background. What it has done so far stays done."""
    session_id = _require_run().context.run.session_id
    task = await services.find(task_id, session_id)
    state = await services.look(task_id)
    if state.is_over:
        # Without the report: only a result of check_task counts as content of strangers.
        return state.without_text().render(task_id, task.subagent)
    await services.runs.cancel(task_id)
    return f"{task_id} ({task.subagent}) is being cancelled."


def make_background_tools(services: BackgroundServices) -> list[BaseTool]:
    """Make the three tools of one agent."""
    return [tool.bind(services) for tool in (start_task, check_task, cancel_task)]


def _require_run() -> RunningCall:
    running = running_call()
    if running is None:
        raise ConflictError("a background task belongs to a run, and there is none here.")
    return running


def _require_may_start(context: RunContext) -> None:
    """Raise where a task would be freer, or deeper, than whoever starts it."""
    if context.message.background is not None:
        raise ConflictError(
            "this is a background task itself, and those start no others. Use task, or do it "
            "yourself."
        )
    for skill in context.active_skills.applying:
        if skill.allowed_tools is not None:
            raise ConflictError(
                f"the active skill {skill.name!r} limits the tools of this run, and would not "
                "limit those of a background task. Use task."
            )


async def _require_room(services: BackgroundServices, run: Run) -> None:
    started = await list_task_ids(services.log, run.session_id, run.run_id)
    if len(started) >= BACKGROUND_TASKS_PER_RUN_MAX:
        raise ConflictError(
            f"this run has started {len(started)} background tasks, which is the most. Tell the "
            "person what is left to do; their next message may start more."
        )
    tasks = await services.list_tasks(run.session_id)
    unfinished = [one for one in tasks if not await is_over(services.log, one)]
    if len(unfinished) >= BACKGROUND_TASKS_OPEN_MAX:
        raise ConflictError(
            f"{len(unfinished)} background tasks of this conversation are unfinished, which is the "
            f"most: {', '.join(unfinished)}. Wait for one with check_task, or cancel one."
        )


async def _start_and_record(
    services: BackgroundServices, new: NewBackgroundRun, context: RunContext
) -> None:
    await services.runs.start(new)
    await context.recorder.commit(
        SubAgentEvent(
            event_id=f"subagent assigned:{context.run.run_id}:{new.session_id}",
            subagent_id=new.session_id,
            phase="assigned",
            name=new.task.subagent,
            task=new.description,
            mode="background",
            reason="It works in the background, in a session of its own.",
        )
    )
