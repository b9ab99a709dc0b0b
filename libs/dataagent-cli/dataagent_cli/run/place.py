"""Where a run takes place: its session's row, its model and its workspace.

A resumed run goes on where it began, with the model and in the directory it had, whatever the
current directory is now; `--model` and `--workspace` still have the last word.
"""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.model_choice import ModelChoice, choose_model
from dataagent_cli.run.order import RunOrder, checked_workspace
from dataagent_cli.wiring import App, local_user
from dataagent_core.errors import NotFoundError, SessionBusyError
from dataagent_core.events import RunStartedEvent
from dataagent_core.session import Session, read_all, runs_of
from dataagent_core.session.state import now
from dataagent_core.session.titles import named_after

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores

WORKSPACE_KEY = "workspace"


@dataclass(frozen=True, slots=True)
class Place:
    """The session as far as it exists, and what the run will use."""

    session: Session | None
    model: ModelChoice
    workspace: Path

    def context(self) -> dict[str, str]:
        """Give what is kept with the message, so that the run can be resumed in its place."""
        return {WORKSPACE_KEY: str(self.workspace)}


async def find_place(app: App, stores: "Stores", order: RunOrder) -> Place:
    """Settle where the ordered run takes place; nothing is stored yet."""
    session = await stores.sessions.get(order.session_id)
    model, workspace = order.model, order.workspace
    if order.prompt is None:
        if session is None:
            raise NotFoundError(app.say("no_session", session=order.session_id))
        model_before, workspace_before = await place_before(stores, order.session_id)
        model, workspace = model or model_before, workspace or workspace_before
    elif (runs := await runs_of(stores.log, order.session_id)) and not runs[-1].done:
        raise SessionBusyError(app.say("has_unfinished", session=order.session_id))
    # Looking for an Ollama blocks for a moment.
    choice = await asyncio.to_thread(choose_model, app, model)
    return Place(session, choice, checked_workspace(workspace or Path.cwd(), app.say))


async def keep_session(app: App, stores: "Stores", order: RunOrder, place: Place) -> None:
    """Store the session's row, made or brought up to date."""
    session = place.session or await stores.sessions.create(
        local_user(), app.settings.assistant_id, session_id=order.session_id
    )
    named = session if order.prompt is None else named_after(session, order.prompt)
    await stores.sessions.update(replace(named, last_active=now()))


async def place_before(stores: "Stores", session_id: str) -> tuple[str | None, Path | None]:
    """Return the model and the workspace the session's last run began with."""
    starts = await read_all(stores.log, session_id, types=("start",))
    model: str | None = None
    for start in reversed(starts):
        if not isinstance(start, RunStartedEvent):
            continue
        model = model or start.model or None
        # A run that only made the history shorter has no message, or one without a place.
        message = await stores.messages.get_message(session_id, start.message_id)
        if workspace := message.metadata.get(WORKSPACE_KEY) if message else None:
            return model, Path(workspace)
    return model, None
