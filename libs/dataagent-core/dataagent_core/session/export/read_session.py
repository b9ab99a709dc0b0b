"""Reads a session for an export, without answers that may hold credentials."""

from dataclasses import replace

from dataagent_core.events import Event, HITLAnswerEvent, HITLRequestEvent
from dataagent_core.session.export.turns import ExportedSession
from dataagent_core.session.log import EventLog, read_all
from dataagent_core.session.state import Message, Session
from dataagent_core.session.store import MessageStore, all_messages
from dataagent_core.session.titles import title_from, title_of

# The answer to a server's form or a sign-in may be a password.
_PRIVATE = frozenset({"elicitation", "oauth"})


async def read_session_for_export(
    messages: MessageStore, log: EventLog, session: Session, title: str | None = None
) -> ExportedSession:
    """Read a whole session."""
    stored = await all_messages(messages, session.session_id)
    events = await read_all(log, session.session_id)
    return ExportedSession(
        session=session,
        title=title or choose_title(session, stored),
        messages=stored,
        events=[without_secrets(event) for event in events],
    )


def choose_title(session: Session, messages: list[Message]) -> str:
    """Return the title of a session: its own, its first message, or else its id."""
    first = title_from(messages[0].content) if messages else None
    return title_of(session) or first or session.session_id


def without_secrets(event: Event) -> Event:
    """Remove the content of requests and answers that may hold credentials."""
    match event:
        case HITLAnswerEvent() if event.kind in _PRIVATE:
            kept = {name: event.decision[name] for name in ("type",) if name in event.decision}
            return replace(event, decision=kept)
        case HITLRequestEvent(kind="oauth"):
            return replace(event, action_requests=[], options=[], context=None)
        case _:
            return event
