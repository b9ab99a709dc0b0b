"""The `shell` tool: what a model reads of a command."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.checked_sandbox import CheckedSandbox
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth, SelfTestResult
from dataagent_core.sandbox.host_shell import UnsafeHostShell
from dataagent_core.sandbox.port import CommandResult, StreamOutput
from dataagent_core.tools.effects import read_effect
from dataagent_core.tools.shell.shell_tool import cut_middle, make_shell_tool, render_command_result


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[BwrapSandbox]:
    (tmp_path / "workspace").mkdir()
    opened = await BwrapSandbox.open(tmp_path / "workspace", scratch=tmp_path)
    yield opened
    await opened.aclose()


async def call(tool: Any, **arguments: Any) -> Any:
    return await tool.ainvoke({"type": "tool_call", "name": "shell", "id": "1", "args": arguments})


async def test_a_command_answers_with_its_output_and_exit_code(sandbox: BwrapSandbox):
    message = await call(make_shell_tool(sandbox), command="echo out; echo err >&2; exit 3")
    assert message.content == "out\n[stderr]\nerr\n(exit code 3)"
    assert message.artifact["exit_code"] == 3


async def test_a_command_that_says_nothing_says_so(sandbox: BwrapSandbox):
    assert (await call(make_shell_tool(sandbox), command="true")).content == (
        "(no output)\n(exit code 0)"
    )


async def test_a_time_out_is_told_with_what_was_written_before(sandbox: BwrapSandbox):
    message = await call(make_shell_tool(sandbox), command="echo begun; sleep 60", timeout_s=0.3)
    assert message.content.startswith("begun\n(stopped: it took longer than 0.3 s.")


async def test_a_long_output_keeps_both_ends_and_is_kept_whole_elsewhere(sandbox: BwrapSandbox):
    kept: list[str] = []

    async def keep(output: str) -> str:
        kept.append(output)
        return "/outputs/1.txt"

    command = "echo first; head -c 100000 /dev/zero | tr '\\0' x; echo; echo last"
    message = await call(make_shell_tool(sandbox, keep), command=command)
    assert message.content.startswith("first\n")
    assert message.content.endswith("last\n(exit code 0)")
    assert "all of it is in /outputs/1.txt" in message.content
    assert len(message.content) < 53_000
    assert len(kept[0]) == 100_012
    await call(make_shell_tool(sandbox, keep), command="echo short")
    assert len(kept) == 1


@pytest.mark.requirement("F3-4")
async def test_without_a_working_sandbox_nothing_runs_and_the_way_out_is_said():
    class Broken(SandboxHealth):
        async def result(self) -> SelfTestResult:
            return SelfTestResult((), {"start": "no user namespaces"}, 0.0)

    async def opening() -> Any:
        raise AssertionError("must not be opened")

    tool = make_shell_tool(CheckedSandbox("s", Broken(), opening))
    with pytest.raises(SandboxUnavailableError, match=r"no user namespaces.*docs/sandbox\.md"):
        await call(tool, command="echo x")


async def test_a_checked_sandbox_opens_once_and_closes(tmp_path: Path):
    opened: list[BwrapSandbox] = []

    async def opening() -> BwrapSandbox:
        opened.append(await BwrapSandbox.open(tmp_path))
        return opened[0]

    checked = CheckedSandbox("s", SandboxHealth(), opening)
    for _ in range(2):
        assert (await checked.run("echo hi")).stdout.data == b"hi\n"
    await checked.aclose()
    assert len(opened) == 1


async def test_the_host_shell_has_the_same_port_and_kills_its_group(tmp_path: Path):
    host = UnsafeHostShell(tmp_path)
    message = await call(make_shell_tool(host), command="pwd; cat; sleep 60 & echo $!")
    lines = message.content.splitlines()
    assert lines[0] == str(tmp_path)
    assert lines[-1] == "(exit code 0)"
    assert not Path(f"/proc/{lines[1]}/cmdline").exists() or not (
        Path(f"/proc/{lines[1]}/cmdline").read_bytes()
    )
    stopped = await host.run("sleep 60", timeout_s=0.1)
    assert stopped.timed_out
    await host.aclose()


def test_a_shell_command_cannot_be_undone(tmp_path: Path):
    assert read_effect(make_shell_tool(UnsafeHostShell(tmp_path))) == "irreversible"


@given(st.text(), st.integers(0, 40))
def test_cutting_keeps_whole_characters_of_both_ends_and_counts_the_rest(text: str, limit: int):
    head, tail, cut = cut_middle(text, limit)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len((head + tail).encode()) + cut == len(text.encode())
    assert len((head + tail).encode()) <= limit or not cut


def test_notes_of_the_sandbox_are_passed_on():
    done = CommandResult(0, StreamOutput(b"x", b"", 1), StreamOutput(), 0.1, notes=("a thing",))
    assert render_command_result(done, 1.0, None) == "x\n(exit code 0)\n(a thing)"
