"""In plan mode nothing changes, whatever the model tries and whoever said yes."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from hypothesis import given
from hypothesis import settings as drawing
from hypothesis import strategies as st
from langchain_core.tools import BaseTool, tool

from dataagent_core.session import change_mode
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.effects import Effect, effect_metadata

COMPOSED = ToolComposition(
    "files",
    "leave_note",
    "Read a file, then write a note.",
    ["read_file", "write_file"],
    {
        "kind": "sequential",
        "inputs": {"text": {"type": "string"}},
        "steps": [
            {"args": {"file_path": "/kept.txt"}},
            {"args": {"file_path": "/note.txt", "content": "{{input.text}}"}},
        ],
    },
    {},
)


def counting(ran: list[str]) -> list[BaseTool]:
    def make(effect: Effect | None) -> BaseTool:
        @tool
        async def act(text: str = "") -> str:
            """Do something."""
            ran.append(str(effect))
            return text

        metadata = effect_metadata(effect) if effect else None
        return act.model_copy(update={"name": f"act_{effect}", "metadata": metadata})

    return [make(effect) for effect in ("pure", "idempotent", "compensable", "irreversible", None)]


def _call(name: str, **args: str) -> dict[str, Any]:
    return {"name": name, "args": args}


def _calls() -> st.SearchStrategy[dict[str, Any]]:
    acts = [f"act_{e}" for e in ("pure", "idempotent", "compensable", "irreversible", None)]
    files = st.sampled_from(["/kept.txt", "/new.txt", "/memories/agent.md"])
    commands = st.sampled_from(["touch x", "rm kept.txt", "ls > y", "echo a | tee kept.txt", "$X"])
    return st.one_of(
        st.sampled_from(acts).map(_call),
        files.map(lambda path: _call("write_file", file_path=path, content="x")),
        files.map(
            lambda path: _call("edit_file", file_path=path, old_string="kept", new_string="x")
        ),
        files.map(lambda path: _call("delete_file", file_path=path)),
        commands.map(lambda line: _call("shell", command=line)),
        st.just(_call("leave_note", text="x")),
        st.just(_call("code_executor", code="open('z', 'w')")),
    )


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.requirement("F8-4")
@drawing(max_examples=25)
@given(turns=st.lists(st.lists(_calls(), min_size=1, max_size=3), min_size=1, max_size=3))
async def test_property_no_agent_and_no_sub_agent_changes_anything_in_plan_mode(
    tmp_path_factory: pytest.TempPathFactory, turns: list[list[dict[str, Any]]]
) -> None:
    home, workspace = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    (home / "permissions.toml").write_text(
        '[[rules]]\ntool = "*"\nresource = "**"\naction = "allow"\n'
    )
    (workspace / "kept.txt").write_text("kept")
    ran: list[str] = []
    delegate = {"description": "SIDE", "subagent_type": "general-purpose"}
    steps: list[dict[str, Any]] = [{"tool_calls": calls} for calls in turns]
    model = scripted(
        scripts=[
            {"match": "^SIDE", "steps": [*steps, {"text": "found"}]},
            {"steps": [*steps, {"tool_calls": [_call("task", **delegate)]}, {"text": "ok"}]},
        ]
    )
    stores = Stores.in_memory()
    await change_mode(stores.log, "s", "plan", "ada")
    agent = executor(
        model,
        workspace,
        tools=counting(ran),
        compositions=[COMPOSED],
        chosen=settings(home=home),
        stores=stores,
        auto_approve=True,
    )
    before = fingerprint(workspace), fingerprint(home / "agents")
    events = await events_of(agent)
    await agent.aclose()
    assert events[-1].reason == "completed"
    assert set(ran) <= {"pure"}
    assert (fingerprint(workspace), fingerprint(home / "agents")) == before
    assert bool(ran) == any(c["name"] == "act_pure" for calls in turns for c in calls)
    assert any(e.subagent for e in events if e.event_type == "tool_call")
