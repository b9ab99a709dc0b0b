"""`dataagent` without a terminal, and options in the wrong place."""

import subprocess
from collections.abc import Callable
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    "line",
    [
        ("how many rows?",),
        ("-p", "how many rows?"),
        ("--mode", "plan", "how many rows?", "-p"),
    ],
)
def test_a_question_in_place_of_a_command_is_answered(
    dataagent: Command, endpoint: Any, line: tuple[str, ...]
):
    with endpoint({"text": "Three."}) as served:
        done = dataagent(*line)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"Three.\n"
    assert served.requests[-1].body["messages"][-1]["content"] == "how many rows?"


def test_print_reads_standard_input_where_no_question_is_given(dataagent: Command, endpoint: Any):
    with endpoint({"text": "Three."}):
        done = dataagent("-p", stdin=b"how many rows?")
    assert (done.returncode, done.stdout) == (0, b"Three.\n")


def test_a_single_word_is_a_command_and_a_second_question_is_refused(dataagent: Command):
    done = dataagent("modles")
    assert done.returncode == 2
    assert b"No such command" in done.stderr
    assert dataagent("how many?", "and then what?").returncode == 2


def test_c_is_continue(dataagent: Command):
    done = dataagent("-c", "models")
    assert done.returncode == 2
    assert b"--continue starts a conversation" in done.stderr
