"""`sessions rename`."""

from dataagent_cli.output.json_document import write_document
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores
from dataagent_core.session.titles import retitle_session, title_of


async def rename_session(app: App, session_id: str, title: str, as_json: bool) -> None:
    """Give a session another title."""
    async with open_stores(app.settings) as stores:
        session = retitle_session(await existing_session(app, stores, session_id), title)
        await stores.sessions.update(session)
    if as_json:
        write_document({"session_id": session_id, "title": title_of(session)})
    else:
        app.output.note(app.say("renamed", title=title_of(session)))
