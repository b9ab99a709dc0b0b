"""Forks a session: a new session with everything before a message.

The original is only read. An unfinished run is not copied.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from dataagent_core.errors import NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.session.copies.histories import Histories, extent_of
from dataagent_core.session.copies.session_part import SessionPart, part_before
from dataagent_core.session.copies.write_copy import forget_copy, write_copy
from dataagent_core.session.log import EventLog, read_all
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import MessageStore, all_messages
from dataagent_core.session.stores.bundle import Stores

# In a session's state: its origin, and the number of the last copied event.
ORIGIN_KEY: Final = "origin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """The new session and the part it copied."""

    session: Session
    part: SessionPart


async def fork(
    stores: Stores,
    histories: Histories,
    session_id: str,
    *,
    message_id: str | None = None,
    new_session_id: str | None = None,
) -> Fork:
    """Fork a session before a message; without one, after its last finished run."""
    source = await stores.sessions.get(session_id)
    if source is None:
        raise NotFoundError(f"there is no session {session_id[:80]!r}.")
    chosen = new_session_id or new_id()
    # First, so that no events are written to an existing session.
    made = await stores.sessions.create(source.user_id, source.assistant_id, session_id=chosen)
    try:
        part = await read_part(stores.messages, stores.log, session_id, message_id)
        history = await histories.read(extent_of(part))
        ids = await write_copy(stores, histories, part, history, chosen)
    except BaseException:
        await stores.sessions.delete(chosen)
        raise
    session = replace(
        made,
        last_active=now(),
        state={ORIGIN_KEY: origin(session_id, message_id, part)},
        metadata=source.metadata,
    )
    try:
        await stores.sessions.update(session)
    except BaseException:
        await forget_copy(stores, histories, part, ids, chosen)
        await stores.sessions.delete(chosen)
        raise
    return Fork(session=session, part=part)


async def read_part(
    messages: MessageStore, log: EventLog, session_id: str, message_id: str | None
) -> SessionPart:
    """Read the part that a fork before this message copies."""
    events = await read_all(log, session_id)
    # After the events: a run that begins meanwhile has no event here, so its message is left out.
    stored = await all_messages(messages, session_id)
    return part_before(stored, events, message_id)


def origin(session_id: str, message_id: str | None, part: SessionPart) -> dict[str, Any]:
    """Describe the origin of a session; events up to `last_seq` were paid for there."""
    last = part.events[-1].seq if part.events else 0
    return {"session_id": session_id, "message_id": message_id, "last_seq": last}
