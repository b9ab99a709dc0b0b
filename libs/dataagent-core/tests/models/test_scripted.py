"""The scripted model as LangChain sees it."""

import time
from typing import Any, cast

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from dataagent_core.models import Script, ScriptedChatModel, Step
from dataagent_core.models.scripted.script import ScriptedFailure, ScriptedToolCall, ScriptedUsage
from dataagent_core.models.scripted.script_turn import FINAL_TEXT
from dataagent_core.models.scripted.scripted_failures import (
    ScriptedDisconnectError,
    ScriptedHTTPError,
)
from dataagent_core.usage import TokenUsage, tokens_of

LS = ScriptedToolCall(name="ls", args={"path": "/"})


def scripted(*steps: Step) -> ScriptedChatModel:
    return ScriptedChatModel(script=Script.of(*steps))


async def test_text_streams_in_chunks_that_add_up() -> None:
    model = scripted(Step(text="one two three", chunk_chars=4))
    chunks = [chunk async for chunk in model.astream("go")]
    assert [chunk.content for chunk in chunks] == ["one ", "two ", "thre", "e", ""]
    assert len({chunk.id for chunk in chunks}) == 1
    whole = AIMessageChunk(content="")
    for chunk in chunks:
        whole += chunk  # pyright: ignore[reportAssignmentType]
    assert whole.content == "one two three"


async def test_one_answer_is_the_same_however_it_is_asked_for() -> None:
    model = scripted(Step(text="hi", thought="hm", tool_calls=(LS, LS)))
    answers = [model.invoke("go"), await model.ainvoke("go")]
    answers += [await model.bind_tools([]).ainvoke("go")]
    for answer in answers:
        assert answer == answers[0]
        assert answer.content == "hi"
        assert [call["name"] for call in answer.tool_calls] == ["ls", "ls"]
        assert len({call["id"] for call in answer.tool_calls}) == 2
        assert answer.content_blocks[0] == {"type": "reasoning", "reasoning": "hm"}
        assert answer.response_metadata["finish_reason"] == "tool_calls"


async def test_a_new_process_goes_on_at_the_step_the_old_one_stopped_at() -> None:
    steps = (Step(tool_calls=(LS,)), Step(tool_calls=(LS,)), Step(text="done"))
    messages: list[BaseMessage] = [SystemMessage("be good"), HumanMessage("go", id="run:m0")]
    ids: set[str | None] = set()
    for _ in range(2):
        answer = await scripted(*steps).ainvoke(messages)
        ids |= {answer.id, answer.tool_calls[0]["id"]}
        messages += [answer, ToolMessage("ok", tool_call_id=answer.tool_calls[0]["id"])]
    assert len(ids) == 4
    assert (await scripted(*steps).ainvoke(messages)).content == "done"


async def test_the_same_prompt_again_starts_again_with_other_ids() -> None:
    model = scripted(Step(tool_calls=(LS,)))
    first = await model.ainvoke([HumanMessage("go")])
    second = await model.ainvoke([HumanMessage("go"), AIMessage("ok"), HumanMessage("go")])
    assert first.tool_calls[0]["id"] != second.tool_calls[0]["id"]
    assert first.id != second.id


async def test_past_the_end_there_is_a_fixed_answer() -> None:
    assert (await scripted().ainvoke("go")).content == FINAL_TEXT
    assert (await scripted().ainvoke([SystemMessage("no human at all")])).content == FINAL_TEXT


async def test_usage_is_the_scripts_or_an_estimate() -> None:
    usage = ScriptedUsage(input_tokens=7, output_tokens=3)
    told = await scripted(Step(text="a", usage=usage)).ainvoke("go")
    assert tokens_of(cast("Any", told.usage_metadata)) == TokenUsage(input=7, output=3)
    estimated = await scripted(Step(text="a" * 40)).ainvoke("b" * 80)
    assert tokens_of(cast("Any", estimated.usage_metadata)) == TokenUsage(input=20, output=10)


async def test_malformed_arguments_arrive_as_an_invalid_call() -> None:
    broken = ScriptedToolCall(name="ls", raw_args='{"path": oops}')
    answer = await scripted(Step(tool_calls=(broken,))).ainvoke("go")
    assert answer.tool_calls == []
    assert answer.invalid_tool_calls[0]["args"] == '{"path": oops}'


async def test_failures_come_before_success() -> None:
    failures = (ScriptedFailure(status=429, retry_after_s=2), ScriptedFailure(disconnect=True))
    model = scripted(Step(text="at last" * 10, failures=failures))
    with pytest.raises(ScriptedHTTPError) as limited:
        await model.ainvoke("go")
    assert (limited.value.status_code, limited.value.headers) == (429, {"retry-after": "2"})
    stream = model.astream("go")
    seen = (await anext(stream)).content
    with pytest.raises(ScriptedDisconnectError):
        [chunk async for chunk in stream]
    assert str(seen).startswith("at last")
    assert (await model.ainvoke("go")).content == "at last" * 10


async def test_delays_are_kept() -> None:
    model = scripted(Step(text="abcd", chunk_chars=2, delay_s=0.05, chunk_delay_s=0.02))
    start = time.perf_counter()
    await model.ainvoke("go")
    assert time.perf_counter() - start >= 0.09
    assert model.invoke("go").content == "abcd"


async def test_what_was_asked_can_be_looked_at() -> None:
    model = scripted(Step(text="hi"))
    await model.ainvoke([SystemMessage("rules"), HumanMessage("go")])
    assert [message.content for message in model.requests[-1]] == ["rules", "go"]
