"""`sessions show`: the messages, in order."""

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.sessions.overview import overview_of
from dataagent_cli.wiring import App, open_stores
from dataagent_core.session import Message
from dataagent_core.session.store import all_messages


async def show_conversation(app: App, session_id: str, as_json: bool) -> None:
    """Print the messages of a session, and its state."""
    async with open_stores(app.settings) as stores:
        session = await existing_session(app, stores, session_id)
        overview = await overview_of(app.settings, stores, session)
        messages = await all_messages(stores.messages, session_id)
    if as_json:
        write_document({**overview.to_dict(), "messages": [_as_json(m) for m in messages]})
        return
    for message in messages:
        head = f"── {app.say(f'role.{message.role}')} · {message.created_at.astimezone():%H:%M:%S}"
        app.output.line(head, bold=True)
        app.output.line(sanitize_text(message.content).rstrip("\n") + "\n")
    if overview.state in ("waiting", "interrupted"):
        app.output.note(app.say(f"state.{overview.state}"), fg="yellow")
        app.output.note(app.say("unfinished", session=session_id), fg="yellow")


def _as_json(message: Message) -> dict[str, str]:
    return {
        "message_id": message.message_id,
        "role": message.role,
        "content": message.content,
        "created_at": message.created_at.isoformat(),
    }
