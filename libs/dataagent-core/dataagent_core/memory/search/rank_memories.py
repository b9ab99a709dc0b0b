"""Puts what a search found in order. Pure."""

from collections.abc import Iterable

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search.found_memory import FoundMemory
from dataagent_core.memory.search.fusion import FusedScores
from dataagent_core.memory.search.query_text import QueryText
from dataagent_core.memory.search.relevance import rate_relevance


def rank(
    query: QueryText, memories: Iterable[Memory], scores: FusedScores, limit: int
) -> tuple[FoundMemory, ...]:
    """List the best by score; of equal ones the newer first, then by id: always one order."""
    scored = [(scores.score(memory.id), memory) for memory in memories]
    scored.sort(key=lambda one: one[1].id)
    scored.sort(key=lambda one: (one[0], one[1].valid_from), reverse=True)
    found: list[FoundMemory] = []
    for score, memory in scored:
        if len(found) == limit:
            break
        if any(_repeats(memory, one.memory) for one in found):
            continue
        legs = scores.explain(memory.id)
        cosine = next((leg.raw for leg in legs if leg.name == "vector"), 0.0)
        relevance = rate_relevance(query, memory.content, cosine)
        found.append(FoundMemory(memory=memory, score=score, legs=legs, relevance=relevance))
    return tuple(found)


def _repeats(memory: Memory, better: Memory) -> bool:
    """Say whether a memory is a turn that a better result quotes, or quotes that turn."""
    mine, theirs = memory.source, better.source
    if not mine.session_id or memory.scope != better.scope:
        return False
    if (mine.session_id, mine.seq_first) != (theirs.session_id, theirs.seq_first):
        return False
    return memory.content in better.content or better.content in memory.content
