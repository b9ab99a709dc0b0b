"""Our models against an OpenAI-compatible server that someone else wrote."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from dataagent_core.config import Settings
from dataagent_core.models import ResolvedModel, classify, resolve_model
from tests.thirdparty.aimock import aimock

STORY = "Once upon a time there was a table with three columns and no rows at all."
FIXTURES = [
    {"match": {"userMessage": "tell a story"}, "response": {"content": STORY}},
    {
        "match": {"userMessage": "how warm", "hasToolResult": False},
        "response": {
            "content": "I look it up.",
            "toolCalls": [
                {"name": "temperature", "arguments": {"city": "Köln"}},
                {"name": "temperature", "arguments": {"city": "Bonn"}},
            ],
        },
    },
    {
        "match": {"userMessage": "how warm", "hasToolResult": True},
        "response": {"content": "11 degrees in both."},
    },
    {
        "match": {"userMessage": "too much"},
        "response": {
            "error": {"message": "Rate limit exceeded.", "type": "rate_limit_error"},
            "status": 429,
        },
    },
]


@tool
def temperature(city: str) -> int:
    """Return the temperature of a city."""
    return len(city)


@asynccontextmanager
async def opened(base_url: str, tmp_path: Path) -> AsyncGenerator[ResolvedModel]:
    environment = {"DATAAGENT_HOME": str(tmp_path), "OPENAI_BASE_URL": base_url}
    resolved = resolve_model("openai:someones-model", Settings.load(environment, tmp_path))
    try:
        yield resolved
    finally:
        await resolved.aclose()


async def test_text_streams_with_usage(tmp_path: Path) -> None:
    with aimock(FIXTURES) as base_url:
        async with opened(base_url, tmp_path) as resolved:
            chunks = [chunk async for chunk in resolved.model.astream("tell a story")]
    pieces = [str(chunk.content) for chunk in chunks if chunk.content]
    assert "".join(pieces) == STORY
    assert len(pieces) > 1
    assert sum((chunk.usage_metadata or {}).get("output_tokens", 0) for chunk in chunks) > 0


async def test_tool_calls_stream_and_their_results_are_understood(tmp_path: Path) -> None:
    with aimock(FIXTURES) as base_url:
        async with opened(base_url, tmp_path) as resolved:
            model = resolved.model.bind_tools([temperature])
            messages: list[BaseMessage] = [HumanMessage("how warm is it?")]
            asked = await model.ainvoke(messages)
            results = [
                ToolMessage(str(temperature.invoke(call["args"])), tool_call_id=call["id"])
                for call in asked.tool_calls
            ]
            answer = await model.ainvoke([*messages, asked, *results])
    assert [call["args"] for call in asked.tool_calls] == [{"city": "Köln"}, {"city": "Bonn"}]
    assert len({call["id"] for call in asked.tool_calls}) == 2
    assert answer.content == "11 degrees in both."


async def test_a_rate_limit_is_worth_another_try(tmp_path: Path) -> None:
    with aimock(FIXTURES) as base_url:
        async with opened(base_url, tmp_path) as resolved:
            with pytest.raises(Exception, match="Rate limit") as caught:
                await resolved.model.ainvoke("too much")
    verdict = classify(caught.value, resolved.name)
    assert verdict.kind == "retry"
    assert verdict.retry_after_s is None or verdict.retry_after_s >= 0


async def test_an_answer_it_does_not_have_is_a_clear_error(tmp_path: Path) -> None:
    with aimock(FIXTURES) as base_url:
        async with opened(base_url, tmp_path) as resolved:
            with pytest.raises(Exception, match="404") as caught:
                await resolved.model.ainvoke("something nobody prepared")
    assert "openai:someones-model" in str(classify(caught.value, resolved.name).error)
