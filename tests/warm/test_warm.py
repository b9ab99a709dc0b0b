"""A warm process is a real one: its own id, streams, environment, folder, signals and exit code."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.server.fixtures import environment_of
from tests.warm.popen import WarmPopen, launcher_words, warm_run

DATAAGENT = Path(sys.executable).with_name("dataagent")


def test_it_says_what_the_installed_program_says(tmp_path: Path):
    environment = environment_of(tmp_path / "home")
    for arguments in (["--version"], ["models", "--json"], ["no-such-command"]):
        command = [DATAAGENT, *arguments]
        warm = warm_run(command, env=environment, cwd=tmp_path, timeout=60)
        cold = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, check=False, timeout=60
        )
        assert (warm.returncode, warm.stdout, warm.stderr) == (
            cold.returncode,
            cold.stdout,
            cold.stderr,
        )


def started(tmp_path: Path) -> WarmPopen:
    """Start a server and wait for its greeting."""
    process = WarmPopen(
        [DATAAGENT, "serve", "--port", "0"],
        env=environment_of(tmp_path / "home"),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert b"running at" in process.stdout.readline()
    return process


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_reaches_it_and_its_end_is_told(number: signal.Signals, tmp_path: Path):
    with started(tmp_path) as process:
        assert process.poll() is None
        assert os.getsid(process.pid) == process.pid
        assert psutil.Process(process.pid).cwd() == str(tmp_path)
        process.send_signal(number)
        assert process.wait(30) == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    assert not psutil.pid_exists(process.pid)


def test_it_dies_with_the_launcher_that_put_it_into_a_terminal(tmp_path: Path):
    outer, inner = pty.openpty()
    with subprocess.Popen(
        launcher_words([DATAAGENT, "serve", "--port", "0"]),
        env=environment_of(tmp_path / "home"),
        cwd=tmp_path,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    ) as launcher:
        device = os.fstat(inner).st_rdev
        os.close(inner)
        said = b""
        while b"running at" not in said:
            said += os.read(outer, 4096)
        programs = [
            process
            for process in psutil.process_iter()
            if _terminal_of(process) == device and process.pid != launcher.pid
        ]
        launcher.kill()
    gone, alive = psutil.wait_procs(programs, timeout=30)
    os.close(outer)
    assert gone
    assert alive == []


def _terminal_of(process: psutil.Process) -> int:
    """Return the number of a process's terminal; psutil does not know later ones."""
    try:
        stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return 0
    return int(stat.rpartition(")")[2].split()[4])
