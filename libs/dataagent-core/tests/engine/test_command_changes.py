"""What commands change reaches the log with their result, and the file tools notice it."""

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings, types

from dataagent_core.events import FileOperationEvent, ToolResultEvent, WarningEvent


def shell(command: str, **args: Any) -> dict[str, Any]:
    return {"name": "shell", "args": {"command": command, **args}}


def operations(events: list[Any]) -> list[tuple[str, str]]:
    found = [event for event in events if isinstance(event, FileOperationEvent)]
    return [(event.operation, event.file_path) for event in found]


def results(events: list[Any]) -> list[ToolResultEvent]:
    return [event for event in events if isinstance(event, ToolResultEvent)]


@pytest.mark.requirement("S0-15")
async def test_property_15_a_commands_changes_follow_its_result(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("one\ntwo\n")
    model = scripted(
        {"tool_calls": [shell("sed -i s/two/three/ old.txt; echo x > new.txt")]},
        {"tool_calls": [shell("rm new.txt; exit 3")]},
        {"tool_calls": [shell("true")]},
        {"text": "ok"},
    )
    events = await events_of(executor(model, tmp_path, handler=Answering()))
    assert operations(events) == [
        ("write", "/new.txt"),
        ("edit", "/old.txt"),
        ("delete", "/new.txt"),
    ]
    kinds = types(events)
    assert kinds[kinds.index("tool_result") :][:3] == ["tool_result", *["file_operation"] * 2]
    edited = next(e for e in events if getattr(e, "file_path", "") == "/old.txt")
    assert edited.diff == "--- a/old.txt\n+++ b/old.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three"
    assert (edited.metrics["lines_added"], edited.metrics["lines_removed"]) == (1, 1)


async def test_a_file_a_command_changed_must_be_read_again_before_it_is_edited(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    read = {"name": "read_file", "args": {"file_path": "/a.txt"}}
    edit = {
        "name": "edit_file",
        "args": {"file_path": "/a.txt", "old_string": "one", "new_string": "two"},
    }
    model = scripted(
        {"tool_calls": [read]},
        {"tool_calls": [shell("echo more >> a.txt")]},
        {"tool_calls": [edit]},
        {"tool_calls": [read]},
        {"tool_calls": [edit]},
        {"text": "ok"},
    )
    events = await events_of(executor(model, tmp_path, handler=Answering()))
    refused, done = (r for r in results(events) if r.tool_name == "edit_file")
    assert "changed since it was read" in str(refused.result)
    assert done.status == "success"
    assert (tmp_path / "a.txt").read_text() == "two\nmore\n"


async def test_a_file_tool_beside_a_command_reports_its_own_change_once(tmp_path: Path) -> None:
    write = {"name": "write_file", "args": {"file_path": "/tool.txt", "content": "x"}}
    slow = shell("until [ -e tool.txt ]; do sleep 0.05; done; sleep 0.5; echo x > command.txt")
    model = scripted({"tool_calls": [slow, write]}, {"text": "ok"})
    events = await events_of(executor(model, tmp_path, handler=Answering()))
    assert sorted(operations(events)) == [("write", "/command.txt"), ("write", "/tool.txt")]


@pytest.mark.requirement("F3-3")
async def test_a_command_that_took_too_long_reports_what_it_did(tmp_path: Path) -> None:
    model = scripted(
        {"tool_calls": [shell("echo x > a.txt; sleep 60", timeout_s=0.5)]}, {"text": "ok"}
    )
    events = await events_of(executor(model, tmp_path, handler=Answering()))
    assert operations(events) == [("write", "/a.txt")]


async def test_a_cancelled_command_reports_nothing(tmp_path: Path) -> None:
    agent = executor(
        scripted({"tool_calls": [shell("echo x > a.txt; sleep 60")]}), tmp_path, handler=Answering()
    )
    token = asyncio.Event()

    async def cancel_when_begun() -> None:
        while not (tmp_path / "a.txt").exists():  # noqa: ASYNC110 (nothing else tells)
            await asyncio.sleep(0.02)
        token.set()

    cancelling = asyncio.create_task(cancel_when_begun())
    events: list[Any] = [event async for event in agent.execute("go", "s", None, token)]
    await cancelling
    assert events[-1].reason == "user_cancelled"
    assert operations(events) == []


@pytest.mark.requirement("F3-3")
async def test_a_shadow_that_cannot_be_kept_is_a_warning_and_the_command_runs(
    tmp_path: Path,
) -> None:
    home, workspace = tmp_path / "home", tmp_path / "workspace"
    home.mkdir()
    workspace.mkdir()
    (home / "shadows").touch()
    model = scripted(
        {"tool_calls": [shell("echo x > a.txt")]}, {"tool_calls": [shell("true")]}, {"text": "ok"}
    )
    agent = executor(model, workspace, handler=Answering(), chosen=settings(home=home))
    events = await events_of(agent)
    assert [result.status for result in results(events)] == ["success", "success"]
    [warning] = [event for event in events if isinstance(event, WarningEvent)]
    assert warning.code == "FILE_CHANGES_UNSEEN"
    assert (workspace / "a.txt").exists()


async def test_the_shadow_is_private_and_outside_the_workspace(tmp_path: Path) -> None:
    home, workspace = tmp_path / "home", tmp_path / "workspace"
    home.mkdir()
    workspace.mkdir()
    model = scripted({"tool_calls": [shell("echo x > a.txt")]}, {"text": "ok"})
    await events_of(executor(model, workspace, handler=Answering(), chosen=settings(home=home)))
    assert [path.name for path in workspace.iterdir()] == ["a.txt"]
    for path in ((home / "shadows"), *(home / "shadows").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


async def test_what_code_made_is_listed_with_its_result(tmp_path: Path) -> None:
    code = "open('table.csv', 'w').write('a,b\\n')"
    model = scripted(
        {"tool_calls": [{"name": "code_executor", "args": {"code": code}}]}, {"text": "ok"}
    )
    events = await events_of(executor(model, tmp_path, handler=Answering()))
    [artifact] = results(events)[0].artifacts
    assert {**artifact, "id": ""} == {
        "id": "",
        "media_type": "text/csv",
        "name": "table.csv",
        "path": "/table.csv",
        "bytes": 4,
    }
    assert artifact["id"]
    assert operations(events) == [("write", "/table.csv")]
