"""The leg of neighbours: what was said just before or after something that fits well.

An answer often shares no word with the question that a search repeats; its neighbour does.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore, SourceSpan

# Hits whose neighbours are looked at, and how many events around them.
_HITS_MAX: Final = 24
_EVENTS_AROUND: Final = 3
_FOUND_MAX: Final = 120
# What a neighbour gains of a hit, by how many memories it is away.
_GAINS: Final = (0.0, 1.0, 0.8, 0.5)


async def find_neighbours(
    memories: MemoryStore, hits: Mapping[str, float], known: Mapping[str, Memory]
) -> tuple[dict[str, float], list[Memory]]:
    """Return what memories gain from the hits beside them, and the memories."""
    best = sorted(hits, key=lambda key: -hits[key])[:_HITS_MAX]
    spans = merge_spans([known[key] for key in best if key in known])
    if not spans:
        return {}, []
    found = await memories.find_by_spans(spans, _FOUND_MAX)
    return give_gains(found, {key: hits[key] for key in best}), found


def merge_spans(memories: Sequence[Memory]) -> list[SourceSpan]:
    """List the events around memories, those that overlap as one span; of the best first. Pure."""
    spans: list[SourceSpan] = []
    for memory in memories:
        source = memory.source
        if not source.session_id:
            continue
        first = max(0, source.seq_first - _EVENTS_AROUND)
        last = source.seq_last + _EVENTS_AROUND
        for place, span in enumerate(spans):
            is_same = (span.scope, span.session_id) == (memory.scope, source.session_id)
            if is_same and first <= span.seq_last + 1 and last >= span.seq_first - 1:
                spans[place] = replace(
                    span,
                    seq_first=min(first, span.seq_first),
                    seq_last=max(last, span.seq_last),
                )
                break
        else:
            spans.append(SourceSpan(memory.scope, source.session_id, first, last))
    return spans


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
