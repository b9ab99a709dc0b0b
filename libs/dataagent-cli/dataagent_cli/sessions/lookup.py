"""Finds a session by its id, or raises that there is none."""

from typing import TYPE_CHECKING

from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError
from dataagent_core.session import Session

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores


async def existing_session(app: App, stores: "Stores", session_id: str) -> Session:
    """Return the session of that id."""
    session = await stores.sessions.get(session_id)
    if session is None:
        raise NotFoundError(app.say("no_session", session=session_id))
    return session
