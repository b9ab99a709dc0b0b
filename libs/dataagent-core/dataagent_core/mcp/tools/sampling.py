"""A server's requests for the agent's model, in the middle of a call (`sampling/createMessage`).

Each request is an approval that shows the server's text in full, unless a rule of the person allows
it (`permissions/sampling_policy.py`). What is shown is what is sent: invisible characters are
removed first. The model sees nothing else, and has no tools; the engine makes the call
(`engine/model_calls/side_calls.py`).

As with every question of a server, the wait is an interrupt, and the call starts again when the
answer is there (`elicitation.py`). A request that was answered is not answered a second time.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field, TypeAdapter
from pydantic import ValidationError as PydanticValidationError

# Not from `typing`: pydantic reads these at run time, which needs the newer ones on Python 3.11.
from typing_extensions import TypedDict

from dataagent_core.config.limits.mcp import (
    MCP_SAMPLING_CHARS_MAX,
    MCP_SAMPLING_HINT_CHARS_MAX,
    MCP_SAMPLING_MESSAGES_MAX,
    MCP_SAMPLING_TOKENS_MAX,
)
from dataagent_core.errors import (
    BudgetExceededError,
    DataAgentError,
    DeniedError,
    LimitReachedError,
    StorageError,
    ValidationError,
)
from dataagent_core.events import WarningEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.mcp.ports import (
    SamplingMessage,
    SamplingRefusal,
    SamplingRequest,
    SamplingResult,
)
from dataagent_core.mcp.tool_names import server_prefix
from dataagent_core.mcp.tools.clean_text import clean_text, in_one_line
from dataagent_core.mcp.tools.elicitation import note_answer, question_key
from dataagent_core.mcp.tools.held_calls import HeldQuestion
from dataagent_core.permissions import Policy, ask_approval, judge_sampling
from dataagent_core.permissions.sampling_policy import SAMPLING
from dataagent_core.tools.pipeline.agent_call import RunningCall

MCP_SAMPLING: Final = "mcp_sampling"
_NAME_CHARS_MAX: Final = 100
_CHANGED: Final = SamplingRefusal("it was another request each time a person had answered")

# Asks the run's model outside the conversation; raises if it cannot answer.
AskModel = Callable[[SamplingRequest], Awaitable[SamplingResult]]


class _EditedMessage(TypedDict):
    role: Literal["user", "assistant"]
    text: Annotated[str, Field(max_length=MCP_SAMPLING_CHARS_MAX)]


class _EditedRequest(TypedDict):
    messages: Annotated[
        list[_EditedMessage], Field(min_length=1, max_length=MCP_SAMPLING_MESSAGES_MAX)
    ]
    max_tokens: Annotated[int, Field(ge=1, le=MCP_SAMPLING_TOKENS_MAX)]
    system_prompt: NotRequired[Annotated[str, Field(max_length=MCP_SAMPLING_CHARS_MAX)]]
    stop_sequences: NotRequired[list[Annotated[str, Field(min_length=1)]]]


_EDITED: Final = TypeAdapter(_EditedRequest)


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingHandler:
    """Decides and answers the requests of an agent's servers."""

    tenant: str
    policy: Policy
    ask_model: AskModel


def sampling_name(tenant: str, server: str) -> str:
    """Return the name that rules use for the requests of a server, as for one of its tools."""
    return server_prefix(tenant, server) + SAMPLING


class CallSampling:
    """Answers the requests of one call; once a person refused one, the others are refused too."""

    def __init__(
        self, sampling: SamplingHandler | None, server: str, tool: str, running: RunningCall
    ) -> None:
        self._sampling = sampling
        self._server = server
        self._tool = in_one_line(tool, _NAME_CHARS_MAX)
        self._running = running
        self._refused: SamplingRefusal | None = None

    async def answer(self, given: SamplingRequest, question: HeldQuestion, number: int) -> str:
        """Answer the call's question of this number; return a note for the agent."""
        key = question_key(self._running.call, number, held=question.held)
        answer, note = await self._decide_answer(given, question, key)
        if answer is not None:
            if key in self._running.context.questions.asked:
                await note_answer(self._running, key)
            question.give(answer)
        return note

    async def _decide_answer(
        self, given: SamplingRequest, question: HeldQuestion, key: str
    ) -> tuple[SamplingResult | SamplingRefusal | None, str]:
        sampling, context = self._sampling, self._running.context
        if sampling is None or context.questions.ask is not None:
            # Without a graph there is no run whose model could be asked.
            return SamplingRefusal("no model can be asked here"), ""
        if self._refused is not None:
            return self._refused, ""
        if question.is_closed and key not in context.questions.asked:
            return None, ""
        # A person may have switched to plan mode since the call began.
        await context.permissions.update_mode()
        try:
            request = self._authorize(sanitize_request(given), key, sampling)
        except _RefusedError as refused:
            return refused.answer, refused.note
        if question.is_closed:
            return None, ""
        answered = await question.while_open(self._ask_model(request, sampling.ask_model))
        return answered or (None, "")

    def _authorize(
        self, request: SamplingRequest, key: str, sampling: SamplingHandler
    ) -> SamplingRequest:
        """Return the request as it may be sent; interrupts the run until a person decides."""
        context = self._running.context
        name = sampling_name(sampling.tenant, self._server)
        decided = judge_sampling(name, sampling.policy, context.permissions)
        if key in context.questions.asked or (
            decided.action == "ask" and not context.progress.closing
        ):
            # A request that was asked before is asked again: its answer is waiting.
            denied = decided.action == "deny"
            action = self._make_action(request, name, key)
            try:
                decision = ask_approval(
                    action, self._render_reason(), context.permissions, denied=denied
                )
            except DeniedError as error:
                # A server that starts again may send another request each time.
                raise _RefusedError(_CHANGED) from error
            request = self._apply_decision(decision, request)
        if decided.action == "deny":
            raise _RefusedError(SamplingRefusal(decided.reason))
        if context.progress.closing:
            raise _RefusedError(SamplingRefusal("the run is ending"))
        return request

    def _apply_decision(self, decision: Decision, request: SamplingRequest) -> SamplingRequest:
        match decision["type"]:
            case "approve":
                return request
            case "edit":
                try:
                    return parse_edited_request(request, decision.get("args") or {})
                except ValidationError as wrong:
                    note = f"What a person made of the server's request cannot be sent: {wrong}."
            case _:
                message = decision.get("message")
                note = f"The person did not let {self._server!r} use the model, and says: {message}"
        self._refused = SamplingRefusal("the person refused the request", by_person=True)
        raise _RefusedError(self._refused, note)

    async def _ask_model(
        self, request: SamplingRequest, ask_model: AskModel
    ) -> tuple[SamplingResult | SamplingRefusal, str]:
        count = len(request.messages)
        message = (
            f"The MCP server {self._server!r} has the model answer {count} "
            f"message{'s' if count > 1 else ''} of its own in the middle of {self._tool!r}."
        )
        await self._running.context.recorder.commit(
            WarningEvent(code=MCP_SAMPLING, message=message)
        )
        try:
            return await ask_model(request), ""
        except StorageError:
            raise
        except DataAgentError as error:
            # A server need not know which model, endpoint or limit that is.
            return SamplingRefusal(_error_for_server(error)), (
                f"The model did not answer what {self._server!r} asked of it: {error}"
            )

    def _make_action(self, request: SamplingRequest, name: str, key: str) -> ActionRequest:
        call = self._running.call
        args = args_of(request)
        chars = len(request.system_prompt) + sum(len(one.text) for one in request.messages)
        return {
            "name": name,
            "args": {"server": self._server, **args},
            "description": (
                f"the MCP server {self._server!r} asks the model to answer {chars:,} characters "
                f"of its own, in at most {request.max_tokens:,} tokens"
            ),
            "tool_call_id": call.call_id,
            "call_key": key,
            "subagent": call.subagent,
            "always_asked": True,
        }

    def _render_reason(self) -> str:
        return (
            f"The MCP server {self._server!r} wants the model to answer this in the middle of "
            f"{self._tool!r}, at this run's expense. The words are "
            "the server's own, and nobody has checked them; the answer goes to the server."
        )


class _RefusedError(Exception):
    def __init__(self, answer: SamplingRefusal, note: str = "") -> None:
        super().__init__(answer.reason)
        self.answer = answer
        self.note = note


def sanitize_request(given: SamplingRequest) -> SamplingRequest:
    """Remove invisible characters: what a person reads is what the model gets."""
    return replace(
        given,
        messages=tuple(
            SamplingMessage(one.role, clean_text(one.text, MCP_SAMPLING_CHARS_MAX))
            for one in given.messages
        ),
        system_prompt=clean_text(given.system_prompt, MCP_SAMPLING_CHARS_MAX),
        stop_sequences=tuple(
            text
            for one in given.stop_sequences
            if (text := clean_text(one, MCP_SAMPLING_CHARS_MAX))
        ),
        model_hints=tuple(
            in_one_line(one, MCP_SAMPLING_HINT_CHARS_MAX) for one in given.model_hints
        ),
    )


def args_of(request: SamplingRequest) -> dict[str, Any]:
    """Render a request as the arguments that a person reads and may change."""
    fields: dict[str, Any] = {
        "system_prompt": request.system_prompt,
        "messages": [{"role": one.role, "text": one.text} for one in request.messages],
        "max_tokens": request.max_tokens,
        "stop_sequences": list(request.stop_sequences),
        "model_hints": list(request.model_hints),
    }
    return {name: value for name, value in fields.items() if value}


def parse_edited_request(request: SamplingRequest, args: Mapping[str, Any]) -> SamplingRequest:
    """Read the arguments a person edited; `ValidationError` says what is wrong."""
    try:
        edited = _EDITED.validate_python(args)
    except PydanticValidationError as error:
        raise ValidationError(str(error)) from error
    return replace(
        request,
        messages=tuple(SamplingMessage(one["role"], one["text"]) for one in edited["messages"]),
        system_prompt=edited.get("system_prompt", ""),
        max_tokens=edited["max_tokens"],
        stop_sequences=tuple(edited.get("stop_sequences", ())),
    )


def _error_for_server(error: DataAgentError) -> str:
    match error:
        case BudgetExceededError():
            return "the budget of the run is used up"
        case LimitReachedError():
            return "the run has used all its model calls"
        case _:
            return "the model could not answer"
