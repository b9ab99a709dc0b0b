"""Reads the span of a conversation that a memory rests on, from the event log and the messages."""

from dataclasses import dataclass

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.config.limits.memory import MEMORY_SOURCE_EVENTS_MAX
from dataagent_core.events import Event, MemoryRecalledEvent, RunStartedEvent
from dataagent_core.memory.hygiene.source_text import SourceText, read_source_text
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.recall.recalled_events import list_memory_ids
from dataagent_core.session.log import EventLog
from dataagent_core.session.state import Message
from dataagent_core.session.store import MessageStore


@dataclass(frozen=True, slots=True)
class SourceReader:
    """The conversations of one tenant; without messages, what people wrote cannot be read."""

    log: EventLog
    messages: MessageStore | None = None
    # Whose memories were recalled there: events only name them.
    memories: MemoryStore | None = None

    async def read(self, source: MemorySource, scope: MemoryScope) -> SourceText | None:
        """Read the runs that a span touches, for the person of a scope; None if there are none."""
        if not source.session_id or not 0 < source.seq_first <= source.seq_last:
            return None
        runs = [source.run_id] if source.run_id else await self._find_runs(source)
        events = [event for run_id in runs for event in await self._read_run(source, run_id)]
        if not events:
            return None
        messages = await self._read_messages(source.session_id, events)
        recalled = await self._read_recalled(events, scope)
        return read_source_text(events, messages, recalled, source.seq_first, source.seq_last)

    async def _read_recalled(self, events: list[Event], scope: MemoryScope) -> list[str]:
        """Return the texts of the person's memories that were recalled up to the span's end."""
        told = (event for event in events if isinstance(event, MemoryRecalledEvent))
        ids = list_memory_ids(one for event in told for one in event.memories)
        if self.memories is None or not ids:
            return []
        found = await self.memories.get_many(ids)
        return [one.content for one in found if one.scope.user_id == scope.user_id]

    async def _find_runs(self, source: MemorySource) -> list[str]:
        """Find the runs of a span; of a long one, those of its end."""
        first = max(source.seq_first, source.seq_last - MEMORY_SOURCE_EVENTS_MAX + 1)
        page = await self.log.read(
            source.session_id, after=first - 1, limit=MEMORY_SOURCE_EVENTS_MAX
        )
        in_span = (event for event in page if (event.seq or 0) <= source.seq_last)
        return list(dict.fromkeys(event.run_id for event in in_span if event.run_id))

    async def _read_run(self, source: MemorySource, run_id: str) -> list[Event]:
        """Read a run up to the end of the span: what it recalled and was told came before."""
        events: list[Event] = []
        after = 0
        while len(events) < MEMORY_SOURCE_EVENTS_MAX:
            page = await self.log.read(
                source.session_id, after=after, limit=EVENTS_PAGE_DEFAULT, run_id=run_id
            )
            events += (event for event in page if (event.seq or 0) <= source.seq_last)
            after = (page[-1].seq or 0) if page else source.seq_last
            if after >= source.seq_last or len(page) < EVENTS_PAGE_DEFAULT:
                break
        return events

    async def _read_messages(self, session_id: str, events: list[Event]) -> dict[str, Message]:
        if self.messages is None:
            return {}
        ids = [event.message_id for event in events if isinstance(event, RunStartedEvent)]
        found = [await self.messages.get_message(session_id, one) for one in ids]
        return {
            message.message_id: message for message in found if message and message.role == "user"
        }
