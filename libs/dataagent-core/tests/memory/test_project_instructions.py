"""What a project says to agents: which files are read, and which links are not followed."""

from pathlib import Path

import pytest
from agents import events_of, executor, scripted


async def told(workspace: Path) -> str:
    model = scripted({"text": "ok"})
    await events_of(executor(model, workspace))
    return model.requests[0][0].text


@pytest.mark.requirement("F8-6-instructions")
async def test_agents_md_and_agent_md_of_the_project_reach_the_model_in_order(tmp_path: Path):
    (tmp_path / ".dataagent").mkdir()
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "agent.md").write_text("Name tests in full sentences.")
    (tmp_path / ".dataagent" / "agent.md").write_text("Prices are net.")
    system = await told(tmp_path)
    places = [system.index(part) for part in ("Use tabs.", "Name tests", "Prices are net.")]
    assert places == sorted(places)
    assert "## /.dataagent/agent.md" in system


async def test_claude_md_is_read_where_there_is_no_agents_md(tmp_path: Path):
    (tmp_path / "CLAUDE.md").write_text("Use spaces.")
    (tmp_path / "agent.md").write_text("Prices are net.")
    system = await told(tmp_path)
    assert "## /CLAUDE.md\n\nUse spaces." in system
    assert "Prices are net." in system
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    system = await told(tmp_path)
    assert "Use tabs." in system
    assert "Use spaces." not in system


async def test_one_file_under_two_names_is_read_once(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "agent.md").symlink_to("AGENTS.md")
    assert (await told(tmp_path)).count("Use tabs.") == 1


async def test_a_link_to_itself_or_out_of_the_project_stops_no_run(tmp_path: Path):
    workspace = tmp_path / "work"
    workspace.mkdir()
    (tmp_path / "secret.txt").write_text("TOP SECRET")
    (workspace / "AGENTS.md").symlink_to("AGENTS.md")
    (workspace / "agent.md").symlink_to(tmp_path / "secret.txt")
    (workspace / ".dataagent").symlink_to(tmp_path)
    assert "TOP SECRET" not in await told(workspace)
