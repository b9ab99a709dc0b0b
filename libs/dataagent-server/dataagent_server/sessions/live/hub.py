"""The readers of sessions in this process, and the newest known event numbers.

`publish` is called for events written here, `note_growth` by the bus for those of others. Both only
store how far a session has come; readers read (`follow.py`). So a slow reader delays nobody, and
nothing is queued for it.
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
    """One session: its newest known number, and its readers."""

    buffer: SessionBuffer = field(default_factory=SessionBuffer)
    known_seq: int = 0
    # Raised whenever a user may have lost the right to read.
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
        """Note that a session has grown, if it has readers here."""
        channel = self._channels.get((tenant_id, session_id))
        if channel is not None and seq > channel.known_seq:
            self._advance(channel, seq)

    def buffered(self, tenant_id: TenantId, session_id: str, after: int) -> list[EventLine] | None:
        """Return the buffered events after a number; `None` means that the log must be read."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.buffer.after(after) if channel is not None else None

    def known_seq(self, tenant_id: TenantId, session_id: str) -> int:
        """Return the newest known number of a session; 0 when unknown."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.known_seq if channel is not None else 0

    def newest(self, tenant_id: TenantId, session_id: str) -> EventLine | None:
        """Return the last buffered event of a session."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.buffer.newest if channel is not None else None

    @contextmanager
    def waiting(self, tenant_id: TenantId, session_id: str) -> Generator[asyncio.Event]:
        """Provide an event that is set whenever the session grows."""
        channel = self._open_channel((tenant_id, session_id))
        woken = asyncio.Event()
        channel.waiters.add(woken)
        try:
            yield woken
        finally:
            channel.waiters.discard(woken)

    def follows(self, tenant_id: TenantId, session_id: str, woken: asyncio.Event) -> bool:
        """Return whether the channel still belongs to the session that `woken` waits for."""
        channel = self._channels.get((tenant_id, session_id))
        return channel is not None and woken in channel.waiters

    def end(self, tenant_id: TenantId, session_id: str) -> None:
        """Remove a session deleted here, and notify: its id may be used again."""
        self.forget_ended(tenant_id, session_id)
        if self._tell is not None:
            self._tell(Notice("ended", tenant_id, session_id))

    def forget_ended(self, tenant_id: TenantId, session_id: str) -> None:
        """Remove a deleted session and wake its readers."""
        channel = self._channels.pop((tenant_id, session_id), None)
        if channel is not None:
            for woken in channel.waiters:
                woken.set()

    def notify_rights_changed(self, tenant_id: TenantId, session_id: str) -> None:
        """Let every reader of a session check its rights, here and elsewhere."""
        self.recheck_rights(tenant_id, session_id)
        if self._tell is not None:
            self._tell(Notice("rights", tenant_id, session_id))

    def recheck_rights(self, tenant_id: TenantId, session_id: str) -> None:
        """Let the readers here check their rights."""
        channel = self._channels.get((tenant_id, session_id))
        if channel is not None:
            channel.rights_no += 1
            for woken in channel.waiters:
                woken.set()

    def rights_no(self, tenant_id: TenantId, session_id: str) -> int:
        """Return the number that changes with the rights."""
        channel = self._channels.get((tenant_id, session_id))
        return channel.rights_no if channel is not None else 0

    def list_waited(self) -> list[tuple[TenantId, str, int]]:
        """List the sessions with readers, and the newest known number of each."""
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
        # Oldest first: stop at the first that is young enough while there is space.
        deadline = time.monotonic() - BUFFER_S
        for key, channel in list(islice(self._channels.items(), FORGOTTEN_AT_ONCE_MAX)):
            if channel.waiters:
                continue
            if len(self._channels) > BUFFERED_SESSIONS_MAX or channel.touched_at < deadline:
                del self._channels[key]
