"""A tool that declares itself grave is asked about, by whatever way it came into the agent."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.tools import BaseTool, StructuredTool
from mcp_types import ToolAnnotations

from dataagent_core.config import Settings
from dataagent_core.events.system import Mode
from dataagent_core.hitl import Decision
from dataagent_core.session import change_mode
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.declaration import approval_metadata
from dataagent_core.tools.effects import effect_metadata

GRAVE: list[dict[str, Any]] = [
    dict(effect_metadata("irreversible")),
    approval_metadata(),
    {**effect_metadata("pure"), **approval_metadata()},
    {**effect_metadata("idempotent"), "destructiveHint": True},
    {"annotations": {"destructiveHint": True}},
    {"effect": "Irreversible"},
    {"effect": ["destructive"]},
    # Nobody but the registry says where a tool is from.
    {**effect_metadata("irreversible"), "origin": "built-in"},
    {**effect_metadata("irreversible"), "origin": "composition"},
    {**effect_metadata("irreversible"), "origin": "mcp:server"},
    # Adapters hand over the values they got, and some the object of the protocol.
    {**effect_metadata("pure"), "destructiveHint": "true"},
    {**effect_metadata("pure"), "annotations": ToolAnnotations(destructive_hint=True)},
    {**effect_metadata("pure"), "annotations": {"destructive_hint": 1}},
]


class RenamedHint:
    """The protocol's object as libraries hand it over that renamed the hint: the old name warns."""

    destructive_hint = True

    @property
    def destructiveHint(self) -> bool:  # noqa: N802 - the protocol's own
        raise DeprecationWarning("destructiveHint is called destructive_hint now")


GRAVE.append({**effect_metadata("pure"), "annotations": RenamedHint()})
# Also names of tools that are allowed by default, where the agent's own is not there.
NAMES = ["scale_to_zero", "summary", "read_output", "grep", "shell"]
WAYS = ["extra_tools", "middleware", "composition", "sub-agent"]


def grave_tool(name: str, metadata: dict[str, Any], ran: list[str]) -> BaseTool:
    async def act(command: str = "ls") -> str:
        ran.append(command)
        return "done"

    return StructuredTool.from_function(
        coroutine=act, name=name, description="Scale to zero.", metadata=metadata
    )


class Bringing(AgentMiddleware[Any, Any, Any]):
    """Middleware that comes with a tool."""

    def __init__(self, tool: BaseTool) -> None:
        super().__init__()
        self.tools = [tool]


def composed_of(name: str) -> ToolComposition:
    template = {"kind": "sequential", "inputs": {}, "steps": [{"args": {}}]}
    return ToolComposition("composed", "composed", "Call it.", [name], template, {})


async def questions(
    workspace: Path,
    tool: BaseTool,
    *,
    way: str = "extra_tools",
    mode: Mode = "ask",
    rules: str = "",
    person: Answering | None = None,
) -> tuple[list[str], list[Any]]:
    """Let an agent call the tool once; give what a person was asked, and the events."""
    home = workspace / "home"
    home.mkdir(exist_ok=True)
    (home / "permissions.toml").write_text(rules)
    call = {"name": "composed" if way == "composition" else tool.name, "args": {}}
    steps = [{"tool_calls": [call]}, {"text": "ok"}]
    delegate = {
        "name": "task",
        "args": {"description": "SUB", "subagent_type": "general-purpose"},
    }
    model = (
        scripted(
            scripts=[
                {"match": "^SUB", "steps": steps},
                {"steps": [{"tool_calls": [delegate]}, {"text": "ok"}]},
            ]
        )
        if way == "sub-agent"
        else scripted(*steps)
    )
    stores = Stores.in_memory()
    await change_mode(stores.log, "s", mode, "ada")
    no: Decision = {"type": "reject", "message": "no"}
    if person is None:
        # Starting a sub-agent is asked about too.
        first: Decision = {"type": "approve"} if way == "sub-agent" and mode != "auto" else no
        person = Answering(first, no)
    agent = executor(
        model,
        workspace,
        handler=person,
        tools=[] if way == "middleware" else [tool],
        extra_middleware=[Bringing(tool)] if way == "middleware" else [],
        compositions=[composed_of(tool.name)] if way == "composition" else [],
        withheld_tools=frozenset({tool.name}),
        stores=stores,
        chosen=Settings(home=home, model_retries=0),
    )
    events = await events_of(agent)
    await agent.aclose()
    return [action["name"] for action in person.asked if action["name"] != "task"], events


def about_others() -> st.SearchStrategy[str]:
    rule = '[[rules]]\ntool = "{}"\nresource = "**"\naction = "{}"\n'
    names = st.sampled_from(["write_file", "fetch_url", "another_tool", "mcp__*", "data"])
    drawn = st.builds(rule.format, names, st.sampled_from(["allow", "ask", "deny"]))
    return st.lists(drawn, max_size=3).map("".join)


@given(
    name=st.sampled_from(NAMES),
    metadata=st.sampled_from(GRAVE),
    way=st.sampled_from(WAYS),
    mode=st.sampled_from(["ask", "auto", "plan"]),
    rules=about_others(),
)
async def test_property_what_declares_itself_grave_never_runs_unasked(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    name: str,
    metadata: dict[str, Any],
    way: str,
    mode: Mode,
    rules: str,
) -> None:
    ran: list[str] = []
    made = grave_tool(name, metadata, ran)
    await questions(tmp_path_factory.mktemp("work"), made, way=way, mode=mode, rules=rules)
    assert ran == []


@given(
    name=st.sampled_from(NAMES),
    metadata=st.sampled_from(GRAVE),
    way=st.sampled_from(WAYS),
    # Plan mode refuses what is not a read, and asks about a read that wants approval.
    mode=st.sampled_from(["ask", "auto"]),
    rules=about_others(),
)
async def test_property_what_declares_itself_grave_is_asked_about(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    name: str,
    metadata: dict[str, Any],
    way: str,
    mode: Mode,
    rules: str,
) -> None:
    made = grave_tool(name, metadata, [])
    asked, events = await questions(
        tmp_path_factory.mktemp("work"), made, way=way, mode=mode, rules=rules
    )
    assert asked == [name], [event.to_dict() for event in events]


@pytest.mark.parametrize("mode", ["ask", "auto"])
@pytest.mark.parametrize("metadata", [{}, {"effect": "pure"}, {"effect": "compensable"}])
async def test_a_tool_handed_in_that_declares_nothing_grave_runs_unasked(
    tmp_path: Path, metadata: dict[str, Any], mode: Mode
) -> None:
    ran: list[str] = []
    asked, _ = await questions(tmp_path, grave_tool("act", metadata, ran), mode=mode)
    assert (asked, ran) == ([], ["ls"])


async def test_a_rule_answers_for_a_tool_that_declares_itself_irreversible(tmp_path: Path) -> None:
    ran: list[str] = []
    made = grave_tool("act", dict(effect_metadata("irreversible")), ran)
    rules = '[[rules]]\ntool = "act"\naction = "{}"\n'
    assert (await questions(tmp_path, made, rules=rules.format("allow")))[0] == []
    assert ran == ["ls"]
    await questions(tmp_path, made, rules=rules.format("deny"), person=Answering())
    assert ran == ["ls"]


@pytest.mark.parametrize(
    ("metadata", "offered"), [(effect_metadata("irreversible"), 1), (approval_metadata(), 0)]
)
async def test_an_always_is_offered_for_the_irreversible_and_not_for_what_needs_approval(
    tmp_path: Path, metadata: dict[str, Any], offered: int
) -> None:
    person = Answering()
    await questions(tmp_path, grave_tool("act", dict(metadata), []), person=person)
    (action,) = person.asked
    assert len(action.get("saves", [])) == offered
    assert "the tool says" in action.get("reason", "")
