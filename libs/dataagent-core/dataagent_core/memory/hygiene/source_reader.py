"""Reads the span of a conversation that a memory rests on, from the event log and the messages."""

from dataclasses import dataclass

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.config.limits.memory import MEMORY_SOURCE_EVENTS_MAX
from dataagent_core.events import Event, RunStartedEvent
from dataagent_core.memory.hygiene.source_text import SourceText, read_source_text
from dataagent_core.memory.memory import MemorySource
from dataagent_core.session.log import EventLog
from dataagent_core.session.state import Message
from dataagent_core.session.store import MessageStore


@dataclass(frozen=True, slots=True)
class SourceReader:
    """The conversations of one tenant; without messages, what people wrote cannot be read."""

    log: EventLog
    messages: MessageStore | None = None

    async def read(self, source: MemorySource) -> SourceText | None:
        """Read the runs that a span touches; None where there is nothing to read."""
        if not source.session_id or not 0 < source.seq_first <= source.seq_last:
            return None
        runs = [source.run_id] if source.run_id else await self._find_runs(source)
        events = [event for run_id in runs for event in await self._read_run(source, run_id)]
        if not events:
            return None
        messages = await self._read_messages(source.session_id, events)
        return read_source_text(events, messages, source.seq_first, source.seq_last)

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
