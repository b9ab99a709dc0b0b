"""How many handshake sessions a user has open; this process holds each until it idles.

The library limits all of them together; without a share one user could take all.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from dataagent_server.common.errors import RateLimitedError
from dataagent_server.identity.auth.principal import Principal

SESSIONS_PER_PERSON_MAX: Final = 100
SESSION_IDLE_S: Final = 900.0


class MCPSessions:
    """Remembers when each session was last used, as the library does."""

    def __init__(
        self,
        per_person: int = SESSIONS_PER_PERSON_MAX,
        idle_s: float = SESSION_IDLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_person = per_person
        self._idle_s = idle_s
        self._clock = clock
        self._used: dict[tuple[str, str], OrderedDict[str, float]] = {}

    def check_limit(self, who: Principal) -> None:
        """Refuse to open one more beyond the limit."""
        own = self._sessions_of(who)
        if len(own) >= self._per_person:
            raise RateLimitedError(
                f"You have {len(own)} MCP sessions open, which is the most. End one (DELETE /mcp), "
                f"or wait: they end after {self._idle_s:g} seconds without a request.",
                retry_after_s=self._idle_s / 10,
            )

    def note_use(self, who: Principal, session_id: str) -> None:
        """Note that a session was opened or used."""
        own = self._used.setdefault((who.tenant_id, who.user_id), OrderedDict())
        own[session_id] = self._clock()
        own.move_to_end(session_id)

    def forget(self, who: Principal, session_id: str) -> None:
        """Remove a session that ended."""
        self._sessions_of(who).pop(session_id, None)

    def _sessions_of(self, who: Principal) -> OrderedDict[str, float]:
        whose = (who.tenant_id, who.user_id)
        own = self._used.get(whose, OrderedDict[str, float]())
        idle_before = self._clock() - self._idle_s
        while own and next(iter(own.values())) < idle_before:
            own.popitem(last=False)
        if not own:
            # Holders without entries are removed.
            self._used.pop(whose, None)
        return own
