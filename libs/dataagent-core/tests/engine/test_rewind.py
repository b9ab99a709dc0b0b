"""A scripted agent changes files with every kind of tool; the person takes it back and goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from workspaces_past import state_of

from dataagent_core.config import Settings
from dataagent_core.engine import AgentExecutor
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.workspace_history import WorkspaceHistory


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


class House:
    """A home, a workspace, stores, and agents in them."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self.chosen: Settings = settings(home=folder / "home")
        self.chosen.home.mkdir()
        self.stores = Stores.in_memory()
        self.history = WorkspaceHistory.of_person(self.chosen.home, self.workspace, self.stores.log)

    def agent(self, *steps: dict[str, Any], **more: Any) -> AgentExecutor:
        self.model = scripted(*steps)
        return executor(
            self.model,
            self.workspace,
            handler=Answering(),
            stores=self.stores,
            chosen=self.chosen,
            **more,
        )


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.requirement("F8-5-rewind")
async def test_what_every_kind_of_tool_did_goes_back(house: House):
    (house.workspace / "a.txt").write_text("one\n")
    (house.workspace / "gone.txt").write_text("bytes")
    before = state_of(house.workspace)

    @tool
    async def some_servers_tool(file: str) -> str:
        """Write a file, as a program of somebody else does."""
        (house.workspace / file).write_text("by a tool that says nothing of files")
        return "ok"

    agent = house.agent(
        {"tool_calls": [call("read_file", file_path="/a.txt")]},
        {"tool_calls": [call("edit_file", file_path="/a.txt", old_string="one", new_string="1")]},
        {"tool_calls": [call("write_file", file_path="/new/b.txt", content="b")]},
        {"tool_calls": [call("shell", command="rm gone.txt; echo c > c.txt; chmod 700 a.txt")]},
        {"tool_calls": [call("code_executor", code="open('d.txt', 'w').write('d')")]},
        {"tool_calls": [call("some_servers_tool", file="e.txt")]},
        {"text": "done"},
        tools=[some_servers_tool],
    )
    events = await events_of(agent)
    assert len(state_of(house.workspace)) == 5
    changed = await house.history.changes("s")
    assert [change.path for change in changed.files] == [
        "/a.txt", "/c.txt", "/d.txt", "/e.txt", "/gone.txt", "/new/b.txt",
    ]  # fmt: skip
    done = await house.history.rewind("s", events[0].message_id)
    assert done.kept == ()
    assert state_of(house.workspace) == before


@pytest.mark.requirement("F8-5-rewind")
async def test_a_sub_agents_work_goes_back_and_a_persons_beside_it_stays(house: House):
    task = call("task", description="do it", subagent_type="general-purpose")
    agent = executor(
        scripted(
            scripts=[
                {"match": "do it", "steps": [
                    {"tool_calls": [call("write_file", file_path="/sub.txt", content="x")]},
                    {"text": "did it"},
                ]},
                {"steps": [{"tool_calls": [task]}, {"text": "done"}]},
            ]
        ),
        house.workspace,
        handler=Answering(),
        stores=house.stores,
        chosen=house.chosen,
    )  # fmt: skip
    theirs = house.workspace / "theirs.txt"
    message_id = ""
    async for event in agent.execute("go", "s"):
        if event.event_type == "start":
            message_id = event.message_id
        # Before the sub-agent's call ends nobody else works; then the person saves a file.
        if event.event_type == "tool_result" and not theirs.exists():
            theirs.write_text("person")
    assert (house.workspace / "sub.txt").exists()
    done = await house.history.rewind("s", message_id)
    assert done.removed == ("/sub.txt",)
    assert theirs.read_text() == "person"


async def test_a_cancelled_command_goes_back_too(house: House):
    agent = house.agent({"tool_calls": [call("shell", command="echo x > half.txt; sleep 60")]})
    half = house.workspace / "half.txt"
    token = asyncio.Event()

    async def cancel_when_begun() -> None:
        while not half.exists():  # noqa: ASYNC110 (nothing else tells)
            await asyncio.sleep(0.02)
        token.set()

    cancelling = asyncio.create_task(cancel_when_begun())
    events = [event async for event in agent.execute("go", "s", None, token)]
    await cancelling
    assert events[-1].event_type == "done"
    done = await house.history.undo("s")
    assert done.removed == ("/half.txt",)
    assert not half.exists()


@pytest.mark.requirement("F8-5-rewind")
async def test_the_next_run_is_told_once_and_the_stored_message_is_the_persons(house: House):
    agent = house.agent(
        {"tool_calls": [call("write_file", file_path="/a.txt", content="x")]},
        {"text": "done"},
        {"text": "I see"},
        {"text": "yes"},
    )
    await events_of(agent, "make it")
    await house.history.undo("s")
    await events_of(agent, "and now?")
    asked = [m for m in house.model.requests[-1] if isinstance(m, HumanMessage)]
    assert asked[0].text == "make it"
    assert asked[1].text.startswith("and now?\n")
    assert '["/a.txt"]' in asked[1].text
    await events_of(agent, "sure?")
    asked = [m for m in house.model.requests[-1] if isinstance(m, HumanMessage)]
    assert asked[2].text == "sure?"
    stored = await house.stores.messages.get_messages("s")
    assert [m.content for m in stored if m.role == "user"] == ["make it", "and now?", "sure?"]


async def test_only_reading_takes_no_snapshot(house: House):
    (house.workspace / "a.txt").write_text("x")
    agent = house.agent({"tool_calls": [call("read_file", file_path="/a.txt")]}, {"text": "done"})
    await events_of(agent)
    assert not (house.chosen.home / "shadows").exists()
