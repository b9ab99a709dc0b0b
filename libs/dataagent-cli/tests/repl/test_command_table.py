"""The documented table of slash commands matches the program."""

import re
from pathlib import Path

import pytest

from dataagent_cli.messages import Messages
from dataagent_cli.repl.commands.registry import COMMANDS

PAGE = Path(__file__).parents[4] / "docs" / "cli.md"
SECTION = "## Commands in a conversation"


def rows() -> list[tuple[str, str]]:
    section = PAGE.read_text("utf-8").split(SECTION)[1].split("\n## ")[0]
    return re.findall(r"^\| `/(.+?)` \| (.+) \|$", section, re.MULTILINE)


@pytest.mark.requirement("F8-6")
def test_every_command_stands_in_the_table_with_its_sentence():
    say = Messages("en")
    known = {
        f"{name} {command.arguments}".strip().replace("|", "\\|"): command.about(say)
        for name, command in COMMANDS.items()
    }
    assert dict(rows()) == known


def test_the_commands_the_terminal_is_promised_are_there():
    promised = (
        "help model mode tools mcp skills memory sources context cost compact permissions diff "
        "undo export doctor clear quit"
    )
    assert set(promised.split()) <= set(COMMANDS)
