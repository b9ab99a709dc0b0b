"""Programs that start programs that start programs: read to a limit, and asked about beyond it."""

import shlex

import pytest
from judging import decide, person

from dataagent_core.config.limits import SHELL_STARTED_COMMANDS_MAX

ALLOWED = person("allow shell **", "deny shell rm *")


def _shells(levels: int) -> str:
    """Write shells within shells, each behind many brackets."""
    text = "ls"
    for _ in range(levels):
        text = "( " * 100 + f"bash -c {shlex.quote(text)}" + " )" * 100
    return text


DEEP = [
    "npx " * 300 + "ls",
    "env " * 300 + "ls",
    "nice env " * 150 + "ls",
    "uv run " * 300 + "ls",
    "find . -exec " * 300 + "ls",
    "sudo npx env " * 100 + "ls",
    "eval " * 300 + "ls",
    _shells(3),
]
MANY = [
    "yarn -a " * 30 + "ls",
    "npx -a " * 2_000 + "ls",
    "docker run -a b " * 200 + "ls",
    "docker" + " -a run -a docker" * 1_800 + " ls",
    "docker" + " -a run -a docker" * 60 + " -b" * 10_000 + " ls",
    "hatch" + " -a run -a hatch" * 1_900 + " 'ls; ls' ls",
    "uv run" + " --with a" * (SHELL_STARTED_COMMANDS_MAX + 1) + " ls",
    "hyperfine " + " ".join(f"'ls {at}'" for at in range(SHELL_STARTED_COMMANDS_MAX)) + " ls",
    "ssh -a b " * 3_000 + "'ls; ls'; ls",
    "; ".join(["uv run ls"] * (SHELL_STARTED_COMMANDS_MAX + 1)),
]


@pytest.mark.parametrize("line", [*DEEP, *MANY], ids=lambda line: line[:30])
def test_what_is_nested_without_end_is_asked_about(line: str):
    assert decide(line) == "ask"
    assert decide(line, ALLOWED) == "ask"


@pytest.mark.parametrize("line", [*DEEP[:6], *MANY], ids=lambda line: line[:30])
def test_a_denied_program_beyond_the_limit_is_not_allowed(line: str):
    assert decide(line.removesuffix("ls") + "rm x", ALLOWED) != "allow"


def test_programs_that_people_put_behind_each_other_are_read():
    line = "timeout 5 nice -n 5 env nohup stdbuf -oL uv run --with a --with b poetry run {}"
    assert decide(line.format("rm x"), ALLOWED) == "deny"
    assert decide(line.format("ls"), ALLOWED) == "allow"
