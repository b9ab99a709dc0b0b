"""Brings the communities of a scope up to date, each with a name and a summary.

Without a model both are made of the names of the members that are linked most. A model writes those
of a bounded number of changed communities, one call each; an answer that cannot be used leaves the
names.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from dataagent_core.config.limits.graph import (
    COMMUNITY_ANSWER_TOKENS,
    COMMUNITY_CALLS_MAX,
    COMMUNITY_NAME_CHARS_MAX,
    COMMUNITY_SUMMARY_CHARS_MAX,
)
from dataagent_core.errors import DataAgentError, StorageError
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.community.louvain_detector import (
    Edge,
    FoundCommunity,
    detect_communities,
    rank_members,
)
from dataagent_core.memory.graph.extraction.extraction_prompt import SUMMARY_INSTRUCTIONS
from dataagent_core.memory.graph.extraction.model_call import ModelCall
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_terms import GraphTerms
from dataagent_core.memory.graph.graph_values import Community
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.models.json_answer import find_object

_NAMES_IN_NAME: Final = 3
_NAMES_IN_SUMMARY: Final = 12
_FACTS_MAX: Final = 30


class CommunityUpdater:
    """Computes and stores communities."""

    def __init__(
        self,
        store: GraphStore,
        terms: GraphTerms,
        call: ModelCall | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._terms = terms
        self._call = call
        self._clock = clock

    async def update(self, scope: MemoryScope) -> int:
        """Compute what changed; say how many communities were written or removed."""
        known = {one.id: one for one in await self._store.list_communities([scope])}
        members: dict[str, list[str]] = {one: [] for one in known}
        for entity, community in (await self._store.read_members(scope)).items():
            members.setdefault(community, []).append(entity)
        edges = await self._store.count_edges(scope)
        found = await asyncio.to_thread(
            detect_communities,
            edges,
            {one: (known[one].fingerprint, members[one]) for one in known},
            min_size=self._terms.community_min_size,
            resolution=self._terms.community_resolution,
        )
        changed = [one for one in found if one.is_changed]
        removed = known.keys() - {one.id for one in found}
        if not changed and not removed:
            return 0
        described = await self._describe(scope, changed, edges)
        await self._store.save_communities(
            scope,
            [(described.get(one.members) or known[one.id], one.members) for one in found],
        )
        return len(changed) + len(removed)

    async def _describe(
        self, scope: MemoryScope, changed: Sequence[FoundCommunity], edges: Sequence[Edge]
    ) -> Mapping[tuple[str, ...], Community]:
        ranked = await asyncio.to_thread(_rank_all, changed, edges)
        shown = {entity for names in ranked for entity in names}
        names = {one.id: one.name for one in await self._store.get_entities([scope], sorted(shown))}
        described: dict[tuple[str, ...], Community] = {}
        for number, (one, best) in enumerate(zip(changed, ranked, strict=True)):
            listed = [names[entity] for entity in best if entity in names]
            name, summary = _write_names(listed, len(one.members))
            if self._call is not None and number < COMMUNITY_CALLS_MAX:
                name, summary = await self._ask(scope, best, listed) or (name, summary)
            described[one.members] = Community(
                id=one.id or new_id(),
                scope=scope,
                name=name,
                summary=summary,
                member_count=len(one.members),
                updated_at=self._clock(),
                fingerprint=one.fingerprint,
            )
        return described

    async def _ask(
        self, scope: MemoryScope, best: Sequence[str], names: Sequence[str]
    ) -> tuple[str, str] | None:
        assert self._call is not None
        relations = await self._store.list_relations([scope], best, limit=_FACTS_MAX)
        asked = {"members": names, "facts": [one.fact for one in relations]}
        try:
            answer = await self._call(
                SUMMARY_INSTRUCTIONS,
                json.dumps(asked, ensure_ascii=False),
                answer_tokens_max=COMMUNITY_ANSWER_TOKENS,
            )
        except StorageError:
            raise
        except DataAgentError:
            # The names say enough until the next change.
            return None
        parsed = find_object(answer) or {}
        name, summary = parsed.get("name"), parsed.get("summary")
        if not isinstance(name, str) or not isinstance(summary, str) or not name.strip():
            return None
        return (
            " ".join(name.split())[:COMMUNITY_NAME_CHARS_MAX],
            " ".join(summary.split())[:COMMUNITY_SUMMARY_CHARS_MAX],
        )


def _rank_all(changed: Sequence[FoundCommunity], edges: Sequence[Edge]) -> list[list[str]]:
    """Rank the members of each community, reading the edges once."""
    place_of = {member: place for place, one in enumerate(changed) for member in one.members}
    inside: list[list[Edge]] = [[] for _ in changed]
    for edge in edges:
        place = place_of.get(edge[0])
        if place is not None and place == place_of.get(edge[1]):
            inside[place].append(edge)
    return [
        rank_members(one.members, inside[place])[:_NAMES_IN_SUMMARY]
        for place, one in enumerate(changed)
    ]


def _write_names(names: Sequence[str], member_count: int) -> tuple[str, str]:
    name = ", ".join(names[:_NAMES_IN_NAME])[:COMMUNITY_NAME_CHARS_MAX]
    more = member_count - len(names)
    summary = ", ".join(names) + (f" +{more}" if more > 0 else "")
    return name, summary[:COMMUNITY_SUMMARY_CHARS_MAX]
