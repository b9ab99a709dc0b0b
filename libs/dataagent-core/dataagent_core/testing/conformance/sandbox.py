"""What every `Sandbox` does. Needs the fixture `sandbox`; commands are plain POSIX shell."""

import asyncio

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import CommandResult, Sandbox


def read_output(done: CommandResult) -> str:
    """Join both streams: a remote sandbox gives only one."""
    return (done.stdout.data + done.stderr.data).decode()


class SandboxConformance:
    """Needs the fixture `sandbox`, fresh for each test."""

    async def test_it_has_a_name(self, sandbox: Sandbox) -> None:
        assert sandbox.id

    async def test_a_string_is_read_by_a_shell(self, sandbox: Sandbox) -> None:
        done = await sandbox.run("echo one && echo $((1 + 1))")
        assert (done.exit_code, read_output(done)) == (0, "one\n2\n")

    async def test_a_sequence_is_run_as_it_is(self, sandbox: Sandbox) -> None:
        assert read_output(await sandbox.run(["echo", "$HOME", "a  b"])) == "$HOME a  b\n"

    async def test_a_failing_command_is_a_result_and_not_an_error(self, sandbox: Sandbox) -> None:
        done = await sandbox.run("echo why >&2; exit 7")
        assert (done.exit_code, read_output(done), done.timed_out) == (7, "why\n", False)

    async def test_a_time_out_ends_a_command(self, sandbox: Sandbox) -> None:
        done = await sandbox.run("sleep 600", timeout_s=1.0)
        assert done.timed_out
        assert done.exit_code is None
        assert done.duration_s >= 1.0

    async def test_input_and_environment_reach_the_command(self, sandbox: Sandbox) -> None:
        done = await sandbox.run("cat; echo $WORD", stdin=b"\x01in\n", env={"WORD": "it's"})
        assert read_output(done) == "\x01in\nit's\n"

    async def test_without_input_a_reader_sees_its_end(self, sandbox: Sandbox) -> None:
        assert read_output(await sandbox.run("cat", timeout_s=10)) == ""

    async def test_files_stay_from_run_to_run(self, sandbox: Sandbox) -> None:
        await sandbox.run("mkdir -p conformance && echo kept > conformance/file")
        assert read_output(await sandbox.run("cat conformance/file")) == "kept\n"
        await sandbox.run("rm -r conformance")

    async def test_runs_do_not_wait_for_each_other(self, sandbox: Sandbox) -> None:
        slow = asyncio.create_task(sandbox.run("sleep 600", timeout_s=3.0))
        assert read_output(await sandbox.run("echo quick", timeout_s=2.0)) == "quick\n"
        assert not slow.done()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow

    async def test_output_is_passed_on_as_it_comes(self, sandbox: Sandbox) -> None:
        pieces: list[bytes] = []
        await sandbox.run("echo a; echo b", on_output=lambda _, data: pieces.append(data))
        assert b"".join(pieces) == b"a\nb\n"

    async def test_a_command_that_cannot_be_run_is_refused(self, sandbox: Sandbox) -> None:
        for command in ("", "a\0b"):
            with pytest.raises(ValidationError):
                await sandbox.run(command)
