"""Reads a session from any number on, then live: no gap, no repeat, at the reader's pace."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from dataagent_server.common.ids import TenantId
from dataagent_server.sessions.live.event_line import EventLine, line_from
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.live.limits import READ_PAGE_EVENTS

# (session, after, limit) -> the log's own lines, in order.
ReadLines = Callable[[str, int, int], Awaitable[list[tuple[int, str]]]]


async def follow(
    hub: Hub,
    read_lines: ReadLines,
    tenant_id: TenantId,
    session_id: str,
    *,
    after: int,
    idle_s: float,
) -> AsyncGenerator[list[EventLine]]:
    """Yield the events after a number in batches; an empty batch after `idle_s` of quiet.

    The empty batch lets the caller send a keep-alive or check the reader's rights; one comes at
    once when rights have changed. It ends only when the session is deleted.
    """
    await _check_memory(hub, read_lines, tenant_id, session_id)
    with hub.waiting(tenant_id, session_id) as woken:
        # Whether the log may hold more than this process knows of.
        behind = True
        rights_no = hub.rights_no(tenant_id, session_id)
        while True:
            # Cleared before reading: an event written from here on wakes us again.
            woken.clear()
            lines = hub.buffered(tenant_id, session_id, after)
            if not lines and (behind or hub.known_seq(tenant_id, session_id) > after):
                page = await read_lines(session_id, after, READ_PAGE_EVENTS)
                lines = [line_from(seq, text) for seq, text in page]
                behind = len(lines) == READ_PAGE_EVENTS
            if not hub.follows(tenant_id, session_id, woken):
                # What was read may belong to a new session under the old id.
                return
            if lines:
                after = lines[-1].seq
                yield lines
                continue
            if (now_no := hub.rights_no(tenant_id, session_id)) != rights_no:
                rights_no = now_no
                yield []
                continue
            try:
                # Not `wait_for`: in Python 3.11 it may swallow a cancel that comes with the event.
                async with asyncio.timeout(idle_s):
                    await woken.wait()
            except TimeoutError:
                behind = True
                yield []


async def _check_memory(
    hub: Hub, read_lines: ReadLines, tenant_id: TenantId, session_id: str
) -> None:
    """Drop the buffer of a session that was deleted elsewhere and whose id was used again."""
    newest = hub.newest(tenant_id, session_id)
    if newest is None:
        return
    found = await read_lines(session_id, newest.seq - 1, 1)
    if not found or line_from(*found[0]).data.get("event_id") != newest.data.get("event_id"):
        hub.forget_ended(tenant_id, session_id)
