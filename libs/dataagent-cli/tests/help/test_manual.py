"""The manual page: all commands, from the commands themselves, and `man` can show it."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from dataagent_cli.help.manual import manual_page
from dataagent_cli.main import cli

PAGE = Path(__file__).parents[4] / "docs" / "man" / "dataagent.1"


def leaves(command: click.Command, path: str = "dataagent") -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None and not inner.hidden:
            yield from leaves(inner, f"{path} {name}")


@pytest.mark.requirement("F8-8-man")
def test_the_page_in_the_documentation_is_what_the_commands_say():
    assert PAGE.read_text() == manual_page(cli), "run: python docs/generate.py"


@pytest.mark.requirement("F8-8-man")
@pytest.mark.skipif(not shutil.which("man"), reason="no man on this machine")
def test_man_shows_every_command_and_complains_of_nothing():
    shown = subprocess.run(
        ["man", "-l", "--warnings", "-"],
        input=manual_page(cli),
        env={
            "PATH": "/usr/bin:/bin",
            "MANWIDTH": "200",
            "LC_ALL": "C.UTF-8",
            "MAN_KEEP_FORMATTING": "",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert shown.stderr == ""
    for command in leaves(cli):
        assert command in shown.stdout


def test_without_a_terminal_the_command_prints_the_page(
    command: Callable[..., tuple[int, str, str]],
):
    assert command("man") == (0, manual_page(cli), "")


def test_no_word_of_a_command_becomes_a_request():
    @click.command(help=".SH FORGED\n\n'quoted' \\fBbold\n\n\b\n.kept\n  as it is")
    @click.option("--x", help=".PP\nmore")
    def strange(x: str) -> None: ...

    page = manual_page(strange)
    assert "\n.SH FORGED" not in page
    assert "\\efBbold" in page
    assert "\n\\&.kept\n" in page
    assert "\n\\&.PP more\n" in page
