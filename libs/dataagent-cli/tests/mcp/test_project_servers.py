"""A project's `.mcp.json`: each of its servers is asked about before its first start."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataagent_cli.mcp.config.servers import servers_of
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.wiring import App
from dataagent_core.config import Settings

Command = Callable[..., tuple[int, str, str]]
LIBS = Path(__file__).parents[3]
SMALL = str(LIBS / "dataagent-core" / "tests" / "support" / "mcp_small_server.py")


def bring(workspace: Path, *arguments: str, **more: Any) -> None:
    entry = {"command": sys.executable, "args": [SMALL, *arguments], **more}
    (workspace / ".mcp.json").write_text(json.dumps({"mcpServers": {"theirs": entry}}))


@pytest.fixture
def project(workspace: Path, environment: dict[str, str], tmp_path: Path) -> Path:
    environment["HOME"] = str(tmp_path / "person")
    bring(workspace)
    return workspace


def state(command: Command) -> str:
    (listed,) = json.loads(command("mcp", "list", "--json")[1])
    return listed["state"]


def test_the_person_sees_the_entry_and_their_answer_counts_until_it_changes(
    start: Any, project: Path, command: Command
):
    bring(project, "\x1b[2J\u202e", env={"A": "${ANTHROPIC_API_KEY:-}"})
    with start("mcp", "call", "theirs", "echo", '{"text": "hello"}') as screen:
        shown = screen.until(r"\[y/n\] ").string
        assert "this project brings the MCP server 'theirs'" in shown
        assert "mcp_small_server.py" in shown.replace("\r\n│ ", "")
        assert "it would be given your variables: ANTHROPIC_API_KEY" in shown
        assert "\x1b[2J" not in shown
        assert "\u202e" not in shown
        screen.type("what?\n")
        screen.until(r"\[y/n\] ")
        screen.type("y\n")
        screen.until("hello")
        assert screen.exit_code() == 0
    assert command("mcp", "call", "theirs", "echo", '{"text": "x"}')[1] == "x\n"
    bring(project, "--name", "another")
    assert state(command) == "asks"


def test_no_is_remembered_and_the_end_of_input_is_no_answer(
    start: Any, project: Path, command: Command
):
    assert project.is_dir()
    with start("mcp", "test", "theirs") as screen:
        screen.until(r"\[y/n\] ")
        screen.type("\x04")
        assert screen.exit_code() == 3
    assert state(command) == "asks"
    with start("mcp", "test", "theirs") as screen:
        screen.until(r"\[y/n\] ")
        screen.type("n\n")
        assert screen.exit_code() == 3
    assert state(command) == "refused"


def test_without_a_terminal_it_is_not_started_and_trust_allows_it(command: Command, project: Path):
    code, _, told = command("mcp", "test", "theirs")
    assert code == 3
    assert "mcp trust theirs" in told
    assert command("mcp", "trust", "theirs")[0] == 0
    assert state(command) == "enabled"
    assert command("mcp", "test", "theirs")[0] == 0
    told = json.loads(command("mcp", "trust", "theirs", "--no", "--json")[1])
    assert told == {"name": "theirs", "file": str(project / ".mcp.json"), "trusted": False}
    assert state(command) == "refused"


def test_trust_is_the_folders_and_not_the_names(command: Command, project: Path, tmp_path: Path):
    command("mcp", "trust", "theirs")
    other = tmp_path / "other"
    other.mkdir()
    (other / ".mcp.json").write_text((project / ".mcp.json").read_text())
    assert command("mcp", "test", "theirs", "--workspace", str(other))[0] == 3


def test_trust_is_for_what_a_project_brings(command: Command, project: Path):
    command("mcp", "add", "mine", "--", "sh")
    code, _, told = command("mcp", "trust", "mine")
    assert code == 2
    assert "your own" in told
    assert project.is_dir()


def test_damaged_answers_allow_nothing(
    command: Command, project: Path, environment: dict[str, str]
):
    command("mcp", "trust", "theirs")
    answers = Path(environment["DATAAGENT_HOME"]) / "trusted_mcp.json"
    for damage in ("[]", "{", json.dumps({str(project): {"theirs": "allowed"}})):
        answers.write_text(damage)
        assert command("mcp", "test", "theirs")[0] != 0


def test_an_agent_gets_the_servers_the_person_wants(
    project: Path,
    command: Command,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("HOME", environment["HOME"])
    command("mcp", "add", "mine", "--", "sh")
    command("mcp", "add", "off", "--disabled", "--", "sh")
    settings = Settings.load(environment, project)
    app = App(settings, Messages("en"), Output.of_process())

    def names() -> list[str]:
        return [server.name for server in asyncio.run(servers_of(app, project)).servers]

    assert names() == ["mine", "off"]
    assert "'theirs' is left out until you allow it" in capfd.readouterr().err
    command("mcp", "trust", "theirs")
    assert names() == ["mine", "off", "theirs"]
    command("mcp", "trust", "theirs", "--no")
    assert names() == ["mine", "off"]
    assert capfd.readouterr().err == ""
