"""What a command may use: memory, processes, disk, output, time; and what it may call."""

import asyncio
import errno
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from sandboxes import python, text

from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.limits.watchdog import ResourceUsage, find_excess
from dataagent_core.sandbox.port import KilledReason
from dataagent_core.sandbox.processes.output_capture import OutputBuffer
from dataagent_core.sandbox.processes.process_tree import TreeUsage
from tests.services.reachable import use_reachable_bwrap

MB = 1_000_000
FORK_BOMB = "f() { f | f & }; f; sleep 20"


async def limited(workspace: Path, tmp_path: Path, limits: CommandLimits) -> BwrapSandbox:
    return await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits)


async def test_one_process_cannot_take_more_memory_than_it_is_given(
    workspace: Path, tmp_path: Path
):
    sandbox = await limited(workspace, tmp_path, CommandLimits(memory_bytes=100 * MB))
    assert "fits" in text(await python(sandbox, "b'x' * 40_000_000; print('fits')"))
    done = await python(sandbox, "b'x' * 200_000_000; print('fits')")
    assert "MemoryError" in text(done) or done.killed_reason == "memory"
    assert "fits" not in text(done)
    await sandbox.aclose()


@pytest.mark.requirement("F3-escapes")
async def test_many_processes_together_cannot_either(workspace: Path, tmp_path: Path):
    sandbox = await limited(workspace, tmp_path, CommandLimits(memory_bytes=150 * MB))
    hold = "python3 -c \"import time; x = b'x' * 60_000_000; time.sleep(20)\" & "
    done = await sandbox.run(hold * 6 + "wait", timeout_s=15)
    assert done.killed_reason == "memory"
    await sandbox.aclose()


@pytest.mark.requirement("F3-escapes")
async def test_a_fork_bomb_ends_and_another_sandbox_still_answers(
    workspace: Path, tmp_path: Path, sandbox: BwrapSandbox
):
    bombed = await limited(workspace, tmp_path, CommandLimits(processes=64))
    bomb = asyncio.create_task(bombed.run(FORK_BOMB, timeout_s=15))
    answered = await sandbox.run("echo still here", timeout_s=10)
    assert text(answered) == "still here\n"
    done = await bomb
    # For a user that is not root the kernel refuses further processes by itself.
    assert done.killed_reason in {"processes", "timeout"} or "fork" in text(done)
    assert text(await bombed.run("echo again")) == "again\n"
    await bombed.aclose()


async def test_a_file_cannot_grow_beyond_its_limit(workspace: Path, tmp_path: Path):
    sandbox = await limited(workspace, tmp_path, CommandLimits(file_bytes=1 * MB))
    done = await sandbox.run("head -c 3000000 /dev/zero > big; echo $?")
    assert (workspace / "big").stat().st_size == 1 * MB
    assert done.stdout.data == b"153\n"
    await sandbox.aclose()


@pytest.mark.requirement("F3-escapes")
async def test_many_files_cannot_fill_the_disk(workspace: Path, tmp_path: Path):
    limits = CommandLimits(file_bytes=20 * MB, disk_growth_bytes=60 * MB)
    sandbox = await limited(workspace, tmp_path, limits)
    fill = "i=0; while true; do i=$((i+1)); head -c 4000000 /dev/zero > f$i; sleep 0.01; done"
    done = await sandbox.run(fill, timeout_s=30)
    assert done.killed_reason == "disk"
    assert sum(file.stat().st_size for file in workspace.iterdir()) < 1_000 * MB
    await sandbox.aclose()


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
async def test_memory_file_systems_are_bounded(workspace: Path, tmp_path: Path, place: str):
    sandbox = await limited(workspace, tmp_path, CommandLimits(tmp_bytes=2 * MB, shm_bytes=2 * MB))
    done = await sandbox.run(f"head -c 5000000 /dev/zero > {place}/x")
    assert "No space left" in text(done)
    await sandbox.aclose()


async def test_output_is_kept_at_both_ends_and_counted(workspace: Path, tmp_path: Path):
    sandbox = await limited(workspace, tmp_path, CommandLimits(output_kept_bytes=1000))
    done = await sandbox.run("echo first; head -c 1000000 /dev/zero; echo last")
    assert done.stdout.total_bytes == 1_000_011
    assert done.stdout.data.startswith(b"first\n")
    assert done.stdout.data.endswith(b"last\n")
    assert b"999011 bytes not kept" in done.stdout.data
    await sandbox.aclose()


async def test_a_flood_of_output_is_stopped(workspace: Path, tmp_path: Path):
    limits = CommandLimits(output_kept_bytes=1000, output_total_bytes=5 * MB)
    sandbox = await limited(workspace, tmp_path, limits)
    done = await sandbox.run("yes", timeout_s=20)
    assert done.killed_reason == "output"
    await sandbox.aclose()


def test_the_buffer_keeps_exactly_the_ends_however_the_bytes_come():
    data = bytes(range(256)) * 10
    for size in (1, 7, 100, 5000):
        buffer = OutputBuffer(100)
        for start in range(0, len(data), size):
            buffer.add(data[start : start + size])
        output = buffer.output()
        assert (output.head, output.tail) == (data[:50], data[-50:])
        assert output.dropped_bytes == len(data) - 100


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        (ResourceUsage(TreeUsage(3, 10), 10), None),
        (ResourceUsage(TreeUsage(4, 10), 10), "processes"),
        (ResourceUsage(TreeUsage(3, 11), 10), "memory"),
        (ResourceUsage(TreeUsage(3, 10), 11), "disk"),
    ],
)
def test_a_limit_may_be_reached_but_not_passed(use: ResourceUsage, reason: KilledReason | None):
    limits = CommandLimits(processes=3, memory_bytes=10, disk_growth_bytes=10)
    assert find_excess(use, limits) == reason


CALLS = "import ctypes; c = ctypes.CDLL(None, use_errno=True); print([(c.syscall(*map(ctypes.c_long, a)), ctypes.get_errno()) for a in {calls}])"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
async def test_deep_system_calls_are_refused_and_others_are_not(sandbox: BwrapSandbox):
    calls = [
        (425, 1, 0),
        (321, 0, 0, 0),
        (250, 0, 0),
        (272, 0x10000000),
        (101, 0, 0),
        (323, 0),
        (298, 0),
    ]
    done = await python(sandbox, CALLS.format(calls=calls))
    assert text(done).strip() == str([(-1, 1)] * len(calls))
    clone = await python(sandbox, CALLS.format(calls=[(56, 0x10000011, 0, 0, 0, 0), (435, 0, 0)]))
    assert text(clone).strip() == "[(-1, 1), (-1, 38)]"
    assert text(await python(sandbox, "import os; print(os.fork() >= 0)")).startswith("True")


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
async def test_memory_and_disk_that_nobody_could_count_in_time_is_refused(sandbox: BwrapSandbox):
    calls = {
        "message queue": ((68, 0, 0o1600), "ENOSYS"),
        "pages given to a pipe": ((278, 1, 0, 0, 0), "ENOSYS"),
        "secret memory": ((447, 0), "ENOSYS"),
        "large segment": ((29, 0, 16 * 1024 + 1, 0o1600), "ENOSPC"),
        "segment of more than 4 GiB": ((29, 0, 2**32, 0o1600), "ENOSPC"),
        "segment of huge pages": ((29, 0, 4096, 0o5600), "ENOMEM"),
        "many semaphores": ((64, 0, 65, 0o1600), "EINVAL"),
        "mapping of huge pages": ((9, 0, 2**21, 3, 0x40022, -1, 0), "ENOMEM"),
        "space at once": ((285, 2, 0, 0, 10**9), "EOPNOTSUPP"),
        "space beyond the end": ((285, 2, 1, 0, 10**9), "EOPNOTSUPP"),
        "pair of netlink sockets": ((53, 16, 3, 0, 0), "EAFNOSUPPORT"),
    }
    done = await python(sandbox, CALLS.format(calls=[call for call, _ in calls.values()]))
    wanted = [(-1, getattr(errno, name)) for _, name in calls.values()]
    assert text(done).strip() == str(wanted)
    allowed = (
        "import ctypes, os; c = ctypes.CDLL(None)\n"
        "print(c.shmget(0, 4096, 0o1600) >= 0, c.semget(0, 17, 0o1600) >= 0)\n"
        "fd = os.open('f', os.O_RDWR | os.O_CREAT); os.posix_fallocate(fd, 0, 100_000)\n"
        "print(os.fstat(fd).st_size, c.fallocate(fd, 3, 0, 4096))"
    )
    assert text(await python(sandbox, allowed)) == "True True\n100000 0\n"


@pytest.mark.parametrize("family", [17, 38, 40], ids=["packet", "alg", "vsock"])
async def test_sockets_that_leave_the_network_namespace_are_refused(
    sandbox: BwrapSandbox, family: int
):
    done = await python(sandbox, f"import socket; socket.socket({family}, socket.SOCK_STREAM)")
    assert "Address family not supported" in text(done)
    assert (await python(sandbox, "import socket; socket.socket()")).exit_code == 0


async def test_no_privilege_is_left(sandbox: BwrapSandbox):
    done = await sandbox.run("grep -E '^(Cap(Eff|Prm|Bnd)|NoNewPrivs)' /proc/self/status; id -u")
    assert text(done).split() == [
        *("CapPrm:", "0" * 16, "CapEff:", "0" * 16, "CapBnd:", "0" * 16, "NoNewPrivs:", "1"),
        str(os.geteuid() or 1000),
    ]


async def test_settings_of_the_kernel_cannot_be_written_although_root_could(sandbox: BwrapSandbox):
    looked_for = "/proc/sys/kernel/core_pattern"
    assert os.access(looked_for, os.W_OK) == (os.geteuid() == 0)
    done = await sandbox.run(f"ls {looked_for}; find /proc/sys -writable")
    assert text(done) == f"{looked_for}\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
async def test_root_can_give_commands_a_user_of_their_own(monkeypatch: pytest.MonkeyPatch):
    # Not in pytest's own folder, which another pytest closes to everybody else at any time.
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        use_reachable_bwrap(monkeypatch, place)
        workspace = place / "workspace"
        workspace.mkdir()
        os.chown(workspace, 65534, 65534)
        sandbox = await BwrapSandbox.open(workspace, scratch=place, run_as=65534)
        done = await sandbox.run("id -u; echo x > /workspace/made; cat made")
        assert text(done).split() == ["65534", "x"], text(done)
        assert (workspace / "made").stat().st_uid == 65534
        await sandbox.aclose()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"command": ""}, "empty"),
        ({"command": []}, "empty"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "x" * 200_000}, "Write it to a file"),
        ({"command": "true", "timeout_s": 0}, "seconds"),
        ({"command": "true", "timeout_s": float("nan")}, "seconds"),
        ({"command": "true", "timeout_s": 1e9}, "seconds"),
    ],
)
async def test_what_cannot_be_run_is_refused_with_the_way_out(
    sandbox: BwrapSandbox, arguments: dict[str, Any], says: str
):
    with pytest.raises(ValidationError, match=says):
        await sandbox.run(**arguments)


async def test_a_closed_sandbox_runs_nothing(workspace: Path, tmp_path: Path):
    sandbox = await limited(workspace, tmp_path, CommandLimits())
    await sandbox.aclose()
    await sandbox.aclose()
    with pytest.raises(ConflictError, match="closed"):
        await sandbox.run("true")
