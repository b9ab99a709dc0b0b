"""Writes a copy of a part of a session under a new id.

Events keep their numbers and times, no usage is counted, and no journal is written. The caller
writes the session itself.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dataagent_core.config.limits.sessions import COPY_EVENTS_AT_ONCE
from dataagent_core.events import Event
from dataagent_core.session.copies.histories import Histories
from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.log import EventLog
from dataagent_core.session.stores.bundle import Stores


async def write_copy(
    stores: Stores, histories: Histories, part: SessionPart, history: Any | None, session_id: str
) -> IdMapping:
    """Write a part as the beginning of another session, all of it or nothing."""
    ids = IdMapping.of(part.events)
    try:
        for message in part.messages:
            copy = ids.message(message, session_id)
            await stores.messages.save_message(
                session_id,
                copy.role,
                copy.content,
                copy.metadata,
                message_id=copy.message_id,
                created_at=copy.created_at,
            )
        await _write_events(stores.log, part.events, ids, session_id)
        if history is not None and part.runs:
            await histories.write(ids.run_id(part.runs[-1].run_id), history, ids)
    except BaseException:
        await forget_copy(stores, histories, part, ids, session_id)
        raise
    return ids


async def forget_copy(
    stores: Stores, histories: Histories, part: SessionPart, ids: IdMapping, session_id: str
) -> None:
    """Remove a copy that was partly or fully written."""
    await stores.messages.delete_messages(session_id)
    await stores.log.delete(session_id)
    if part.runs:
        await histories.forget(ids.run_id(part.runs[-1].run_id))


async def _write_events(
    log: EventLog, events: Sequence[Event], ids: IdMapping, session_id: str
) -> None:
    for run_id, of_run in groupby(events, key=lambda event: event.run_id):
        copies = [ids.event(event) for event in of_run]
        for at in range(0, len(copies), COPY_EVENTS_AT_ONCE):
            batch = copies[at : at + COPY_EVENTS_AT_ONCE]
            await log.append(session_id, ids.run_id(run_id), batch)
