"""Hooks run in order, may change a call or a result, and can neither be a hole nor a loss."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command

from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.hooks import (
    PostHook,
    PreHook,
    Refusal,
    run_post_hooks,
    run_post_hooks_on_return,
    run_pre_hooks,
)


def call(**args: Any) -> AgentCall:
    return AgentCall(name="echo", args=args, call_id="c", message_id="m", subagent=None)


def message(text: str = "result") -> ToolMessage:
    return ToolMessage(content=text, name="echo", tool_call_id="c")


def adding(mark: str) -> PreHook:
    return lambda call: replace(call, args={"text": call.args.get("text", "") + mark})


def noting(mark: str) -> PostHook:
    return lambda _call, message: message.model_copy(update={"content": message.text + mark})


@pytest.mark.requirement("S2-7.5-hooks")
@pytest.mark.requirement("F3-11")
@given(marks=st.lists(st.text(max_size=3), max_size=6))
def test_hooks_run_in_the_order_they_were_given(marks: list[str]) -> None:
    before = run_pre_hooks(call(text=""), [adding(mark) for mark in marks])
    assert isinstance(before, AgentCall)
    assert before.args["text"] == "".join(marks)
    after = run_post_hooks(call(), message(""), [noting(mark) for mark in marks])
    assert after.text == "".join(marks)


def test_the_first_refusal_ends_it() -> None:
    seen: list[str] = []

    def later(call: AgentCall) -> AgentCall:
        seen.append(call.name)
        return call

    assert run_pre_hooks(call(), [lambda _: Refusal("no"), later]) == Refusal("no")
    assert not seen


def test_a_check_that_breaks_refuses_the_call() -> None:
    def broken(call: AgentCall) -> AgentCall:
        raise KeyError(call.name)

    answer = run_pre_hooks(call(), [broken])
    assert isinstance(answer, Refusal)
    assert "broken failed" in answer.reason


def test_a_hook_cannot_put_another_call_in_place_of_the_one_that_was_made() -> None:
    answer = run_pre_hooks(call(), [lambda call: replace(call, name="shell")])
    assert isinstance(answer, Refusal)


def test_a_broken_hook_does_not_lose_the_result() -> None:
    def broken(call: AgentCall, message: ToolMessage) -> ToolMessage:
        raise ValueError(message.text)

    after = run_post_hooks(call(), message("kept"), [broken])
    assert after.text.startswith("kept\n(broken failed")


def test_a_hook_cannot_make_a_result_answer_another_call() -> None:
    other = ToolMessage(content="other", tool_call_id="x")
    assert run_post_hooks(call(), message(), [lambda _c, _m: other]).text == "result"


def test_the_message_inside_a_command_is_changed_and_the_rest_of_it_stays() -> None:
    bystander = AIMessage(content="hi")
    update = {"messages": [bystander, message("a")], "todos": [1]}
    result = run_post_hooks_on_return(call(), Command(update=update), [noting("!")])
    assert isinstance(result, Command)
    assert isinstance(result.update, dict)
    assert result.update["messages"][0] is bystander
    assert result.update["messages"][1].text == "a!"
    assert result.update["todos"] == [1]


def test_without_hooks_a_result_is_returned_as_it_is() -> None:
    result: list[ToolMessage | Command[Any]] = [message()]
    assert run_post_hooks_on_return(call(), result, []) is result
