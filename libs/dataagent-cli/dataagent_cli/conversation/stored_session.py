"""What is stored of a session: its row, and the model and workspace of its last run."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.wiring import App, local_user
from dataagent_core.errors import SessionBusyError
from dataagent_core.events import RunStartedEvent
from dataagent_core.session import read_all, runs_of
from dataagent_core.session.state import now
from dataagent_core.session.titles import name_session

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores

WORKSPACE_KEY = "workspace"


async def last_model_and_workspace(
    stores: "Stores", session_id: str
) -> tuple[str | None, Path | None]:
    """Return the model and the workspace the session's last run began with."""
    starts = await read_all(stores.log, session_id, types=("start",))
    model: str | None = None
    for start in reversed(starts):
        if not isinstance(start, RunStartedEvent):
            continue
        model = model or start.model or None
        # A compaction has no message, or one without a workspace.
        message = await stores.messages.get_message(session_id, start.message_id)
        if workspace := message.metadata.get(WORKSPACE_KEY) if message else None:
            return model, Path(workspace)
    return model, None


async def check_idle(app: App, stores: "Stores", session_id: str) -> None:
    """Refuse a session whose last run is not done: it takes no other message."""
    runs = await runs_of(stores.log, session_id)
    if runs and not runs[-1].done:
        raise SessionBusyError(app.say("has_unfinished", session=session_id))


async def keep_session(app: App, stores: "Stores", session_id: str, message: str | None) -> None:
    """Store the session's row, new or updated; the first message gives the title."""
    session = await stores.sessions.get(session_id) or await stores.sessions.create(
        local_user(), app.settings.assistant_id, session_id=session_id
    )
    named = session if message is None else name_session(session, message)
    await stores.sessions.update(replace(named, last_active=now()))
