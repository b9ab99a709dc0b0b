"""A command line is read by a fresh bash, whatever start files and environment try to make of it.

The permission rules judge a line as such a bash reads it; where this fails, they judge another one.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sandboxes import text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.host_shell import UnsafeHostShell
from dataagent_core.sandbox.port import Sandbox
from dataagent_core.sandbox.processes.bash_command import drop_bash_settings

HOSTILE = "ls() { echo STOLEN; }\nalias ls='echo STOLEN'\nshopt -s expand_aliases\necho STOLEN\n"
START_FILES = (".bashrc", ".bash_profile", ".bash_login", ".profile", ".bash_env", ".shinit")


@pytest.fixture(params=["sandbox", "host"])
async def shell(
    request: pytest.FixtureRequest,
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Sandbox]:
    """A shell whose home, workspace and environment are all hostile."""
    for name in START_FILES:
        (workspace / name).write_text(HOSTILE)
    monkeypatch.setenv("HOME", str(workspace))
    monkeypatch.setenv("BASH_ENV", str(workspace / ".bash_env"))
    monkeypatch.setenv("ENV", str(workspace / ".shinit"))
    monkeypatch.setenv("BASH_FUNC_ls%%", "() { echo STOLEN; }")
    monkeypatch.setenv("SHELLOPTS", "xtrace:noglob")
    monkeypatch.setenv("BASHOPTS", "expand_aliases")
    monkeypatch.setenv("PS4", "$(echo STOLEN >&2)")
    monkeypatch.setenv("POSIXLY_CORRECT", "1")
    made: Sandbox = (
        await BwrapSandbox.open(workspace, scratch=tmp_path)
        if request.param == "sandbox"
        else UnsafeHostShell(workspace)
    )
    yield made
    await made.aclose()


async def test_no_start_file_function_or_option_reaches_a_line(shell: Sandbox):
    done = await shell.run("ls -d .; type -t ls; alias; shopt -q expand_aliases || echo plain")
    assert text(done) == ".\nfile\nplain\n"


async def test_variables_of_bash_handed_to_one_run_are_left_out_too(shell: Sandbox):
    hostile = {"BASH_ENV": "/.bash_env", "BASH_FUNC_ls%%": "() { echo STOLEN; }", "MINE": "yes"}
    done = await shell.run("ls -d .; echo $MINE", env=hostile)
    assert text(done) == ".\nyes\n"


@pytest.mark.parametrize(
    "line",
    [
        # In dash, the string ends at the second quote, and what follows runs.
        "echo $'a\\'; echo STOLEN; echo \\''",
        "echo {a,b}",
        "set -o | grep posix; cat <(echo b)",
    ],
)
async def test_it_is_bash_that_reads_the_line(shell: Sandbox, line: str):
    shown = text(await shell.run(line))
    assert shown in {"a'; echo STOLEN; echo '\n", "a b\n", "posix          \toff\nb\n"}


def test_other_variables_stay():
    mine = {"PATH": "/bin", "HOME": "/h", "ENVIRONMENT": "test", "BASHFUL": "1"}
    assert drop_bash_settings({**mine, "ENV": "x", "BASH_ENV": "y", "CDPATH": "/"}) == mine
