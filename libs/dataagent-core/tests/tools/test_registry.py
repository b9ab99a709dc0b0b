"""The registry: one tool for a name, its origin and effect, and what happens around a call."""

from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import ConfigurationError, NotFoundError
from dataagent_core.tools.definition.tool_origin import (
    BUILT_IN,
    EXTRA,
    make_mcp_origin,
    read_origin,
)
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.hooks import PostHook, Refusal
from dataagent_core.tools.registry import ToolRegistry


def made(name: str, **metadata: str) -> BaseTool:
    async def run(text: str) -> str:
        return text

    return StructuredTool.from_function(
        coroutine=run, name=name, description="d", metadata=metadata or None
    )


def call(name: str = "echo", **args: Any) -> AgentCall:
    return AgentCall(name=name, args=args, call_id="c", message_id="m", subagent=None)


def test_tools_keep_their_order_and_know_their_origin_and_effect() -> None:
    registry = (
        ToolRegistry()
        .adding([made("b", **effect_metadata("pure")), made("a")], BUILT_IN)
        .adding([made("c")], make_mcp_origin("github"))
    )
    assert [tool.name for tool in registry.tools] == ["b", "a", "c"]
    assert [read_origin(tool) for tool in registry.tools] == ["built-in", "built-in", "mcp:github"]
    assert registry.find("b").effect == "pure"
    assert registry.find("c").effect == "irreversible"


def test_two_tools_of_one_name_are_refused_naming_both_origins() -> None:
    registry = ToolRegistry().adding([made("echo")], BUILT_IN)
    with pytest.raises(ConfigurationError, match="'echo': one from built-in, one from mcp:x"):
        registry.adding([made("echo")], make_mcp_origin("x"))


@pytest.mark.parametrize("name", ["", "a b", "a.b", "x" * 65, "读"])
def test_a_name_no_provider_takes_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be the name of a tool"):
        ToolRegistry().adding([made("a").model_copy(update={"name": name})], EXTRA)


def test_adding_leaves_the_registry_and_the_tool_as_they_were() -> None:
    empty, tool = ToolRegistry(), made("echo")
    empty.adding([tool], BUILT_IN)
    assert empty.tools == ()
    assert tool.metadata is None


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    registry = ToolRegistry().adding([made("read_file"), made("shell")], BUILT_IN)
    with pytest.raises(NotFoundError, match="Did you mean 'read_file'"):
        registry.find("readfile")
    answer = registry.before(call("read_fil"))
    assert isinstance(answer, Refusal)
    assert "read_file" in answer.reason


@pytest.mark.requirement("S2-7.5-validation")
@pytest.mark.requirement("F3-11")
def test_wrong_arguments_are_refused_before_any_hook_sees_them() -> None:
    seen: list[AgentCall] = []

    def remember(call: AgentCall) -> AgentCall:
        seen.append(call)
        return call

    registry = ToolRegistry().adding([made("echo")], BUILT_IN).with_hooks(pre=[remember])
    answer = registry.before(call(txt="x"))
    assert isinstance(answer, Refusal)
    assert "`text` is missing" in answer.reason
    assert not seen
    assert registry.before(call(text="x")) == call(text="x")
    assert len(seen) == 1


def test_what_a_hook_makes_of_the_arguments_is_checked_too() -> None:
    def spoil(call: AgentCall) -> AgentCall:
        return replace(call, args={})

    registry = ToolRegistry().adding([made("echo")], BUILT_IN).with_hooks(pre=[spoil])
    assert isinstance(registry.before(call(text="x")), Refusal)


def test_hooks_added_later_run_later() -> None:
    def noting(mark: str) -> PostHook:
        return lambda _call, message: message.model_copy(update={"content": message.text + mark})

    registry = ToolRegistry().with_hooks(post=[noting("1")]).with_hooks(post=[noting("2")])
    after = registry.after(call(), ToolMessage(content="", tool_call_id="c"))
    assert isinstance(after, ToolMessage)
    assert after.text == "12"
