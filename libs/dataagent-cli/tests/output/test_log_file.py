"""Log records of libraries go to a file, not between the lines of a terminal."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

OpenTerminal = Callable[..., Any]
READY = r"openai:scripted"


def test_a_server_that_fails_is_told_in_our_words_and_logged_to_a_file(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    home = Path(environment["DATAAGENT_HOME"])
    folder = home / "agents" / "default"
    folder.mkdir(parents=True)
    broken = {"mcpServers": {"broken": {"command": "/bin/false"}}}
    (folder / "mcp.json").write_text(json.dumps(broken))
    with scripts(hello=[{"text": "Hello there."}]), open_terminal(columns=120) as terminal:
        terminal.until(READY)
        terminal.enter("hello")
        shown = terminal.until(r"Hello there\.[\s\S]*done ·", everywhere=True)
    assert "Owner(" not in shown
    assert "broken" in shown
    log = home / "dataagent.log"
    # Core's log records during the conversation.
    assert "MCP server 'broken' of Owner(" in log.read_text(encoding="utf-8")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_command_without_a_terminal_keeps_its_stderr_for_its_own_lines(
    command: Callable[..., tuple[int, str, str]], environment: dict[str, str]
):
    import logging

    assert command("config", "show")[0] == 0
    logging.getLogger("somebody.else").warning("a library's words")
    code, _, told = command("config", "show")
    assert code == 0
    assert "a library's words" not in told
    log = Path(environment["DATAAGENT_HOME"]) / "dataagent.log"
    assert "a library's words" in log.read_text(encoding="utf-8")
