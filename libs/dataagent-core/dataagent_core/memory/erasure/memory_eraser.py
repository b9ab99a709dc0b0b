"""Forgets a memory with everything that says the same, and writes the receipt.

With it go the memories of its owner with the same text, in all scopes; those of the same
conversation that hold its text, as a whole message does; the episodes of the graph that rest on it,
the lines of notes, and the vectors that an embedder has ready. The conversation itself is the log:
the receipt says where it still stands.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
from dataagent_core.memory.text_digest import digest_text
from dataagent_core.memory.texts.whole_words import holds_words
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
        """Remove a memory and what says the same, then look whether anything is left.

        The memories go last: where the graph or a file of notes cannot be reached, whoever tries
        again still finds them.
        """
        scopes = await self._list_scopes(memory, owner)
        removed = Counter[str]()
        known: dict[str, Memory] = {}
        # What another process learns meanwhile is forgotten too.
        for _ in range(MEMORY_FORGET_ROUNDS_MAX):
            found = await self._find_alike(memory, scopes)
            new = [one for one in found if one.id not in known]
            if not new:
                break
            if self.graph is not None:
                for one in new:
                    removed.update(await self.graph.forget_memory(scopes, one))
            known |= {one.id: one for one in new}
        if isinstance(self.embedder, KeptVectors):
            self.embedder.clear()
        wordings = _list_wordings(memory, known.values())
        lines = 0
        if self.notes is not None:
            for text in wordings:
                lines += await self.notes.remove(owner, text)
        removed.update(await self.store.remove(list(known)))
        return ForgetReceipt(
            memory_id=memory.id,
            removed={name: count for name, count in removed.items() if count},
            remaining=await self._scan(wordings, _list_texts(known.values()), owner),
            notes_changed=lines,
            still_in=await self._find_places(known.values()),
            at=now,
        )

    async def _list_scopes(self, memory: Memory, owner: MemoryOwner) -> list[MemoryScope]:
        return list(dict.fromkeys([memory.scope, *await self.store.list_scopes(owner.user_id)]))

    async def _find_alike(self, memory: Memory, scopes: Sequence[MemoryScope]) -> list[Memory]:
        digest = digest_text(memory.content)
        found = [await self.store.get(memory.id) or memory]
        for scope in scopes:
            found += await self.store.find_same(scope, digest)
        for source in list_sources(memory):
            if source.session_id:
                of_source = await self.store.find_by_source(
                    memory.scope, source.session_id, source.seq_first, source.seq_last
                )
                found += [one for one in of_source if _holds(one, memory.content)]
        return list({one.id: one for one in found}.values())

    async def _scan(
        self, wordings: Sequence[str], texts: Sequence[str], owner: MemoryOwner
    ) -> Mapping[str, int]:
        """Count what still holds any of the texts, by table; nothing, where all of it is gone."""
        left = Counter[str]()
        for text in texts:
            left |= Counter(await self.store.scan(text, owner.user_id))
            if self.graph is not None:
                left |= Counter(await self.graph.scan(text, owner.user_id))
        if self.notes is not None:
            left[_NOTES] = sum([await self.notes.count(owner, text) for text in wordings])
        return {name: count for name, count in left.items() if count}

    async def _find_places(self, known: Collection[Memory]) -> tuple[SourcePlace, ...]:
        if self.log is None:
            return ()
        places = [
            SourcePlace(
                session_id=source.session_id,
                seq_first=source.seq_first,
                seq_last=source.seq_last,
            )
            for memory in known
            for source in list_sources(memory)
            if source.session_id
            and await self.log.last_seq(source.session_id) >= max(1, source.seq_first)
        ]
        return tuple(dict.fromkeys(places))


def _holds(memory: Memory, text: str) -> bool:
    return holds_words(memory.content, text) or holds_words(memory.source.quote, text)


def _list_wordings(memory: Memory, known: Collection[Memory]) -> list[str]:
    """List the ways in which it is said; what merely holds it says more."""
    digest = digest_text(memory.content)
    others = (one.content for one in known if digest_text(one.content) == digest)
    return list(dict.fromkeys((memory.content, *others)))


def _list_texts(known: Collection[Memory]) -> list[str]:
    """List what was remembered, and the words that it rested on."""
    quotes = (source.quote for one in known for source in list_sources(one))
    texts = (*(one.content for one in known), *quotes)
    return [text for text in dict.fromkeys(texts) if text.strip()]
