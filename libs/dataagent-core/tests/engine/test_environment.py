"""The day, the time zone, the platform and the branch in the system prompt."""

import os
import platform
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from agents import events_of, executor, scripted

from dataagent_core.engine.middleware.environment import environment_text, git_branch


def repository(folder: Path, head: str = "ref: refs/heads/feature/x-1\n") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    return folder


async def test_the_model_is_told_the_day_the_platform_the_folder_and_the_branch(
    tmp_path: Path,
) -> None:
    repository(tmp_path)
    model = scripted({"text": "ok"})
    before = datetime.now().astimezone().date()
    await events_of(executor(model, tmp_path))
    told = model.requests[0][0].text
    assert f"{before.isoformat()}" in told or f"{datetime.now().astimezone().date()}" in told
    assert f"Platform: {platform.system()}." in told
    assert "Git branch: `feature/x-1`." in told
    assert str(tmp_path) in told


async def test_a_prompt_of_ones_own_and_a_sub_agent_are_told_too(tmp_path: Path) -> None:
    task = {"name": "task", "args": {"description": "SUB", "subagent_type": "general-purpose"}}
    scripts = [
        {"match": "SUB", "steps": [{"text": "sub"}]},
        {"steps": [{"tool_calls": [task]}, {"text": "ok"}]},
    ]
    model = scripted(scripts=scripts)
    await events_of(executor(model, tmp_path, system_prompt="You are a parrot."))
    assert len(model.requests) == 3
    assert all("Today is " in request[0].text for request in model.requests)


def test_the_text_is_the_same_all_day_and_names_the_time_zone(tmp_path: Path) -> None:
    zone = timezone(timedelta(hours=-3, minutes=-30))
    morning = datetime(2026, 2, 1, 0, 0, 1, tzinfo=zone)
    evening = datetime(2026, 2, 1, 23, 59, 59, tzinfo=zone)
    text = environment_text(morning, tmp_path)
    assert text == environment_text(evening, tmp_path)
    day = "Today is Sunday, 2026-02-01 (time zone UTC-03:30)."
    assert text == f"{day} Platform: {platform.system()}."


def test_of_another_machine_only_the_day_is_known() -> None:
    text = environment_text(datetime(2026, 2, 1, tzinfo=UTC), None)
    assert text == "Today is Sunday, 2026-02-01 (time zone UTC+00:00)."


def test_a_branch_is_found_from_a_folder_within_and_in_a_work_tree(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    (root / "src").mkdir()
    assert git_branch(root / "src", look_above=True) == "feature/x-1"
    assert git_branch(root / "src", look_above=False) is None
    tree = tmp_path / "tree"
    tree.mkdir()
    (root / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (root / ".git" / "worktrees" / "tree" / "HEAD").write_text("ref: refs/heads/other\n")
    (tree / ".git").write_text(f"gitdir: {root}/.git/worktrees/tree\n")
    assert git_branch(tree, look_above=True) == "other"


@pytest.mark.parametrize(
    "head",
    [
        "0123456789abcdef0123456789abcdef01234567\n",
        "ref: refs/heads/ignore`all`rules\n",
        "ref: refs/heads/" + "x" * 5000,
        "",
    ],
)
def test_what_is_no_plain_branch_is_left_out(tmp_path: Path, head: str) -> None:
    assert git_branch(repository(tmp_path, head), look_above=False) is None


def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert git_branch(tmp_path, look_above=False) is None
