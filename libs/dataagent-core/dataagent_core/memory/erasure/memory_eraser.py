"""Forgets a memory with everything that says the same, and writes the receipt.

With it go the memories of its owner with the same text, in all scopes; those of the same
conversation that hold its text, as a whole message does; the episodes of the graph that rest on it,
the lines of notes, and the vectors that an embedder has ready. The conversation itself is the log:
the receipt says where it still stands.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dataagent_core.config.limits.memory import MEMORY_FORGET_ROUNDS_MAX
from dataagent_core.memory.changes.merge import list_sources
from dataagent_core.memory.erasure.notes_file import NotesFiles
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.memory_results import ForgetReceipt, MemoryOwner, SourcePlace
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.text_digest import digest_text, fold_text
from dataagent_core.models.embeddings import Embedder
from dataagent_core.models.embeddings.kept_vectors import KeptVectors
from dataagent_core.session.log import EventLog

_NOTES: Final = "notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEraser:
    """Forgets memories of one tenant."""

    store: MemoryStore
    graph: GraphServicePort | None
    notes: NotesFiles | None
    log: EventLog | None
    embedder: Embedder | None

    async def forget(self, memory: Memory, owner: MemoryOwner, now: datetime) -> ForgetReceipt:
        """Remove a memory and what says the same, then look whether anything is left."""
        scopes = await self._list_scopes(memory, owner)
        removed = Counter[str]()
        # What another process learns meanwhile is forgotten too.
        for _ in range(MEMORY_FORGET_ROUNDS_MAX):
            known = await self._find_alike(memory, scopes)
            if not known:
                break
            removed.update(await self.store.remove(known))
        if self.graph is not None:
            removed.update(await self.graph.forget_memory(scopes, memory))
        if isinstance(self.embedder, KeptVectors):
            self.embedder.clear()
        lines = await self.notes.remove(owner, memory.content) if self.notes else 0
        return ForgetReceipt(
            memory_id=memory.id,
            removed={name: count for name, count in removed.items() if count},
            remaining=await self._scan(memory.content, owner),
            notes_changed=lines,
            still_in=await self._find_places(memory),
            at=now,
        )

    async def _list_scopes(self, memory: Memory, owner: MemoryOwner) -> list[MemoryScope]:
        return list(dict.fromkeys([memory.scope, *await self.store.list_scopes(owner.user_id)]))

    async def _find_alike(self, memory: Memory, scopes: Sequence[MemoryScope]) -> list[str]:
        known = await self.store.get(memory.id)
        digest, folded = digest_text(memory.content), fold_text(memory.content)
        found = [known] if known else []
        for scope in scopes:
            found += await self.store.find_same(scope, digest)
        for source in list_sources(memory):
            if source.session_id:
                of_source = await self.store.find_by_source(
                    memory.scope, source.session_id, source.seq_first, source.seq_last
                )
                found += [one for one in of_source if _holds(one, folded)]
        return list(dict.fromkeys(one.id for one in found))

    async def _scan(self, text: str, owner: MemoryOwner) -> Mapping[str, int]:
        """Count what still holds the text, by table; nothing, where all of it is gone."""
        left = Counter(await self.store.scan(text, owner.user_id))
        if self.graph is not None:
            left |= Counter(await self.graph.scan(text, owner.user_id))
        if self.notes is not None:
            left[_NOTES] = await self.notes.count(owner, text)
        return {name: count for name, count in left.items() if count}

    async def _find_places(self, memory: Memory) -> tuple[SourcePlace, ...]:
        if self.log is None:
            return ()
        places = [
            SourcePlace(
                session_id=source.session_id,
                seq_first=source.seq_first,
                seq_last=source.seq_last,
            )
            for source in list_sources(memory)
            if source.session_id
            and await self.log.last_seq(source.session_id) >= max(1, source.seq_first)
        ]
        return tuple(dict.fromkeys(places))


def _holds(memory: Memory, folded: str) -> bool:
    return folded in fold_text(memory.content) or folded in fold_text(memory.source.quote)
