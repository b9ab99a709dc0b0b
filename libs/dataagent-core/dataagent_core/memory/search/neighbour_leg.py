"""The leg of neighbours: what was said just before or after something that fits well.

An answer often shares no word with the question that a search repeats; its neighbour does.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore, SourceSpan

# Hits whose neighbours are looked at, and how many events around them.
_HITS_MAX: Final = 30
_EVENTS_AROUND: Final = 4
_FOUND_MAX: Final = 200
# What a neighbour gains of a hit, by how many memories it is away.
_GAINS: Final = (0.0, 1.0, 0.8, 0.5)


async def find_neighbours(
    memories: MemoryStore, hits: Mapping[str, float], known: Mapping[str, Memory]
) -> tuple[dict[str, float], list[Memory]]:
    """Return what memories gain from the hits beside them, and the memories."""
    best = sorted(hits, key=lambda key: -hits[key])[:_HITS_MAX]
    spans = [
        SourceSpan(
            memory.scope,
            memory.source.session_id,
            max(0, memory.source.seq_first - _EVENTS_AROUND),
            memory.source.seq_last + _EVENTS_AROUND,
        )
        for memory in (known[key] for key in best if key in known)
        if memory.source.session_id
    ]
    if not spans:
        return {}, []
    found = await memories.find_by_spans(spans, _FOUND_MAX)
    return give_gains(found, {key: hits[key] for key in best}), found


def give_gains(memories: Iterable[Memory], hits: Mapping[str, float]) -> dict[str, float]:
    """Give each memory the most that one hit beside it is worth. Pure."""
    sessions: dict[tuple[object, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        sessions[memory.scope, memory.source.session_id].append(memory)
    gains: dict[str, float] = {}
    for session in sessions.values():
        session.sort(key=lambda memory: (memory.source.seq_first, memory.source.seq_last))
        for place, memory in enumerate(session):
            gain = max(_gains_at(session, place, hits), default=0.0)
            if gain > 0:
                gains[memory.id] = gain
    return gains


def _gains_at(session: Sequence[Memory], place: int, hits: Mapping[str, float]) -> Iterable[float]:
    seq = session[place].source.seq_first
    for step, part in enumerate(_GAINS):
        for other in (place - step, place + step):
            if step and 0 <= other < len(session):
                near = session[other]
                if abs(near.source.seq_first - seq) <= _EVENTS_AROUND:
                    yield part * hits.get(near.id, 0.0)
