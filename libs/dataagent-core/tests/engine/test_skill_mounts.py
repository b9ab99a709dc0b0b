"""The folders of skills for file tools, commands and Python: one path, read-only, real bubblewrap."""

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, scripted, settings

from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.skills import FixedSkills, SkillScope, SkillSet

SCRIPT = "/skills/{scope}/greeting/scripts/hello.py"
CODE = """\
import runpy
runpy.run_path({path!r})
try:
    open({path!r}, "a")
except OSError as error:
    print("refused:", error.strerror)
"""


def make_skill(folder: Path) -> None:
    scripts = folder / "greeting/scripts"
    scripts.mkdir(parents=True)
    (folder / "greeting/SKILL.md").write_text(
        "---\nname: greeting\ndescription: How to greet.\n---\nRun the script.\n"
    )
    (scripts / "hello.py").write_text("print('hello from', __file__)\n")


def call(tool: str, **arguments: object) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": arguments}]}


async def results(factory: AgentFactory, config: AgentConfig) -> list[str]:
    async with aclosing(factory.create_executor(config)) as agent:
        events = await events_of(agent)
    return [str(event.result) for event in events if event.event_type == "tool_result"]


def use_script(scope: str) -> list[dict[str, Any]]:
    path = SCRIPT.format(scope=scope)
    return [
        call("shell", command=f"python3 {path}; echo x >> {path}; ls -d /skills/*"),
        call("code_executor", code=CODE.format(path=path)),
        call("read_file", file_path=path),
        call("edit_file", file_path=path, old_string="hello", new_string="bye"),
        {"text": "done"},
    ]


def check(found: list[str], scope: str) -> None:
    path = SCRIPT.format(scope=scope)
    shell, code, read, edit = found
    for output in (shell, code):
        assert f"hello from {path}" in output
        assert "Read-only file system" in output
    assert "print('hello from'" in read
    assert "read-only" in edit


@pytest.mark.requirement("S2-D.6.6")
@pytest.mark.requirement("S2-D.5.1")
@pytest.mark.requirement("S2-D.5.2")
async def test_a_script_of_a_project_runs_at_the_path_that_was_told(tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    make_skill(workspace / ".dataagent/skills")
    find = [call("skill", search="how to greet"), call("skill", name="greeting")]
    config = AgentConfig(
        "tester",
        model=scripted(*find, *use_script("project")),
        workspace_path=workspace,
        auto_approve=True,
    )
    found, loaded, *used = await results(AgentFactory(settings(home=tmp_path / "home")), config)
    assert "- greeting: How to greet." in found
    assert f"- {SCRIPT.format(scope='project')} (" in loaded
    assert "Commands and Python find them at the same paths, read-only." in loaded
    check(used, "project")


async def test_a_script_of_a_tenant_runs_on_a_server_for_a_user_of_its_own(tmp_path: Path) -> None:
    make_skill(tmp_path / "sets/1")
    # Like the home of a server: commands of another user cannot walk through it.
    (tmp_path / "sets").chmod(0o700)
    source = FixedSkills(skill_set=SkillSet(), folders={SkillScope.TENANT: tmp_path / "sets/1"})
    manager = UserWorkspaceManager(tmp_path / "workspaces")
    config = AgentConfig(
        "tester",
        user_id="bob",
        model=scripted(*use_script("tenant")),
        workspace_manager=manager,
        skills=source,
        auto_approve=True,
    )
    check(await results(AgentFactory(settings(home=tmp_path / "home")), config), "tenant")


async def test_a_folder_that_is_missing_or_leads_out_of_the_project_is_not_shown(
    tmp_path: Path,
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/key").write_text("SECRET")
    workspace = tmp_path / "work"
    (workspace / ".dataagent").mkdir(parents=True)
    (workspace / ".dataagent/skills").symlink_to(tmp_path / "private")
    config = AgentConfig(
        "tester",
        model=scripted(
            call("shell", command="cat /skills/project/key; ls /skills"),
            call("read_file", file_path="/skills/project/key"),
            {"text": "done"},
        ),
        workspace_path=workspace,
        auto_approve=True,
    )
    found = await results(AgentFactory(settings(home=tmp_path / "home")), config)
    assert len(found) == 2
    assert not any("SECRET" in output for output in found)
