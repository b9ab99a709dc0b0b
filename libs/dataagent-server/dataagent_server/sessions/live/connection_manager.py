"""The open connections, and their limits (S0's `ConnectionManager`).

A connection only reads and sends requests: closing it changes nothing else. Runs, answers and
cancels are rows (`runs/`), so they need no connection. `send_event` therefore sends nothing to a
socket: it writes to the session's log, which every connection reads.
"""

import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from dataagent_core.errors import ConfigurationError
from dataagent_core.events import Event
from dataagent_server.common.errors import OverloadedError, RateLimitedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.common.metrics import Metrics
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.settings.limits import CONNECTIONS_MAX

K = TypeVar("K", bound=Hashable)
Kind = Literal["websocket", "sse"]
# Writes an event to a session's log and notifies its readers.
AppendEvent = Callable[[TenantId, str, Event], Awaitable[None]]
_RETRY_AFTER_S: Final = 5.0


@dataclass(frozen=True, eq=False, slots=True)
class Connection:
    """One open connection; two of the same user on the same session are different ones."""

    kind: Kind
    tenant_id: TenantId
    user_id: str
    session_id: str


class ConnectionManager:
    """Counts connections; every operation is thread-safe."""

    def __init__(
        self,
        max_connections: int = CONNECTIONS_MAX,
        metrics: Metrics | None = None,
        *,
        per_tenant: int | None = None,
        share: FairShare | None = None,
        append: AppendEvent | None = None,
    ) -> None:
        self._append = append
        self._max_connections = max_connections
        self._share = share or FairShare()
        self._per_tenant = per_tenant
        self._metrics = metrics
        self._lock = threading.Lock()
        self._open: set[Connection] = set()
        self._by_session: Counter[tuple[TenantId, str]] = Counter()
        self._by_user: Counter[tuple[TenantId, str]] = Counter()
        self._by_tenant: Counter[TenantId] = Counter()

    def connect(
        self, tenant_id: TenantId, user_id: str, session_id: str, kind: Kind = "websocket"
    ) -> Connection:
        """Register a connection, or raise: no capacity here (503), or for this tenant (429)."""
        connection = Connection(kind, tenant_id, user_id, session_id)
        with self._lock:
            if (refusal := self._find_refusal(tenant_id)) is not None:
                if self._metrics is not None:
                    self._metrics.refused.labels("connections").inc()
                raise refusal
            self._open.add(connection)
            self._count(connection, 1)
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Remove a connection; doing so twice is harmless."""
        with self._lock:
            if connection in self._open:
                self._open.remove(connection)
                self._count(connection, -1)

    async def send_event(
        self, session_id: str, event: Event, *, tenant_id: TenantId = DEFAULT_TENANT
    ) -> None:
        """Send an event to all readers of a session, on every process, now and later (S0)."""
        if self._append is None:
            raise ConfigurationError(
                "This ConnectionManager knows no event log. Use the one of a running server, or "
                "give it `append`."
            )
        await self._append(tenant_id, session_id, event)

    async def check_capacity(self, tenant_id: TenantId = DEFAULT_TENANT) -> None:
        """Raise what `connect` would raise."""
        with self._lock:
            refusal = self._find_refusal(tenant_id)
        if refusal is not None:
            raise refusal

    @property
    def total(self) -> int:
        """How many are open."""
        return len(self._open)

    def of_session(self, tenant_id: TenantId, session_id: str) -> int:
        return self._by_session[tenant_id, session_id]

    def of_user(self, tenant_id: TenantId, user_id: str) -> int:
        return self._by_user[tenant_id, user_id]

    def of_tenant(self, tenant_id: TenantId) -> int:
        return self._by_tenant[tenant_id]

    def _find_refusal(self, tenant_id: TenantId) -> OverloadedError | RateLimitedError | None:
        held, free = self._by_tenant[tenant_id], self._max_connections - len(self._open)
        if self._per_tenant is not None and held >= self._per_tenant:
            return _limit_reached(held, "DATAAGENT_MAX_CONNECTIONS_PER_TENANT")
        if free <= 0:
            return OverloadedError(
                "Service temporarily unavailable, please try again later: all "
                f"{self._max_connections} live connections of this server are taken "
                "(DATAAGENT_MAX_CONNECTIONS).",
                retry_after_s=_RETRY_AFTER_S,
            )
        # A configured share is used as it is.
        if self._per_tenant is None and not self._share.leaves_room(held, free):
            return _limit_reached(held, "its share of DATAAGENT_MAX_CONNECTIONS")
        return None

    def _count(self, connection: Connection, step: int) -> None:
        tenant_id = connection.tenant_id
        _add(self._by_session, (tenant_id, connection.session_id), step)
        _add(self._by_user, (tenant_id, connection.user_id), step)
        _add(self._by_tenant, tenant_id, step)
        if self._metrics is not None:
            self._metrics.connections.labels(connection.kind).inc(step)


def _limit_reached(held: int, why: str) -> RateLimitedError:
    return RateLimitedError(
        f"Your organisation has its {held} live connections to this server ({why}). Close one "
        "first.",
        retry_after_s=_RETRY_AFTER_S,
    )


def _add(counts: Counter[K], key: K, step: int) -> None:
    counts[key] += step
    if not counts[key]:
        # Holders without entries are removed.
        del counts[key]
