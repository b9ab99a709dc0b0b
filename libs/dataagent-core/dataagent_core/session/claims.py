"""One run at a time per session within this process.

Other processes are kept out by `SessionLock`; this keeps two tasks of one process from both
finding the session free.
"""

from collections.abc import Generator
from contextlib import contextmanager

from dataagent_core.errors import SessionBusyError


class SessionClaims:
    """The sessions somebody in this process is running."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    @contextmanager
    def hold(self, session_id: str) -> Generator[None]:
        """Hold a session, or say that it is taken. There is no wait between looking and taking."""
        if session_id in self._held:
            raise SessionBusyError(
                f"session {session_id!r} is running already. Wait for it to finish, or stop it."
            )
        self._held.add(session_id)
        try:
            yield
        finally:
            self._held.discard(session_id)
