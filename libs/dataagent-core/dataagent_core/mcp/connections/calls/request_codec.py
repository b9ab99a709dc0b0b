"""Converts a server's requests (elicitation, sampling, roots) between the SDK's types and ours.

A sampling request that is too large for a person to read, or is not text, is refused at once.
`includeContext` is ignored, as the protocol allows.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
    InputRequests,
    InputResponses,
    ListRootsRequest,
    ListRootsResult,
    Root,
    TextContent,
)
from mcp_types import SamplingMessage as GivenMessage
from pydantic import FileUrl

from dataagent_core.config.limits.mcp import (
    MCP_SAMPLING_BLOCKS_MAX,
    MCP_SAMPLING_CHARS_MAX,
    MCP_SAMPLING_HINTS_MAX,
    MCP_SAMPLING_MESSAGES_MAX,
    MCP_SAMPLING_STOP_CHARS_MAX,
    MCP_SAMPLING_STOPS_MAX,
    MCP_SAMPLING_TOKENS_MAX,
)
from dataagent_core.errors import MCPServerError, ValidationError
from dataagent_core.mcp.connections.calls.server_call import ServerCall
from dataagent_core.mcp.ports import (
    Elicitation,
    ElicitationResult,
    SamplingMessage,
    SamplingRefusal,
    SamplingRequest,
    SamplingResult,
)

# The protocol's code for a refusal by a person.
_REFUSED_BY_PERSON: Final = -1


async def answer_of_model(
    params: CreateMessageRequestParams, call: ServerCall
) -> CreateMessageResult | ErrorData:
    """Have a call's model answer, or return the reason for a refusal."""
    try:
        request = sampling_request_of(params)
    except ValidationError as wrong:
        return ErrorData(code=INVALID_PARAMS, message=str(wrong))
    match await call.ask_model(request):
        case SamplingResult(text=text, model=model, stop_reason=stop_reason):
            content = TextContent(text=text)
            return CreateMessageResult(
                role="assistant", content=content, model=model, stop_reason=stop_reason
            )
        case SamplingRefusal(reason=reason, by_person=by_person):
            code = _REFUSED_BY_PERSON if by_person else INVALID_REQUEST
            return ErrorData(code=code, message=reason)


def sampling_request_of(params: CreateMessageRequestParams) -> SamplingRequest:
    """Convert a request; `ValidationError` says why no person can be asked about it."""
    if params.tools or params.tool_choice is not None:
        raise ValidationError("tools in sampling are not offered by this client")
    if params.max_tokens < 1:
        raise ValidationError("maxTokens must be at least 1")
    if not 1 <= len(params.messages) <= MCP_SAMPLING_MESSAGES_MAX:
        raise ValidationError(f"sampling takes 1 to {MCP_SAMPLING_MESSAGES_MAX} messages")
    stops = params.stop_sequences or []
    if len(stops) > MCP_SAMPLING_STOPS_MAX or any(
        not 1 <= len(one) <= MCP_SAMPLING_STOP_CHARS_MAX for one in stops
    ):
        raise ValidationError(
            f"sampling takes at most {MCP_SAMPLING_STOPS_MAX} stop sequences of 1 to "
            f"{MCP_SAMPLING_STOP_CHARS_MAX} characters"
        )
    messages = tuple(SamplingMessage(one.role, _read_text(one)) for one in params.messages)
    system_prompt = params.system_prompt or ""
    size = len(system_prompt) + sum(len(one.text) for one in messages)
    if size > MCP_SAMPLING_CHARS_MAX:
        raise ValidationError(
            f"sampling takes at most {MCP_SAMPLING_CHARS_MAX:,} characters, these are {size:,}"
        )
    preferences = params.model_preferences
    hints = (preferences.hints or []) if preferences is not None else []
    return SamplingRequest(
        messages=messages,
        max_tokens=min(params.max_tokens, MCP_SAMPLING_TOKENS_MAX),
        system_prompt=system_prompt,
        stop_sequences=tuple(stops),
        model_hints=tuple(one.name for one in hints[:MCP_SAMPLING_HINTS_MAX] if one.name),
    )


def _read_text(message: GivenMessage) -> str:
    blocks = message.content_as_list
    if len(blocks) > MCP_SAMPLING_BLOCKS_MAX:
        raise ValidationError(
            f"a message in sampling takes at most {MCP_SAMPLING_BLOCKS_MAX} blocks"
        )
    texts = [block.text for block in blocks if isinstance(block, TextContent)]
    if len(texts) < len(blocks):
        raise ValidationError("only text can be sampled here: no pictures, sounds or tool results")
    return "\n".join(texts)


def elicitation_of(params: ElicitRequestParams) -> Elicitation:
    """Convert the SDK's request."""
    match params:
        case ElicitRequestFormParams():
            return Elicitation(params.message, params.requested_schema)
        case _:
            return Elicitation(params.message, {}, params.url)


def result_of(elicited: ElicitationResult) -> ElicitResult:
    """Convert our answer to the SDK's type."""
    # The content is sent only if the person accepted.
    content = elicited.content if elicited.action == "accept" else None
    return ElicitResult(action=elicited.action, content=content)


def roots_result(roots: Sequence[Path]) -> ListRootsResult:
    """Convert our folders; their names are not sent."""
    return ListRootsResult(
        roots=[Root(uri=FileUrl(root.as_uri()), name="workspace") for root in roots]
    )


async def _ask_model(
    server: str, params: CreateMessageRequestParams, call: ServerCall
) -> CreateMessageResult:
    """Have our model answer; a round has no way to send a refusal, so one is raised."""
    answer = await answer_of_model(params, call)
    if isinstance(answer, CreateMessageResult):
        return answer
    raise MCPServerError(server, f"needs an answer of our model: {answer.message}.")


async def answers_to(
    server: str, requests: InputRequests, call: ServerCall, roots: Sequence[Path] = ()
) -> InputResponses:
    """Answer every request of one round, one after the other."""
    answers: InputResponses = {}
    for name, request in requests.items():
        match request:
            case ElicitRequest(params=params):
                answers[name] = result_of(await call.ask(elicitation_of(params)))
            case CreateMessageRequest(params=params):
                answers[name] = await _ask_model(server, params, call)
            case ListRootsRequest() if roots:
                answers[name] = roots_result(roots)
            case ListRootsRequest():
                raise MCPServerError(server, "asked for our folders, which are not offered.")
    return answers
