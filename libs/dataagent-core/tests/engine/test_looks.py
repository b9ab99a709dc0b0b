"""A line judged harmless runs where it cannot do harm: whatever it writes is dropped and asked."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.events import ToolCallEvent, ToolProgressEvent, ToolResultEvent
from dataagent_core.events.system import Mode
from dataagent_core.session import change_mode
from dataagent_core.session.stores.bundle import Stores

# Judged to look; the program behind it does more.
LINE = "python3 --version"
RULES = '[[rules]]\naction = "{}"\ntool = "shell"\nresource = "{}"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project whose Python leaves something behind."""
    prefix = tmp_path / ".pyenv" / "versions" / "3.11.7"
    (prefix / "lib" / "python3.11").mkdir(parents=True)
    (prefix / "lib" / "python3.11" / "os.py").touch()
    (prefix / "bin").mkdir()
    (prefix / "bin" / "python3").write_text("#!/bin/sh\necho evil > evil\necho Python 3.11.7\n")
    (prefix / "bin" / "python3").chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / ".pyenv"))
    folder = tmp_path / "work" / "project"
    folder.mkdir(parents=True)
    (folder / ".python-version").write_text("3.11.7\n")
    (folder / "a.txt").write_text("one\n")
    return folder


async def said(
    project: Path, person: Answering, *lines: str, mode: Mode = "ask", rules: str = "", **more: Any
) -> list[str]:
    home = project.parents[1] / "home"
    home.mkdir(exist_ok=True)
    (home / "permissions.toml").write_text(rules)
    stores = Stores.in_memory()
    await change_mode(stores.log, "s", mode, "ada")
    calls = ({"tool_calls": [{"name": "shell", "args": {"command": line}}]} for line in lines)
    agent = executor(
        scripted(*calls, {"text": "done"}),
        project,
        handler=person,
        stores=stores,
        chosen=settings(home=home),
        **more,
    )
    events = await events_of(agent)
    await agent.aclose()
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


@pytest.mark.parametrize("mode", ["ask", "plan", "auto"])
async def test_a_look_that_writes_nothing_is_not_asked_about_in_any_mode(project: Path, mode: Mode):
    person = Answering()
    assert await said(project, person, "cat a.txt; ls nowhere", mode=mode) == [
        "one\n[stderr]\nls: cannot access 'nowhere': No such file or directory\n(exit code 2)"
    ]
    assert person.asked == []


@pytest.mark.parametrize("mode", ["ask", "auto"])
async def test_a_look_that_writes_is_dropped_and_asked_about_by_what_it_wrote(
    project: Path, mode: Mode
):
    person = Answering({"type": "reject", "message": "no"})
    await said(project, person, LINE, mode=mode)
    assert "/evil" in person.asked[0].get("reason", "")
    assert not (project / "evil").exists()


async def test_a_person_may_let_it_write(project: Path):
    person = Answering({"type": "approve"})
    (answer,) = await said(project, person, LINE)
    assert answer.startswith("Python 3.11.7")
    assert len(person.asked) == 1
    assert (project / "evil").read_text() == "evil\n"


@pytest.mark.parametrize("rules", ["", RULES.format("allow", "python3 *")])
async def test_in_plan_mode_no_rule_lets_a_line_write(project: Path, rules: str):
    person = Answering()
    (answer,) = await said(project, person, LINE, mode="plan", rules=rules)
    assert "plan mode" in answer
    assert "/evil" in answer
    assert person.asked == []
    assert not (project / "evil").exists()


async def test_in_plan_mode_no_persons_yes_lets_a_line_write(project: Path):
    person = Answering({"type": "approve"})
    rules = RULES.format("ask", "python3 *")
    (answer,) = await said(project, person, LINE, mode="plan", rules=rules)
    assert len(person.asked) == 1
    assert "plan mode" in answer
    assert not (project / "evil").exists()


async def test_what_a_persons_rule_allows_writes(project: Path):
    person = Answering()
    (answer,) = await said(project, person, LINE, rules=RULES.format("allow", "python3 *"))
    assert (answer.splitlines()[0], person.asked) == ("Python 3.11.7", [])
    assert (project / "evil").exists()


async def test_a_yes_to_everything_lets_it_write(project: Path):
    await said(project, Answering(), LINE, auto_approve=True)
    assert (project / "evil").exists()


async def test_a_look_beside_what_a_rule_allows_is_asked_unless_it_is_certain(project: Path):
    rules = RULES.format("allow", "touch *")
    person = Answering({"type": "reject"})
    await said(project, person, f"touch x && {LINE}", rules=rules)
    assert "looks and acts in one line" in person.asked[0].get("reason", "")
    assert not (project / "x").exists()
    certain = Answering()
    await said(project, certain, "cd . && touch y && pwd | head -1", rules=rules)
    assert certain.asked == []
    assert (project / "y").exists()


async def test_without_a_sandbox_of_this_host_only_the_exact_list_passes_unasked(project: Path):
    factory = AgentFactory(settings(home=project.parents[1]), unsafe_host_shell=True)
    lines = ("cat a.txt", "date", "git log --oneline", "cat a.txt; sort a.txt")
    calls = ({"tool_calls": [{"name": "shell", "args": {"command": line}}]} for line in lines)
    person = Answering()
    agent = factory.create_executor(
        AgentConfig(
            assistant_id="tester",
            model=scripted(*calls, {"text": "done"}),
            workspace_path=project,
        ),
        person,
    )
    await events_of(agent)
    await agent.aclose()
    assert [asked["args"]["command"] for asked in person.asked] == [lines[0], *lines[2:]]


async def test_a_look_that_takes_long_is_announced_before_its_call(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.tools.shell.shell_look.LOOK_ANNOUNCED_AFTER_S", 0.01)
    line = "sleep 1;\n  cat a.txt"
    agent = executor(
        scripted({"tool_calls": [{"name": "shell", "args": {"command": line}}]}, {"text": "done"}),
        project,
    )
    told = [event for event in await events_of(agent) if event.event_type.startswith("tool_")]
    await agent.aclose()
    announced, called, answered = told
    assert isinstance(announced, ToolProgressEvent)
    assert isinstance(called, ToolCallEvent)
    assert announced.message == "sleep 1; cat a.txt"
    assert announced.tool_call_id == called.tool_call_id
    assert isinstance(answered, ToolResultEvent)
