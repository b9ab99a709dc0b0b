"""Two processes cannot run one session, and a killed one leaves nothing to wait for."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dataagent_core.errors import SessionBusyError, StorageError, ValidationError
from dataagent_core.session import SessionLock

HOLD = """
import sys
from pathlib import Path
from dataagent_core.session.lock import SessionLock
with SessionLock(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def held_elsewhere(
    directory: Path, session_id: str
) -> Generator[subprocess.Popen[str], None, None]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(directory), session_id],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.requirement("F2-session-lock")
def test_a_session_held_by_another_process_is_refused_naming_that_process(tmp_path: Path):
    with held_elsewhere(tmp_path, "s") as holder:
        with (
            pytest.raises(SessionBusyError, match=rf"'s'.*pid {holder.pid}\b"),
            SessionLock(tmp_path, "s"),
        ):
            pass
        # Being refused has not disturbed the holder.
        with pytest.raises(SessionBusyError, match=str(holder.pid)), SessionLock(tmp_path, "s"):
            pass


@pytest.mark.requirement("F2-session-lock")
def test_a_session_is_free_as_soon_as_its_process_was_killed(tmp_path: Path):
    with held_elsewhere(tmp_path, "s") as holder:
        holder.kill()
        holder.wait()
        with SessionLock(tmp_path, "s"):
            pass


def test_a_session_is_free_after_its_process_let_it_go(tmp_path: Path):
    with held_elsewhere(tmp_path, "s") as holder:
        holder.communicate("\n")
        with SessionLock(tmp_path, "s"):
            pass


def test_other_sessions_are_free(tmp_path: Path):
    with held_elsewhere(tmp_path, "s"), SessionLock(tmp_path, "other"):
        pass


def test_one_process_cannot_hold_a_session_twice(tmp_path: Path):
    with (
        SessionLock(tmp_path, "s"),
        pytest.raises(SessionBusyError, match=str(os.getpid())),
        SessionLock(tmp_path, "s"),
    ):
        pass
    with SessionLock(tmp_path, "s"):
        pass


def test_the_name_of_a_longer_pid_does_not_show_through(tmp_path: Path):
    (tmp_path / "s.lock").write_text("99999999999")
    with SessionLock(tmp_path, "s"):
        assert (tmp_path / "s.lock").read_text() == str(os.getpid())


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", ""])
def test_an_id_that_would_be_another_file_is_refused(tmp_path: Path, name: str):
    with pytest.raises(ValidationError):
        SessionLock(tmp_path, name)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(StorageError, match="DATAAGENT_HOME"),
        SessionLock(tmp_path / "file" / "locks", "s"),
    ):
        pass
