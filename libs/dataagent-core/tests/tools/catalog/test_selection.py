"""What a model call carries: the order of loading is kept, and nothing loaded is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.tools.catalog.core_tools import (
    list_catalogued_tools,
    make_loaded_artifact,
    merge_loaded_names,
    read_loaded_names,
    select_tools,
)

names = st.lists(st.sampled_from("abcdefghij"), max_size=10)


async def run(**_: object) -> str:
    return ""


def made(name: str) -> BaseTool:
    return StructuredTool(name=name, description="d", args_schema={"type": "object"}, coroutine=run)


TOOLS = [made(name) for name in "abcdefghij"]


@pytest.mark.requirement("F3-11")
@given(known=names, added=names)
def test_loading_appends_and_never_reorders(known: list[str], added: list[str]) -> None:
    before = merge_loaded_names([], known)
    after = merge_loaded_names(before, added)
    assert after[: len(before)] == before
    assert set(after) == {*known, *added}
    assert len(set(after)) == len(after)


@given(core=names, loads=st.lists(names, max_size=4))
def test_every_call_begins_with_the_tools_of_the_call_before(
    core: list[str], loads: list[list[str]]
) -> None:
    loaded: list[str] = []
    offered = select_tools(TOOLS, core, loaded)
    for names in loads:
        loaded = merge_loaded_names(loaded, names)
        following = select_tools(TOOLS, core, loaded)
        assert following[: len(offered)] == offered
        offered = following


@given(core=names, loaded=names)
def test_no_loaded_and_no_core_tool_is_dropped_and_none_is_doubled(
    core: list[str], loaded: list[str]
) -> None:
    offered = [
        t.name
        for t in select_tools(TOOLS, core, merge_loaded_names([], loaded))
        if isinstance(t, BaseTool)
    ]
    assert sorted(offered) == sorted({*core, *loaded})


def test_a_tool_of_the_provider_is_always_offered_and_never_listed() -> None:
    provider = {"type": "web_search"}
    assert select_tools([provider, TOOLS[0]], [], []) == [provider]
    assert list_catalogued_tools([provider, TOOLS[0]], []) == [TOOLS[0]]


def test_a_loaded_tool_that_no_longer_exists_is_left_out() -> None:
    assert select_tools(TOOLS[:1], ["a"], ["gone"]) == TOOLS[:1]


@given(loads=st.lists(names, max_size=4))
def test_what_earlier_messages_loaded_can_be_read_from_them(loads: list[list[str]]) -> None:
    messages: list[AnyMessage] = [AIMessage(content="hi")]
    expected: list[str] = []
    for names in loads:
        artifact = make_loaded_artifact(names)
        messages.append(ToolMessage(content="ok", tool_call_id="c", artifact=artifact))
        expected = merge_loaded_names(expected, names)
    assert read_loaded_names(messages) == expected
