"""The tool `task`: the model gives a sub-agent a task and reads its report.

The modes of S2 §9.3 are what the model does with it: one call is single, several in one message are
parallel, `then` is a sequence, and a sub-agent that delegates makes a hierarchy. Which sub-agents
there are is decided by `stack.py`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import ToolMessage
from pydantic import BaseModel, Field

from dataagent_core.config.limits.subagents import SUBAGENT_STEPS_MAX
from dataagent_core.engine.delegation.background_tools import (
    BackgroundServices,
    make_background_tools,
)
from dataagent_core.engine.delegation.subagent_graph import SubAgentGraph
from dataagent_core.engine.delegation.subagent_report import SubAgentReport
from dataagent_core.engine.delegation.subagent_run import SubAgentRun
from dataagent_core.engine.delegation.task_description import NextDescription, TaskDescription
from dataagent_core.engine.memory.recalled_state import list_idle_tools
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import ConflictError, DeniedError, NotFoundError
from dataagent_core.events.agents import DelegationMode
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.runs import BackgroundRuns, RunContext, SubAgentTask
from dataagent_core.session import EventLog
from dataagent_core.subagents.mentions import read_mentions
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.agent_call import AgentCall, running_call

# On the result of a task whose sub-agent ran out of time.
TIMED_OUT_KEY: Final = "timed_out"

_DESCRIPTION = """\
Give a task to a sub-agent, which works on it alone and returns one report.

Sub-agents:
{subagents}

- Start several at once, in one message, when their tasks are independent; give tasks that build on
  each other in `then`.
- A sub-agent sees nothing but your description: put all it needs into it, and say what to return.
- Nobody but you reads the report: tell the user what matters of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegate:
    """A sub-agent as it is offered for tasks."""

    name: str
    # The id of its row, or its name if it has none.
    agent_id: str
    # When it is the right one, in a sentence or two.
    description: str
    graph: SubAgentGraph
    hidden: bool = False
    # Tools without which it is of no use.
    requires_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class TaskServices:
    """What the tool works with."""

    delegates: Mapping[str, Delegate]
    timeout_s: float | None


class NextTask(BaseModel):
    """A task that goes on with the report of the one before it."""

    description: NextDescription
    subagent_type: str = Field(description="The name of the sub-agent")


@define_tool("idempotent")
async def task(
    services: TaskServices,
    description: TaskDescription,
    subagent_type: Annotated[str, Field(description="The name of the sub-agent")],
    then: Annotated[
        list[NextTask],
        Field(
            description="Tasks to do one after the other, each with the report of the one before",
            max_length=SUBAGENT_STEPS_MAX - 1,
        ),
    ] = [],  # noqa: B006 (never changed; part of the schema)
) -> ToolMessage:
    """Give a task to a sub-agent."""
    running = running_call()
    if running is None:
        raise ConflictError("a sub-agent works only in a run.")
    call, context = running.call, running.context
    steps = [NextTask(description=description, subagent_type=subagent_type), *then]
    # All are found before the first begins.
    delegates = [_find_delegate(services, step.subagent_type, context) for step in steps]
    reports: list[SubAgentReport] = []
    for number, (step, delegate) in enumerate(zip(steps, delegates, strict=True), start=1):
        before = f"\n\n{reports[-1].render()}" if reports else ""
        run = SubAgentRun(
            graph=delegate.graph,
            task=SubAgentTask(
                id=call.key if number == 1 else f"{call.key}/{number}",
                name=delegate.name,
                agent_id=delegate.agent_id,
                parent=context.subagent,
            ),
            description=step.description + before,
            mode="sequential" if then else _mode_of(call, context),
            timeout_s=services.timeout_s,
        )
        reports.append(await run.work(context))
        if reports[-1].failed:
            break
    return ToolMessage(
        content=_render(reports, left=len(steps) - len(reports)),
        name=TASK,
        tool_call_id=call.call_id,
        status="error" if reports[-1].failed else "success",
        additional_kwargs={TIMED_OUT_KEY: True} if reports[-1].timed_out else {},
    )


class DelegationMiddleware(AgentMiddleware[Any, Any, Any]):
    """Offers the tool `task`, and those for tasks in the background where they can run."""

    def __init__(
        self,
        delegates: Sequence[Delegate],
        timeout_s: float | None,
        background: BackgroundRuns | None,
        log: EventLog,
    ) -> None:
        super().__init__()
        services = TaskServices({one.name: one for one in delegates}, timeout_s)
        self._offered = [one for one in delegates if not one.hidden]
        self.tools = [task.bind(services).model_copy(update=self._describe())]
        if background is not None:

            def check_name(name: str, context: RunContext) -> str:
                return _find_delegate(services, name, context).name

            def list_refused(context: RunContext) -> frozenset[str]:
                return list_forbidden(services.delegates, context)

            self.tools += make_background_tools(
                BackgroundServices(background, log, check_name, list_refused)
            )

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        idle = list_idle_tools(request.state)
        if not any(idle.intersection(one.requires_tools) for one in self._offered):
            return await handler(request)
        described = self._describe(idle)
        tools = [
            tool.model_copy(update=described)
            if not isinstance(tool, dict) and tool.name == TASK
            else tool
            for tool in request.tools
        ]
        return await handler(request.override(tools=tools))

    def _describe(self, idle: frozenset[str] = frozenset()) -> dict[str, str]:
        """Describe `task` with those who have something to work with."""
        lines = [
            f"- {one.name}: {make_prompt_line(one.description)}"
            for one in self._offered
            if not idle.intersection(one.requires_tools)
        ]
        return {"description": _DESCRIPTION.format(subagents="\n".join(lines))}


def _find_delegate(services: TaskServices, name: str, context: RunContext) -> Delegate:
    if name in list_forbidden(services.delegates, context):
        raise DeniedError(f"the person does not want {name!r} for this message. Do without it.")
    found = services.delegates.get(name)
    if found is not None:
        return found
    names = () if context.subagent is None else context.subagent.names
    if name in names:
        raise ConflictError(
            f"{name!r} is already at work above you ({' > '.join(names)}), and a task may not "
            "come back to whoever gave it. Do this part yourself."
        )
    known = ", ".join(one.name for one in services.delegates.values() if not one.hidden)
    raise NotFoundError(f"there is no sub-agent {name!r}. Use one of: {known}.")


def list_forbidden(names: Collection[str], context: RunContext) -> frozenset[str]:
    """List the sub-agents that the person does not want for this message."""
    mentioned = read_mentions(context.message.text, names)
    return frozenset({*context.message.forbid, *mentioned.forbid})


def _mode_of(call: AgentCall, context: RunContext) -> DelegationMode:
    if context.subagent is not None:
        return "hierarchical"
    return "parallel" if call.alike > 1 else "single"


def _render(reports: Sequence[SubAgentReport], left: int) -> str:
    texts = [report.render() for report in reports]
    if left:
        texts.append(f"Tasks after it that were not begun: {left}.")
    return "\n\n".join(texts)
