"""`--help` in a Chinese terminal: every command and option explains itself in Chinese."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter

import click
import pytest
from rich.cells import cell_len
from spoken_sentences import written

import dataagent_cli
import dataagent_server
from dataagent_cli.help.language import in_language
from dataagent_cli.main import cli
from dataagent_cli.messages import Messages
from dataagent_cli.messages.help import HELP_TEXTS
from dataagent_core.config import Settings
from dataagent_core.language import language_setting
from dataagent_core.language.chinese.usage_texts import USAGE_PHRASES, USAGE_TEXTS

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


@pytest.mark.parametrize("place", ["config.toml", ".env"])
def test_help_and_errors_follow_the_language_of_the_settings(
    command: Command, environment: dict[str, str], workspace: Path, place: str
):
    home = Path(environment["DATAAGENT_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    if place == ".env":
        (workspace / ".env").write_text("DATAAGENT_LANGUAGE=zh\n")
    else:
        (home / "config.toml").write_text('language = "zh"\n')
    assert command("--help")[1].startswith("用法:dataagent")
    assert "错误:没有会话" in command("sessions", "show", "none")[2]
    assert command("data", "list", "none")[2] == "错误:没有数据源 'none'。\n"


@pytest.mark.parametrize("variable", ["", "en", " zh "])
@pytest.mark.parametrize("dotenv", ["", "DATAAGENT_LANGUAGE='zh' # ours\n", "OTHER=1\n"])
@pytest.mark.parametrize("config", ["", 'language = "en"\n', 'language = "zh"\n'])
def test_the_language_is_the_one_the_settings_have(
    tmp_path: Path, variable: str, dotenv: str, config: str
):
    environment = {"DATAAGENT_HOME": str(tmp_path / "home"), "DATAAGENT_LANGUAGE": variable}
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(config)
    (tmp_path / ".env").write_text(dotenv)
    settings = Settings.load(environment, tmp_path)
    assert language_setting(environment, tmp_path) == settings.language


def test_help_is_there_in_a_folder_that_was_removed(
    command: Command, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    environment["DATAAGENT_LANGUAGE"] = ""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert command("--help")[1].startswith("Usage: dataagent")


@pytest.mark.parametrize("config", ["language = [", "language = 1", "\xff"])
def test_a_broken_file_of_settings_does_not_keep_help_away(
    command: Command, environment: dict[str, str], config: str
):
    home = Path(environment["DATAAGENT_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_bytes(config.encode("latin-1"))
    assert command("--help")[1].startswith("Usage: dataagent")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "x", "--frobnicate"), "错误:没有选项 '--frobnicate'。"),
        (
            ("run", "x", "--modle", "m"),
            "没有选项 '--modle'。(您是否想写以下之一:'--mode', '--model'?)",
        ),
        (("frobnicate",), "错误:没有命令 'frobnicate'。"),
        (("sessions", "frobnicate"), "错误:没有命令 'frobnicate'。"),
        (("data", "describe"), "错误:缺少参数 'SOURCE'。"),
        (("data", "query", "SELECT 1"), "错误:缺少选项 '--source'。"),
        (("run", "x", "--timeout"), "错误:选项 '--timeout' 需要一个值。"),
        (("data", "export", "r", "--format", "doc"), "的值无效:'doc' 不是以下之一:'csv'"),
        (("data", "list", "a", "b"), "错误:多余的参数(b)"),
        (("--continue", "-p", "x y"), "错误:--continue 用于继续对话;请用 --session 指定会话。"),
    ],
)
def test_a_wrong_command_line_is_explained_in_chinese(
    command: Command, environment: dict[str, str], arguments: tuple[str, ...], said: str
):
    environment["DATAAGENT_LANGUAGE"] = "zh"
    code, _, err = command(*arguments)
    assert code == 2
    assert said in err
    assert not {"Usage", "Try", "Error"} & set(re.findall(r"\w+", err))


def test_the_chinese_of_click_is_of_sentences_that_click_or_we_say():
    said: set[str] = set()
    for package in (click, dataagent_cli, dataagent_server):
        said |= written(Path(str(package.__file__)).parent)

    def in_code(english: str) -> set[str]:
        parsed = Formatter().parse(english)
        shape = "".join(f"{text}{'' if name is None else '{}'}" for text, name, _, _ in parsed)
        return {shape, shape.removesuffix("{}")}

    assert [text for text in USAGE_TEXTS if not in_code(text) & said] == []
    texts = {**USAGE_TEXTS, **USAGE_PHRASES}
    assert [text for text in texts if places(text) != places(texts[text])] == []


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_help_stays_english_elsewhere(command: Command):
    code, out, _ = command("run", "--help")
    assert code == 0
    assert "Seconds the run may take." in out
    assert not HAN.search(out)
