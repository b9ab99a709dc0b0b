"""Finds what is remembered and fits a message, in bounded time: a run never waits longer for it.

What fails here costs the run nothing but the recall. A run that goes on after a crash is told what
its log says it was told.
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

from dataagent_core.config.limits.memory import MEMORY_RECALL_MEMORIES_MAX, MEMORY_WAIT_S
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.events import MemoryRecalledEvent
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.recall.recall_note import choose_within
from dataagent_core.memory.recall.recalled_events import (
    OF_OTHERS,
    Described,
    describe_found,
    holds_words_of_others,
)
from dataagent_core.memory.recall.recalled_events import make_recalled_event as make_event
from dataagent_core.runs import RunContext
from dataagent_core.session import read_all

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def has_memories(use: MemoryUse) -> bool:
    """Say whether there is anything to ask memory for."""
    return await try_memory(use.has_any(), "looked for") is True


async def recall(use: MemoryUse, context: RunContext) -> MemoryRecalledEvent | None:
    """Return what a run is told, and write it down; None where nothing fits its message."""
    told = await _read_told(use, context) if context.run.attempt > 1 else None
    if told is not None:
        return told
    if not use.terms.recalls or not context.message.text.strip():
        return None
    chosen = await try_memory(_choose(use, context), "recalled")
    if not chosen:
        return None
    event = make_event([described for _, described in chosen], context.run.run_id)
    await context.recorder.commit(event)
    if holds_words_of_others([event]):
        context.permissions.add_source(OF_OTHERS)
    await try_memory(use.service.note_used([memory for memory, _ in chosen]), "counted")
    return event


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


async def _choose(use: MemoryUse, context: RunContext) -> list[tuple[Memory, Described]]:
    if not await use.is_wanted(context):
        return []
    # Some are left out: those that fit too little, and those that there is no room for.
    limit = 2 * MEMORY_RECALL_MEMORIES_MAX
    found = await use.service.search(context.message.text, use.reads, limit)
    fitting = [
        (one.memory, describe_found(one)) for one in found if one.relevance >= use.terms.score_min
    ]
    return choose_within(fitting, use.terms.tokens_max, MEMORY_RECALL_MEMORIES_MAX)
