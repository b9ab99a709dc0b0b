"""`GraphServicePort` over a graph store of any kind: S2's native graph adapter.

    graph = NativeGraphAdapter(store, embedder=embedder, terms=GraphTerms())
    await graph.add_episode(NewEpisode(scope=scope, content=text, source=source))
    await graph.process_pending()

Without a model (`call`) episodes are read by rules, which costs nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from dataagent_core.config.limits.graph import (
    ENTITY_NAME_CHARS_MAX,
    ENTITY_SUMMARY_CHARS_MAX,
    ENTITY_TYPE_CHARS_MAX,
    EPISODE_CHARS_MAX,
    EPISODE_RETRY_PAUSE_S,
    EPISODES_PENDING_MAX,
    EPISODES_PER_BATCH,
    GRAPH_PAGE_MAX,
)
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_core.memory.changes.merge import list_sources
from dataagent_core.memory.graph import graph_reads
from dataagent_core.memory.graph.community.community_updater import CommunityUpdater
from dataagent_core.memory.graph.entity_names import GIVEN_BY_PERSON, join_names
from dataagent_core.memory.graph.episode_pipeline import EpisodePipeline
from dataagent_core.memory.graph.extraction.model_call import ModelCall
from dataagent_core.memory.graph.extraction.model_extractor import ModelExtractor
from dataagent_core.memory.graph.graph_service import (
    EntityChange,
    EntityView,
    GraphNodes,
    GraphOverview,
    GraphServicePort,
    NewEpisode,
    ProcessReport,
    TimelineItem,
)
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_terms import GraphTerms
from dataagent_core.memory.graph.graph_values import Community, Entity, Episode, EpisodeState
from dataagent_core.memory.graph.links.link_planner import LinkPlanner
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.search.index_text import index_text, index_texts
from dataagent_core.memory.texts.whole_words import holds_words
from dataagent_core.models.embeddings import Embedder

# Communities are computed after so many episodes of an import: each time reads all edges.
_FINISHED_AT_ONCE: Final = 2_000
_MENTIONS_MAX: Final = 10_000
# Episodes that hold a forgotten text; of more it takes another round.
_HOLDING_MAX: Final = 1_000


def _utc_now() -> datetime:
    return datetime.now(UTC)


class NativeGraphAdapter(GraphServicePort):
    """The graph of one tenant."""

    def __init__(
        self,
        store: GraphStore,
        *,
        embedder: Embedder | None,
        terms: GraphTerms | None = None,
        call: ModelCall | None = None,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        terms = terms or GraphTerms()
        model = ModelExtractor(call, reflexion=terms.enable_reflexion) if call else None
        planner = LinkPlanner(store, embedder, terms.entity_dedupe_threshold)
        self.store = store
        self._embedder = embedder
        self._clock = clock
        self._pipeline = EpisodePipeline(store, planner, model, clock)
        self._communities = CommunityUpdater(store, terms, call, clock)

    async def add_episode(self, episode: NewEpisode) -> Episode:
        return (await self.add_episodes([episode]))[0]

    async def add_episodes(self, episodes: Sequence[NewEpisode]) -> list[Episode]:
        now = self._clock()
        made = [_make_episode(one, now) for one in episodes]
        entries = await index_texts(
            [(one.content, one.source.speaker) for one in made], self._embedder
        )
        return await self.store.add_episodes(list(zip(made, entries, strict=True)))

    async def process(self, scope: MemoryScope, episode_id: str) -> Episode:
        episode = await self._get_episode(scope, episode_id)
        match episode.state:
            case "received":
                return await self._pipeline.extract(episode)
            case "extracted":
                return await self._pipeline.link(episode)
            case "linked":
                await self._communities.update(scope)
                return (await self._pipeline.finish([episode]))[0]
            case "synced" | "failed":
                return episode

    async def process_pending(self, limit: int | None = None) -> ProcessReport:
        left = EPISODES_PENDING_MAX if limit is None else min(limit, EPISODES_PENDING_MAX)
        report = ProcessReport(note=self._pipeline.note)
        tried_before = self._clock() - timedelta(seconds=EPISODE_RETRY_PAUSE_S)
        # They failed in this call, and a later one tries them again; or they wait to be finished.
        tried: set[str] = set()
        linked: dict[MemoryScope, list[Episode]] = {}
        while left > 0:
            size = min(left, EPISODES_PER_BATCH)
            waiting = [
                one
                for one in await self.store.find_unfinished(
                    size + len(tried), tried_before=tried_before
                )
                if one.id not in tried
            ][:size]
            if not waiting:
                break
            for one in await self._bring_on(waiting):
                tried.add(one.id)
                if one.state == "linked":
                    linked.setdefault(one.scope, []).append(one)
                elif one.state == "failed":
                    report = replace(report, failed=report.failed + 1)
                else:
                    report = replace(report, waiting=report.waiting + 1)
            left -= len(waiting)
            if sum(map(len, linked.values())) >= _FINISHED_AT_ONCE:
                tried -= {one.id for episodes in linked.values() for one in episodes}
                report = await self._finish(linked, report)
                linked = {}
        return await self._finish(linked, report)

    async def retry(self, scope: MemoryScope, episode_id: str) -> Episode:
        episode = await self._get_episode(scope, episode_id)
        if episode.state != "failed":
            raise ConflictError(f"The episode {episode_id} has not failed: it is {episode.state}.")
        return await self.store.save_episode(
            replace(episode, state="received", attempts=0, updated_at=self._clock())
        )

    async def find_entities(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Entity]:
        return await graph_reads.find_entities(
            self.store,
            self._embedder,
            scopes,
            query,
            now=self._clock(),
            limit=min(limit, GRAPH_PAGE_MAX),
        )

    async def get_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str, *, as_of: datetime | None = None
    ) -> EntityView:
        return await graph_reads.read_entity(self.store, scopes, entity_id, as_of)

    async def read_timeline(
        self, scopes: Sequence[MemoryScope], entity_id: str, limit: int
    ) -> list[TimelineItem]:
        return await graph_reads.read_timeline(self.store, scopes, entity_id, limit)

    async def list_entities(
        self,
        scopes: Sequence[MemoryScope],
        *,
        type: str | None = None,  # noqa: A002 (S2's name of the property)
        community_id: str | None = None,
        limit: int,
        after: str | None = None,
    ) -> list[Entity]:
        return await self.store.list_entities(
            scopes, type=type, community_id=community_id, limit=limit, after=after
        )

    async def change_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str, version: int, change: EntityChange
    ) -> Entity:
        entity = await graph_reads.get_entity(self.store, scopes, entity_id)
        changed = _change(replace(entity, version=version), change, self._clock())
        return await self._save_indexed(changed)

    async def remove_entity(
        self, scopes: Sequence[MemoryScope], entity_id: str
    ) -> Mapping[str, int]:
        entity = await graph_reads.get_entity(self.store, scopes, entity_id)
        removed = await self.store.remove_entity(scopes, entity_id)
        await self._communities.update(entity.scope)
        return removed

    async def list_episodes(
        self,
        scopes: Sequence[MemoryScope],
        *,
        state: EpisodeState | None = None,
        entity_id: str | None = None,
        session_id: str | None = None,
        limit: int,
        after: str | None = None,
    ) -> list[Episode]:
        return await self.store.list_episodes(
            scopes,
            state=state,
            entity_id=entity_id,
            session_id=session_id,
            limit=limit,
            after=after,
        )

    async def list_communities(self, scopes: Sequence[MemoryScope]) -> list[Community]:
        return await self.store.list_communities(scopes)

    async def update_communities(self, scope: MemoryScope) -> int:
        return await self._communities.update(scope)

    async def read_overview(self, scopes: Sequence[MemoryScope], limit: int) -> GraphOverview:
        return await graph_reads.read_overview(self.store, scopes, limit)

    async def read_nodes(
        self, scopes: Sequence[MemoryScope], community_id: str | None, limit: int
    ) -> GraphNodes:
        return await graph_reads.read_nodes(self.store, scopes, community_id, limit)

    async def query(
        self, scopes: Sequence[MemoryScope], query: str, limit: int
    ) -> list[Mapping[str, object]]:
        return await self.store.query(scopes, query, limit)

    async def forget_episodes(
        self, scopes: Sequence[MemoryScope], ids: Sequence[str]
    ) -> Mapping[str, int]:
        episodes = await self.store.get_episodes(scopes, ids)
        mentions = await self.store.list_mentioned(scopes, ids, _MENTIONS_MAX)
        touched = sorted({one.entity_id for one in mentions})
        before = {one.id: one for one in await self.store.get_entities(scopes, touched)}
        removed = await self.store.remove_episodes(scopes, ids)
        for entity in await self.store.get_entities(scopes, touched):
            if _read_names(entity) != _read_names(before[entity.id]):
                await self._save_indexed(entity)
        for scope in dict.fromkeys(one.scope for one in episodes):
            await self._communities.update(scope)
        return removed

    async def forget_memory(
        self, scopes: Sequence[MemoryScope], memory: Memory
    ) -> Mapping[str, int]:
        ids = [memory.episode_id] if memory.episode_id else []
        quotes = (source.quote for source in list_sources(memory))
        for text in dict.fromkeys((memory.content, *quotes)):
            if text.strip():
                found = await self.store.find_episodes_with(scopes, text, _HOLDING_MAX)
                holding = await self.store.get_episodes(scopes, found)
                ids += [one.id for one in holding if holds_words(one.content, text)]
        return await self.forget_episodes(scopes, list(dict.fromkeys(ids)))

    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        return await self.store.list_scopes(user_id)

    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        return await self.store.remove_user(user_id)

    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        return await self.store.scan(text, user_id)

    async def _bring_on(self, waiting: Sequence[Episode]) -> list[Episode]:
        """Bring episodes to `linked`, or as far as they come."""
        done = [one for one in waiting if one.state == "linked"]
        by_rules: dict[MemoryScope, list[Episode]] = {}
        for one in waiting:
            if one.state == "received" and not self._pipeline.uses_model:
                by_rules.setdefault(one.scope, []).append(one)
            elif one.state in {"received", "extracted"}:
                done.append(await self._bring_one_on(one))
        for episodes in by_rules.values():
            try:
                done += await self._pipeline.link_by_rules(episodes)
            except ConflictError:
                # One of them was changed meanwhile: the others do not wait for it.
                done += [await self._bring_one_on(one) for one in episodes]
        return done

    async def _bring_one_on(self, episode: Episode) -> Episode:
        try:
            if episode.state == "received":
                episode = await self._pipeline.extract(episode)
            return await self._pipeline.link(episode) if episode.state == "extracted" else episode
        except (ConflictError, NotFoundError):
            # Another process works on it, or somebody has removed it.
            return episode

    async def _finish(
        self, linked: Mapping[MemoryScope, Sequence[Episode]], report: ProcessReport
    ) -> ProcessReport:
        """Bring the communities up to date, once for all episodes of a scope."""
        for scope, episodes in linked.items():
            count = await self._communities.update(scope)
            await self._pipeline.finish(episodes)
            report = replace(
                report,
                synced=report.synced + len(episodes),
                communities=report.communities + count,
            )
        return report

    async def _save_indexed(self, entity: Entity) -> Entity:
        entry = await index_text(join_names(entity.name, entity.aliases), self._embedder)
        return await self.store.save_entity(entity, entry)

    async def _get_episode(self, scope: MemoryScope, episode_id: str) -> Episode:
        found = await self.store.get_episodes([scope], [episode_id])
        if not found:
            raise NotFoundError(f"There is no episode {episode_id!r} in this scope.")
        return found[0]


def _make_episode(new: NewEpisode, now: datetime) -> Episode:
    if not new.content.strip():
        raise ValidationError("An episode is a text, and this one is empty.")
    if len(new.content) > EPISODE_CHARS_MAX:
        raise ValidationError(
            f"An episode has at most {EPISODE_CHARS_MAX:,} characters, and this one "
            f"{len(new.content):,}: cut it in several."
        )
    return Episode(
        id=new.id or new_id(),
        scope=new.scope,
        content=new.content,
        source=new.source,
        created_at=new.created_at or now,
        updated_at=now,
        is_tainted=new.is_tainted,
    )


def _change(entity: Entity, change: EntityChange, now: datetime) -> Entity:
    for name, value, chars_max in (
        ("name", change.name, ENTITY_NAME_CHARS_MAX),
        ("type", change.type, ENTITY_TYPE_CHARS_MAX),
        ("summary", change.summary, ENTITY_SUMMARY_CHARS_MAX),
    ):
        if value is not None and len(value) > chars_max:
            raise ValidationError(f"The {name} of an entity has at most {chars_max} characters.")
    if change.name is not None and not change.name.strip():
        raise ValidationError("The name of an entity is empty.")
    changed = replace(entity, updated_at=now)
    if change.name is not None and change.name != entity.name:
        name = " ".join(change.name.split())
        aliases = {**entity.aliases, entity.name: "its name before", name: GIVEN_BY_PERSON}
        changed = replace(changed, name=name, aliases=aliases)
    if change.type:
        changed = replace(changed, type=change.type)
    if change.summary is not None:
        changed = replace(changed, summary=change.summary)
    if change.attributes is not None:
        changed = replace(changed, attributes=dict(change.attributes))
    return changed


def _read_names(entity: Entity) -> Iterable[str]:
    return [entity.name, *entity.aliases]
