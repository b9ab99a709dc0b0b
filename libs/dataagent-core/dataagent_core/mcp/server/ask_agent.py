"""`ask_agent`: a message goes in, the agent's answer with its figures comes out.

While it works the client hears of its steps; cancelling the call stops the run. What the agent
asks is put to the person at the client if that can be; else the answer says that it waits, for
what, and where it can be answered.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Annotated, Any

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
from dataagent_core.mcp.server.form_request import FormRequester
from dataagent_core.mcp.server.forms import decision_from, form_for
from dataagent_core.mcp.server.ports import MCPAgent, MCPCaller, MCPServices, RunRef
from dataagent_core.mcp.server.resource_addresses import session_address
from dataagent_core.mcp.server.run_summary import RunSummaryBuilder
from dataagent_core.mcp.server.served_tool import GuardedTool
from dataagent_core.mcp.server.tool_table import ASK_AGENT, ASKED, ServedToolRow
from dataagent_core.tools.pipeline.arguments.model_check import find_model_problems


class AskArguments(BaseModel):
    """What is asked, and in which session."""

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
    """Starts a run, follows it, and tells what came of it."""

    _rest_s: float = PrivateAttr(default=MCP_SERVED_ASK_REST_S)

    def problems(self, arguments: Mapping[str, Any]) -> list[str]:
        return find_model_problems(AskArguments, arguments)

    async def act(self, caller: MCPCaller, arguments: dict[str, Any]) -> ToolResult:
        asked = AskArguments.model_validate(arguments)
        context = get_context()
        asker = await FormRequester.opened(context, self._house, caller)
        agent = self._house.agent(caller)
        run = _known_run(asker.state) or await agent.start(
            asked.message, asked.session_id, can_ask=asker.can_ask
        )
        try:
            async with asyncio.timeout(self._rest_s):
                story = await _to_rest(agent, run, asker, context)
        except TimeoutError:
            story = RunSummaryBuilder()
        except asyncio.CancelledError:
            # Nobody waits for it any more.
            with anyio.CancelScope(shield=True), anyio.move_on_after(MCP_SERVED_LAST_WORDS_S):
                await agent.cancel(run)
            raise
        return _told(run, story, await self._files(caller, story))

    async def _files(self, caller: MCPCaller, story: RunSummaryBuilder) -> list[ContentBlock]:
        if not story.artifacts:
            return []
        async with self._house.bench(caller) as bench:
            return await content_of_files(story.artifacts, bench.workspace)


def ask_agent_tool(
    house: MCPServices, served: ServedToolRow = ASKED, rest_s: float = MCP_SERVED_ASK_REST_S
) -> AskAgentTool:
    """Describe it to FastMCP; `rest_s` is how long a call waits for its run."""
    schema = AskArguments.model_json_schema()
    made = AskAgentTool(
        name=ASK_AGENT,
        description=_DESCRIPTION,
        parameters={name: value for name, value in schema.items() if name != "description"},
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=False, open_world_hint=True
        ),
        meta={"scope": served.scope, "timeout_s": served.timeout_s},
    )
    made.guarded_by(house, served)
    made._rest_s = rest_s  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (pydantic keeps what is not a field private)
    return made


async def _to_rest(
    agent: MCPAgent, run: RunRef, asker: FormRequester, context: Context
) -> RunSummaryBuilder:
    """Follow a run until it is done, or asks what cannot be asked here."""
    told, last_seq = 0, 0
    while True:
        story = RunSummaryBuilder()
        async with aclosing(agent.events(run)) as batches:
            async for events in batches:
                for event in events:
                    said, seq = story.see(event), int(event.get("seq") or 0)
                    # After an answer the run is read from its start again.
                    if said and seq > last_seq:
                        told, last_seq = told + 1, seq
                        await context.report_progress(told, message=said)
        if story.status != "waiting" or not await _answered(agent, run, story, asker):
            return story


async def _answered(
    agent: MCPAgent, run: RunRef, story: RunSummaryBuilder, asker: FormRequester
) -> bool:
    interrupt_id, request = next(iter(story.questions.items()))
    form = form_for(request)
    if form is None or not asker.can_ask:
        return False
    state = {"session_id": run.session_id, "run_id": run.run_id, "interrupt_id": interrupt_id}
    said, asked_with = await asker.ask(form, state)
    if asked_with.get("interrupt_id") != interrupt_id:
        return True  # it was about an earlier question, which is answered by now
    decision = decision_from(request, said.action, said.content)
    if decision is None:
        return False
    await agent.answer(run, interrupt_id, decision)
    return True


def _known_run(state: Mapping[str, Any]) -> RunRef | None:
    match state:
        case {"session_id": str(session_id), "run_id": str(run_id)}:
            return RunRef(session_id, run_id)
        case _:
            return None


def _told(run: RunRef, story: RunSummaryBuilder, files: Sequence[ContentBlock]) -> ToolResult:
    where = session_address(run.session_id)
    facts: dict[str, Any] = {
        "status": story.status,
        "session_id": run.session_id,
        "run_id": run.run_id,
        "answer": story.text,
        "figures": story.figures,
        "unsourced": story.unsourced,
        "artifacts": story.artifacts,
    }
    match story.status:
        case "waiting":
            facts["requests"] = [_shown(request) for request in story.questions.values()]
            asked = ", ".join(f"{r['kind']} {r['interrupt_id']}" for r in facts["requests"])
            text = f"The agent waits for a person ({asked}). See {where}."
        case "running":
            text = f"The agent is still at work. Read {where} later, or ask on in that session."
        case "done" if story.error is not None:
            details = {"session_id": run.session_id, "run_id": run.run_id}
            code = str(story.error["error_code"] or "TOOL_EXECUTION_ERROR")
            return error_result(code, str(story.error["message"]), details)
        case "done":
            facts["reason"] = story.reason
            text = story.text or f"The run ended: {story.reason}."
    return answer_with(text, facts, files)


def _shown(request: Mapping[str, Any]) -> dict[str, Any]:
    names = ("interrupt_id", "kind", "question", "context", "action_requests", "options")
    return {name: request.get(name) for name in names}
