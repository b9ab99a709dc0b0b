"""DataAgent's own folder is closed to every tool, wherever it lies in a workspace."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings

from dataagent_core.config.paths import own_paths
from dataagent_core.engine import AgentConfig
from dataagent_core.engine.assembly.sandboxes import Sandboxes
from dataagent_core.errors import DeniedError, DirectoryError
from dataagent_core.events import ToolResultEvent
from dataagent_core.memory import memory_files, read_memory
from dataagent_core.sandbox.files.safe_root import SafeRoot

KEY = "sk-own-key-4711"


@pytest.fixture(params=[".dataagent", "deep/er/state"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Make a workspace that holds DataAgent's folder, as a person's home folder does."""
    folder = tmp_path / "person" / request.param
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'openai_api_key = "{KEY}"\n')
    (tmp_path / "person" / "notes.txt").write_text("hello\n")
    (tmp_path / "person" / "way").symlink_to(request.param)
    return folder


async def results(own: Path, workspace: Path, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    script = ({"tool_calls": [{"name": name, "args": args}]} for name, args in calls)
    agent = executor(
        scripted(*script, {"text": "done"}),
        workspace,
        handler=Answering(),
        chosen=settings(home=own),
    )
    events = await events_of(agent)
    await agent.aclose()
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


async def test_no_tool_shows_what_is_in_it_and_the_shell_works(own: Path, tmp_path: Path):
    workspace = tmp_path / "person"
    inside = own.relative_to(workspace)
    code = f"from pathlib import Path\nprint([p.read_text() for p in Path('{inside}').iterdir()])"
    answers = await results(
        own,
        workspace,
        ("read_file", {"file_path": f"/{inside}/config.toml"}),
        ("read_file", {"file_path": "/way/config.toml"}),
        ("ls", {"path": f"/{inside}"}),
        ("glob", {"pattern": "**/config.toml"}),
        ("grep", {"pattern": "sk-own"}),
        ("write_file", {"file_path": f"/{inside}/new.toml", "content": "x"}),
        ("shell", {"command": f"cat {inside}/config.toml way/config.toml; ls -a {inside}"}),
        ("shell", {"command": f"mv {inside.parts[0]} other; cat other/*.toml other/*/*/*.toml"}),
        ("shell", {"command": f"touch {inside}/permissions.toml"}),
        ("shell", {"command": "cat notes.txt; echo made > made.txt"}),
        ("code_executor", {"code": code}),
    )
    assert all(KEY not in answer for answer in answers), answers
    for refused in (*answers[:3], answers[5]):
        assert "DataAgent keeps its own settings" in refused or "protected" in refused
    assert "No file under" in answers[3]
    assert "hello" in answers[9]
    assert "PermissionError" in answers[10]
    assert (workspace / "made.txt").read_text() == "made\n"
    assert sorted(path.name for path in own.glob("*.toml")) == ["config.toml"]
    assert (own / "config.toml").read_text().count(KEY) == 1


def test_instructions_of_the_project_do_not_lead_into_it(own: Path, tmp_path: Path):
    workspace = tmp_path / "person"
    (workspace / "AGENTS.md").symlink_to("way/config.toml")
    (workspace / "agent.md").write_text("be kind\n")
    text = read_memory(memory_files(tmp_path / "agent", workspace, (own,)))
    assert KEY not in text
    assert "be kind" in text


def test_files_that_settings_put_elsewhere_are_closed_too(tmp_path: Path):
    workspace = tmp_path / "project"
    workspace.mkdir()
    (workspace / "log.db").write_text("log")
    (workspace / "my.key").write_text("key")
    chosen = settings(
        home=tmp_path / "home",
        database_url=f"sqlite:///{workspace}/log.db",
        secret_key_file=workspace / "my.key",
    )
    root = SafeRoot(workspace, links="beneath", closed=own_paths(chosen))
    for name in ("/log.db", "/my.key", "/./log.db"):
        with pytest.raises(DeniedError, match="DataAgent keeps its own"):
            root.read_bytes(name)
    # A journal that is not there yet would be played back into the log.
    with pytest.raises(DeniedError, match="DataAgent keeps its own"):
        root.write_atomic("/log.db-journal", b"x")
    assert root.walk("/", lambda _parts, _kind: True).files == ()


def test_a_folder_that_is_made_later_is_closed(tmp_path: Path):
    root = SafeRoot(tmp_path, links="beneath", closed=[tmp_path / "later"])
    (tmp_path / "later").mkdir()
    (tmp_path / "later/config.toml").write_text(KEY)
    (tmp_path / "link").symlink_to("later")
    for path in ("/later/config.toml", "/link/config.toml"):
        with pytest.raises(DeniedError):
            root.read_bytes(path)


def test_it_cannot_be_the_workspace_itself(tmp_path: Path):
    config = AgentConfig(assistant_id="tester", workspace_path=tmp_path)
    with pytest.raises(DirectoryError, match="Start in the folder of a project"):
        Sandboxes(settings(home=tmp_path)).make_pair(config, tmp_path)
