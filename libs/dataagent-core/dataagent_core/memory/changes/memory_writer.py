"""Stores a new memory together with what it changes: the same one, or those that it closes.

What another process wrote meanwhile is a conflict of versions: then all is read again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from dataagent_core.config.limits.memory import MEMORY_WRITE_TRIES_MAX
from dataagent_core.errors import ConflictError
from dataagent_core.memory.changes.merge import (
    SAID_AT_KEY,
    find_said_at,
    is_source_known,
    merge_memories,
)
from dataagent_core.memory.changes.statement import contradicts
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_results import AddResult
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.text_digest import digest_text


class MemoryWriter:
    """Writes into the memories of one tenant."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        # Two additions of one process do not miss each other.
        self._lock = asyncio.Lock()

    async def write(self, new: Memory, entry: IndexEntry, now: datetime) -> AddResult:
        """Store a memory, or what it makes of those that are there."""
        async with self._lock:
            for _ in range(MEMORY_WRITE_TRIES_MAX):
                try:
                    return await self._write(new, entry, now)
                except ConflictError:
                    continue  # another process was faster: look again
        raise ConflictError(
            f"The memories beside {new.content[:80]!r} were changed {MEMORY_WRITE_TRIES_MAX} times "
            "meanwhile: try again later."
        )

    async def _write(self, new: Memory, entry: IndexEntry, now: datetime) -> AddResult:
        known = await self._find_known(new, now)
        if known is not None and is_source_known(known, new.source):
            # Of a run that goes on after a crash, or of an import that is repeated.
            return AddResult(memory=known, action="merged")
        if known is not None:
            merged = merge_memories(known, new, now)
            changed = entry if merged.content != known.content else None
            return AddResult(memory=await self._store.save(merged, changed), action="merged")
        older, newer = await self._find_contradicted(new, now)
        # What was said before is told later, as in an import: it ends where the newer one begins.
        ended = _close(new, newer[0], now) if newer else new
        closed = tuple(_close(one, new, now) for one in older) if not newer else ()
        stored = await self._store.add(ended, entry, closed)
        return AddResult(memory=stored, action="replaced" if closed else "added", closed=closed)

    async def _find_known(self, new: Memory, now: datetime) -> Memory | None:
        """Find the memory that says the same, or nearly."""
        same = await self._store.find_same(new.scope, digest_text(new.content))
        # Of a source that was read before, also one that was closed since: a run that goes on
        # after a crash undoes nothing that was said later.
        read_before = (
            one for one in same if one.type == new.type and is_source_known(one, new.source)
        )
        mergeable = (one for one in same if _is_mergeable(one, new, now))
        return next(read_before, None) or next(mergeable, None)

    async def _find_contradicted(
        self, new: Memory, now: datetime
    ) -> tuple[Sequence[Memory], Sequence[Memory]]:
        """Find what says something else of the subject: said before the new one, and after it."""
        if not new.subject or new.is_tainted or (new.valid_to and new.valid_to <= now):
            return (), ()
        about = await self._store.find_subject(new.scope, new.subject)
        others = [
            one
            for one in about
            if one.is_current(now) and not one.is_tainted and contradicts(one.content, new.content)
        ]
        if SAID_AT_KEY not in new.extra:
            # It is said now, whatever clock the others were recorded by.
            return others, ()
        said_at = find_said_at(new)
        newer = [one for one in others if find_said_at(one) > said_at]
        return [one for one in others if one not in newer], sorted(newer, key=find_said_at)


def _is_mergeable(known: Memory, new: Memory, now: datetime) -> bool:
    """Say whether a memory is the same now: of one kind, and both of strangers or neither."""
    return (
        known.is_current(now)
        and known.type == new.type
        and known.is_tainted == new.is_tainted
        and known.valid_to == new.valid_to
    )


def _close(old: Memory, new: Memory, now: datetime) -> Memory:
    """Return a memory that ends when the new one begins.

    By a clock that was set back that is in the future; what is closed is closed from now on.
    """
    end = max(old.valid_from, new.valid_from)
    return replace(
        old,
        valid_to=end if new.valid_from > now else min(end, now),
        replaced_by=new.id,
        updated_at=now,
    )
