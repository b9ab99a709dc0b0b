"""`sessions fork`: makes a session from the events before a message."""

from typing import TYPE_CHECKING

from dataagent_cli.output.json_document import write_document
from dataagent_cli.sessions.histories import histories_of
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, new_session_id, open_stores, session_lock
from dataagent_core.errors import NotFoundError
from dataagent_core.session import runs_of
from dataagent_core.session.copies.fork import fork

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores


async def fork_session(
    app: App, session_id: str, message: str | None, new_id: str | None, as_json: bool
) -> None:
    """Fork before a message, named by its id or its number."""
    chosen = new_id or new_session_id()
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, session_id)
        message_id = await message_id_of(app, stores, session_id, message)
        # The original is not locked: it is only read, even if a run is active there.
        with session_lock(app.settings, chosen):
            made = await fork(
                stores,
                histories_of(stores),
                session_id,
                message_id=message_id,
                new_session_id=chosen,
            )
    runs = len(made.part.runs)
    if as_json:
        unfinished = made.part.stops_at_unfinished
        write_document({"session_id": chosen, "runs": runs, "left_unfinished": unfinished})
        return
    app.output.note(app.say("forked", new=chosen, runs=runs))
    if made.part.stops_at_unfinished:
        app.output.note(app.say("fork_left_unfinished"), fg="yellow")


async def message_id_of(
    app: App, stores: "Stores", session_id: str, message: str | None
) -> str | None:
    """Return the id of a message that is named by its id or its number."""
    if message is None or not (message.isascii() and message.isdigit()):
        return message
    runs = await runs_of(stores.log, session_id)
    number = int(message[:9])
    if not 1 <= number <= len(runs):
        raise NotFoundError(app.say("no_such_question", count=len(runs), number=number))
    return runs[number - 1].message_id
