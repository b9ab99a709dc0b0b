"""`sessions delete`: a session with all its stored data."""

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores, session_lock
from dataagent_core.config.paths import SHADOWS_NAME
from dataagent_core.errors import ValidationError
from dataagent_core.session import runs_of
from dataagent_core.session.titles import title_of
from dataagent_core.tools.workspace_history.session_removal import forget_session

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores


async def delete_session(app: App, session_id: str, sure: bool, as_json: bool) -> None:
    """Remove a session that no process is running."""
    async with open_stores(app.settings) as stores:
        session = await existing_session(app, stores, session_id)
        name = one_line(title_of(session) or session_id)
        with session_lock(app.settings, session_id):
            runs = await runs_of(stores.log, session_id)
            if not sure and not _confirm(app, name, len(runs)):
                app.output.note(app.say("kept"))
                return
            await remove_session(app, stores, session_id)
    if as_json:
        write_document({"deleted": session_id})
    else:
        app.output.note(app.say("deleted", name=name))


async def remove_session(app: App, stores: "Stores", session_id: str) -> None:
    """Remove everything that is stored of a session, which the caller has locked."""
    # The row goes last: a removal that was cut short can be repeated.
    await asyncio.to_thread(forget_session, app.settings.home / SHADOWS_NAME, session_id)
    for run in await runs_of(stores.log, session_id):
        await stores.checkpoints.adelete_thread(run.run_id)
    await stores.messages.delete_messages(session_id)
    await stores.log.delete(session_id)
    await stores.sessions.delete(session_id)


def _confirm(app: App, name: str, runs: int) -> bool:
    if not sys.stdin.isatty():
        raise ValidationError(app.say("delete_needs_yes"))
    return click.confirm(app.say("delete_sure", name=name, runs=runs), err=True)
