"""One tool of an MCP server as a tool of the agent, with its progress and its sign-in request.

It needs approval and is irreversible whatever the server says of it; the server's hints may only
tighten that. Its argument names are the server's own and may be anything, so they are passed as one
object and never as Python arguments. Progress becomes events of the run, limited in rate and
number.

When the server refuses a call until the person signs in, the call did nothing. A request of the
kind `oauth` asks the person; the run waits (an interrupt), and after the answer the call is made
again. With new tokens it succeeds and the answer is not read; if it is refused again, the answer
says whether to ask once more or to continue without. On a server the person signs in at its page
(`MCPToolContext`), in a terminal at the prompt.
"""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from pydantic import PrivateAttr

from dataagent_core.config.limits.mcp import (
    MCP_AUTH_SCOPE_CHARS_MAX,
    MCP_CALL_S_MAX,
    MCP_CALL_SILENCE_S,
    MCP_PROGRESS_CHARS_MAX,
    MCP_PROGRESS_EVENTS_MAX,
    MCP_PROGRESS_INTERVAL_S,
    MCP_SIGN_INS_PER_CALL_MAX,
)
from dataagent_core.errors import (
    MCPServerError,
    SignInNeededError,
    ToolExecutionError,
    ValidationError,
)
from dataagent_core.events import ToolProgressEvent
from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.mcp.ports import (
    Elicit,
    Elicitation,
    ElicitationResult,
    OnProgress,
    Sample,
    SamplingRequest,
)
from dataagent_core.mcp.tools.clean_text import in_one_line
from dataagent_core.mcp.tools.elicitation import (
    ElicitationAnswer,
    ask_person,
    decision_on,
    has_asked,
    may_be_made_again,
    note_after_sign_in,
    note_again,
    sign_in_key,
    was_held,
)
from dataagent_core.mcp.tools.elicitation_request import question_from
from dataagent_core.mcp.tools.held_calls import HeldCall, HeldKey, HeldQuestion
from dataagent_core.mcp.tools.offer import ToolOffer
from dataagent_core.mcp.tools.results import message_from
from dataagent_core.mcp.tools.sampling import CallSampling
from dataagent_core.mcp.tools.tool_context import MCPToolContext
from dataagent_core.runs import RunContext
from dataagent_core.tools.pipeline.agent_call import AgentCall, RunningCall, running_call
from dataagent_core.tools.pipeline.arguments import describe_wrong_arguments, find_schema_problems

if TYPE_CHECKING:
    from mcp_types import CallToolResult


def ask_to_sign_in(
    needed: SignInNeededError, number: int, running: RunningCall, tool: str, url: str
) -> None:
    """Return when the person says that they signed in; interrupt the run until then, or raise.

    `number` counts how often this call asks; `url` is the sign-in page, empty if the client that
    answers opens it.
    """
    call = running.call
    args = {
        "server": needed.server,
        "tool": tool,
        "scopes": in_one_line(needed.scopes, MCP_AUTH_SCOPE_CHARS_MAX),
        "url": url,
        "times_asked": number,
    }
    action: ActionRequest = {
        "name": call.name,
        "args": args,
        "description": f"{needed.server} wants you to sign in",
        "tool_call_id": call.call_id,
        "call_key": sign_in_key(call, number),
        "args_hash": hash_of_args(args),
    }
    decision = decision_on("oauth", _make_sign_in_request(action), action, running.context)
    match decision and decision["type"]:
        case "answer" | "approve":
            return
        case "respond":
            said = decision.get("message") if decision else ""
            raise not_signed_in(needed, f" The person did not sign in, and says: {said}")
        case _:
            raise not_signed_in(needed)


def not_signed_in(needed: SignInNeededError, said: str = "") -> MCPServerError:
    """Make the error that tells the agent why the tool was not called."""
    return MCPServerError(
        needed.server,
        f"needs the person to sign in before this tool can be used, so it was not called.{said} "
        f"They sign in with `dataagent mcp login {needed.server}`, or on a server with POST "
        f"/api/v1/mcp/servers/{needed.server}/login. Go on without it, and call it again only "
        "when they say that they have.",
    )


def _make_sign_in_request(action: ActionRequest) -> dict[str, Any]:
    args = action["args"]
    rights = f" with these rights: {args['scopes']}" if args["scopes"] else ""
    question = (
        f"Sign in at the MCP server {args['server']!r}{rights}. Without it {args['tool']!r} cannot "
        f"be called.\n{args['url']}"
    )
    again = (
        "It was called again and refused again: you are not signed in there, or without the rights "
        "it wants. "
        if args["times_asked"] > 1
        else ""
    )
    return {
        "kind": "oauth",
        "question": question.strip(),
        "question_type": "url" if args["url"] else "sign_in",
        "context": f"{again}The server refused the call until you sign in with your own account "
        "there; what you are given is used for you alone. The run goes on when you have.",
        "action_requests": [action],
        "required": True,
    }


@dataclass(slots=True)
class ProgressLog:
    """Writes the progress of one call as events; reports that follow too soon are left out."""

    running: RunningCall
    clock: Callable[[], float] = time.monotonic
    _last_s: float = -math.inf
    _written: int = 0

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        now_s = self.clock()
        recorder = self.running.context.recorder
        too_soon = now_s - self._last_s < MCP_PROGRESS_INTERVAL_S
        if too_soon or self._written >= MCP_PROGRESS_EVENTS_MAX or recorder.closed:
            return
        if not math.isfinite(progress):
            return
        self._last_s = now_s
        self._written += 1
        await recorder.emit(
            ToolProgressEvent(
                tool_call_id=self.running.call.call_id,
                progress=float(progress),
                total=float(total) if total is not None and math.isfinite(total) else None,
                message=in_one_line(message or "", MCP_PROGRESS_CHARS_MAX),
            )
        )


class MCPTool(BaseTool):
    """Calls one tool of one server, for one owner."""

    _offer: ToolOffer = PrivateAttr()
    _tool_context: MCPToolContext = PrivateAttr()

    def __init__(self, offer: ToolOffer, tool_context: MCPToolContext) -> None:
        super().__init__(
            name=offer.name,
            description=offer.description,
            args_schema=offer.shown_schema,
            metadata=offer.metadata,
        )
        self._offer = offer
        self._tool_context = tool_context

    def count_begun(self, call: AgentCall, context: RunContext) -> int:
        """Return how often a call began and did more than ask a person; 0 if it never did."""
        held = self._tool_context.held.find(self._key(RunningCall(call, context)))
        if held is not None:
            # A person who was asked whether to repeat it gets the same question again.
            return held.times_begun
        if may_be_made_again(call, context):
            return 0
        return context.journal.count_begun(call.key)

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
                result, notes = await self._call_signed_in(arguments, running)
        except SignInNeededError as needed:
            raise not_signed_in(needed) from needed
        message = await asyncio.to_thread(
            message_from,
            result,
            name=self.name,
            call_id=call_id,
            output_schema=self._offer.output_schema,
            root=self._tool_context.files,
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
        return await self._tool_context.connection.call(
            self._offer.tool,
            arguments,
            timeout_s=MCP_CALL_S_MAX,
            on_progress=on_progress,
            elicit=elicit,
            sample=sample,
            # A tool that changed since it was approved is not called.
            expected=self._offer.listed,
        )

    async def _call_signed_in(
        self, arguments: dict[str, Any], running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        """Make the call, and repeat it each time a person has signed in for it."""
        tool_context, sign_ins = self._tool_context, 0
        while True:
            try:
                return await self._call_in_run(arguments, running)
            except SignInNeededError as needed:
                sign_ins += 1
                # Once the server asked something, its effects so far are unknown.
                has_begun = has_asked(running.call, running.context)
                if has_begun or sign_ins > MCP_SIGN_INS_PER_CALL_MAX:
                    raise
                run_id, page = running.context.run.run_id, tool_context.sign_in_page
                url = page(run_id, self._offer.server) if page is not None else ""
                ask_to_sign_in(needed, sign_ins, running, self._offer.tool, url)

    async def _call_in_run(
        self, arguments: dict[str, Any], running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        """Make the call, or continue the one that waited for an answer."""
        key = self._key(running)
        held = self._tool_context.held.find(key)
        if held is not None and not held.held and not self._tool_context.is_connected():
            # The server does not hold this call, and its connection is closed: make a new call.
            await held.aclose()
            held = None
        if held is None:
            held = await self._begin_call(arguments, running)
        held.listener = ProgressLog(running)
        try:
            result = await self._run_to_end(held, running)
        except GraphBubbleUp:
            # A person has to answer first; then this call runs again.
            self._tool_context.held.keep(key, held)
            raise
        except BaseException:
            self._tool_context.held.forget(key)
            await held.aclose()
            raise
        self._tool_context.held.forget(key)
        return result

    async def _begin_call(self, arguments: dict[str, Any], running: RunningCall) -> HeldCall:
        call, context = running.call, running.context
        was_interrupted = call.key in context.journal.unknown
        if was_held(call, context) and not was_interrupted:
            raise ToolExecutionError(
                f"{self._offer.server!r} held this call open for the answer and has given it up "
                "since. Whether it did anything is not known: find out before you call it again."
            )
        times_begun = self.count_begun(call, context) if was_interrupted else 0
        after_sign_in = await note_after_sign_in(running)
        if was_interrupted and not after_sign_in:
            await note_again(running)

        async def start(
            on_progress: OnProgress, elicit: Elicit, sample: Sample
        ) -> "CallToolResult":
            return await self._call(arguments, on_progress, elicit, sample)

        held = HeldCall(start, self._tool_context.speaks_modern, times_begun=times_begun)
        held.begin()
        return held

    async def _run_to_end(
        self, held: HeldCall, running: RunningCall
    ) -> "tuple[CallToolResult, list[str]]":
        notes: list[str] = []
        seen = 0
        sampling = CallSampling(
            self._tool_context.sampling, self._offer.server, self._offer.tool, running
        )
        while True:
            try:
                message = await held.next(seen, MCP_CALL_SILENCE_S)
            except TimeoutError:
                raise MCPServerError(
                    self._offer.server,
                    f"said nothing for {MCP_CALL_SILENCE_S:.0f} s in a call of "
                    f"{self._offer.tool!r}, so the call was given up.",
                ) from None
            if not isinstance(message, HeldQuestion):
                return message, notes
            seen += 1
            match message.question:
                case Elicitation() as elicitation:
                    answer = await self._ask_person(elicitation, message, seen, running)
                    message.give(answer.elicited)
                    note = answer.note
                case SamplingRequest() as request:
                    note = await sampling.answer(request, message, seen)
            if note:
                notes.append(f"({note})")

    async def _ask_person(
        self,
        elicitation: Elicitation,
        held_question: HeldQuestion,
        number: int,
        running: RunningCall,
    ) -> ElicitationAnswer:
        try:
            question = question_from(elicitation, self._offer.server, self._offer.tool)
        except ValidationError as unfit:
            return ElicitationAnswer(
                ElicitationResult("cancel"), f"Nobody could be asked what the server wants: {unfit}"
            )
        return await ask_person(question, number, running, held=held_question.held)

    def _key(self, running: RunningCall) -> HeldKey:
        run_id = running.context.run.run_id
        return HeldKey(self._tool_context.owner, self._offer.server, run_id, running.call.key)
