"""Messages of a session: all, page after page (`log.read_all` for events), or the newest."""

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


async def newest_messages(store: MessageStore, session_id: str, count: int) -> list[Message]:
    """Read the newest messages, in order.

    Stores count from the oldest one: of a long session the end is found first, by halving.
    """
    page = await store.get_messages(session_id, limit=count)
    if len(page) < count:
        return page
    there, beyond = count - 1, 2 * count
    while await store.get_messages(session_id, limit=1, offset=beyond):
        there, beyond = beyond, 2 * beyond
    while beyond - there > 1:
        middle = (there + beyond) // 2
        if await store.get_messages(session_id, limit=1, offset=middle):
            there = middle
        else:
            beyond = middle
    return await store.get_messages(session_id, limit=count, offset=beyond - count)
