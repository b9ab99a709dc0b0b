"""Resources and prompts of an MCP server in a real terminal, from a program in its sandbox."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataagent_cli.repl.commands.prompt import parse_arguments
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.tools import OfferedPrompt
from dataagent_core.mcp.tools.content import PromptParameter

OpenTerminal = Callable[..., Any]
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


def last_prompt(served: Any) -> str:
    """Return the last message that the model received."""
    return str(served.requests[-1].body["messages"][-1]["content"])


def began(terminal: Any) -> None:
    """Wait until the session is open: only then are its servers known."""
    terminal.until(READY)
    terminal.enter("/tools")
    terminal.until("mcp__local_small__echo", everywhere=True)


def test_a_resource_is_completed_and_attached(open_terminal: OpenTerminal, scripts: Any):
    with scripts(**{".": ANY}) as served, open_terminal(columns=100, rows=50) as terminal:
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
        assert '<attached-resource name="small:note:///1">' in last_prompt(served)
        assert "says: water the plants." in last_prompt(served)
        terminal.until("was read from the MCP server 'small'", everywhere=True)


def test_a_prompt_is_completed_shown_as_it_is_sent_and_its_missing_argument_is_asked(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(**{".": ANY}) as served, open_terminal(columns=100, rows=50) as terminal:
        began(terminal)
        terminal.type("/small:re")
        terminal.until("file=... .tone=.... · Review a file.")
        terminal.keys("Tab")
        terminal.type(" tone=kind")
        terminal.keys("Enter")
        terminal.until("^file: *$")
        terminal.enter("my notes.md")
        terminal.until(WAIT)
        shown = terminal.until("</mcp-prompt>", everywhere=True)
        assert "/small:review tone=kind file='my notes.md'" in shown
        text = 'Review this with care: {"file": "my notes.md", "tone": "kind"}'
        assert text in shown
        assert f'<mcp-prompt server="small" name="review">\n{text}' in last_prompt(served)
        terminal.enter("/small:revue x")
        terminal.until("has no prompt 'revue'. Did you mean 'review'")
        terminal.enter("/small:review other=1")
        terminal.until("has no argument 'other'")


REVIEW = OfferedPrompt(
    "review", "", (PromptParameter("file", "", required=True), PromptParameter("tone", "", False))
)
ONE = OfferedPrompt("say", "", (PromptParameter("text", "", required=True),))


@pytest.mark.parametrize(
    ("prompt", "typed", "given"),
    [
        (REVIEW, "", {}),
        (REVIEW, "file=a.py tone='very kind'", {"file": "a.py", "tone": "very kind"}),
        (REVIEW, "a.py kind", {"file": "a.py", "tone": "kind"}),
        (REVIEW, "tone=kind a.py", {"file": "a.py", "tone": "kind"}),
        (REVIEW, "url=x", {"url": "x"}),
        (ONE, "it's all one text", {"text": "it's all one text"}),
    ],
)
def test_arguments_are_read_by_name_or_in_their_order(
    prompt: OfferedPrompt, typed: str, given: dict[str, str]
):
    assert parse_arguments(typed, prompt) == given


def test_an_argument_too_many_is_named():
    with pytest.raises(ValidationError, match="'c' is one too many"):
        parse_arguments("a b c", REVIEW)
