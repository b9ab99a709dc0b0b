"""Where a run takes place: its session's row, its model and its workspace.

A resumed run goes on where it began, with the model and in the directory it had, whatever the
current directory is now; `--model` and `--workspace` still have the last word.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.model_choice import ModelChoice, choose_model
from dataagent_cli.run.order import RunOrder, checked_workspace
from dataagent_cli.wiring import App, local_user
from dataagent_core.errors import NotFoundError
from dataagent_core.session.state import Session, now

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores

_WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Place:
    """The session as far as it exists, and what the run will use."""

    session: Session | None
    model: ModelChoice
    workspace: Path


async def find_place(app: App, stores: "Stores", order: RunOrder) -> Place:
    """Settle where the ordered run takes place; nothing is stored yet."""
    session = await stores.sessions.get(order.session_id)
    wanted, workspace = order.model, order.workspace
    if order.prompt is None:
        if session is None:
            raise NotFoundError(app.say("no_session", session=order.session_id))
        wanted = wanted or await _model_before(stores, order.session_id)
        recorded = session.metadata.get(_WORKSPACE)
        workspace = workspace or (Path(recorded) if recorded else None)
    return Place(
        session, choose_model(app, wanted), checked_workspace(workspace or Path.cwd(), app.say)
    )


async def keep_place(app: App, stores: "Stores", order: RunOrder, place: Place) -> None:
    """Store the session's row, made or brought up to date."""
    session = place.session or await stores.sessions.create(
        local_user(), app.settings.assistant_id, session_id=order.session_id
    )
    metadata = {**session.metadata, _WORKSPACE: str(place.workspace)}
    await stores.sessions.update(replace(session, last_active=now(), metadata=metadata))


async def _model_before(stores: "Stores", session_id: str) -> str | None:
    from dataagent_core.events import RunStartedEvent
    from dataagent_core.session import read_all

    starts = await read_all(stores.log, session_id, types=("start",))
    last = starts[-1] if starts else None
    return last.model if isinstance(last, RunStartedEvent) else None
