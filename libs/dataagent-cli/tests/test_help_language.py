"""`--help` in a Chinese terminal: every command and option explains itself in Chinese."""

import inspect
import re
from collections.abc import Callable, Iterator

import click
import pytest
from rich.cells import cell_len

from dataagent_cli.catalogue_help import HELP_TEXTS
from dataagent_cli.help_language import in_language
from dataagent_cli.main import cli
from dataagent_cli.messages import Messages

Command = Callable[..., tuple[int, str, str]]

HAN = re.compile(r"[\u4e00-\u9fff]")
CLICK_WORDS = {"Usage: ", "Options", "Commands", "Show this message and exit."}


def walked(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            assert member is not None
            yield from walked(member, (*path, name))


def paragraphs(text: str | None) -> list[str]:
    parts = inspect.cleandoc(text or "").split("\n\n")
    return [" ".join(part.split()) for part in parts if not part.startswith("\b")]


def test_every_command_and_option_has_a_chinese_text():
    missing: list[str] = []
    for path, command in walked(in_language(cli, Messages("zh"))):
        options = [one for one in command.params if isinstance(one, click.Option)]
        texts = [*paragraphs(command.help), *(one.help or str(one.opts) for one in options)]
        missing += [f"{path}: {text}" for text in texts if not HAN.search(text)]
    assert missing == []


def test_the_catalogue_has_no_paragraph_that_no_command_says():
    said = set(CLICK_WORDS)
    for _, command in walked(cli):
        said.update(paragraphs(command.help))
        for option in command.params:
            if isinstance(option, click.Option):
                said.update(paragraphs(option.help))
    assert set(HELP_TEXTS) - said == set()


@pytest.mark.parametrize(
    "arguments", [(), ("run",), ("sessions",), ("sessions", "rewind"), ("serve",), ("mcp", "add")]
)
def test_help_is_chinese_in_a_chinese_terminal_and_fits(
    command: Command, environment: dict[str, str], arguments: tuple[str, ...]
):
    del environment["LC_ALL"]
    environment["LANG"] = "zh_CN.UTF-8"
    code, out, _ = command(*arguments, "--help")
    assert code == 0
    assert out.startswith("用法:dataagent")
    assert "显示此帮助并退出。" in out
    assert "Options:" not in out
    assert [line for line in out.splitlines() if cell_len(line) > 80] == []


def test_help_stays_english_elsewhere(command: Command):
    code, out, _ = command("run", "--help")
    assert code == 0
    assert "Seconds the run may take." in out
    assert not HAN.search(out)
