"""The catalogue around a real agent: what the model gets, call by call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import echo, events_of, executor, scripted
from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware, ModelRequest
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver

from dataagent_core.tools.catalog import ToolCatalog

CORE = frozenset({"echo"})


@tool
async def alpha(text: str) -> str:
    """Do the first thing."""
    return f"alpha {text}"


@tool
async def beta(text: str) -> str:
    """Do the second thing."""
    return f"beta {text}"


class Seen(AgentMiddleware[Any, Any, Any]):
    """Remembers every request as the model would get it."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ModelRequest[Any]] = []

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Any) -> Any:
        self.requests.append(request)
        return await handler(request)

    @property
    def names(self) -> list[list[str]]:
        return [[t.name for t in r.tools if isinstance(t, BaseTool)] for r in self.requests]


def load(*names: str) -> dict[str, Any]:
    return {"name": "load_tools", "args": {"names": list(names)}}


async def run(
    *steps: dict[str, Any],
    core: frozenset[str] = CORE,
    catalog: bool = True,
    tools: Sequence[BaseTool] = (echo, alpha, beta),
) -> tuple[Seen, list[Any]]:
    seen = Seen()
    middleware: list[Any] = [ToolCatalog(core), seen] if catalog else [seen]
    agent = create_agent(
        scripted(*steps), list(tools), system_prompt="Be brief.", middleware=middleware
    )
    state = await agent.ainvoke({"messages": [HumanMessage("go")]})
    return seen, state["messages"]


async def test_the_model_gets_the_core_and_a_list_of_the_rest() -> None:
    seen, _ = await run({"text": "done"})
    assert seen.names == [["load_tools", "find_tools", "echo"]]
    prompt = seen.requests[0].system_prompt
    assert prompt is not None
    assert prompt.startswith("Be brief.\n\n# More tools\n")
    assert "\nalpha: Do the first thing\nbeta: Do the second thing" in prompt


async def test_loaded_tools_are_appended_in_the_order_of_loading_and_the_prompt_stays() -> None:
    seen, messages = await run(
        {"tool_calls": [load("beta")]},
        {"tool_calls": [load("alpha")]},
        {"tool_calls": [{"name": "beta", "args": {"text": "x"}}]},
        {"text": "done"},
    )
    first = ["load_tools", "find_tools", "echo"]
    assert seen.names == [
        first, [*first, "beta"], [*first, "beta", "alpha"], [*first, "beta", "alpha"],
    ]  # fmt: skip
    assert len({request.system_prompt for request in seen.requests}) == 1
    assert messages[-2].text == "beta x"


async def test_parallel_loads_merge_in_the_order_of_the_calls() -> None:
    seen, _ = await run({"tool_calls": [load("beta"), load("alpha", "beta")]}, {"text": "done"})
    assert seen.names[-1][3:] == ["beta", "alpha"]


async def test_with_everything_in_the_core_nothing_changes() -> None:
    everything = frozenset({"echo", "alpha", "beta"})
    seen, _ = await run({"text": "done"}, core=everything)
    plain, _ = await run({"text": "done"}, catalog=False)
    assert seen.names == plain.names
    assert seen.requests[0].system_message == plain.requests[0].system_message
    assert seen.requests[0].messages[0].content == plain.requests[0].messages[0].content


async def test_a_tool_that_was_not_loaded_runs_when_the_model_guesses_its_arguments() -> None:
    _, messages = await run(
        {"tool_calls": [{"name": "alpha", "args": {"text": "x"}}]}, {"text": "done"}
    )
    assert messages[-2].text == "alpha x"


async def test_an_unknown_name_is_answered_with_the_nearest_and_the_others_are_loaded() -> None:
    seen, messages = await run({"tool_calls": [load("alpah", "beta")]}, {"text": "done"})
    answer = messages[-2].text
    assert "Loaded, call them from now on: beta." in answer
    assert "There is no tool 'alpah' in the list. Nearest: alpha." in answer
    assert seen.names[-1][3:] == ["beta"]


async def test_nothing_but_unknown_names_is_an_error() -> None:
    _, messages = await run({"tool_calls": [load("zzz")]}, {"text": "done"})
    assert isinstance(messages[-2], ToolMessage)
    assert messages[-2].status == "error"
    assert "Search with find_tools." in messages[-2].text


async def test_a_core_tool_needs_no_loading() -> None:
    seen, messages = await run({"tool_calls": [load("echo")]}, {"text": "done"})
    assert messages[-2].text == "These tools need no loading: you can call them."
    assert seen.names[0] == seen.names[1]


async def test_the_search_finds_what_can_be_loaded_and_says_when_nothing_fits() -> None:
    find = {"name": "find_tools", "args": {"query": "second"}}
    nothing = {"name": "find_tools", "args": {"query": "weather"}}
    _, messages = await run({"tool_calls": [find, nothing]}, {"text": "done"})
    assert messages[-3].text == "beta: Do the second thing"
    assert messages[-2].text.startswith("No tool matches 'weather'.")


async def test_a_load_beyond_the_limits_says_so(many_tools: list[BaseTool]) -> None:
    names = [tool.name for tool in many_tools]
    steps = [{"tool_calls": [load(*names[n : n + 20])]} for n in range(0, 120, 20)]
    seen, messages = await run(
        *steps, {"tool_calls": [load(*names[:25])]}, {"text": "done"}, tools=[echo, *many_tools]
    )
    assert seen.names[-1][3:] == names[:100]
    assert "100 is the most" in messages[-4].text
    assert "Only the first 20 names were read." in messages[-2].text


async def test_loaded_tools_survive_in_checkpoints() -> None:
    seen = Seen()
    agent = create_agent(
        scripted({"tool_calls": [load("alpha")]}, {"text": "one"}, {"text": "two"}),
        [echo, alpha, beta],
        middleware=[ToolCatalog(CORE), seen],
        checkpointer=InMemorySaver(),
    )
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    await agent.ainvoke({"messages": [HumanMessage("go")]}, config)
    output = await agent.ainvoke({"messages": [HumanMessage("again")]}, config)
    assert seen.names[-1][-1] == "alpha"
    assert "loaded_tools" not in output


async def test_an_agent_with_few_tools_of_others_shows_them_all(tmp_path: Path) -> None:
    seen = Seen()
    agent = executor(
        scripted({"text": "one"}), tmp_path, tools=[echo, alpha, beta], extra_middleware=[seen]
    )
    await events_of(agent, "go")
    assert {"echo", "alpha", "beta", "read_file", "write_todos", "task"} <= set(seen.names[0])
    assert "load_tools" not in seen.names[0]


async def test_an_agent_with_many_lists_them_and_a_later_run_keeps_what_was_loaded(
    tmp_path: Path, many_tools: list[BaseTool]
) -> None:
    seen = Seen()
    chosen = many_tools[7].name
    model = scripted({"tool_calls": [load(chosen)]}, {"text": "one"}, {"text": "two"})
    agent = executor(model, tmp_path, tools=many_tools, extra_middleware=[seen])
    first = await events_of(agent, "go")
    assert [e.status for e in first if e.event_type == "tool_result"] == ["success"]
    assert chosen not in seen.names[0]
    assert {"read_file", "load_tools", "find_tools"} <= set(seen.names[0])
    await events_of(agent, "again")
    assert seen.names[-1][-1] == chosen


async def test_a_system_message_of_parts_gets_one_more_part() -> None:
    seen = Seen()
    prompt = SystemMessage(content=[{"type": "text", "text": "Be brief."}])
    agent = create_agent(
        scripted({"text": "done"}), [echo, alpha], system_prompt=prompt,
        middleware=[ToolCatalog(CORE), seen],
    )  # fmt: skip
    await agent.ainvoke({"messages": [HumanMessage("go")]})
    message = seen.requests[0].system_message
    assert message is not None
    assert [type(part) for part in message.content] == [dict, dict]
