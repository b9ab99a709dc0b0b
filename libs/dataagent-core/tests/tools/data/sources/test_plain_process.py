"""A worker's process without a sandbox: spoken to, bounded, and gone with whoever started it."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dataagent_core.errors import ConflictError
from dataagent_core.tools.data.sources.workers.plain_process import PlainProcess
from dataagent_core.tools.data.sources.workers.worker_command import (
    PROGRAMS_FOLDER,
    build_program_command,
)

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
ENV = {"PATH": os.defpath}


async def started(code: str, memory_bytes: int | None = None) -> PlainProcess:
    return await PlainProcess.start(
        [sys.executable, "-c", code], env=ENV, memory_bytes=memory_bytes
    )


async def test_lines_go_in_and_come_out():
    process = await started(ECHO)
    await process.send(b"abc\n")
    assert await process.read_line() == b"cba\n"
    assert process.alive
    done = await process.kill()
    assert (done.exit_code, process.alive) == (None, False)


async def test_one_that_ended_says_so_and_leaves_the_end_of_its_complaints():
    process = await started("import sys; sys.exit('x' * 100_000 + 'the reason')")
    assert await process.read_line() == b""
    done = await process.kill()
    assert done.exit_code == 1
    assert done.stderr.tail.strip().endswith(b"the reason")
    assert len(done.stderr.data) < 30_000
    with pytest.raises(ConflictError):
        await process.send(b"x\n")


async def test_it_has_no_environment_but_the_given():
    process = await started("import os; print(sorted(os.environ))")
    assert b"HOME" not in await process.read_line()
    await process.kill()


async def test_its_memory_is_bounded():
    code = "input()\ntry: bytearray(10**9); print('got it')\nexcept MemoryError: print('no')"
    process = await started(code, memory_bytes=200_000_000)
    await process.send(b"\n")
    assert await process.read_line() == b"no\n"
    await process.kill()


async def test_a_line_without_end_ends_it():
    process = await started("import sys\nwhile True: sys.stdout.write('x' * 100_000)")
    assert await process.read_line() == b""
    await process.kill()
    assert not process.alive


async def test_its_children_end_with_it():
    code = "import subprocess; p = subprocess.Popen(['sleep', '1000']); print(p.pid, flush=True); input()"
    process = await started(code)
    child = int(await process.read_line())
    await process.kill()
    deadline = time.monotonic() + 5
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def test_a_busy_program_ends_with_the_process_that_started_it(tmp_path: Path):
    """The parent is killed, so nobody is left to kill the child."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "busy.py").write_text("import os\nprint(os.getpid(), flush=True)\nwhile True: pass")
    words = build_program_command(sys.executable, inside, "busy")
    code = f"import subprocess, time; subprocess.Popen({words!r}); time.sleep(1000)"
    parent = psutil.Popen([sys.executable, "-c", code], stdout=-1)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("module", ["mysql_program", "postgres_program", "sqlite_program"])
def test_a_program_of_ours_is_started_without_numpy(module: str):
    python, *rest = build_program_command(sys.executable, PROGRAMS_FOLDER, module)
    # It ends at once, because its folder holds nothing to work on.
    done = subprocess.run(
        [python, "-X", "importtime", *rest],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pyarrow.lib" in imported
    assert not {name for name in imported if name.startswith("numpy.")}
