"""Agents of users: whose workspace they work in, and that its quota holds for all they do."""

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, scripted, settings
from vendor import Vendor

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.sandbox.workspaces import UserWorkspaceManager


def call(tool: str, **arguments: object) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": arguments}]}


def config(*steps: dict[str, Any], **values: Any) -> AgentConfig:
    model = scripted(*steps, {"text": "done"})
    return AgentConfig("tester", model=model, auto_approve=True, **values)


async def results(factory: AgentFactory, chosen: AgentConfig) -> list[str]:
    async with aclosing(factory.create_executor(chosen)) as agent:
        events = await events_of(agent)
    return [str(event.result) for event in events if event.event_type == "tool_result"]


@pytest.mark.parametrize("tenant_id", [None, "acme"])
def test_factory_and_manager_have_the_same_workspace(tmp_path: Path, tenant_id: str | None):
    factory = AgentFactory(settings(home=tmp_path))
    _, backend = factory.create_agent(config(tenant_id=tenant_id, user_id="bob"))
    assert backend.write("/outputs/a.txt", "hi").error is None
    manager = UserWorkspaceManager(tmp_path / "workspaces", tenant_id=tenant_id)
    workspace = manager.get_user_workspace("bob")
    assert workspace.parent == tmp_path / "workspaces"
    assert sorted(path.name for path in workspace.iterdir()) == ["files", "outputs", "uploads"]
    assert (workspace / "outputs/a.txt").read_text() == "hi"


def test_users_tenants_and_roots_have_workspaces_of_their_own(tmp_path: Path):
    factory = AgentFactory(settings(home=tmp_path))
    places: list[dict[str, Any]] = [
        {"user_id": "bob"},
        {"user_id": "ann"},
        {"tenant_id": "one", "user_id": "bob"},
        {"tenant_id": "two", "user_id": "bob"},
        {"user_id": "bob", "workspace_root": tmp_path / "elsewhere"},
    ]
    for number, place in enumerate(places):
        _, backend = factory.create_agent(config(**place))
        assert backend.read("/files/a.txt").error is not None
        assert backend.write("/files/a.txt", str(number)).error is None
    assert len(list(tmp_path.glob("workspaces/*/files/a.txt"))) == 4
    assert len(list(tmp_path.glob("elsewhere/*/files/a.txt"))) == 1


@pytest.mark.requirement("S0-53")
async def test_the_tools_of_an_agent_are_refused_beyond_the_quota(tmp_path: Path):
    factory = AgentFactory(settings(home=tmp_path, workspace_default_max_size_bytes=10))
    refused, made, grown, shown = await results(
        factory,
        config(
            call("write_file", file_path="/files/a.txt", content="x" * 1_000),
            call("write_file", file_path="/files/a.txt", content="x" * 10),
            call("edit_file", file_path="/files/a.txt", old_string="x" * 10, new_string="y" * 11),
            call("read_file", file_path="/files/a.txt"),
            user_id="bob",
        ),
    )
    assert "room for 10 bytes" in refused
    assert "Made /files/a.txt" in made
    assert "room for 0 bytes" in grown
    assert "x" * 10 in shown
    manager = UserWorkspaceManager(tmp_path / "workspaces")
    assert manager.get_workspace_usage("bob") == 10


async def test_commands_count_and_start_in_the_workspace(tmp_path: Path):
    manager = UserWorkspaceManager(tmp_path / "all", 2_000)
    _, refused = await results(
        AgentFactory(settings(home=tmp_path)),
        config(
            call("shell", command="head -c 1500 /dev/zero > outputs/zeros"),
            call("write_file", file_path="/files/a.txt", content="x" * 600),
            user_id="bob",
            workspace_manager=manager,
        ),
    )
    assert "room for 500 bytes" in refused
    assert manager.get_workspace_usage("bob") == 1_500


async def test_a_users_agent_on_a_machine_elsewhere_writes_there(tmp_path: Path):
    vendor = Vendor(tmp_path / "vendor")
    factory = AgentFactory(settings(home=tmp_path), open_machine=vendor.open_machine)
    steps = (
        call("write_file", file_path="/a.txt", content="far"),
        call("shell", command="cat a.txt"),
    )
    _, shown = await results(factory, config(*steps, user_id="bob", sandbox_type="modal"))
    assert "far" in shown
    assert UserWorkspaceManager(tmp_path / "workspaces").get_workspace_usage("bob") == 0
