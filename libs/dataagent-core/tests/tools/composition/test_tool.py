"""A composition as a tool of a real agent."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import (
    ConfigurationError,
    NoOneToAskError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composed_registry import add_compositions
from dataagent_core.tools.definition.tool_origin import EXTRA
from dataagent_core.tools.effects import Effect, effect_metadata, read_effect
from dataagent_core.tools.pipeline.arguments import find_argument_problems
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


def composition(*tools: str, **fallbacks: list[str]) -> ToolComposition:
    return ToolComposition("two", "twice", "Wrap a text twice.", tools, TEMPLATE, fallbacks)


def tool(*tools: str, **fallbacks: list[str]) -> BaseTool:
    composed = add_compositions(REGISTRY, [composition(*tools, **fallbacks)])
    return composed.find("twice").tool


def agent(workspace: Path, *steps: dict[str, Any], made_of: tuple[str, ...], **more: Any) -> Any:
    return executor(
        scripted(*steps),
        workspace,
        tools=[entry.tool for entry in REGISTRY.entries.values()],
        compositions=[composition(*made_of)],
        **more,
    )


CALL: dict[str, Any] = {"tool_calls": [{"name": "twice", "args": {"text": "hi"}, "id": "c"}]}


@pytest.mark.requirement("S2-16.6-composition")
async def test_an_agent_calls_it_like_any_tool(tmp_path: Path) -> None:
    worker = agent(tmp_path, CALL, {"text": "done"}, made_of=("look", "put"), auto_approve=True)
    results = [e for e in await events_of(worker) if e.event_type == "tool_result"]
    assert [(e.tool_name, e.result) for e in results] == [
        ("look", "<hi>"),
        ("put", "[<hi>]"),
        ("twice", "twice succeeded.\n1. look: ok\n2. put: ok\n[<hi>]"),
    ]


# Members of the agent's own, which a person is asked about.
FILES = ToolComposition(
    "files",
    "leave_note",
    "Write a note, then remove what it replaces.",
    ["write_file", "delete_file"],
    {
        "kind": "sequential",
        "inputs": {"text": {"type": "string"}},
        "steps": [
            {"args": {"file_path": "/note.txt", "content": "{{input.text}}"}},
            {"args": {"file_path": "/old.txt"}},
        ],
    },
    {},
)
NOTE: dict[str, Any] = {"tool_calls": [{"name": "leave_note", "args": {"text": "hi"}, "id": "c"}]}


async def note_events(workspace: Path, person: Answering, **more: Any) -> list[Any]:
    (workspace / "old.txt").write_text("old")
    script = scripted(NOTE, {"text": "done"})
    worker = executor(script, workspace, handler=person, compositions=[FILES], **more)
    return await events_of(worker)


def results_of(events: list[Any]) -> list[tuple[str, str]]:
    return [(e.tool_name, e.status) for e in events if e.event_type == "tool_result"]


@pytest.mark.requirement("F3-11")
async def test_its_members_are_asked_about_one_by_one_and_run_once(tmp_path: Path) -> None:
    person = Answering()
    events = await note_events(tmp_path, person)
    assert [action["name"] for action in person.asked] == ["write_file", "delete_file"]
    assert results_of(events) == [
        ("write_file", "success"),
        ("delete_file", "success"),
        ("leave_note", "success"),
    ]
    assert (tmp_path / "note.txt").read_text() == "hi"
    assert not (tmp_path / "old.txt").exists()
    assert events[-1].reason == "completed"


async def test_a_member_whose_arguments_a_person_changed_runs_with_those(tmp_path: Path) -> None:
    changed = {"file_path": "/note.txt", "content": "other"}
    await note_events(tmp_path, Answering({"type": "edit", "args": changed}))
    assert (tmp_path / "note.txt").read_text() == "other"


async def test_a_declined_member_ends_it(tmp_path: Path) -> None:
    person = Answering({"type": "approve"}, {"type": "respond", "message": "not now"})
    events = await note_events(tmp_path, person)
    assert results_of(events)[-1] == ("leave_note", "error")
    (ended,) = [e for e in events if e.event_type == "tool_result" and e.tool_name == "leave_note"]
    assert "not now" in ended.result
    assert (tmp_path / "old.txt").exists()


class Leaving(Answering):
    """Approves the first call, then is gone."""

    async def request_approval(self, action_request: Any, session_id: str) -> Any:
        if self.asked:
            raise NoOneToAskError("nobody is there.")
        return await super().request_approval(action_request, session_id)


async def test_taken_up_by_another_process_it_goes_on_where_it_waited(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    before = await note_events(tmp_path, Leaving(), stores=stores)
    assert results_of(before) == [("write_file", "success")]
    (tmp_path / "note.txt").write_text("changed by somebody since")
    person = Answering()
    script = scripted({"text": "done"})
    worker = executor(script, tmp_path, handler=person, compositions=[FILES], stores=stores)
    after = await resumed(worker)
    assert [action["name"] for action in person.asked] == ["delete_file"]
    assert results_of(after) == [("delete_file", "success"), ("leave_note", "success")]
    assert (tmp_path / "note.txt").read_text() == "changed by somebody since"


async def test_a_rule_can_deny_it_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / ".dataagent").mkdir()
    rules = '[[rules]]\ntool = "leave_note"\naction = "deny"\n'
    (tmp_path / ".dataagent" / "permissions.toml").write_text(rules)
    person = Answering()
    events = await note_events(tmp_path, person)
    assert person.asked == []
    assert results_of(events) == [("leave_note", "error")]


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
    assert read_effect(made) == effect


def test_its_arguments_are_checked_like_those_of_any_tool() -> None:
    assert find_argument_problems(tool("look", "put"), {"text": "a"}) == []
    assert find_argument_problems(tool("look", "put"), {}) == [
        "`text` is missing; expected is string"
    ]


def test_a_member_nobody_knows_is_refused_with_the_nearest() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'look'"):
        tool("look", "lok")


def test_a_composition_of_compositions_is_refused() -> None:
    known = add_compositions(REGISTRY, [composition("look", "put")])
    outer = replace(composition("look", "twice"), name="outer")
    with pytest.raises(ValidationError, match="'twice', itself a composition"):
        add_compositions(known, [outer])


async def test_outside_an_agent_it_does_not_run() -> None:
    with pytest.raises(ConfigurationError, match="only inside an agent"):
        await tool("look", "put").ainvoke({"text": "hi"})
