"""`ask_agent`: a message goes in, the agent's answer with its figures comes out.

The client gets a progress message for each step; cancelling the call stops the run. A question of
the agent goes to the person at the client if the client can show a form. Otherwise the answer says
what the run waits for and where it can be answered.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import anyio
from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context
from fastmcp.tools.base import ToolResult
from mcp_types import ContentBlock, ToolAnnotations
from pydantic import BaseModel, Field, PrivateAttr

from dataagent_core.config.limits.mcp import (
    MCP_SERVED_ASK_REST_S,
    MCP_SERVED_LAST_WORDS_S,
    MCP_SERVED_MESSAGE_CHARS_MAX,
)
from dataagent_core.mcp.server.call_results import answer_with, error_result
from dataagent_core.mcp.server.file_content import content_of_files
from dataagent_core.mcp.server.form_request import FormRequester, decision_from, form_for
from dataagent_core.mcp.server.ports import MCPAgent, MCPCaller, MCPServices, RunRef
from dataagent_core.mcp.server.resource_addresses import session_address
from dataagent_core.mcp.server.served_tool import GuardedTool
from dataagent_core.mcp.server.tool_table import ASK_AGENT, ASKED, ServedToolRow
from dataagent_core.tools.pipeline.arguments.model_check import find_model_problems

RunStatus = Literal["done", "waiting", "running"]


@dataclass(slots=True)
class RunSummaryBuilder:
    """The answer, its figures and the open requests, collected from the events of a run."""

    text: str = ""
    figures: list[Any] = field(default_factory=list[Any])
    unsourced: list[Any] = field(default_factory=list[Any])
    artifacts: list[Any] = field(default_factory=list[Any])
    error: dict[str, Any] | None = None
    reason: str | None = None
    questions: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def add(self, event: dict[str, Any]) -> str | None:
        """Add an event; returns a progress message if the client should get one."""
        match event:
            case {"event_type": "text", "is_final": True}:
                self.text = str(event.get("content") or "")
                self.figures = list(event.get("figures") or [])
                self.unsourced = list(event.get("unsourced") or [])
            case {"event_type": "hitl_request", "interrupt_id": str(interrupt_id)}:
                self.questions[interrupt_id] = event
                return "waits for a person"
            case {"event_type": "hitl_answer", "interrupt_id": str(interrupt_id)}:
                self.questions.pop(interrupt_id, None)
            case {"event_type": "tool_call", "tool_name": str(name)}:
                return f"calls {name}"
            case {"event_type": "tool_result", "artifacts": [*made]}:
                self.artifacts += made
            case {"event_type": "tool_progress", "message": str(message)} if message:
                return message
            case {"event_type": "error"}:
                self.error = {"error_code": event.get("code"), "message": event.get("error")}
            case {"event_type": "done"}:
                self.reason = str(event.get("reason"))
                self.text = self.text or str(event.get("content") or "")
            case _:
                pass
        return None

    @property
    def status(self) -> RunStatus:
        if self.reason is not None:
            return "done"
        return "waiting" if self.questions else "running"


class AskArguments(BaseModel):
    """The message, and the session it continues."""

    message: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MCP_SERVED_MESSAGE_CHARS_MAX,
            description="The question or the task, in plain words.",
        ),
    ]
    session_id: Annotated[
        str | None,
        Field(description="Go on in this session; left out, a new one is made."),
    ] = None


_DESCRIPTION = """Ask DataAgent's own agent, which queries data, reads and writes files and plans.

It answers with text, the figures in it and where each comes from. `status` is `done`, `waiting`
(a person must answer first; `requests` says what) or `running` (it goes on; read the session)."""


class AskAgentTool(GuardedTool):
    """Starts a run, follows it, and returns its summary."""

    _rest_s: float = PrivateAttr(default=MCP_SERVED_ASK_REST_S)

    def problems(self, arguments: Mapping[str, Any]) -> list[str]:
        return find_model_problems(AskArguments, arguments)

    async def act(self, caller: MCPCaller, arguments: dict[str, Any]) -> ToolResult:
        request = AskArguments.model_validate(arguments)
        context = get_context()
        requester = await FormRequester.open(context, self._services, caller)
        agent = self._services.agent(caller)
        run = _read_run_ref(requester.state) or await agent.start(
            request.message, request.session_id, can_ask=requester.can_ask
        )
        try:
            async with asyncio.timeout(self._rest_s):
                summary = await _follow_run(agent, run, requester, context)
        except TimeoutError:
            summary = RunSummaryBuilder()
        except asyncio.CancelledError:
            # No client waits for the run any more.
            with anyio.CancelScope(shield=True), anyio.move_on_after(MCP_SERVED_LAST_WORDS_S):
                await agent.cancel(run)
            raise
        return _make_result(run, summary, await self._read_files(caller, summary))

    async def _read_files(
        self, caller: MCPCaller, summary: RunSummaryBuilder
    ) -> list[ContentBlock]:
        if not summary.artifacts:
            return []
        async with self._services.open_toolset(caller) as toolset:
            return await content_of_files(summary.artifacts, toolset.workspace)


def ask_agent_tool(
    services: MCPServices, served: ServedToolRow = ASKED, rest_s: float = MCP_SERVED_ASK_REST_S
) -> AskAgentTool:
    """Make the FastMCP tool; `rest_s` is how long a call waits for its run."""
    schema = AskArguments.model_json_schema()
    tool = AskAgentTool(
        name=ASK_AGENT,
        description=_DESCRIPTION,
        parameters={name: value for name, value in schema.items() if name != "description"},
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=False, open_world_hint=True
        ),
        meta={"scope": served.scope, "timeout_s": served.timeout_s},
    )
    tool.guarded_by(services, served)
    tool._rest_s = rest_s  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (pydantic keeps what is not a field private)
    return tool


async def _follow_run(
    agent: MCPAgent, run: RunRef, requester: FormRequester, context: Context
) -> RunSummaryBuilder:
    """Follow a run until it is done, or waits for an answer this client cannot give."""
    steps_sent, last_seq = 0, 0
    while True:
        summary = RunSummaryBuilder()
        async with aclosing(agent.events(run)) as batches:
            async for events in batches:
                for event in events:
                    message, seq = summary.add(event), int(event.get("seq") or 0)
                    # After an answer the run is read from its start again.
                    if message and seq > last_seq:
                        steps_sent, last_seq = steps_sent + 1, seq
                        await context.report_progress(steps_sent, message=message)
        if summary.status != "waiting" or not await _answer_request(agent, run, summary, requester):
            return summary


async def _answer_request(
    agent: MCPAgent, run: RunRef, summary: RunSummaryBuilder, requester: FormRequester
) -> bool:
    interrupt_id, request = next(iter(summary.questions.items()))
    form = form_for(request)
    if form is None or not requester.can_ask:
        return False
    state = {"session_id": run.session_id, "run_id": run.run_id, "interrupt_id": interrupt_id}
    answer, answered_state = await requester.ask(form, state)
    if answered_state.get("interrupt_id") != interrupt_id:
        return True  # the answer belongs to an earlier question, which is answered by now
    decision = decision_from(request, answer.action, answer.content)
    if decision is None:
        return False
    await agent.answer(run, interrupt_id, decision)
    return True


def _read_run_ref(state: Mapping[str, Any]) -> RunRef | None:
    match state:
        case {"session_id": str(session_id), "run_id": str(run_id)}:
            return RunRef(session_id, run_id)
        case _:
            return None


def _make_result(
    run: RunRef, summary: RunSummaryBuilder, files: Sequence[ContentBlock]
) -> ToolResult:
    where = session_address(run.session_id)
    facts: dict[str, Any] = {
        "status": summary.status,
        "session_id": run.session_id,
        "run_id": run.run_id,
        "answer": summary.text,
        "figures": summary.figures,
        "unsourced": summary.unsourced,
        "artifacts": summary.artifacts,
    }
    match summary.status:
        case "waiting":
            facts["requests"] = [
                _select_request_fields(request) for request in summary.questions.values()
            ]
            requests = ", ".join(f"{r['kind']} {r['interrupt_id']}" for r in facts["requests"])
            text = f"The agent waits for a person ({requests}). See {where}."
        case "running":
            text = f"The agent is still at work. Read {where} later, or ask on in that session."
        case "done" if summary.error is not None:
            details = {"session_id": run.session_id, "run_id": run.run_id}
            code = str(summary.error["error_code"] or "TOOL_EXECUTION_ERROR")
            return error_result(code, str(summary.error["message"]), details)
        case "done":
            facts["reason"] = summary.reason
            text = summary.text or f"The run ended: {summary.reason}."
    return answer_with(text, facts, files)


def _select_request_fields(request: Mapping[str, Any]) -> dict[str, Any]:
    names = ("interrupt_id", "kind", "question", "context", "action_requests", "options")
    return {name: request.get(name) for name in names}
