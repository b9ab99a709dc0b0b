"""What the engine makes of models that fail, lie or break off, over real HTTP where it matters."""

import time
from pathlib import Path
from typing import Any

import pytest
from agents import echo, events_of, executor, scripted, settings, types

from dataagent_core.engine.model_calls.model_calls import repair_answer
from dataagent_core.events import RetryEvent, ToolResultEvent
from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint


def endpoint(*steps: dict[str, Any]) -> ScriptedEndpoint:
    return ScriptedEndpoint(Script.model_validate({"steps": list(steps)}))


async def over_http(base_url: str, workspace: Path, **chosen: Any) -> list[Any]:
    agent = executor(
        "openai:scripted",
        workspace,
        tools=[echo],
        chosen=settings(openai_base_url=base_url, **chosen),
    )
    try:
        return await events_of(agent)
    finally:
        await agent.aclose()


@pytest.mark.requirement("F2-retry-events")
async def test_a_failing_endpoint_is_tried_again_as_it_asks(tmp_path: Path) -> None:
    failures = [{"status": 503}, {"status": 429, "retry_after_s": 1.5}]
    with endpoint({"text": "at last", "failures": failures}) as server:
        began = time.monotonic()
        events = await over_http(server.base_url, tmp_path, model_retries=3)
        assert len(server.requests) == 3
    retries = [e for e in events if isinstance(e, RetryEvent)]
    assert [e.attempt for e in retries] == [1, 2]
    # As long as asked, and by chance up to a tenth more.
    assert 0.5 <= retries[0].delay_s <= 0.55
    assert 1.5 <= retries[1].delay_s <= 1.65
    assert time.monotonic() - began >= 2
    assert events[-1].content == "at last"


@pytest.mark.requirement("F2-retry-events")
async def test_an_answer_that_breaks_off_is_asked_for_again_and_shown_once(tmp_path: Path) -> None:
    step = {"text": "one two three four", "chunk_chars": 4, "failures": [{"disconnect": True}]}
    with endpoint(step) as server:
        events = await over_http(server.base_url, tmp_path, model_retries=2)
    assert "retry" in types(events)
    finals = [e.content for e in events if e.event_type == "text" and e.is_final]
    assert finals == ["one two three four"]


@pytest.mark.requirement("F2-unreachable-endpoint")
async def test_an_endpoint_that_is_not_there_is_a_recoverable_error(tmp_path: Path) -> None:
    events = await over_http("http://127.0.0.1:9/v1", tmp_path, model_retries=1)
    assert types(events) == ["start", "retry", "error", "done"]
    error = events[-2]
    assert error.recoverable
    assert error.code == "MODEL_UNAVAILABLE"
    assert events[-1].reason == "error"


@pytest.mark.requirement("F2-fallback-model")
async def test_the_fallback_model_takes_over_and_says_so(tmp_path: Path) -> None:
    agent = executor(
        scripted({"text": "x", "failures": [{"status": 503}] * 9}),
        tmp_path,
        chosen=settings(fallback_model="demo:demo", model_retries=1),
    )
    events = await events_of(agent)
    warning = next(e for e in events if e.event_type == "warning")
    assert warning.code == "FALLBACK_MODEL"
    assert "demo:demo" in warning.message
    assert events[-1].reason == "completed"


@pytest.mark.requirement("F2-malformed-tool-args")
async def test_arguments_that_are_no_json_go_back_to_the_model(tmp_path: Path) -> None:
    broken = {"name": "echo", "raw_args": '{"text": oops}'}
    with endpoint({"tool_calls": [broken]}, {"text": "sorry"}) as server:
        events = await over_http(server.base_url, tmp_path)
        answered = server.requests[1].body["messages"][-1]
    result = next(e for e in events if isinstance(e, ToolResultEvent))
    assert result.status == "error"
    assert "not valid JSON" in str(result.result)
    assert answered["role"] == "tool"
    assert "oops" in answered["content"]
    assert events[-1].content == "sorry"


@pytest.mark.requirement("F2-malformed-tool-args")
async def test_a_call_cut_off_by_the_length_limit_is_not_run(tmp_path: Path) -> None:
    cut = {
        "tool_calls": [
            {"name": "write_file", "raw_args": '{"file_path": "/half.txt", "content": "only hal'}
        ],
        "finish_reason": "length",
    }
    with endpoint(cut, {"text": "sorry"}) as server:
        events = await over_http(server.base_url, tmp_path)
    assert not (tmp_path / "half.txt").exists()
    result = next(e for e in events if isinstance(e, ToolResultEvent))
    assert "cut off" in str(result.result)


@pytest.mark.requirement("F2-malformed-tool-args")
@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", str(2**70), "[" * 2000 + "]" * 2000]
)
async def test_a_value_that_cannot_be_stored_is_malformed(tmp_path: Path, number: str) -> None:
    broken = {"name": "echo", "raw_args": f'{{"text": {number}}}'}
    with endpoint({"tool_calls": [broken]}, {"text": "sorry"}) as server:
        events = await over_http(server.base_url, tmp_path)
    result = next(e for e in events if isinstance(e, ToolResultEvent))
    assert "not valid JSON" in str(result.result)
    assert events[-1].content == "sorry"


@pytest.mark.requirement("F2-unknown-tool")
async def test_an_unknown_tool_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    events = await events_of(
        executor(scripted({"tool_calls": [{"name": "fly", "args": {}}]}, {"text": "ok"}), tmp_path)
    )
    result = next(e for e in events if isinstance(e, ToolResultEvent))
    assert result.status == "error"
    assert "There is no tool 'fly'" in str(result.result)
    assert "read_file" in str(result.result)
    assert events[-1].reason == "completed"


async def test_a_request_too_long_reaches_the_compaction_and_is_named_if_that_fails(
    tmp_path: Path,
) -> None:
    overflow = {"status": 400, "message": "This model's maximum context length is 10 tokens."}
    events = await events_of(executor(scripted({"text": "x", "failures": [overflow]}), tmp_path))
    assert events[-2].code == "CONTEXT_OVERFLOW"
    assert "after recovery" in events[-2].error


async def test_text_that_is_no_unicode_neither_breaks_the_run_nor_the_next(tmp_path: Path) -> None:
    call = {"name": "echo", "args": {"text": "half \ud83d of a pair"}, "id": "call \udc00"}
    model = scripted({"text": "bad \udcff text", "tool_calls": [call]}, {"text": "fine"})
    agent = executor(model, tmp_path, tools=[echo])
    assert (await events_of(agent, "lone \ud800 surrogate"))[-1].reason == "completed"
    assert (await events_of(agent, "and again"))[-1].reason == "completed"


async def test_an_endpoint_that_repeats_its_ids_does_not_overwrite_the_history(
    tmp_path: Path,
) -> None:
    same = {"name": "echo", "args": {"text": "x"}, "id": "call_0"}
    model = scripted({"tool_calls": [same]}, {"tool_calls": [same, same]}, {"text": "done"})
    events = await events_of(executor(model, tmp_path, tools=[echo]))
    assert types(events).count("tool_result") == 3
    assert len(model.requests[2]) == 7


def test_a_sound_message_keeps_its_calls() -> None:
    from langchain_core.messages import AIMessage

    call = {"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"}
    message = AIMessage(content="hi", tool_calls=[call])
    assert repair_answer(message).tool_calls == message.tool_calls
    assert repair_answer(message).content == "hi"
