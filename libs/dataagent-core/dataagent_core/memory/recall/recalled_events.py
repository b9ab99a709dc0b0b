"""Memories that were put before a model, as the event says it: by their ids, without texts. Pure.

A log is read by others too, and outlives what is forgotten.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from dataagent_core.events import Event, MemoryRecalledEvent
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.search.found_memory import FoundMemory

# What the taint of a run is called after memories that are words of others.
OF_OTHERS: Final = "memories of what others said"
# The type of what is recalled and is no memory: a piece of a conversation.
EPISODE: Final = "episode"

Described = dict[str, JsonValue]


def describe_found(found: FoundMemory) -> Described:
    """Name a memory, and say what each leg of the search gave to it."""
    return {
        "id": found.memory.id,
        "type": found.memory.type,
        "score": round(found.score, 4),
        "is_tainted": found.memory.is_tainted,
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
    """Name an episode."""
    return {"id": episode.id, "type": EPISODE, "is_tainted": episode.is_tainted}


def list_memory_ids(memories: Iterable[Mapping[str, Any]]) -> list[str]:
    """List the memories that events name, each once; episodes are none."""
    named = (str(one.get("id") or "") for one in memories if one.get("type") != EPISODE)
    return list(dict.fromkeys(filter(None, named)))


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
