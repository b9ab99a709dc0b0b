"""Memories that were put before a model, as the event says it. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import JsonValue

from dataagent_core.events import Event, MemoryRecalledEvent
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.search.found_memory import FoundMemory

# What the taint of a run is called after memories that are words of others.
OF_OTHERS: Final = "memories of what others said"
# Of an episode only the beginning: the tool's result holds the rest.
_EPISODE_CHARS: Final = 200

Described = dict[str, JsonValue]


def describe_found(found: FoundMemory) -> Described:
    """Describe a memory, where it comes from, and what each leg of the search gave to it."""
    memory = found.memory
    return {
        "id": memory.id,
        "type": memory.type,
        "content": memory.content,
        "score": round(found.score, 4),
        "relevance": round(found.relevance, 4),
        "is_tainted": memory.is_tainted,
        "scope": _describe_scope(memory.scope),
        "source": _describe_source(memory.source),
        "valid_from": memory.valid_from.isoformat(),
        "recorded_at": memory.recorded_at.isoformat(),
        "legs": [
            {
                "name": leg.name,
                "raw": round(leg.raw, 4),
                "share": round(leg.share, 4),
                "rank": leg.rank,
            }
            for leg in found.legs
        ],
    }


def describe_episode(episode: Episode) -> Described:
    """Describe an episode by its beginning."""
    return {
        "id": episode.id,
        "type": "episode",
        "content": episode.content[:_EPISODE_CHARS],
        "is_tainted": episode.is_tainted,
        "scope": _describe_scope(episode.scope),
        "source": _describe_source(episode.source),
        "recorded_at": episode.created_at.isoformat(),
    }


def make_recalled_event(
    memories: Sequence[Described], run_id: str, tool: str = "", call_key: str = ""
) -> MemoryRecalledEvent:
    """Say once what a run was given, or one call of it."""
    return MemoryRecalledEvent(
        event_id=f"recalled:{run_id}:{call_key}", tool=tool, memories=list(memories)
    )


def holds_words_of_others(events: Iterable[Event]) -> bool:
    """Say whether content of strangers was recalled."""
    return any(
        memory.get("is_tainted") is True
        for event in events
        if isinstance(event, MemoryRecalledEvent)
        for memory in event.memories
    )


def _describe_scope(scope: MemoryScope) -> Described:
    return {
        "kind": scope.kind,
        "assistant_id": scope.assistant_id,
        "project_id": scope.project_id,
    }


def _describe_source(source: MemorySource) -> Described:
    return {
        "kind": source.kind,
        "session_id": source.session_id,
        "run_id": source.run_id,
        "seq_first": source.seq_first,
        "seq_last": source.seq_last,
        "tool": source.tool,
        "speaker": source.speaker,
    }
