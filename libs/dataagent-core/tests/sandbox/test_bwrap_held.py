"""Memory and disk that have no name count like any other; so does the number of files."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sandboxes import python, text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage
from dataagent_core.sandbox.limits import watchdog
from dataagent_core.sandbox.limits.command_limits import CommandLimits, narrow_limits
from dataagent_core.sandbox.limits.folder_size import measure_folder
from dataagent_core.sandbox.limits.hidden_usage import find_memory_device, measure_hidden_usage
from dataagent_core.sandbox.limits.watchdog import DiskGrowth, FolderGrowth, Watchdog

MB = 1_000_000


@pytest.fixture
def folder(workspace: Path) -> Iterator[int]:
    descriptor = os.open(workspace, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


_REST = "; time.sleep(20); print('went on')"
# Each takes 200 MB in pieces that a limit on one file or one process lets through.
MEMORY = {
    "open memfds": "fds = [os.memfd_create('x') for _ in range(20)]; "
    "[os.write(fd, b'x' * 10_000_000) for fd in fds]",
    "mapped memfds that were closed": "maps = []\nfor _ in range(20):\n"
    "    fd = os.memfd_create('x'); os.ftruncate(fd, 10_000_000)\n"
    "    maps.append(mmap.mmap(fd, 10_000_000)); os.close(fd); maps[-1].write(b'x' * 10_000_000)\n"
    "1",
    "shared memory of forks": "maps = [mmap.mmap(-1, 10_000_000) for _ in range(20)]; "
    "[m.write(b'x' * 10_000_000) for m in maps]",
    "a memfd in another process": "fds = []\nfor _ in range(4):\n    if os.fork() == 0:\n"
    "        fd = os.memfd_create('x'); [os.write(fd, b'x' * 1_000_000) for _ in range(50)]\n"
    "        time.sleep(20)\n1",
    "a filled memfd of which one page is mapped": "import ctypes; c = ctypes.CDLL(None)\n"
    "for _ in range(4):\n"
    "    fd = os.memfd_create('x'); [os.write(fd, b'x' * 1_000_000) for _ in range(50)]\n"
    "    c.mmap(None, 4096, 1, 1, fd, 0); os.close(fd)\n1",
    "programs without a name": "\nfor _ in range(4):\n    fd = os.memfd_create('x')\n"
    "    os.write(fd, open('/bin/sleep', 'rb').read())\n"
    "    [os.write(fd, b'x' * 1_000_000) for _ in range(50)]\n"
    "    if os.fork() == 0: os.execv(f'/proc/self/fd/{fd}', ['sleep', '20'])\n"
    "    time.sleep(0.1); os.close(fd)\n1",
    "what sockets hold": "import socket\nfor _ in range(4):\n    if os.fork() == 0:\n"
    "        pairs = [socket.socketpair() for _ in range(400)]\n"
    "        [s.setblocking(False) for p in pairs for s in p]\n"
    "        [s.send(b'x' * 65536) for p in pairs for s in p]\n        time.sleep(20)\n1",
    "what is not to be looked at": "import ctypes; ctypes.CDLL(None).prctl(4, 0); "
    "fd = os.memfd_create('x'); [os.write(fd, b'x' * 1_000_000) for _ in range(200)]",
}


@pytest.mark.parametrize("way", MEMORY)
async def test_memory_in_files_without_a_name_counts(workspace: Path, tmp_path: Path, way: str):
    limits = CommandLimits(memory_bytes=100 * MB, file_bytes=1_000 * MB)
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits)
    done = await python(sandbox, f"import mmap, os, time; {MEMORY[way]}{_REST}", timeout_s=15)
    await sandbox.aclose()
    assert done.killed_reason == "memory", text(done)


UNLINKED = {
    "open": """
import os, time
for number in range(20):
    fd = os.open(f"f{number}", os.O_RDWR | os.O_CREAT)
    os.unlink(f"f{number}")
    os.write(fd, b"x" * 10_000_000)
time.sleep(20)
""",
    "one page mapped": """
import ctypes, os, time
for number in range(20):
    fd = os.open(f"f{number}", os.O_RDWR | os.O_CREAT)
    os.unlink(f"f{number}")
    os.write(fd, b"x" * 10_000_000)
    ctypes.CDLL(None).mmap(None, 4096, 1, 1, fd, 0)
    os.close(fd)
time.sleep(20)
""",
}


@pytest.mark.parametrize("way", UNLINKED)
@pytest.mark.parametrize("counted", [False, True], ids=["terminal", "server"])
async def test_unlinked_files_count_as_disk(
    workspace: Path, tmp_path: Path, *, way: str, counted: bool
):
    limits = CommandLimits(disk_growth_bytes=100 * MB)
    if counted:
        limits = narrow_limits(limits, QuotaUsage(0, 0, free_bytes=100 * MB, free_files=1_000))
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits)
    done = await python(sandbox, UNLINKED[way], timeout_s=15)
    await sandbox.aclose()
    assert done.killed_reason == "disk", text(done)


def test_holding_files_without_a_name_does_not_lower_what_is_looked_for(folder: int):
    """Somebody gives back as much as a command takes: the file system's number says nothing."""
    room = QuotaUsage(0, 0, free_bytes=10 * MB, free_files=100)
    limits = narrow_limits(CommandLimits(disk_growth_bytes=10 * MB), room)
    watchdog = Watchdog(os.getpid(), (folder,), limits)
    held = os.open(".", os.O_RDWR | os.O_TMPFILE, dir_fd=folder)
    os.write(held, b"x" * 12 * MB)
    watchdog._folders[0].count()  # pyright: ignore[reportPrivateUsage] (what lowered the baseline)
    watchdog._held_at_s = -1e9  # pyright: ignore[reportPrivateUsage] (it is time to look)
    assert watchdog._measure_usage().disk_growth_bytes > 10 * MB  # pyright: ignore[reportPrivateUsage]
    os.close(held)
    assert measure_folder(folder).size_bytes == 0


def test_files_are_counted_now_and_then_though_others_gave_back_as_much(
    folder: int, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    free = watchdog._read_free_space(folder)  # pyright: ignore[reportPrivateUsage]

    def unmoved(_folder_fd: int) -> DiskGrowth:
        return free

    monkeypatch.setattr(watchdog, "_read_free_space", unmoved)
    running = Watchdog(os.getpid(), (folder,), CommandLimits(disk_growth_bytes=10 * MB))
    (workspace / "new").write_bytes(b"x" * 12 * MB)
    assert running._measure_usage().disk_growth_bytes == 0  # pyright: ignore[reportPrivateUsage]
    running._counted_at_s = -1e9  # pyright: ignore[reportPrivateUsage] (it is time to count)
    assert running._measure_usage().disk_growth_bytes > 10 * MB  # pyright: ignore[reportPrivateUsage]


def test_a_command_that_hides_descriptors_answers_for_what_the_machine_lost(folder: int):
    watchdog = Watchdog(os.getpid(), (folder,), CommandLimits(memory_bytes=10**12))
    here, there = socket.socketpair()
    hidden = os.open(".", os.O_RDWR | os.O_TMPFILE, dir_fd=folder)
    os.write(hidden, b"x" * 12 * MB)
    before = watchdog._unowned_at_start  # pyright: ignore[reportPrivateUsage] (what others did)
    lost = replace(before, in_files_bytes=before.in_files_bytes - 3_000 * MB)
    watchdog._unowned_at_start = lost  # pyright: ignore[reportPrivateUsage]
    watchdog._held_at_s = -1e9  # pyright: ignore[reportPrivateUsage] (it is time to look)
    assert watchdog._measure_usage().held_bytes < 2_000 * MB  # pyright: ignore[reportPrivateUsage]
    socket.send_fds(here, [b"x"], [hidden])
    os.close(hidden)
    watchdog._held_at_s = -1e9  # pyright: ignore[reportPrivateUsage]
    use = watchdog._measure_usage()  # pyright: ignore[reportPrivateUsage]
    assert use.held_bytes > 2_000 * MB
    assert use.disk_growth_bytes > 10 * MB
    here.close()
    there.close()


def test_connections_that_nobody_accepted_may_hold_anything(tmp_path: Path):
    own, memory = [os.getpid()], find_memory_device()
    listener, caller = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    listener.listen()
    assert not measure_hidden_usage(own, memory, frozenset()).partial
    caller.connect(str(tmp_path / "s"))
    assert measure_hidden_usage(own, memory, frozenset()).partial
    listener.accept()[0].close()
    assert not measure_hidden_usage(own, memory, frozenset()).partial
    listener.close()
    caller.close()


def test_what_cannot_be_counted_is_what_the_file_system_lost(
    folder: int, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(watchdog, "SANDBOX_WATCH_FILES_MAX", 10)
    growing = FolderGrowth(folder, CommandLimits(disk_growth_bytes=1 * MB), time.time_ns())
    for number in range(20):
        (workspace / f"old{number}").touch()
        os.utime(workspace / f"old{number}")
    (workspace / "zz").write_bytes(b"x" * 5 * MB)
    assert growing.has_shrunk()
    assert growing.count() == growing.measure_loss()
    assert growing.has_shrunk(), "the next look must see it too"


async def test_other_folders_that_can_be_written_count_with_the_workspace(
    workspace: Path, tmp_path: Path
):
    other = tmp_path / "other"
    other.mkdir()
    limits = CommandLimits(disk_growth_bytes=60 * MB)
    binds = (BindMount(str(other), "/other", writable=True),)
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits, extra_binds=binds)
    fill = "for i in $(seq 50); do head -c 4000000 /dev/zero > /other/$i; done; sleep 15"
    done = await sandbox.run(fill, timeout_s=15)
    await sandbox.aclose()
    assert done.killed_reason == "disk", text(done)


@pytest.mark.parametrize(
    "make",
    [
        "for n in count(): open(f'f{n}', 'w').close()",
        "for n in count(): os.mkdir(f'd{n}')",
        "for n in count(): os.symlink('x', f'l{n}')",
        "for n in count(): open(f'/tmp/f{n}', 'w').close()",
        "for n in count(): open(f'/dev/shm/f{n}', 'w').close()",
    ],
    ids=["files", "folders", "links", "in /tmp", "in /dev/shm"],
)
async def test_a_command_can_make_only_so_many_files(workspace: Path, tmp_path: Path, make: str):
    limits = CommandLimits(new_files=500)
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits)
    # Without an end: in memory a hundred thousand are made between two looks at them.
    started = f"import os, time; from itertools import count; time.sleep(0.1)\n{make}"
    done = await python(sandbox, started, timeout_s=60)
    await sandbox.aclose()
    assert done.killed_reason == "disk", text(done)


async def test_what_is_within_the_limits_is_left_alone(workspace: Path, tmp_path: Path):
    limits = CommandLimits(memory_bytes=200 * MB, disk_growth_bytes=100 * MB, new_files=500)
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path, limits=limits)
    code = (
        "import mmap, os, time\n"
        "fd = os.memfd_create('x'); os.write(fd, b'x' * 40_000_000)\n"
        "m = mmap.mmap(fd, 40_000_000); m.read()\n"
        "u = os.open('u', os.O_RDWR | os.O_CREAT); os.unlink('u'); os.write(u, b'x' * 40_000_000)\n"
        "[open(f'f{n}', 'w').close() for n in range(100)]\n"
        "time.sleep(0.8); print('fits')"
    )
    done = await python(sandbox, code)
    await sandbox.aclose()
    assert (text(done), done.killed_reason) == ("fits\n", None)


HOLDER = """
import mmap, os, sys
print(flush=True)
sys.stdin.readline()
memfd = os.memfd_create("x")
os.write(memfd, b"x" * 4_000_000)
again = os.dup(memfd)
seen = mmap.mmap(memfd, 4_000_000)
seen.read()
named = os.open("named", os.O_RDWR | os.O_CREAT)
os.write(named, b"x" * 1_000_000)
nameless = os.open("gone", os.O_RDWR | os.O_CREAT)
os.unlink("gone")
os.write(nameless, b"x" * 2_000_000)
print(flush=True)
sys.stdin.readline()
"""


def test_what_is_held_is_counted_once_and_only_without_a_name(tmp_path: Path):
    # A process of its own: what other tests left in this one may go at any time.
    command = [sys.executable, "-c", HOLDER]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, bufsize=1, **pipes) as holder:
        memory, processes = find_memory_device(), [holder.pid]
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdout.readline()
        before = measure_hidden_usage(processes, memory, frozenset())
        holder.stdin.write("\n")
        holder.stdout.readline()
        after = measure_hidden_usage(processes, memory, frozenset())
        bounded = measure_hidden_usage(
            processes, memory, frozenset({memory, tmp_path.stat().st_dev})
        )
        holder.stdin.write("\n")
    page = 100_000
    assert 4 * MB <= after.memory_bytes - before.memory_bytes < 4 * MB + page
    assert 2 * MB <= after.disk_bytes - before.disk_bytes < 2 * MB + page
    assert after.disk_files - before.disk_files == 1
    assert bounded.disk_files == 0


async def test_no_socket_of_the_kernels_own_families_can_be_had(workspace: Path, tmp_path: Path):
    sandbox = await BwrapSandbox.open(workspace, scratch=tmp_path)
    code = (
        "import socket\n"
        "for family, kind, protocol in [(16, 3, 0), (16, 3, 15), (16, 2, 0), (40, 1, 0), (17, 3, 0),"
        " (38, 5, 0)]:\n"
        "    try: socket.socket(family, kind, protocol); print('had', family, protocol)\n"
        "    except OSError as e: print(e.errno)\n"
        "[socket.socket(f, socket.SOCK_STREAM).close() for f in (1, 2, 10)]\n"
        "print(socket.getaddrinfo('127.0.0.1', 80)[0][4])"
    )
    done = await python(sandbox, code)
    await sandbox.aclose()
    assert text(done) == "97\n" * 6 + "('127.0.0.1', 80)\n"
