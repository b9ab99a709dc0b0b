"""Commands of other packages are found by their entry points, without importing those packages."""

import subprocess
import sys
from collections.abc import Callable

import click

from dataagent_cli.main import cli


def test_the_servers_command_is_listed_beside_our_own():
    names = cli.list_commands(click.Context(cli))
    assert {"run", "demo", "serve"} <= set(names)
    assert len(names) == len(set(names))


def test_a_command_nobody_brings_is_refused(command: Callable[..., tuple[int, str, str]]):
    code, _, err = command("no-such-command")
    assert code == 2
    assert "No such command" in err


def test_our_own_commands_do_not_load_the_server():
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "import sys; from dataagent_cli.main import exit_code_of; "
                "exit_code_of(['run', '--help']); print('fastapi' in sys.modules, "
                "'dataagent_server' in sys.modules)"
            ),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert told.stdout.splitlines()[-1] == "False False"
