"""A composition as a tool of a real agent."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted
from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.arguments import argument_problems
from dataagent_core.tools.composition import (
    MemberCall,
    ToolComposition,
    is_composition,
    make_composition_tool,
)
from dataagent_core.tools.effects import Effect, effect_metadata, effect_of
from dataagent_core.tools.origin import EXTRA
from dataagent_core.tools.registry import ToolRegistry

TEMPLATE = {
    "kind": "sequential",
    "inputs": {"text": {"type": "string"}},
    "steps": [
        {"args": {"text": "<{{input.text}}>"}},
        {"args": {"text": "[{{previous}}]"}},
    ],
}


async def same(text: str) -> str:
    return text


def made(name: str, effect: Effect) -> BaseTool:
    return StructuredTool.from_function(
        coroutine=same, name=name, description="d", metadata=effect_metadata(effect)
    )


REGISTRY = ToolRegistry().adding(
    [made("look", "pure"), made("put", "idempotent"), made("send", "irreversible")], EXTRA
)


async def run_member(call: MemberCall, runtime: ToolRuntime[Any, Any]) -> ToolMessage:
    text = await REGISTRY.find(call.name).tool.ainvoke(call.args)
    return ToolMessage(content=text, tool_call_id=call.call_id)


async def admit(call: MemberCall, runtime: ToolRuntime[Any, Any]) -> MemberCall:
    return call


def composition(*tools: str, **fallbacks: list[str]) -> ToolComposition:
    return ToolComposition("two", "twice", "Wrap a text twice.", tools, TEMPLATE, fallbacks)


def tool(*tools: str, **fallbacks: list[str]) -> BaseTool:
    return make_composition_tool(
        composition(*tools, **fallbacks), REGISTRY, run_member, admit=admit
    )


async def test_an_agent_calls_it_like_any_tool(tmp_path: Path) -> None:
    call = {"name": "twice", "args": {"text": "hi"}}
    agent = executor(
        scripted({"tool_calls": [call]}, {"text": "done"}), tmp_path, tools=[tool("look", "put")],
        auto_approve=True,
    )  # fmt: skip
    (result,) = [e for e in await events_of(agent) if e.event_type == "tool_result"]
    assert result.status == "success"
    assert result.result == "twice succeeded.\n1. look: ok\n2. put: ok\n[<hi>]"


@pytest.mark.parametrize(
    ("made", "effect"),
    [
        (tool("look", "look"), "pure"),
        (tool("look", "put"), "idempotent"),
        (tool("look", "put", look=["send"]), "irreversible"),
    ],
)
def test_its_effect_is_the_worst_of_its_members_and_their_alternatives(
    made: BaseTool, effect: Effect
) -> None:
    assert effect_of(made) == effect


def test_its_arguments_are_checked_like_those_of_any_tool() -> None:
    assert argument_problems(tool("look", "put"), {"text": "a"}) == []
    assert argument_problems(tool("look", "put"), {}) == ["`text` is missing; expected is string"]


def test_a_member_nobody_knows_is_refused_with_the_nearest() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'look'"):
        tool("look", "lok")


def test_a_composition_of_compositions_is_refused() -> None:
    inner = tool("look", "put")
    assert is_composition(inner)
    with pytest.raises(ValidationError, match="'twice', itself a composition"):
        make_composition_tool(
            composition("look", "twice"), REGISTRY.adding([inner], EXTRA), run_member, admit=admit
        )
