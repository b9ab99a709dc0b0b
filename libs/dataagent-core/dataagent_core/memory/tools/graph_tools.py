"""`graph_query`, `entity_lookup` and `episode_retrieval`: what the graph knows (S2 §7.1)."""

import json
from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import Field

from dataagent_core.config.limits.memory import MEMORY_QUERY_CHARS_MAX, MEMORY_TOOL_ROWS_MAX
from dataagent_core.memory.graph.graph_service import EntityView
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.hygiene.recall_mark import mark_recalled, quote_for_model
from dataagent_core.memory.recall.recall_note import write_recalled_lines
from dataagent_core.memory.recall.recalled_events import describe_episode
from dataagent_core.memory.tools.tool_services import MemoryToolServices, note_recalled
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.definition.tool_definition import define_tool

_ROWS: Final = 10
# Entities of a query that episodes are looked for by, and that a name may mean.
_ENTITIES: Final = 5
_NOTHING: Final = "Nothing is remembered that fits."

_Limit = Annotated[int, Field(description="How many at most", ge=1, le=MEMORY_TOOL_ROWS_MAX)]


@define_tool("pure", make_external_metadata())
async def graph_query(
    services: MemoryToolServices,
    query: Annotated[
        str,
        Field(
            description="Read-only Cypher: MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity) WHERE "
            "a.name = 'Mia' RETURN r.fact, b.name LIMIT 25",
            max_length=MEMORY_QUERY_CHARS_MAX,
        ),
    ],
    limit: _Limit = 25,
) -> str:
    """Ask the knowledge graph of this person's conversations: Episodic, Entity, Community.

    Only what the person may see is searched. Without Neo4j a part of Cypher is understood; an error
    says which.
    """
    rows = await services.known_graph.query(services.reads, query, limit)
    lines = [json.dumps(row, ensure_ascii=False, default=str) for row in rows]
    return mark_recalled("\n".join(lines)) if lines else _NOTHING


@define_tool("pure")
async def entity_lookup(
    services: MemoryToolServices,
    name: Annotated[
        str,
        Field(
            description="A person, organisation, place or thing", max_length=MEMORY_QUERY_CHARS_MAX
        ),
    ],
) -> str:
    """Show what is known of an entity: what it is related to, since when, and who said so."""
    graph = services.known_graph
    found = await graph.find_entities(services.reads, name, _ENTITIES)
    if not found:
        return _NOTHING
    view = await graph.get_entity(services.reads, found[0].id)
    await _note_episodes(view.episodes[:_ROWS])
    others = [quote_for_model(one.name) for one in found[1:]]
    lines = _describe_entity(view)
    if others:
        lines.append(f"Other entities of such names: {', '.join(others)}")
    return mark_recalled("\n".join(lines))


@define_tool("pure")
async def episode_retrieval(
    services: MemoryToolServices,
    query: Annotated[
        str,
        Field(
            description="The people or things it was about; empty: the newest ones",
            max_length=MEMORY_QUERY_CHARS_MAX,
        ),
    ] = "",
    session_id: Annotated[str, Field(description="Only of this conversation")] = "",
    limit: _Limit = _ROWS,
) -> str:
    """Retrieve pieces of earlier conversations, word for word, the newest first."""
    graph = services.known_graph
    if not query.strip():
        found = await graph.list_episodes(
            services.reads, session_id=session_id or None, limit=limit
        )
        return await _tell_episodes(found)
    entities = await graph.find_entities(services.reads, query, _ENTITIES)
    about: dict[str, Episode] = {}
    for entity in entities:
        page = await graph.list_episodes(
            services.reads, entity_id=entity.id, session_id=session_id or None, limit=limit
        )
        about |= {one.id: one for one in page}
    newest = sorted(about.values(), key=lambda one: one.created_at, reverse=True)
    return await _tell_episodes(newest[:limit])


async def _tell_episodes(episodes: list[Episode]) -> str:
    await _note_episodes(episodes)
    if not episodes:
        return _NOTHING
    return write_recalled_lines(episodes)


async def _note_episodes(episodes: Iterable[Episode]) -> None:
    await note_recalled([describe_episode(one) for one in episodes])


def _describe_entity(view: EntityView) -> list[str]:
    entity = view.entity
    lines = [f"{quote_for_model(entity.name)}, {quote_for_model(entity.type)}"]
    if entity.summary:
        lines.append(quote_for_model(entity.summary))
    for relation in view.relations[:_ROWS]:
        until = f" until {relation.valid_to:%Y-%m-%d}" if relation.valid_to else ""
        wrong = ", called wrong" if relation.retired_at else ""
        since = f"{relation.valid_from:%Y-%m-%d}"
        lines.append(f"- {quote_for_model(relation.fact)}, since {since}{until}{wrong}")
    for episode in view.episodes[:_ROWS]:
        by = episode.source.speaker or episode.source.tool
        said = quote_for_model(by) if by else "the person"
        when = f"{episode.created_at:%Y-%m-%d}"
        lines.append(f"- {when}, {said}: {quote_for_model(episode.content)}")
    return lines
