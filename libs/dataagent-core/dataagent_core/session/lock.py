"""One run at a time per session: `SessionLock` between processes, `SessionClaims` within one.

`SessionLock` is a file lock of the operating system. The kernel releases it with the process, so
resuming after a SIGKILL waits for nothing and there are no stale locks.
"""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from dataagent_core.config.limits import LOCK_PAUSE_S, LOCK_TRIES_MAX
from dataagent_core.errors import SessionBusyError, StorageError
from dataagent_core.ids import checked_id


class SessionClaims:
    """The sessions that this process is running."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    @contextmanager
    def hold(self, session_id: str) -> Generator[None]:
        """Hold a session, or raise if it is held. There is no wait between check and claim."""
        if session_id in self._held:
            raise SessionBusyError(
                f"session {session_id!r} is running already. Wait for it to finish, or stop it."
            )
        self._held.add(session_id)
        try:
            yield
        finally:
            self._held.discard(session_id)


class SessionLock:
    """Held, as a context manager, by the process that runs a session."""

    def __init__(self, directory: Path, session_id: str) -> None:
        self._path = directory / f"{checked_id(session_id, 'session id')}.lock"
        self._session_id = session_id
        self._fd: int | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                self._acquire(fd)
            except BaseException:
                os.close(fd)
                raise
        except OSError as error:
            raise StorageError(
                f"cannot lock session {self._session_id!r} with {self._path}: {error.strerror}. "
                "Make the folder writable, or choose another place with DATAAGENT_HOME."
            ) from error
        self._fd = fd
        return self

    def _acquire(self, fd: int) -> None:
        try:
            self._flock(fd)
        except BlockingIOError:
            holder = os.read(fd, 32).decode(errors="replace").strip() or "unknown"
            raise SessionBusyError(
                f"session {self._session_id!r} is running in another process (pid {holder}). "
                "Wait for it to finish, stop it, or use another session."
            ) from None
        os.ftruncate(fd, 0)
        os.write(fd, str(os.getpid()).encode())

    def _flock(self, fd: int) -> None:
        # A process that only checks (`is_held`) has the lock for microseconds: that is not busy.
        for _ in range(LOCK_TRIES_MAX - 1):
            try:
                return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(LOCK_PAUSE_S)
        return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_held(self) -> bool:
        """Return whether a process runs the session."""
        try:
            fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
