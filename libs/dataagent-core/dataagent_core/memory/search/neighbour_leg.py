"""The leg of neighbours: what was said just before or after something that fits well.

An answer often shares no word with the question that a search repeats; its neighbour does.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryPlace, MemoryStore, SourceSpan

# Events around a hit in which others are its neighbours.
_EVENTS_AROUND: Final = 3
_FOUND_MAX: Final = 200
# What a turn gains of a hit, by how many turns it is away.
_GAINS: Final = (0.0, 1.0, 0.8, 0.5)


async def find_neighbours(
    store: MemoryStore, hits: Sequence[tuple[Memory, float]]
) -> dict[str, float]:
    """Return what memories gain from the hits beside them; a hit has its score with it."""
    spans = merge_spans([memory for memory, _ in hits])
    if not spans:
        return {}
    places = await store.find_places(spans, _FOUND_MAX)
    return give_gains(places, {memory.id: score for memory, score in hits})


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


def give_gains(places: Iterable[MemoryPlace], hits: Mapping[str, float]) -> dict[str, float]:
    """Give each memory the most that one hit beside it is worth. Pure."""
    sessions: dict[tuple[object, str], dict[int, list[str]]] = defaultdict(dict)
    for place in places:
        turns = sessions[place.scope, place.session_id]
        turns.setdefault(place.seq, []).append(place.id)
    gains: dict[str, float] = {}
    for turns in sessions.values():
        seqs = sorted(turns)
        best = [max(hits.get(key, 0.0) for key in turns[seq]) for seq in seqs]
        for at, seq in enumerate(seqs):
            gain = max(_list_gains(seqs, best, at))
            if gain > 0:
                gains |= dict.fromkeys(turns[seq], gain)
    return gains


def _list_gains(seqs: Sequence[int], best: Sequence[float], place: int) -> Iterable[float]:
    """List what the turns beside one give to it."""
    yield 0.0
    for step, part in enumerate(_GAINS[1:], start=1):
        for other in (place - step, place + step):
            if 0 <= other < len(seqs) and abs(seqs[other] - seqs[place]) <= _EVENTS_AROUND:
                yield part * best[other]
