"""The mode of a session inside larger transactions.

The log has it (`dataagent_core.session.mode`); there is no column for it.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from dataagent_core.events import Event, ModeChangedEvent, from_json
from dataagent_core.events.system import Mode
from dataagent_core.session.log import NO_RUN
from dataagent_core.session.mode import DEFAULT_MODE
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.stores.appends import commit_appends


def mode_in(connection: Connection, tenant_id: str, session_id: str) -> Mode:
    """Return the mode of a session."""
    newest = (
        select(events.c.event_data)
        .where(
            events.c.tenant_id == tenant_id,
            events.c.session_id == session_id,
            events.c.event_type == "mode_changed",
        )
        .order_by(events.c.seq.desc())
        .limit(1)
    )
    line = connection.execute(newest).scalar()
    event = None if line is None else from_json(line)
    return event.mode if isinstance(event, ModeChangedEvent) else DEFAULT_MODE


def switch_mode(
    connection: Connection, tenant_id: str, session_id: str, mode: Mode, by: str
) -> Sequence[Event]:
    """Switch a session's mode and return the event; None if it is in this mode already.

    The caller holds the session's row, so that two callers do not both read the old mode.
    """
    if mode_in(connection, tenant_id, session_id) == mode:
        return []
    changed = prepare_event(ModeChangedEvent(mode=mode, by=by), session_id, NO_RUN)
    item = Append(
        tenant_id=tenant_id,
        session_id=session_id,
        run_id=NO_RUN,
        events=[changed],
    )
    (stored,) = commit_appends(connection, [item], check_known=False)
    if isinstance(stored, Exception):
        raise stored
    return stored
