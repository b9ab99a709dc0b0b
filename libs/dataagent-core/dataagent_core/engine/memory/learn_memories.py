"""What a person said becomes an episode and memories, when their run ends.

It is stored before the run's last event, under ids that are made of the run: a run that goes on
after a crash stores it again, and nothing is lost or doubled. Only what the person said themselves
is learned: no answer, no result of a tool, nothing that was attached or quoted.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from dataagent_core.config.limits.memory import (
    MEMORIES_LEARNED_MAX,
    MEMORY_EPISODE_WAIT_S,
    MEMORY_LEARN_WAIT_S,
)
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.engine.memory.own_statements import find_own_statements
from dataagent_core.errors import DataAgentError
from dataagent_core.events import Event, MemoryChangedEvent
from dataagent_core.language.word_split import split_words
from dataagent_core.memory.graph.extraction.memory_rules import Turn, extract_memories
from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.hygiene.secret_rule import holds_secret
from dataagent_core.memory.memory import MemoryMetadata, MemorySource
from dataagent_core.memory.recall.changed_events import make_added_event, make_refused_event
from dataagent_core.runs import RunContext

logger = logging.getLogger(__name__)

# "yes", "go on": a shorter message says nothing by itself.
_EPISODE_WORDS_MIN = 3
_EPISODE_WAIT_S = MEMORY_EPISODE_WAIT_S


async def learn_memories(use: MemoryUse, context: RunContext) -> Sequence[Event]:
    """Learn from what the person said in a run, and return what became of it."""
    if not use.terms.learns:
        return ()
    text = find_own_statements(context.message.text).strip()
    if len(split_words(text)) < _EPISODE_WORDS_MIN:
        return ()
    events: list[Event] = []
    # What was stored before a failure is said all the same.
    try:
        async with asyncio.timeout(MEMORY_LEARN_WAIT_S):
            await _learn(use, context, text, events)
    except Exception:
        # Whatever a store or an embedder raises: people get their answers without it.
        logger.exception("memories could not be learned")
    return events


async def _learn(use: MemoryUse, context: RunContext, text: str, events: list[Event]) -> None:
    if not await use.is_wanted(context):
        return
    source, said_at = await _find_source(use, context)
    episode_id = await _keep_episode(use, context, text, source, said_at)
    proposed = extract_memories(Turn(text=text, at=said_at))
    # A line that names its speaker is somebody else's, whom the person cites.
    own = [one for one in proposed if one.content == one.quote]
    for number, one in enumerate(own[:MEMORIES_LEARNED_MAX], start=1):
        metadata = MemoryMetadata(
            scope=use.writes,
            type=one.type,
            source=replace(source, quote=one.quote),
            confidence=one.confidence,
            valid_from=one.valid_from or said_at,
            subject=one.subject or None,
            episode_id=episode_id,
        )
        event = await _add(use, one.content, metadata, f"{context.run.run_id}:{number}")
        if event is not None:
            events.append(event)


async def _find_source(use: MemoryUse, context: RunContext) -> tuple[MemorySource, datetime]:
    """Return where the message stands in the log, and when it was sent."""
    run = context.run
    (started,) = await use.log.read(run.session_id, run_id=run.run_id, types=("start",), limit=1)
    seq = started.seq or 0
    source = MemorySource(
        kind="conversation",
        session_id=run.session_id,
        run_id=run.run_id,
        seq_first=seq,
        seq_last=seq,
    )
    return source, datetime.fromtimestamp(started.timestamp, UTC)


async def _keep_episode(
    use: MemoryUse, context: RunContext, text: str, source: MemorySource, said_at: datetime
) -> str:
    """Store what was said as an episode, without lines that hold a secret; return its id."""
    if use.graph is None:
        return ""
    clean = "\n".join(line for line in text.split("\n") if not holds_secret(line)).strip()
    if not clean:
        return ""
    episode = NewEpisode(
        scope=use.writes,
        content=clean,
        source=source,
        created_at=said_at,
        id=f"run-{context.run.run_id}",
    )
    try:
        async with asyncio.timeout(_EPISODE_WAIT_S):
            return (await use.graph.add_episode(episode)).id
    except (DataAgentError, TimeoutError):
        # The graph may be in another database: the memories are learned all the same.
        logger.exception("an episode was not stored")
        return ""


async def _add(
    use: MemoryUse, content: str, metadata: MemoryMetadata, key: str
) -> MemoryChangedEvent | None:
    try:
        added = await use.service.remember(content, metadata)
        return make_added_event(added, key, metadata.source.session_id)
    except MemoryRefusedError as error:
        return make_refused_event(error, key)
    except DataAgentError:
        # The next one may be stored all the same.
        logger.exception("a memory was not stored")
        return None
