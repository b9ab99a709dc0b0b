"""All messages of a session, page after page; `log.read_all` is the same for events."""

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.session.state import Message
from dataagent_core.session.store import MessageStore


async def all_messages(store: MessageStore, session_id: str) -> list[Message]:
    """Read everything that was said, in order."""
    messages: list[Message] = []
    while True:
        page = await store.get_messages(session_id, offset=len(messages))
        messages.extend(page)
        if len(page) < MESSAGES_PAGE_DEFAULT:
            return messages
