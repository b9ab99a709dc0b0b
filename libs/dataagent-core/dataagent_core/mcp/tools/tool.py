"""One tool of an MCP server as a tool of the agent.

It is asked about and irreversible whatever the server says of it; the server's hints may only
tighten that. Its arguments are the server's own names, which may be anything, so they are handed
on as one object and never as Python arguments.
"""

import asyncio
from typing import TYPE_CHECKING, Any, NoReturn

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from pydantic import PrivateAttr

from dataagent_core.config.limits.mcp import (
    MCP_CALL_S_MAX,
    MCP_CALL_SILENCE_S,
    MCP_SIGN_INS_PER_CALL_MAX,
)
from dataagent_core.errors import (
    MCPServerError,
    SignInNeededError,
    ToolExecutionError,
    ValidationError,
)
from dataagent_core.mcp.ports import (
    Elicit,
    Elicitation,
    ElicitationResult,
    OnProgress,
    Sample,
    SamplingRequest,
)
from dataagent_core.mcp.tools.elicitation import (
    ElicitationAnswer,
    ask_person,
    has_asked,
    may_be_made_again,
    note_after_sign_in,
    note_again,
    was_held,
)
from dataagent_core.mcp.tools.elicitation_request import question_from
from dataagent_core.mcp.tools.held_calls import HeldCall, HeldKey, HeldQuestion
from dataagent_core.mcp.tools.offer import ToolOffer
from dataagent_core.mcp.tools.progress import ProgressLog
from dataagent_core.mcp.tools.results import message_from
from dataagent_core.mcp.tools.sampling import CallSampling
from dataagent_core.mcp.tools.sign_in_request import ask_to_sign_in, not_signed_in
from dataagent_core.mcp.tools.tool_context import MCPToolContext
from dataagent_core.runs import RunContext
from dataagent_core.tools.pipeline.agent_call import AgentCall, RunningCall, running_call
from dataagent_core.tools.pipeline.arguments import describe_wrong_arguments, find_schema_problems

if TYPE_CHECKING:
    from mcp_types import CallToolResult


class MCPTool(BaseTool):
    """Calls one tool of one server, for one owner."""

    _offer: ToolOffer = PrivateAttr()
    _home: MCPToolContext = PrivateAttr()

    def __init__(self, offer: ToolOffer, home: MCPToolContext) -> None:
        super().__init__(
            name=offer.name,
            description=offer.description,
            args_schema=offer.shown_schema,
            metadata=offer.metadata,
        )
        self._offer = offer
        self._home = home

    def only_waits(self, call: AgentCall, context: RunContext) -> bool:
        """Say whether a call of an earlier attempt did nothing since it asked a person."""
        held = self._home.held.find(self._key(RunningCall(call, context)))
        if held is not None:
            # Where a person was asked whether to repeat it, the same question is met again.
            return not held.repeats
        return may_be_made_again(call, context)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        arguments = tool_input if isinstance(tool_input, dict) else {}
        return (), {"arguments": dict(arguments), "call_id": tool_call_id or ""}

    def _run(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise NotImplementedError("tools of MCP servers are called with `ainvoke`.")

    async def _arun(self, arguments: dict[str, Any], call_id: str) -> ToolMessage:
        problems = find_schema_problems(self._offer.schema, arguments)
        if problems:
            raise ValidationError(describe_wrong_arguments(self.name, problems))
        running = running_call()
        try:
            if running is None:
                result = await self._call(arguments)
                notes: list[str] = []
            else:
                result, notes = await self._signed_in(arguments, running)
        except SignInNeededError as needed:
            raise not_signed_in(needed) from needed
        message = await asyncio.to_thread(
            message_from,
            result,
            name=self.name,
            call_id=call_id,
            output_schema=self._offer.output_schema,
            root=self._home.files,
        )
        if notes:
            message.content = "\n".join([*notes, message.text])
        return message

    async def _call(
        self,
        arguments: dict[str, Any],
        on_progress: OnProgress | None = None,
        elicit: Elicit | None = None,
        sample: Sample | None = None,
    ) -> "CallToolResult":
        return await self._home.connection.call(
            self._offer.tool,
            arguments,
            timeout_s=MCP_CALL_S_MAX,
            on_progress=on_progress,
            elicit=elicit,
            sample=sample,
            # What has become another tool since it was shown and allowed is not called.
            expected=self._offer.listed,
        )

    async def _signed_in(
        self, arguments: dict[str, Any], running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        """Make the call, and again each time a person has signed in for it."""
        home, asked = self._home, 0
        while True:
            try:
                return await self._in_a_run(arguments, running)
            except SignInNeededError as needed:
                asked += 1
                # Once the server asked something, nobody knows what it had done by then.
                begun = has_asked(running.call, running.context)
                if begun or asked > MCP_SIGN_INS_PER_CALL_MAX:
                    raise
                run_id, page = running.context.run.run_id, home.sign_in_page
                url = page(run_id, self._offer.server) if page is not None else ""
                ask_to_sign_in(needed, asked, running, self._offer.tool, url)

    async def _in_a_run(
        self, arguments: dict[str, Any], running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        """Make the call, or go on with the one that waited for an answer."""
        key = self._key(running)
        held = self._home.held.find(key)
        if held is not None and not held.held and not self._home.connected():
            # Nobody holds this call, and what it would be continued on is closed: make it anew.
            await held.aclose()
            held = None
        if held is None:
            held = await self._begun(arguments, running)
        held.listener = ProgressLog(running)
        try:
            found = await self._to_the_end(held, running)
        except GraphBubbleUp:
            # A person has to answer first; then this call comes back here.
            self._home.held.keep(key, held)
            raise
        except BaseException:
            self._home.held.forget(key)
            await held.aclose()
            raise
        self._home.held.forget(key)
        return found

    async def _begun(self, arguments: dict[str, Any], running: RunningCall) -> HeldCall:
        call, context = running.call, running.context
        cut_off = call.key in context.journal.unknown
        if was_held(call, context) and not cut_off:
            raise ToolExecutionError(
                f"{self._offer.server!r} held this call open for the answer and has given it up "
                "since. Whether it did anything is not known: find out before you call it again."
            )
        repeats = cut_off and not may_be_made_again(call, context)
        after_sign_in = await note_after_sign_in(running)
        if cut_off and not after_sign_in:
            await note_again(running)

        async def start(
            on_progress: OnProgress, elicit: Elicit, sample: Sample
        ) -> "CallToolResult":
            return await self._call(arguments, on_progress, elicit, sample)

        held = HeldCall(start, self._home.speaks_modern, repeats=repeats)
        held.begin()
        return held

    async def _to_the_end(
        self, held: HeldCall, running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        notes: list[str] = []
        heard = 0
        sampling = CallSampling(self._home.sampling, self._offer.server, self._offer.tool, running)
        while True:
            try:
                news = await held.next(heard, MCP_CALL_SILENCE_S)
            except TimeoutError:
                raise MCPServerError(
                    self._offer.server,
                    f"said nothing for {MCP_CALL_SILENCE_S:.0f} s in a call of "
                    f"{self._offer.tool!r}, so the call was given up.",
                ) from None
            if not isinstance(news, HeldQuestion):
                return news, notes
            heard += 1
            match news.question:
                case Elicitation() as elicitation:
                    said = await self._answered(elicitation, news, heard, running)
                    news.give(said.elicited)
                    note = said.note
                case SamplingRequest() as request:
                    note = await sampling.answer(request, news, heard)
            if note:
                notes.append(f"({note})")

    async def _answered(
        self, elicitation: Elicitation, asked: HeldQuestion, number: int, running: RunningCall
    ) -> ElicitationAnswer:
        try:
            question = question_from(elicitation, self._offer.server, self._offer.tool)
        except ValidationError as unfit:
            return ElicitationAnswer(
                ElicitationResult("cancel"), f"Nobody could be asked what the server wants: {unfit}"
            )
        return await ask_person(question, number, running, held=asked.held)

    def _key(self, running: RunningCall) -> HeldKey:
        run_id = running.context.run.run_id
        return HeldKey(self._home.owner, self._offer.server, run_id, running.call.key)
