"""What of a server's request for our model is taken, and how an answer is put."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from mcp_types import CreateMessageRequestParams

from dataagent_core.engine.model_calls.side_calls import read_sampled
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.connections.calls.request_codec import sampling_request_of


def text_message(text: str) -> dict[str, Any]:
    return {"role": "user", "content": {"type": "text", "text": text}}


def params(*messages: dict[str, Any], **more: Any) -> CreateMessageRequestParams:
    given = {"messages": list(messages or [text_message("hi")]), "maxTokens": 50, **more}
    return CreateMessageRequestParams.model_validate(given)


def picture() -> dict[str, Any]:
    content = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    return {"role": "user", "content": content}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (params(text_message("x" * 30_000), systemPrompt="y" * 10_001), "40,000 characters"),
        (params(maxTokens=0), "maxTokens must be at least 1"),
        (params(stopSequences=[""]), "stop sequences"),
        (params(stopSequences=["x"] * 17), "stop sequences"),
        (params(*[text_message("x")] * 51), "1 to 50 messages"),
        (params(messages=[]), "1 to 50 messages"),
        (params(picture()), "only text can be sampled"),
        (params(tools=[{"name": "t", "inputSchema": {"type": "object"}}]), "tools in sampling"),
        (params(toolChoice={"mode": "auto"}), "tools in sampling"),
        (
            params({"role": "user", "content": [{"type": "text", "text": ""}] * 201}),
            "at most 200 blocks",
        ),
    ],
)
def test_what_a_person_could_not_read_or_is_no_text_is_refused(
    given: CreateMessageRequestParams, says: str
) -> None:
    with pytest.raises(ValidationError, match=says):
        sampling_request_of(given)


def test_a_request_is_bounded_and_brings_no_context_along() -> None:
    hints = [{"name": f"model-{number}"} for number in range(9)]
    request = sampling_request_of(
        params(maxTokens=10**9, modelPreferences={"hints": hints}, includeContext="allServers")
    )
    assert request.max_tokens == 8_192
    assert request.model_hints == ("model-0", "model-1", "model-2", "model-3", "model-4")


@pytest.mark.parametrize(
    ("metadata", "stops", "heard"),
    [
        ({"finish_reason": "stop", "model_name": "m-1"}, [], ("one END two", "m-1", "endTurn")),
        ({"finish_reason": "length"}, [], ("one END two", "ours", "maxTokens")),
        ({"finish_reason": "length"}, ["two", "END"], ("one ", "ours", "stopSequence")),
    ],
)
def test_the_server_hears_which_model_answered_and_why_the_answer_ends(
    metadata: dict[str, Any], stops: list[str], heard: tuple[str, str, str]
) -> None:
    answer = AIMessage("one END two", response_metadata=metadata)
    sampled = read_sampled([answer], stops, "ours")
    assert (sampled.text, sampled.model, sampled.stop_reason) == heard
