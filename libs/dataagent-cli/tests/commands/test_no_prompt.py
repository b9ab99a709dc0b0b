"""No command asks anything without a terminal, and none shows colours when told not to."""

import multiprocessing
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import one_command
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataagent_cli.main import cli
from tests.counts import examples

COMMAND_S_MAX = 180.0
# They serve until they are stopped, or until their client closes the pipe.
ENDLESS = {("serve",), ("mcp", "serve")}
Leaf = tuple[tuple[str, ...], click.Command]


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from leaves(inner, (*path, name))


LEAVES = {path: command for path, command in leaves(cli) if path not in ENDLESS}
WORDS = st.sampled_from(("x", "shop", "a.csv", "SELECT 1", "1", "no-such", "/nowhere", "你好", ""))


def value_of(parameter: click.Parameter) -> st.SearchStrategy[str]:
    kind = parameter.type
    if isinstance(kind, click.Choice):
        return st.sampled_from([str(choice) for choice in kind.choices])
    if isinstance(kind, (click.types.IntParamType, click.types.FloatParamType)):
        return st.sampled_from(("1", "5"))
    return WORDS


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """Draw a command with all its arguments and some of its options."""
    path = draw(st.sampled_from(sorted(LEAVES)))
    line = [*path]
    for parameter in LEAVES[path].params:
        if isinstance(parameter, click.Argument):
            if parameter.required or draw(st.booleans()):
                line.append(draw(value_of(parameter)))
        elif isinstance(parameter, click.Option) and not parameter.hidden:
            # Commands that start a server, or options that approve, are left out.
            wanted = parameter.required or draw(st.booleans())
            if wanted and parameter.name not in {"yes", "http", "port"}:
                line.append(parameter.opts[-1])
                if not parameter.is_flag:
                    line.append(draw(value_of(parameter)))
    return line


@pytest.mark.requirement("F8-8-no-prompt")
@pytest.mark.timeout(400)
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(lines(), st.sampled_from(("closed", "null", "silent")))
def test_every_command_ends_by_itself_without_a_terminal(
    environment: dict[str, str], line: list[str], stdin: str
):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(one_command.PRELOADED)
    with tempfile.TemporaryDirectory() as folder:
        log = f"{folder}/log"
        own = environment | {"DATAAGENT_HOME": f"{folder}/home", "DATAAGENT_MODEL": "demo:demo"}
        child = context.Process(target=one_command.run, args=(line, stdin, own, folder, log))
        child.start()
        child.join(COMMAND_S_MAX)
        asked = child.is_alive()
        if asked:
            child.kill()
            child.join()
        told = Path(log).read_text(errors="replace")
    assert not asked, f"{line} with stdin {stdin} still waits after: {told}"
    assert child.exitcode in {0, 1, 2, 3, 4}, (line, told)
    assert "Traceback" not in told
    assert "unexpected" not in told, (line, stdin, told)


@pytest.mark.requirement("F8-8-no-color")
@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_command_colours_a_terminal_that_does_not_want_it(
    start: Callable[..., Any], environment: dict[str, str], variables: dict[str, str]
):
    environment |= variables | {"PYTHON_COLORS": "0"}
    for line in (
        ["models"],
        ["doctor"],
        ["sessions", "list"],
        ["run", "hi", "--model", "demo:demo"],
    ):
        with start(*line) as screen:
            screen.exit_code()
        assert "\x1b[" not in screen.text, line


def test_stdin_that_is_closed_is_no_file_that_is_opened_later(
    environment: dict[str, str], workspace: Path
):
    script = f"exec {one_command_path()} sessions list --json <&- >&- 2>&-"
    done = subprocess.run(
        ["sh", "-c", script], env=environment, cwd=workspace, check=False, timeout=60
    )
    assert done.returncode == 0


def one_command_path() -> str:
    import sys

    return os.fspath(Path(sys.executable).with_name("dataagent"))
