"""What a model call carries: the order of loading is kept, and nothing loaded is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.tools.catalog.selection import beyond, selected
from dataagent_core.tools.catalog.state import loaded_artifact, loaded_by, merged

names = st.lists(st.sampled_from("abcdefghij"), max_size=10)


async def run(**_: object) -> str:
    return ""


def made(name: str) -> BaseTool:
    return StructuredTool(name=name, description="d", args_schema={"type": "object"}, coroutine=run)


TOOLS = [made(name) for name in "abcdefghij"]


@pytest.mark.requirement("F3-11")
@given(known=names, added=names)
def test_loading_appends_and_never_reorders(known: list[str], added: list[str]) -> None:
    before = merged([], known)
    after = merged(before, added)
    assert after[: len(before)] == before
    assert set(after) == {*known, *added}
    assert len(set(after)) == len(after)


@given(core=names, loads=st.lists(names, max_size=4))
def test_every_call_begins_with_the_tools_of_the_call_before(
    core: list[str], loads: list[list[str]]
) -> None:
    loaded: list[str] = []
    offered = selected(TOOLS, core, loaded)
    for names in loads:
        loaded = merged(loaded, names)
        following = selected(TOOLS, core, loaded)
        assert following[: len(offered)] == offered
        offered = following


@given(core=names, loaded=names)
def test_no_loaded_and_no_core_tool_is_dropped_and_none_is_doubled(
    core: list[str], loaded: list[str]
) -> None:
    offered = [t.name for t in selected(TOOLS, core, merged([], loaded)) if isinstance(t, BaseTool)]
    assert sorted(offered) == sorted({*core, *loaded})


def test_a_tool_of_the_provider_is_always_offered_and_never_listed() -> None:
    provider = {"type": "web_search"}
    assert selected([provider, TOOLS[0]], [], []) == [provider]
    assert beyond([provider, TOOLS[0]], []) == [TOOLS[0]]


def test_a_loaded_tool_that_no_longer_exists_is_left_out() -> None:
    assert selected(TOOLS[:1], ["a"], ["gone"]) == TOOLS[:1]


@given(loads=st.lists(names, max_size=4))
def test_what_earlier_messages_loaded_can_be_read_from_them(loads: list[list[str]]) -> None:
    messages: list[AnyMessage] = [AIMessage(content="hi")]
    expected: list[str] = []
    for names in loads:
        artifact = loaded_artifact(names)
        messages.append(ToolMessage(content="ok", tool_call_id="c", artifact=artifact))
        expected = merged(expected, names)
    assert loaded_by(messages) == expected
