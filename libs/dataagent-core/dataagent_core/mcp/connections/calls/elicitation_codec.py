"""Converts elicitation, sampling and roots between the SDK's types and ours."""

from collections.abc import Sequence
from pathlib import Path

from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequests,
    InputResponses,
    ListRootsRequest,
    ListRootsResult,
    Root,
)
from pydantic import FileUrl

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.calls.sampling_codec import answer_of_model
from dataagent_core.mcp.connections.calls.server_call import ServerCall
from dataagent_core.mcp.ports import Elicitation, ElicitationResult


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
