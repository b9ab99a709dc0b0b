"""docs/mcp.md is true: its commands are understood, and its files are read."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from dataagent_cli.commands.mcp.group import mcp
from dataagent_core.mcp.configuration.config_file import config_from

PAGE = (Path(__file__).parents[4] / "docs" / "mcp.md").read_text()
COMMANDS = re.findall(r"^    dataagent mcp (.*)$", PAGE, re.MULTILINE)
FILES = re.findall(r'```json\n(\{"(?:mcpS|s)ervers".*?)```', PAGE, re.DOTALL)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_understood(line: str):
    name, *words = shlex.split(line)
    command = mcp.commands[name]
    with command.make_context(name, words, parent=click.Context(mcp, info_name="mcp")) as context:
        assert not any(str(word).startswith("--") for word in context.params.get("words", ())[:1])


@pytest.mark.parametrize("name", sorted(mcp.commands))
def test_every_command_is_on_the_page(name: str):
    assert f"dataagent mcp {name}" in PAGE


def test_every_option_of_add_is_on_the_page():
    options = [option for one in mcp.commands["add"].params for option in one.opts]
    assert [name for name in options if name.startswith("--") and f"`{name}" not in PAGE] == []


@pytest.mark.parametrize("text", FILES)
def test_a_file_of_the_page_is_read(text: str):
    assert config_from(json.loads(text), "docs/mcp.md").servers
