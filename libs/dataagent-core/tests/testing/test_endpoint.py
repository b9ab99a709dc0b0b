"""The scripted endpoint, spoken to by a client that knows nothing of us, and by our own models."""

import http.client
import json
import time
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.config import Settings
from dataagent_core.models import ResolvedModel, classify, resolve_model
from dataagent_core.models.scripted.script_turn import FINAL_TEXT
from dataagent_core.testing import Script, ScriptedEndpoint, Step


def script(*steps: dict[str, Any]) -> Script:
    return Script.model_validate({"steps": steps})


def ask(endpoint: ScriptedEndpoint, **body: Any) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": "go"}]} | body
    return httpx.post(f"{endpoint.base_url}/chat/completions", json=body, timeout=10)


@asynccontextmanager
async def opened(
    endpoint: ScriptedEndpoint, tmp_path: Path, provider: str = "openai"
) -> AsyncGenerator[ResolvedModel]:
    names = ("OPENAI_BASE_URL", "DEEPSEEK_BASE_URL")
    environment = dict.fromkeys(names, endpoint.base_url) | {"DATAAGENT_HOME": str(tmp_path)}
    resolved = resolve_model(f"{provider}:any", Settings.load(environment, tmp_path))
    try:
        yield resolved
    finally:
        await resolved.aclose()


async def test_text_tool_calls_and_usage_stream_to_a_real_client(tmp_path: Path) -> None:
    step = {
        "text": "I look first.",
        "chunk_chars": 3,
        "tool_calls": [
            {"name": "ls", "args": {"path": "/"}},
            {"name": "read_file", "args": {"file_path": "/a"}, "id": "call_mine"},
        ],
        "usage": {"input_tokens": 11, "output_tokens": 5},
    }
    with ScriptedEndpoint(script(step)) as endpoint:
        async with opened(endpoint, tmp_path) as resolved:
            chunks = [chunk async for chunk in resolved.model.astream("go")]
            answer = await resolved.model.ainvoke("go")
    assert sum(bool(chunk.content) for chunk in chunks) == 5
    assert answer.content == "I look first."
    assert [(c["name"], c["args"]) for c in answer.tool_calls] == [
        ("ls", {"path": "/"}),
        ("read_file", {"file_path": "/a"}),
    ]
    assert answer.tool_calls[1]["id"] == "call_mine"
    assert answer.usage_metadata
    assert answer.usage_metadata["input_tokens"] == 11
    assert answer.usage_metadata["output_tokens"] == 5
    assert answer.response_metadata["finish_reason"] == "tool_calls"


async def test_a_thought_arrives_where_deepseek_puts_it(tmp_path: Path) -> None:
    with ScriptedEndpoint(script({"thought": "hm", "text": "so"})) as endpoint:
        async with opened(endpoint, tmp_path, "deepseek") as resolved:
            answer = await resolved.model.ainvoke("go")
    assert answer.content_blocks[0] == {"type": "reasoning", "reasoning": "hm"}


async def test_the_conversation_moves_through_the_steps(tmp_path: Path) -> None:
    steps = script({"tool_calls": [{"name": "ls"}]}, {"text": "done"})
    with ScriptedEndpoint(steps) as endpoint:
        async with opened(endpoint, tmp_path) as resolved:
            messages: list[BaseMessage] = [HumanMessage("go")]
            first = await resolved.model.ainvoke(messages)
            again = await resolved.model.ainvoke(messages)
            messages += [first, ToolMessage("ok", tool_call_id=first.tool_calls[0]["id"])]
            second = await resolved.model.ainvoke(messages)
            last = await resolved.model.ainvoke([*messages, AIMessage("done")])
    assert (second.content, last.content) == ("done", FINAL_TEXT)
    assert first.tool_calls[0]["id"] != again.tool_calls[0]["id"]


async def test_malformed_arguments_reach_the_client_as_they_are(tmp_path: Path) -> None:
    broken = script({"tool_calls": [{"name": "ls", "raw_args": '{"path": oops}'}]})
    with ScriptedEndpoint(broken) as endpoint:
        async with opened(endpoint, tmp_path) as resolved:
            answer = await resolved.model.ainvoke("go")
    assert answer.invalid_tool_calls[0]["args"] == '{"path": oops}'


async def test_failures_are_http_statuses_and_then_the_step_succeeds(tmp_path: Path) -> None:
    failures = [
        {"status": 429, "retry_after_s": 2, "message": "slow down"},
        {"status": 503},
        {"disconnect": True},
    ]
    with ScriptedEndpoint(script({"text": "at last " * 20, "failures": failures})) as endpoint:
        async with opened(endpoint, tmp_path) as resolved:
            verdicts: list[Any] = []
            for _ in failures:
                with pytest.raises(Exception, match=r"slow|503|Connection") as caught:
                    await resolved.model.ainvoke("go")
                verdicts.append(classify(caught.value, resolved.name))
            answer = await resolved.model.ainvoke("go")
    assert [verdict.kind for verdict in verdicts] == ["retry"] * 3
    assert [verdict.retry_after_s for verdict in verdicts] == [2.0, None, None]
    assert "slow down" in str(verdicts[0].error)
    assert "broke off before its answer was whole" in str(verdicts[2].error)
    assert answer.content == "at last " * 20
    assert len(endpoint.requests) == 4


def test_an_answer_can_be_had_whole(tmp_path: Path) -> None:
    step = {"text": "hi", "thought": "hm", "tool_calls": [{"name": "ls"}]}
    with ScriptedEndpoint(script(step)) as endpoint:
        answer = ask(endpoint).json()
        blocks = [{"type": "text", "text": "go"}]
        again = ask(endpoint, messages=[{"role": "user", "content": blocks}]).json()
    message = answer["choices"][0]["message"]
    assert message["content"] == "hi"
    assert message["reasoning_content"] == "hm"
    assert message["tool_calls"][0]["function"] == {"name": "ls", "arguments": "{}"}
    assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert answer["usage"]["total_tokens"] > 0
    assert again["choices"][0]["message"]["content"] == "hi"


def test_usage_is_streamed_only_to_those_who_ask() -> None:
    def events(response: httpx.Response) -> list[dict[str, Any]]:
        lines = [line for line in response.text.splitlines() if line]
        assert lines[-1] == "data: [DONE]"
        return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]

    with ScriptedEndpoint(script({"text": "hi"})) as endpoint:
        without = events(ask(endpoint, stream=True))
        asked = events(ask(endpoint, stream=True, stream_options={"include_usage": True}))
    assert not any("usage" in event for event in without)
    assert (asked[-1]["choices"], asked[-1]["usage"]["completion_tokens"]) == ([], 1)


@pytest.mark.parametrize("stream", [True, False])
def test_a_disconnect_leaves_the_answer_incomplete(stream: bool) -> None:
    step = {"text": "x" * 200, "failures": [{"disconnect": True}]}
    with ScriptedEndpoint(script(step)) as endpoint:
        with pytest.raises(httpx.RemoteProtocolError):
            ask(endpoint, stream=stream)
        assert ask(endpoint, stream=stream).status_code == 200


def test_models_are_listed_and_other_paths_are_not_found() -> None:
    with ScriptedEndpoint(script()) as endpoint:
        listing = httpx.get(f"{endpoint.base_url}/models").json()
        assert [model["id"] for model in listing["data"]] == ["scripted"]
        assert httpx.get(f"{endpoint.base_url}/files").status_code == 404
        assert httpx.post(f"{endpoint.base_url}/responses", json={}).status_code == 404


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b'{"messages": 3}', b"\xff"])
def test_a_body_that_is_no_request_is_refused(body: bytes) -> None:
    with ScriptedEndpoint(script()) as endpoint:
        response = httpx.post(f"{endpoint.base_url}/chat/completions", content=body)
        assert response.status_code == 400
        assert response.json()["error"]["message"]


def test_a_body_that_is_too_large_is_refused_unread() -> None:
    with ScriptedEndpoint(script()) as endpoint:
        address = endpoint.base_url.split("/")[2]
        with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
            connection.putrequest("POST", "/v1/chat/completions")
            connection.putheader("Content-Length", str(10**12))
            connection.endheaders()
            assert connection.getresponse().status == 413


def test_what_was_received_can_be_looked_at() -> None:
    with ScriptedEndpoint(script({"text": "hi"})) as endpoint:
        ask(endpoint, temperature=0.5)
    (received,) = endpoint.requests
    assert received.path == "/v1/chat/completions"
    assert received.body["temperature"] == 0.5
    assert {name.lower() for name in received.headers} >= {"content-type", "host"}


def test_many_clients_are_served_at_once() -> None:
    def ask_once(number: int) -> httpx.Response:
        return ask(endpoint, user=str(number))

    with (
        ScriptedEndpoint(script({"text": "hi", "delay_s": 2.0})) as endpoint,
        ThreadPoolExecutor(8) as pool,
    ):
        start = time.perf_counter()
        answers = list(pool.map(ask_once, range(8)))
        assert time.perf_counter() - start < 8 * 2.0
    assert len({answer.json()["id"] for answer in answers}) == 8


def test_stopping_ends_an_answer_under_way() -> None:
    slow = script({"text": "ab", "chunk_chars": 1, "chunk_delay_s": 60})
    body = {"messages": [{"role": "user", "content": "go"}], "stream": True}
    with httpx.Client(timeout=10) as client:
        with ScriptedEndpoint(slow) as endpoint:
            request = client.build_request(
                "POST", f"{endpoint.base_url}/chat/completions", json=body
            )
            lines = client.send(request, stream=True).iter_lines()
            assert '"content": "a"' in next(lines)
        with pytest.raises(httpx.RemoteProtocolError):
            list(lines)


def test_the_script_can_be_built_in_python() -> None:
    with ScriptedEndpoint(Script.of(Step(text="hi"))) as endpoint:
        assert ask(endpoint).json()["choices"][0]["message"]["content"] == "hi"
