"""Stores many statements that were said one after another, as an import brings them.

What changes nothing that is known goes in at once; the rest is written one by one, in its order.
"""

from collections.abc import Sequence
from datetime import datetime

from dataagent_core.memory.changes.memory_writer import MemoryWriter
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.text_digest import digest_text


async def write_batch(
    store: MemoryStore,
    writer: MemoryWriter,
    scope: MemoryScope,
    new: Sequence[tuple[Memory, IndexEntry]],
    now: datetime,
) -> None:
    """Store statements of one scope."""
    digests = [digest_text(memory.content) for memory, _ in new]
    subjects = [memory.subject for memory, _ in new if memory.subject]
    known = await store.find_known(scope, digests, subjects)
    seen = {digest_text(one.content) for one in known}
    spoken_of = {one.subject for one in known if one.subject}
    bulk: list[tuple[Memory, IndexEntry]] = []
    for (memory, entry), digest in zip(new, digests, strict=True):
        if digest in seen or memory.subject in spoken_of:
            # It meets what is known or came before in the batch, which must be there first.
            await store.add_many(bulk)
            bulk = []
            await writer.write(memory, entry, now)
        else:
            bulk.append((memory, entry))
        seen.add(digest)
        spoken_of |= {memory.subject} if memory.subject else set()
    await store.add_many(bulk)
