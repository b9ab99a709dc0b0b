"""Our OpenAI model against LangChain's own: the same requests, the same answers, the same errors."""

from collections.abc import Iterator
from typing import Any

import openai
import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.tools import StructuredTool, tool
from langchain_openai import ChatOpenAI

from dataagent_core.models import Script
from dataagent_core.models.openai.plain_openai import PlainChatOpenAI, make_plain
from dataagent_core.models.openai.tool_schemas import schema_of
from dataagent_core.testing.endpoint import ScriptedEndpoint

ASKED = [SystemMessage(content="Be brief."), HumanMessage(content="go", id="m1")]
STEPS: list[dict[str, Any]] = [
    {"text": "Hello, how are you? ünï", "chunk_chars": 3},
    {
        "text": "",
        "tool_calls": [{"id": "one", "name": "look", "args": {"path": "/a", "deep": True}}],
    },
    {
        "text": "Both.",
        "chunk_chars": 2,
        "tool_calls": [
            {"id": "one", "name": "look", "args": {"path": "/" + "a" * 40}},
            {"id": "two", "name": "look", "args": {"path": "/b"}},
        ],
    },
]


@tool
def look(path: str, *, deep: bool = False) -> str:
    """Look at a path."""
    return f"{path} {deep}"


def endpoint_of(*steps: dict[str, Any]) -> ScriptedEndpoint:
    return ScriptedEndpoint(Script.model_validate({"steps": list(steps)}))


@pytest.fixture(params=STEPS, ids=["text", "call", "both"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[ScriptedEndpoint]:
    with endpoint_of(request.param) as opened:
        yield opened


def models_at(endpoint: ScriptedEndpoint, **options: Any) -> tuple[Any, Any]:
    """Make ours and theirs."""
    options = {
        "model": "any",
        "api_key": "k",
        "base_url": endpoint.base_url,
        "max_retries": 0,
        "streaming": True,
        "stream_usage": True,
        "use_responses_api": False,
        **options,
    }
    return make_plain(PlainChatOpenAI(**options)), ChatOpenAI(**options)


def compared(chunk: AIMessageChunk) -> dict[str, Any]:
    return chunk.model_dump(exclude={"id"})


async def test_each_chunk_is_what_the_library_makes_of_it(endpoint: ScriptedEndpoint) -> None:
    ours, theirs = models_at(endpoint)
    streamed = [
        [compared(chunk) async for chunk in model.bind_tools([look]).astream(ASKED)]
        for model in (ours, theirs)
    ]
    assert streamed[0] == streamed[1]
    assert len(streamed[0]) > 1


async def test_the_whole_answer_and_its_request_are_the_same(endpoint: ScriptedEndpoint) -> None:
    answers = [
        await model.bind_tools([look], parallel_tool_calls=False).ainvoke(ASKED)
        for model in models_at(endpoint)
    ]
    assert answers[0].model_dump(exclude={"id"}) == answers[1].model_dump(exclude={"id"})
    ours, theirs = endpoint.requests
    assert ours.body == theirs.body


async def test_what_is_not_streamed_and_what_stands_beside_the_body_still_arrive() -> None:
    with endpoint_of({"text": "whole"}) as endpoint:
        ours, _ = models_at(endpoint, streaming=False, stream_usage=False)
        assert (await ours.ainvoke(ASKED)).content == "whole"
        ours, _ = models_at(endpoint, extra_body={"top_k": 3}, timeout=20)
        assert (await ours.ainvoke(ASKED)).content == "whole"
        assert endpoint.requests[-1].body["top_k"] == 3
        assert "timeout" not in endpoint.requests[-1].body
        assert "extra_body" not in endpoint.requests[-1].body


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, openai.AuthenticationError), (429, openai.RateLimitError), (500, openai.APIError)],
)
async def test_an_error_is_the_sdks_own(status: int, error: type[Exception]) -> None:
    failing = {"text": "x", "failures": [{"status": status, "message": "no"}] * 2}
    with endpoint_of(failing) as endpoint:
        for model in models_at(endpoint):
            with pytest.raises(error) as raised:
                await model.ainvoke(ASKED)
            assert getattr(raised.value, "status_code", None) == status


def test_a_tool_is_described_once_and_as_the_library_does() -> None:
    with endpoint_of({"text": "x"}) as endpoint:
        ours, theirs = models_at(endpoint)
        for options in ({}, {"strict": True}, {"tool_choice": "look"}):
            bound = ours.bind_tools([look], **options), theirs.bind_tools([look], **options)
            assert bound[0].kwargs == bound[1].kwargs
    assert schema_of(look) is schema_of(look)


def test_another_tool_of_the_same_name_is_described_for_itself() -> None:
    def other(path: int) -> str:
        """Look at a path."""
        return str(path)

    changed = look.model_copy(update={"description": "Look twice."})
    namesake = StructuredTool.from_function(other, name="look", description=look.description)
    kinds = [schema_of(one)["function"] for one in (look, changed, namesake)]
    assert kinds[1]["description"] == "Look twice."
    assert kinds[2]["parameters"]["properties"]["path"]["type"] == "integer"
    assert kinds[0]["parameters"]["properties"]["path"]["type"] == "string"


def test_what_only_the_library_can_describe_is_left_to_it() -> None:
    built_in = {"type": "web_search_preview"}
    assert schema_of(built_in) is built_in
