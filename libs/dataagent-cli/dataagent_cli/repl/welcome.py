"""The first line of a conversation, and the last."""

from importlib.metadata import version
from pathlib import Path

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import Conversation, ConversationFacts
from dataagent_cli.output.paths import display_path
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App


def welcome(app: App, request: ConversationRequest) -> str:
    """Name the program and its directory."""
    if request.server is not None:
        return app.say("repl_welcome", version=version("dataagent-cli"), path=request.server.url)
    if request.takes_up:
        # The directory is known when the session is open: `opened_notes` says it.
        return app.say("repl_welcome_back", version=version("dataagent-cli"))
    path = display_path(request.workspace)
    return app.say("repl_welcome", version=version("dataagent-cli"), path=path)


async def opened_notes(
    app: App, request: ConversationRequest, conversation: Conversation, after: int
) -> list[str]:
    """Describe a resumed session: its directory, and that only its end is shown."""
    if not request.takes_up:
        return []
    facts, say = conversation.facts, app.say
    notes: list[str] = []
    if facts.server is None:
        elsewhere = Path(facts.workspace) != request.workspace
        key = "repl_works_elsewhere" if elsewhere else "repl_works_in"
        path = display_path(Path(facts.workspace))
        title = f"{one_line(facts.title)} · " if facts.title else ""
        notes.append(say(key, title=title, path=path))
    if after:
        count = len(await conversation.record.questions())
        notes.append(say("repl_end_shown", count=count))
    return notes


def say_goodbye(app: App, facts: ConversationFacts, *, has_messages: bool) -> None:
    """Say how to resume a session that has messages."""
    if not has_messages:
        return
    if facts.server is None:
        here = Path(facts.workspace) == Path.cwd().resolve()
        text = app.say("repl_left" if here else "repl_left_elsewhere", session=facts.session_id)
    else:
        text = app.say("remote_left", session=facts.session_id, url=facts.server)
    app.output.note(text, dim=True)
