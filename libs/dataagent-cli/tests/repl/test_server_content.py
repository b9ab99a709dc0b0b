"""Resources and prompts of an MCP server in a real terminal, from a real program in its sandbox."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Talk = Callable[..., Any]
Command = Callable[..., tuple[int, str, str]]

SMALL = str(
    Path(__file__).parents[3] / "dataagent-core" / "tests" / "support" / "mcp_small_server.py"
)
READY = r"Shift-Tab"
ANY = [{"text": "Taken."}]
WAIT = r"Taken\.[\s\S]*done ·"


@pytest.fixture(autouse=True)
def small(command: Command, environment: dict[str, str], tmp_path: Path) -> None:
    environment["HOME"] = str(tmp_path / "person")
    words = ["--", sys.executable, SMALL, "--content"]
    assert command("mcp", "add", "small", *words)[0] == 0


def asked(served: Any) -> str:
    """Give the last message the model was sent."""
    return str(served.requests[-1].body["messages"][-1]["content"])


def began(terminal: Any) -> None:
    """Wait until the session is open: before, nobody knows its servers."""
    terminal.until(READY)
    terminal.enter("/tools")
    terminal.until("mcp__local_small__echo", everywhere=True)


def test_a_resource_is_completed_and_attached(talk: Talk, scripts: Any):
    with scripts(**{".": ANY}) as served, talk(columns=100, rows=50) as terminal:
        began(terminal)
        terminal.type("sum @sma")
        terminal.until("MCP server")
        terminal.keys("Tab")
        terminal.until("sum @small:")
        terminal.type("no")
        terminal.until("The first note")
        terminal.keys("Tab")
        terminal.until("sum @small:note:///1")
        terminal.keys("Enter", "Enter")
        terminal.until(WAIT)
        assert '<attached-resource name="small:note:///1">' in asked(served)
        assert "says: water the plants." in asked(served)
        terminal.until("was read from the MCP server 'small'", everywhere=True)
