"""Imports a conversation that was held elsewhere, in batches: memories, then episodes.

What is not clean is left out and counted. Importing the same turns again adds nothing: a turn is
known by its conversation and its number.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dataagent_core.config.limits.memory import (
    MEMORY_IMPORT_BATCH_TURNS,
    MEMORY_IMPORT_TURNS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.memory.changes.batch_writer import write_batch
from dataagent_core.memory.changes.memory_writer import MemoryWriter
from dataagent_core.memory.changes.new_memory import make_memory
from dataagent_core.memory.graph.extraction.memory_rules import Turn
from dataagent_core.memory.graph.graph_service import GraphServicePort, NewEpisode
from dataagent_core.memory.hygiene.refusal import RefusalRule
from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.index_text import index_texts
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.transfer.turn_memories import (
    TurnMemories,
    TurnPlace,
    make_place,
    read_turn,
)
from dataagent_core.models.embeddings import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of the turns of a conversation."""

    turns: int = 0
    # Turns that were there already.
    known: int = 0
    # What people said of themselves, added or merged with what is known.
    statements: int = 0
    episodes: int = 0
    # Lines and statements that are not clean, by rule.
    refused: Mapping[RefusalRule, int] = field(default_factory=dict[RefusalRule, int])


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnImporter:
    """Imports into the memories of one tenant."""

    store: MemoryStore
    writer: MemoryWriter
    embedder: Embedder | None
    graph: GraphServicePort | None

    async def run(
        self, scope: MemoryScope, conversation_id: str, turns: Sequence[Turn], now: datetime
    ) -> ImportReport:
        """Import turns in the order they were said; the first one has the number 1."""
        if not conversation_id.strip():
            raise ValidationError("A conversation that is imported needs a name: give it one.")
        if len(turns) > MEMORY_IMPORT_TURNS_MAX:
            raise ValidationError(
                f"{len(turns):,} turns are more than the {MEMORY_IMPORT_TURNS_MAX:,} that are "
                "imported at once: import them in parts, each under a name of its own."
            )
        totals = Counter[str]()
        refused = Counter[RefusalRule]()
        for start in range(0, len(turns), MEMORY_IMPORT_BATCH_TURNS):
            batch = turns[start : start + MEMORY_IMPORT_BATCH_TURNS]
            places = [
                make_place(scope, conversation_id, number)
                for number, _ in enumerate(batch, start + 1)
            ]
            known = await self._find_known(places)
            unread = [
                (place, turn)
                for place, turn in zip(places, batch, strict=True)
                if place not in known
            ]
            # A turn may be long, and the rules read every word of it.
            new = await asyncio.to_thread(_read_turns, unread)
            for _, _, made in new:
                refused.update(made.refused)
            totals["turns"] += len(batch)
            totals["known"] += len(known)
            totals["episodes"] += await self._add_episodes(new)
            totals["statements"] += await self._add_memories(scope, new, now)
        if self.graph is not None and totals["episodes"]:
            await self.graph.process_pending()
        return ImportReport(**totals, refused=dict(refused))

    async def _find_known(self, places: Sequence[TurnPlace]) -> frozenset[TurnPlace]:
        found = await self.store.get_many([place.context_id(0) for place in places])
        ids = {memory.id for memory in found}
        return frozenset(place for place in places if place.context_id(0) in ids)

    async def _add_episodes(self, new: Sequence[tuple[TurnPlace, Turn, TurnMemories]]) -> int:
        if self.graph is None:
            return 0
        episodes = [
            NewEpisode(
                id=place.episode_id,
                scope=place.scope,
                content=made.text,
                source=MemorySource(
                    kind="conversation",
                    session_id=place.conversation_id,
                    seq_first=place.number,
                    seq_last=place.number,
                    speaker=turn.speaker,
                ),
                created_at=turn.at,
                is_tainted=bool(turn.speaker),
            )
            for place, turn, made in new
            if made.text
        ]
        return len(await self.graph.add_episodes(episodes)) if episodes else 0

    async def _add_memories(
        self,
        scope: MemoryScope,
        new: Sequence[tuple[TurnPlace, Turn, TurnMemories]],
        now: datetime,
    ) -> int:
        """Add what turns say, then the turns: one that is there was read to its end."""
        statements = [make_memory(one, now) for _, _, made in new for one in made.statements]
        await write_batch(self.store, self.writer, scope, await self._index(statements), now)
        context = [
            replace(make_memory(one, now), id=place.context_id(part))
            for place, _, made in new
            for part, one in enumerate(made.context)
        ]
        await self.store.add_many(await self._index(context))
        return len(statements)

    async def _index(self, memories: Sequence[Memory]) -> list[tuple[Memory, IndexEntry]]:
        texts = [(one.content, one.source.speaker) for one in memories]
        entries = await index_texts(texts, self.embedder)
        return list(zip(memories, entries, strict=True))


def _read_turns(
    turns: Sequence[tuple[TurnPlace, Turn]],
) -> list[tuple[TurnPlace, Turn, TurnMemories]]:
    return [(place, turn, read_turn(turn, place)) for place, turn in turns]
