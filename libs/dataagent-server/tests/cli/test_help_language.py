"""`dataagent-server --help` in a Chinese terminal: every command and option is in Chinese."""

import re
from collections.abc import Iterator

import click
import pytest
from rich.cells import cell_len

from dataagent_server.cli.help_language import translate_command
from dataagent_server.cli.help_texts import HELP_TEXTS
from dataagent_server.cli.main import cli, exit_code_of

HAN = re.compile(r"[\u4e00-\u9fff]")
CLICK_WORDS = {"Usage: ", "Options", "Commands", "[default: ", "Show this message and exit."}


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


def texts(command: click.Command) -> list[str]:
    options = [one for one in command.params if isinstance(one, click.Option)]
    return [command.help or "", *(one.help or str(one.opts) for one in options)]


def test_every_command_and_option_has_a_chinese_text():
    missing = [
        f"{path}: {text}"
        for path, command in walked(translate_command(cli))
        for text in texts(command)
        if not HAN.search(text)
    ]
    assert missing == []


def test_no_text_is_there_that_no_command_says():
    said = {" ".join(text.split()) for _, command in walked(cli) for text in texts(command)}
    assert set(HELP_TEXTS) - said - CLICK_WORDS == set()


@pytest.fixture
def _chinese_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATAAGENT_LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("_chinese_terminal")
def test_help_is_chinese_in_a_chinese_terminal_and_fits(capsys: pytest.CaptureFixture[str]):
    for path, command in walked(cli):
        assert exit_code_of([*path, "--help"]) == 0
        out = capsys.readouterr().out
        assert out.startswith("用法:dataagent-server")
        assert "显示此帮助并退出。" in out
        assert ("[默认:" in out) == any(_shows_default(one) for one in command.params)
        assert not re.search(r"Options:|Commands:|default|[^]]\.\.\.$", out, re.MULTILINE)
        assert [line for line in out.splitlines() if cell_len(line) > 80] == []


@pytest.mark.usefixtures("_chinese_terminal")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nope",), "没有命令 'nope'。"),
        (("users", "add"), "缺少参数 'USERNAME'。"),
        (("users", "add", "ann", "--role", "king"), "的值无效:'king' 不是以下之一:'owner'"),
        (("audit", "verify", "--expect", "1:a"), "--expect 需要 --tenant:每个租户有各自的链。"),
    ],
)
def test_a_wrong_command_line_is_explained_in_chinese(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
):
    assert exit_code_of(list(arguments)) == 2
    err = capsys.readouterr().err
    assert err.startswith("用法:dataagent-server")
    assert told in err
    assert not {"Usage", "Try", "Error"} & set(re.findall(r"\w+", err))


def _shows_default(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and bool(parameter.show_default)


def test_help_stays_english_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATAAGENT_LANGUAGE", "en")
    assert exit_code_of(["users", "add", "--help"]) == 0
    out = capsys.readouterr().out
    assert "The name others see." in out
    assert not HAN.search(out)
