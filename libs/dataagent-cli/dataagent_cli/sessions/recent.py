"""The person's last used sessions, as rows to choose from."""

from typing import TYPE_CHECKING

from dataagent_cli.conversation.record import SessionRow
from dataagent_cli.conversation.stored_session import last_model_and_workspace
from dataagent_cli.sessions.overview import overview_of
from dataagent_cli.wiring import local_user
from dataagent_core.session.titles import title_of

if TYPE_CHECKING:
    from dataagent_core.config import Settings
    from dataagent_core.session.stores.bundle import Stores

SESSIONS_PICKED_FROM_MAX = 50


async def recent_sessions(settings: "Settings", stores: "Stores") -> list[SessionRow]:
    """List them, the last used first."""
    rows: list[SessionRow] = []
    sessions = await stores.sessions.list_by_user(local_user())
    for session in sessions[:SESSIONS_PICKED_FROM_MAX]:
        overview = await overview_of(settings, stores, session)
        about = title_of(session) or overview.last_message
        _, place = await last_model_and_workspace(stores, session.session_id)
        rows.append(
            SessionRow(
                session.session_id,
                session.last_active,
                about,
                overview.state,
                "" if place is None else str(place),
            )
        )
    return rows
