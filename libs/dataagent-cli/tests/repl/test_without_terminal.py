"""`dataagent` where nobody can be talked to, and options that belong elsewhere."""

import subprocess
from collections.abc import Callable

Command = Callable[..., subprocess.CompletedProcess[bytes]]


def test_without_a_terminal_the_help_is_printed_with_the_way_out_and_nothing_is_asked(
    dataagent: Command,
):
    done = dataagent()
    assert done.returncode == 2
    assert b"Usage: dataagent" in done.stdout
    assert b'run "..."' in done.stderr


def test_an_option_of_a_conversation_before_a_command_is_refused(dataagent: Command):
    done = dataagent("--mode", "plan", "models")
    assert done.returncode == 2
    assert b"--mode starts a conversation" in done.stderr
