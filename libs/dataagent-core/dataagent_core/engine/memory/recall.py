"""Finds what is remembered and fits a message, in bounded time: a run never waits longer for it.

What fails here costs the run nothing but the recall. A run that goes on after a crash is told of
the memories that its log names, without those that were forgotten meanwhile: their texts are read
by id whenever a model is told of them, and kept nowhere else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from dataagent_core.config.limits.memory import MEMORY_RECALL_MEMORIES_MAX, MEMORY_WAIT_S
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.events import MemoryRecalledEvent
from dataagent_core.memory.recall.recall_note import choose_within, write_recall_note
from dataagent_core.memory.recall.recalled_events import (
    OF_OTHERS,
    describe_found,
    holds_words_of_others,
    list_memory_ids,
)
from dataagent_core.memory.recall.recalled_events import make_recalled_event as make_event
from dataagent_core.memory.search.found_memory import FoundMemory
from dataagent_core.runs import RunContext
from dataagent_core.session import read_all

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def has_memories(use: MemoryUse) -> bool:
    """Say whether there is anything to ask memory for."""
    return await try_memory(use.has_any(), "looked for") is True


async def recall(use: MemoryUse, context: RunContext) -> list[str]:
    """Find what a run is told of, write it down, and return the ids; none where nothing fits."""
    told = await _read_told(use, context) if context.run.attempt > 1 else None
    if told is not None:
        return list_memory_ids(told.memories)
    if not use.terms.recalls or not context.message.text.strip():
        return []
    chosen = await try_memory(_choose(use, context), "recalled")
    if not chosen:
        return []
    event = make_event([describe_found(one) for one in chosen], context.run.run_id)
    await context.recorder.commit(event)
    if holds_words_of_others([event]):
        context.permissions.add_source(OF_OTHERS)
    await try_memory(use.service.note_used([one.memory for one in chosen]), "counted")
    return list_memory_ids(event.memories)


async def write_note(use: MemoryUse, memory_ids: Sequence[str]) -> str:
    """Write what the model is told of memories; of a forgotten one nothing is said."""
    if not memory_ids:
        return ""
    memories = await try_memory(use.service.get_many(memory_ids, use.owner), "read")
    return write_recall_note(memories or [])


async def try_memory(work: Awaitable[T], what: str) -> T | None:
    """Return the result of some work in memory; None where it fails or takes too long."""
    try:
        async with asyncio.timeout(MEMORY_WAIT_S):
            return await work
    except Exception:
        # Whatever a store or an embedder raises: people get their answers without it.
        logger.exception("memories could not be %s", what)
        return None


async def _read_told(use: MemoryUse, context: RunContext) -> MemoryRecalledEvent | None:
    run = context.run
    told = await read_all(use.log, run.session_id, run_id=run.run_id, types=("memory_recalled",))
    own = (one for one in told if isinstance(one, MemoryRecalledEvent) and not one.tool)
    return next(own, None)


async def _choose(use: MemoryUse, context: RunContext) -> list[FoundMemory]:
    if not await use.is_wanted(context):
        return []
    # Some are left out: those that fit too little, and those that there is no room for.
    limit = 2 * MEMORY_RECALL_MEMORIES_MAX
    found = await use.service.search(context.message.text, use.reads, limit)
    fitting = [one for one in found if one.relevance >= use.terms.score_min]
    return choose_within(fitting, use.terms.tokens_max, MEMORY_RECALL_MEMORIES_MAX)
