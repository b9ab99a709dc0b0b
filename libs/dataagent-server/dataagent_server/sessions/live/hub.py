"""Who in this process waits for which session, and what is known to be new there.

`publish` is called by whoever wrote to the log here, `hear` by the bus for what others wrote. Both
only say how far a session has come; readers go and look (`follow.py`). So a slow reader holds up
nobody, and nothing is queued for it.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from dataagent_core.events import Event
from dataagent_server.common.ids import TenantId
from dataagent_server.sessions.live.event_line import EventLine, line_of
from dataagent_server.sessions.live.limits import (
    BUFFER_S,
    BUFFERED_SESSIONS_MAX,
    FORGOTTEN_AT_ONCE_MAX,
)
from dataagent_server.sessions.live.notice import Notice
from dataagent_server.sessions.live.session_buffer import SessionBuffer

Key = tuple[TenantId, str]


@dataclass(slots=True)
class _Channel:
    """One session: how far it is known to have come, and who wants to know."""

    buffer: SessionBuffer = field(default_factory=SessionBuffer)
    known_seq: int = 0
    # Raised whenever somebody may have lost the right to read.
    rights_no: int = 0
    touched_at: float = 0.0
    waiters: set[asyncio.Event] = field(default_factory=set[asyncio.Event])


class Hub:
    """The channels of one process."""

    def __init__(self, tell: Callable[[Notice], None] | None = None) -> None:
        self._channels: OrderedDict[Key, _Channel] = OrderedDict()
        self._tell = tell

    def publish(self, tenant_id: TenantId, session_id: str, events: Sequence[Event]) -> None:
        """Pass on events this process wrote."""
        lines = [line_of(event) for event in events if event.seq is not None]
        if not lines:
            return
        channel = self._open_channel((tenant_id, session_id))
        channel.buffer.add(lines)
        self._advance(channel, lines[-1].seq)
        if self._tell is not None:
            self._tell(Notice("grown", tenant_id, session_id, lines[-1].seq))

    def note_growth(self, tenant_id: TenantId, session_id: str, seq: int) -> None:
        """Note that a session has grown, if anybody here cares."""
        channel = self._channels.get((tenant_id, session_id))
        if channel is not None and seq > channel.known_seq:
            self._advance(channel, seq)

    def buffered(self, tenant_id: TenantId, session_id: str, after: int) -> list[EventLine] | None:
        """Return what memory has after a number; `None` means that the log has to be asked."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.buffer.after(after) if channel is not None else None

    def known_seq(self, tenant_id: TenantId, session_id: str) -> int:
        """Return how far a session is known to have come; 0 when nothing was heard."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.known_seq if channel is not None else 0

    def newest(self, tenant_id: TenantId, session_id: str) -> EventLine | None:
        """Return the last event that memory has of a session."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.buffer.newest if channel is not None else None

    @contextmanager
    def waiting(self, tenant_id: TenantId, session_id: str) -> Generator[asyncio.Event]:
        """Give an event that is set whenever the session grows, for as long as it is held."""
        channel = self._open_channel((tenant_id, session_id))
        woken = asyncio.Event()
        channel.waiters.add(woken)
        try:
            yield woken
        finally:
            channel.waiters.discard(woken)

    def follows(self, tenant_id: TenantId, session_id: str, woken: asyncio.Event) -> bool:
        """Return whether what is known of a session is still about the one `woken` waits for."""
        channel = self._channels.get((tenant_id, session_id))
        return channel is not None and woken in channel.waiters

    def end(self, tenant_id: TenantId, session_id: str) -> None:
        """Forget a session that was deleted here, and tell: its id may begin anew, as another's."""
        self.forget_ended(tenant_id, session_id)
        if self._tell is not None:
            self._tell(Notice("ended", tenant_id, session_id))

    def forget_ended(self, tenant_id: TenantId, session_id: str) -> None:
        """Forget a session that is gone; whoever waits for it waits no longer."""
        channel = self._channels.pop((tenant_id, session_id), None)
        if channel is not None:
            for woken in channel.waiters:
                woken.set()

    def notify_rights_changed(self, tenant_id: TenantId, session_id: str) -> None:
        """Let every reader of a session look whether it may still read, here and elsewhere."""
        self.recheck_rights(tenant_id, session_id)
        if self._tell is not None:
            self._tell(Notice("rights", tenant_id, session_id))

    def recheck_rights(self, tenant_id: TenantId, session_id: str) -> None:
        """Let the readers here look."""
        channel = self._channels.get((tenant_id, session_id))
        if channel is not None:
            channel.rights_no += 1
            for woken in channel.waiters:
                woken.set()

    def rights_no(self, tenant_id: TenantId, session_id: str) -> int:
        """Return the number that tells whether rights have changed."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.rights_no if channel is not None else 0

    def list_waited(self) -> list[tuple[TenantId, str, int]]:
        """List the sessions somebody waits for, and how far each is known to have come."""
        return [(*key, c.known_seq) for key, c in self._channels.items() if c.waiters]

    def _open_channel(self, key: Key) -> _Channel:
        channel = self._channels.setdefault(key, _Channel())
        channel.touched_at = time.monotonic()
        self._channels.move_to_end(key)
        self._forget()
        return channel

    def _advance(self, channel: _Channel, seq: int) -> None:
        channel.known_seq = max(channel.known_seq, seq)
        for woken in channel.waiters:
            woken.set()

    def _forget(self) -> None:
        # Oldest first: stop at the first that is young enough while there is room.
        deadline = time.monotonic() - BUFFER_S
        for key, channel in list(islice(self._channels.items(), FORGOTTEN_AT_ONCE_MAX)):
            if channel.waiters:
                continue
            if len(self._channels) > BUFFERED_SESSIONS_MAX or channel.touched_at < deadline:
                del self._channels[key]
