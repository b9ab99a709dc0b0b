"""An agent's commands and code leave nothing behind that programs of the host obey."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from repositories import git, repository

from dataagent_core.events import ToolResultEvent
from dataagent_core.sandbox.host_guard.held_changes import HeldChangeStore


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


async def results(home: Path, workspace: Path, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    script = ({"tool_calls": [{"name": name, "args": args}]} for name, args in calls)
    agent = executor(
        scripted(*script, {"text": "done"}),
        workspace,
        handler=Answering(),
        chosen=settings(home=home),
    )
    events = await events_of(agent)
    await agent.aclose()
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


LATER = """
import threading, time, os
def plant():
    time.sleep(0.05)
    os.makedirs("sub/.git/hooks", exist_ok=True)
    open("sub/.git/HEAD", "w").write("ref: refs/heads/main")
    open("sub/.git/hooks/post-checkout", "w").write("evil")
    open("deep.bashrc", "w").write("planted")
threading.Thread(target=plant).start()
open(".envrc", "w").write("evil now")
"""


async def test_commands_and_code_are_held_back_and_shown(home: Path, tmp_path: Path):
    workspace = repository(tmp_path / "p")
    (workspace / ".npmrc").write_text("registry=https://mine\n")
    answers = await results(
        home,
        workspace,
        ("shell", {"command": "echo registry=https://evil > .npmrc; git init -q sub2; echo ok"}),
        ("shell", {"command": "git -C sub2 config core.fsmonitor ./x; echo ../x > .git/commondir"}),
        ("code_executor", {"code": LATER}),
        ("code_executor", {"code": "while not os.path.exists('deep.bashrc'): time.sleep(0.01)"}),
    )
    assert "held back" in answers[0]
    assert "registry=https://evil" in answers[0]
    assert (workspace / ".npmrc").read_text() == "registry=https://mine\n"
    assert "/sub2/.git/config" in answers[1]
    assert "'/.git/commondir' was created by the command and renamed" in answers[1]
    assert "evil now" in answers[2]
    assert not (workspace / ".envrc").exists()
    # What a thread does later is seen in the piece in which it does it.
    assert "/sub/.git/hooks/post-checkout" in answers[3]
    assert not (workspace / "sub/.git/hooks/post-checkout").exists()
    held = [change.path for change in HeldChangeStore(home, workspace).all()]
    assert held == ["/.npmrc", "/sub2/.git/config", "/.envrc", "/sub/.git/hooks/post-checkout"]
    git(workspace, "status")


PLANTED = [".bashrc", ".mcp.json", ".git/hooks/post-checkout", ".dataagent/permissions.toml"]
PLANTING = f"""
import threading, time, os
def plant():
    time.sleep(0.05)
    for path in {PLANTED}:
        for place in (path, "sub/" + path):
            try:
                os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
                open(place, "w").write("planted")
            except OSError:
                pass  # some cannot be written at all
    open("planted", "w").close()
threading.Thread(target=plant).start()
"""


async def test_what_a_thread_of_code_plants_later_does_not_stay(home: Path, tmp_path: Path):
    workspace = repository(tmp_path / "p")
    waiting = "while not os.path.exists('planted'): time.sleep(0.01)"
    answers = await results(
        home, workspace, ("code_executor", {"code": PLANTING}), ("code_executor", {"code": waiting})
    )
    said = "\n".join(answers)
    assert (workspace / "planted").exists()
    for path in PLANTED:
        assert not (workspace / path).exists(), path
    assert "'/.dataagent' was created by the command and renamed" in said
    for path in PLANTED[:2]:
        assert not (workspace / "sub" / path).exists(), path
        assert f"/sub/{path}" in said


SETTING = "printf '[core]\\n\\tfsmonitor = %s\\n' $PWD/x.sh"
COMMONDIR = f"cp -r .git evil && {SETTING} >> evil/config && echo ../evil > .git/commondir"
NESTED = f"git init -q sub; {SETTING} >> sub/.git/config"
ADDED = f"git init -q sub; git -C sub commit -qm x --allow-empty; git add sub; {NESTED}"
BARE = (
    f"git init -q --bare docs; sed -i s/true/false/ docs/config; {SETTING} >> docs/config; "
    "printf '\\tworktree = ..\\n' >> docs/config"
)


# How a later `git status` of the person was made to run a program, and in which folder.
@pytest.mark.parametrize(
    ("planting", "folder"),
    [(COMMONDIR, "."), (NESTED, "sub"), (ADDED, "."), (BARE, "docs")],
    ids=["commondir", "nested", "added", "bare"],
)
async def test_what_was_planted_in_a_repository_does_not_run_on_the_host(
    home: Path, tmp_path: Path, planting: str, folder: str
):
    planted, honest = (repository(tmp_path / place) for place in ("by-hand", "by-agent"))
    for workspace in (planted, honest):
        program(workspace)
        git(workspace, "config", "user.name", "Ann")
        git(workspace, "config", "user.email", "ann@example.org")

    def ran(workspace: Path) -> bool:
        plain = {"PATH": os.environ["PATH"], "HOME": str(home)}
        status = ["git", "-C", str(workspace / folder), "status"]
        subprocess.run(status, check=False, capture_output=True, env=plain)
        return any(tmp_path.rglob("ran-*"))

    def plant_on_the_host(workspace: Path) -> None:
        subprocess.run(["sh", "-c", planting], cwd=workspace, check=True, capture_output=True)

    await results(home, honest, ("shell", {"command": planting}))
    assert not ran(honest)
    # Where nobody looks at what was written it does run: the test can fail.
    plant_on_the_host(planted)
    assert ran(planted)


def program(workspace: Path) -> str:
    """Make a program that leaves a file behind."""
    script = workspace / "x.sh"
    script.write_text("#!/bin/sh\ntouch ran-$1\ncat\n")
    script.chmod(0o755)
    return "./x.sh"


async def test_git_in_the_sandbox_starts_no_monitor_pager_diff_and_finds_no_bare_repository(
    home: Path, tmp_path: Path
):
    workspace = repository(tmp_path / "p")
    for key in ("core.fsmonitor", "core.pager", "diff.external", "diff.d.command"):
        git(workspace, "config", key, program(workspace))
    git(workspace, "init", "-q", "--bare", "docs-cache")
    (workspace / "README").write_text("changed\n")
    (workspace / ".gitattributes").write_text("README diff=d\n")
    answers = await results(
        home,
        workspace,
        ("shell", {"command": "git status --short; git --paginate log | head -1; git diff; true"}),
        ("shell", {"command": "touch new; git status --short; git --paginate diff"}),
        ("shell", {"command": "git -C docs-cache branch"}),
    )
    assert not list(workspace.glob("ran-*"))
    assert "commit" in answers[0]
    assert all("+changed" in answer for answer in answers[:2])
    assert "cannot use bare repository" in answers[2]


async def test_hooks_and_filters_of_the_person_run_in_approved_commands_only(
    home: Path, tmp_path: Path
):
    workspace = repository(tmp_path / "p")
    git(workspace, "config", "filter.f.clean", f"{program(workspace)} filter")
    hook = workspace / ".git/hooks/post-index-change"
    hook.write_text("#!/bin/sh\ntouch ran-hook\n")
    hook.chmod(0o755)
    (workspace / ".gitattributes").write_text("README filter=f\n")
    (workspace / "README").write_text("changed\n")
    (looked,) = await results(home, workspace, ("shell", {"command": "git status --short"}))
    assert "README" in looked
    assert not list(workspace.glob("ran-*"))
    await results(home, workspace, ("shell", {"command": "git add README"}))
    assert {path.name for path in workspace.glob("ran-*")} == {"ran-hook", "ran-filter"}
