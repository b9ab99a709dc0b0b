"""Agents in a workspace with a quota: their tools, their commands, their Python, for real."""

import os
import tempfile
from collections.abc import Generator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from workspace_installation import WorkspaceInstallation, make_world

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.agent_workspace import open_for_agent
from dataagent_server.workspaces.owners import UidRange
from dataagent_server.workspaces.workspace import StorageAmount
from tests.services.reachable import use_reachable_bwrap

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite"])


def call(tool: str, **arguments: object) -> dict[str, object]:
    return {"tool_calls": [{"name": tool, "args": arguments}]}


async def outcome(spaces: WorkspaceInstallation, person: Principal, *steps: Any) -> list[str]:
    opened = await open_for_agent(spaces.store, person.tenant_id, person.user_id)
    agent = executor(
        scripted(*steps, {"text": "done"}),
        opened.path,
        auto_approve=True,
        user_id=person.user_id,
        workspace_manager=opened.manager,
    )
    async with aclosing(agent):
        events = await events_of(agent)
    return [event.result for event in events if event.event_type == "tool_result"]


async def test_the_file_tools_count_and_are_refused(spaces: WorkspaceInstallation):
    small = spaces.with_maximum(100, 3)
    ann = await small.person()
    results = await outcome(
        small, ann,
        call("write_file", file_path="/outputs/a.txt", content="x" * 60),
        call("write_file", file_path="/outputs/b.txt", content="x" * 60),
        call("edit_file", file_path="/outputs/a.txt", old_string="x" * 60, new_string="y" * 90),
        call("delete_file", file_path="/outputs/a.txt"),
        call("write_file", file_path="/outputs/b.txt", content="x" * 60),
    )  # fmt: skip
    made = await small.service.default(ann)
    assert "room for 40 bytes" in results[1]
    assert "room for" not in "".join((results[0], *results[2:]))
    assert (await small.counted(made)).amount == small.on_disk(made) == StorageAmount(60, 1)


async def test_commands_are_counted_after_they_ran_and_stopped_when_they_write_too_much(
    spaces: WorkspaceInstallation,
):
    small = spaces.with_maximum(50_000_000, 100)
    ann = await small.person()
    results = await outcome(
        small, ann,
        call("shell", command="pwd; ls; head -c 1000 /dev/zero > outputs/small"),
        call("shell", command="while :; do head -c 20000000 /dev/zero >> outputs/big; sync; done"),
        call("write_file", file_path="/outputs/c.txt", content="more"),
        call("shell", command="rm outputs/big"),
        call("write_file", file_path="/outputs/c.txt", content="more"),
    )  # fmt: skip
    made = await small.service.default(ann)
    assert {"/workspace", "files", "outputs", "uploads"} <= set(results[0].split("\n"))
    assert "it wrote too much to disk" in results[1]
    assert "room for 0 bytes" in results[2]
    assert "Made /outputs/c.txt" in results[4]
    assert (await small.counted(made)).amount == small.on_disk(made) == StorageAmount(1_004, 2)


async def test_a_command_that_makes_too_many_files_is_stopped(spaces: WorkspaceInstallation):
    small = spaces.with_maximum(1 << 30, 500)
    ann = await small.person()
    (result,) = await outcome(
        small,
        ann,
        call("shell", command="i=0; while :; do : > outputs/f$i; i=$((i+1)); done", timeout_s=60),
    )
    assert "it wrote too much to disk" in result
    assert (await small.counted(await small.service.default(ann))).amount.files > 500


async def test_python_is_counted_after_each_piece(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    await outcome(
        spaces, ann, call("code_executor", code="open('outputs/p.bin', 'wb').write(b'x' * 777)")
    )
    made = await spaces.service.default(ann)
    assert (await spaces.counted(made)).amount == StorageAmount(777, 1)


async def test_a_link_an_agent_made_leads_nowhere(spaces: WorkspaceInstallation):
    ann = await spaces.person()
    results = await outcome(
        spaces, ann,
        call("shell", command="ln -s files/real outputs/link; echo hi > files/real"),
        call("read_file", file_path="/outputs/link"),
    )  # fmt: skip
    assert "link that may not be followed" in results[1]


@pytest.fixture
def passable(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder others may pass through; pytest closes its own to everybody else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        use_reachable_bwrap(monkeypatch, folder)
        yield folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
async def test_a_tenant_has_a_user_number_of_its_own(database: Database, passable: Path):
    spaces = make_world(database, passable, UidRange(71_000, 71_001))
    ann, bob = await spaces.person(), await spaces.person()
    assert [await spaces.store.owner(one.tenant_id) for one in (ann, bob, ann)] == [
        71_000, 71_001, 71_000,
    ]  # fmt: skip
    opened = await open_for_agent(spaces.store, ann.tenant_id, ann.user_id)
    made = await spaces.service.default(ann)
    await spaces.put(ann, made, "/uploads/new/in.txt", b"data")
    await spaces.files.make_folder(ann, made.workspace_id, "/files/folder")
    _, backend = AgentFactory(settings()).create_agent(
        AgentConfig(
            assistant_id="tester", model=scripted({"text": "x"}), user_id=ann.user_id,
            workspace_manager=opened.manager,
        )
    )  # fmt: skip
    assert (await backend.awrite("/outputs/mine/own.txt", "text")).error is None
    sandbox = await BwrapSandbox.open(
        opened.path, run_as=opened.run_as, quota=opened.open_root().quota, scratch=passable
    )
    done = await sandbox.run(
        "id -u; echo more >> uploads/new/in.txt && echo x >> outputs/mine/own.txt && touch files/folder/t"
    )
    await sandbox.aclose()
    assert (done.exit_code, done.stdout.data) == (0, b"71000\n"), done.stderr.data
    owners = {path.lstat().st_uid for path in opened.path.rglob("*")}
    assert owners | {opened.path.stat().st_uid} == {71_000}
    assert (await spaces.counted(made)).amount == spaces.on_disk(made)
