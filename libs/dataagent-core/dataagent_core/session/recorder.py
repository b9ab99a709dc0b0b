"""Writes the events and journal records of a run to the log, and publishes them to readers.

The first piece of text after a pause is written at once; those that follow are collected for at
most `TEXT_BATCH_S` and written together. Everything else is written at once, after the pieces
before it. Readers see an event only after its transaction, in the order of its number.

A sub-agent gets a recorder of its own (`for_subagent`), which marks all its events as its own.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace

from dataagent_core.config.limits import TEXT_BATCH_EVENTS_MAX, TEXT_BATCH_S
from dataagent_core.errors import ConflictError, StorageError, ValidationError
from dataagent_core.events import DoneEvent, Event, TextEvent, ThoughtEvent
from dataagent_core.session.log import EventLog, JournalRecord
from dataagent_core.session.run import Run


class RunRecorder:
    """Records what the agent does, or a sub-agent of it; they all share one writer."""

    def __init__(self, log: EventLog, run: Run, publish: Callable[[Event], None]) -> None:
        self._writer = _RunWriter(log, run, publish)
        self._subagent_id: str | None = None

    def for_subagent(self, subagent_id: str) -> "RunRecorder":
        """Return the recorder of a sub-agent's task: each of its events is marked."""
        own = copy(self)
        own._subagent_id = subagent_id  # noqa: SLF001 (a copy of this very class)
        return own

    async def emit(self, event: Event) -> None:
        """Write a piece of a stream soon, together with its neighbours."""
        await self._writer.emit(self._mark(event))

    async def commit(self, *events: Event, journal: Sequence[JournalRecord] = ()) -> None:
        """Write what is pending, then these events and journal records, in one transaction."""
        await self._writer.commit([self._mark(event) for event in events], journal)

    def defer(self, events: Sequence[Event]) -> None:
        """Keep events that must follow the text of the current model call."""
        self._writer.deferred.extend(self._mark(event) for event in events)

    def take_deferred(self) -> list[Event]:
        """Return the deferred events and forget them."""
        deferred, self._writer.deferred = self._writer.deferred, []
        return deferred

    async def finish(self, done: DoneEvent, *before: Event) -> None:
        """Write the last events of the run and accept no more."""
        await self._writer.finish(done, *before)

    async def stop(self) -> None:
        """Write what is pending, then accept no more; the run itself stays open."""
        await self._writer.stop()

    @property
    def closed(self) -> bool:
        """Whether nothing more is accepted."""
        return self._writer.closed

    @property
    def last_seq(self) -> int:
        """The number of the last event written."""
        return self._writer.last_seq

    @property
    def last_piece_seq(self) -> int:
        """The number of the last piece of an unfinished text."""
        return self._writer.last_piece_seq

    def _mark(self, event: Event) -> Event:
        # An event about a sub-agent names the one it is about.
        if self._subagent_id is None or event.subagent_id is not None:
            return event
        return replace(event, subagent_id=self._subagent_id)


class _RunWriter:
    """Writes one run's events, in order, until `done`."""

    def __init__(self, log: EventLog, run: Run, publish: Callable[[Event], None]) -> None:
        self._log = log
        self._run = run
        self._publish = publish
        self._pending: list[Event] = []
        self.deferred: list[Event] = []
        self._write_lock = asyncio.Lock()
        self._flusher: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        # When pieces may be written again; until then they are collected.
        self._next_batch_s = 0.0
        self.closed = False
        self.last_seq = 0
        self.last_piece_seq = 0

    async def emit(self, event: Event) -> None:
        self._check_open()
        self._pending.append(event)
        if len(self._pending) >= TEXT_BATCH_EVENTS_MAX:
            await self._write((), ())
        elif self._flusher is None:
            self._flusher = asyncio.create_task(self._flush_later())

    async def commit(self, events: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        self._check_open()
        await self._write(events, journal)

    async def finish(self, done: DoneEvent, *before: Event) -> None:
        self._check_open()
        self.closed = True
        await self._write((*before, done), ())

    async def stop(self) -> None:
        if not self.closed:
            self.closed = True
            await self._write((), ())

    async def _flush_later(self) -> None:
        # A task even without a wait, so that pieces of the same moment are one batch.
        await asyncio.sleep(max(0.0, self._next_batch_s - time.monotonic()))
        self._flusher = None
        try:
            await self._write((), ())
        except Exception as error:  # noqa: BLE001 (kept, and raised by the next call that can)
            self._failure = error

    async def _write(self, events: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        # Collected before the first wait: the events of one call stay in one transaction, and
        # transactions keep the order of the calls.
        pieces, self._pending = join_text_events(self._pending), []
        if pieces:
            self._next_batch_s = time.monotonic() + TEXT_BATCH_S
        if self._flusher is not None:
            self._flusher.cancel()
            self._flusher = None
        # Shielded: a cancelled caller must not leave unpublished events in the log.
        await asyncio.shield(asyncio.ensure_future(self._transaction(pieces, events, journal)))

    async def _transaction(
        self, pieces: Sequence[Event], events: Sequence[Event], journal: Sequence[JournalRecord]
    ) -> None:
        async with self._write_lock:
            if self._failure is not None:
                raise self._failure
            if not pieces and not events and not journal:
                return
            try:
                await self._append([*pieces, *events], journal)
            except ValidationError:
                # An event that the log refuses must not lose the text before it.
                if pieces:
                    await self._append(pieces, ())
                raise
            except StorageError as error:
                # Later events must not be in the log while these are missing.
                self._failure = error
                raise

    async def _append(self, batch: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        for event in await self._log.append(self._run.session_id, self._run.run_id, batch, journal):
            self.last_seq = event.seq or 0
            if isinstance(event, TextEvent | ThoughtEvent) and not event.is_final:
                self.last_piece_seq = self.last_seq
            self._publish(event)

    def _check_open(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self.closed:
            raise ConflictError("the run is over; nothing more can be recorded.")


def join_text_events(events: Sequence[Event]) -> list[Event]:
    """Join neighbouring pieces of the same stream, so that the log has fewer events."""
    result: list[Event] = []
    for event in events:
        match (result[-1] if result else None), event:
            case (TextEvent(is_final=False) as before, TextEvent(is_final=False)):
                result[-1] = replace(before, content=before.content + event.content)
            case (ThoughtEvent(is_final=False) as before, ThoughtEvent(is_final=False)) if (
                before.level == event.level
            ):
                result[-1] = replace(before, content=before.content + event.content)
            case _:
                result.append(event)
    return result
