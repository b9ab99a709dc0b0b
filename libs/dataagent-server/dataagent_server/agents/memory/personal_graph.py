"""The knowledge graph of the principal, with rights and audit; core's port answers.

Every call names the principal's own scopes. An entity of somebody else is not in them, so it
answers like one that never was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from dataagent_core.config.limits.graph import GRAPH_PAGE_MAX
from dataagent_core.errors import NotFoundError
from dataagent_core.memory.graph.graph_service import (
    EntityChange,
    EntityView,
    GraphNodes,
    GraphOverview,
    GraphServicePort,
    TimelineItem,
)
from dataagent_core.memory.graph.graph_values import Community, Entity, Episode, EpisodeState
from dataagent_core.memory.memory import MemoryScope
from dataagent_server.agents.memory.audited_writes import audited
from dataagent_server.agents.memory.memory_record import ScopeChoice
from dataagent_server.agents.memory.own_memory import require_own
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal

T = TypeVar("T", Community, Entity, Episode)
_EVERYWHERE = ScopeChoice()


@dataclass(frozen=True, slots=True)
class PersonalGraph:
    """The graph of the principal."""

    database: Database
    audit: AuditTrail
    memory_of: Callable[[TenantId], TenantMemory]

    async def list_communities(
        self, principal: Principal, choice: ScopeChoice, page_request: PageRequest
    ) -> ItemPage[Community]:
        """List communities, the largest first."""
        graph, scopes = await self._open(principal, choice)
        known = await graph.list_communities(scopes)
        first = 0
        if page_request.after is not None:
            first = 1 + _place_of(page_request.after, [one.id for one in known])
        return _page(known[first : first + page_request.limit + 1], page_request)

    async def read_overview(
        self, principal: Principal, choice: ScopeChoice, limit: int
    ) -> GraphOverview:
        """Show the largest communities and what joins them."""
        graph, scopes = await self._open(principal, choice)
        return await graph.read_overview(scopes, limit)

    async def read_nodes(
        self, principal: Principal, choice: ScopeChoice, community_id: str | None, limit: int
    ) -> GraphNodes:
        """Show entities with the relations among them."""
        graph, scopes = await self._open(principal, choice)
        return await graph.read_nodes(scopes, community_id, limit)

    async def list_entities(
        self,
        principal: Principal,
        choice: ScopeChoice,
        page_request: PageRequest,
        *,
        type: str | None,  # noqa: A002 (S2's name of the property)
        community_id: str | None,
        query: str | None,
    ) -> ItemPage[Entity]:
        """List entities by name, or those that fit a query."""
        graph, scopes = await self._open(principal, choice)
        if query is not None:
            # What is left out by the filters must not take the place of what fits.
            is_filtered = type is not None or community_id is not None
            searched = GRAPH_PAGE_MAX if is_filtered else page_request.limit
            found = await graph.find_entities(scopes, query, searched)
            fitting = [
                one
                for one in found
                if type in {None, one.type} and community_id in {None, one.community_id}
            ]
            return ItemPage(fitting[: page_request.limit], None)
        listed = await graph.list_entities(
            scopes,
            type=type,
            community_id=community_id,
            limit=page_request.limit + 1,
            after=page_request.after,
        )
        return _page(listed, page_request)

    async def get_entity(
        self, principal: Principal, entity_id: str, as_of: datetime | None
    ) -> EntityView:
        """Show an entity with what is said of it."""
        graph, scopes = await self._open(principal)
        return await graph.get_entity(scopes, entity_id, as_of=as_of)

    async def read_timeline(
        self, principal: Principal, entity_id: str, limit: int
    ) -> list[TimelineItem]:
        """Show what happened to an entity, the oldest first."""
        graph, scopes = await self._open(principal)
        return await graph.read_timeline(scopes, entity_id, limit)

    async def change_entity(
        self, principal: Principal, entity_id: str, version: int, change: EntityChange
    ) -> Entity:
        """Change an entity, if nobody has changed it since it was looked at."""
        graph, scopes = await self._open_to_change(principal)
        async with self._audited(principal, "graph.entity.change", f"entity:{entity_id}"):
            return await graph.change_entity(scopes, entity_id, version, change)

    async def remove_entity(self, principal: Principal, entity_id: str) -> Mapping[str, int]:
        """Remove an entity with its relations and mentions."""
        graph, scopes = await self._open_to_change(principal)
        async with self._audited(principal, "graph.entity.remove", f"entity:{entity_id}"):
            return await graph.remove_entity(scopes, entity_id)

    async def list_episodes(
        self,
        principal: Principal,
        choice: ScopeChoice,
        page_request: PageRequest,
        *,
        state: EpisodeState | None,
        session_id: str | None,
    ) -> ItemPage[Episode]:
        """List episodes, the newest first."""
        graph, scopes = await self._open(principal, choice)
        listed = await graph.list_episodes(
            scopes,
            state=state,
            session_id=session_id,
            limit=page_request.limit + 1,
            after=page_request.after,
        )
        return _page(listed, page_request)

    async def retry_episode(self, principal: Principal, episode_id: str) -> Episode:
        """Begin again with an episode that failed."""
        graph, scopes = await self._open_to_change(principal)
        store = self.memory_of(principal.tenant_id).graph_store
        for episode in await store.get_episodes(scopes, [episode_id]):
            async with self._audited(principal, "graph.episode.retry", f"episode:{episode_id}"):
                return await graph.retry(episode.scope, episode_id)
        raise NotFoundError(f"There is no episode {episode_id[:80]!r}.")

    async def query(
        self, principal: Principal, query: str, limit: int
    ) -> list[Mapping[str, object]]:
        """Answer a query that only reads."""
        graph, scopes = await self._open(principal)
        return await graph.query(scopes, query, limit)

    async def _open(
        self, principal: Principal, choice: ScopeChoice = _EVERYWHERE
    ) -> tuple[GraphServicePort, list[MemoryScope]]:
        require_own(principal, "memory.read")
        return await self._choose(principal, choice)

    async def _open_to_change(
        self, principal: Principal
    ) -> tuple[GraphServicePort, list[MemoryScope]]:
        require_own(principal, "memory.change")
        return await self._choose(principal, _EVERYWHERE)

    async def _choose(
        self, principal: Principal, choice: ScopeChoice
    ) -> tuple[GraphServicePort, list[MemoryScope]]:
        graph = self.memory_of(principal.tenant_id).graph
        if graph is None:
            raise NotFoundError("There is no knowledge graph here: it is switched off.")
        return graph, choice.choose(await graph.list_scopes(principal.user_id))

    def _audited(
        self, principal: Principal, action: str, resource: str
    ) -> AbstractAsyncContextManager[None]:
        tenant_id, actor = principal.tenant_id, principal.actor
        return audited(
            self.database, lambda c: self.audit.record(c, tenant_id, actor, action, resource)
        )


def _page(found: Sequence[T], page_request: PageRequest) -> ItemPage[T]:
    shown = found[: page_request.limit]
    return ItemPage(shown, shown[-1].id if len(found) > page_request.limit else None)


def _place_of(item_id: str, known: Sequence[str]) -> int:
    try:
        return known.index(item_id)
    except ValueError:
        raise NotFoundError(f"There is no community {item_id[:80]!r} any more.") from None
