"""A server's question to a person, in the SDK's words and in ours."""

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
    """Put the SDK's question in our words."""
    match params:
        case ElicitRequestFormParams():
            return Elicitation(params.message, params.requested_schema)
        case _:
            return Elicitation(params.message, {}, params.url)


def result_of(elicited: ElicitationResult) -> ElicitResult:
    """Put our answer in the SDK's words."""
    # What a person filled in goes along only when they agreed to send it.
    content = elicited.content if elicited.action == "accept" else None
    return ElicitResult(action=elicited.action, content=content)


def roots_result(roots: Sequence[Path]) -> ListRootsResult:
    """Put our folders in the SDK's words; what they are called here is nobody's business."""
    return ListRootsResult(
        roots=[Root(uri=FileUrl(root.as_uri()), name="workspace") for root in roots]
    )


async def _sampled(
    server: str, params: CreateMessageRequestParams, call: ServerCall
) -> CreateMessageResult:
    """Have our model answer; among the answers of a round there is none that says no."""
    answer = await answer_of_model(params, call)
    if isinstance(answer, CreateMessageResult):
        return answer
    raise MCPServerError(server, f"needs an answer of our model: {answer.message}.")


async def answers_to(
    server: str, requests: InputRequests, call: ServerCall, roots: Sequence[Path] = ()
) -> InputResponses:
    """Put every question of one round to the call's person, one after the other."""
    answers: InputResponses = {}
    for name, request in requests.items():
        match request:
            case ElicitRequest(params=params):
                answers[name] = result_of(await call.ask(elicitation_of(params)))
            case CreateMessageRequest(params=params):
                answers[name] = await _sampled(server, params, call)
            case ListRootsRequest() if roots:
                answers[name] = roots_result(roots)
            case ListRootsRequest():
                raise MCPServerError(server, "asked for our folders, which are not offered.")
    return answers
