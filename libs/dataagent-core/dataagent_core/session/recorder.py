"""The one way a running run writes to the log, and the one way its events get out.

The first piece of text after a pause is written at once; those that follow are gathered for at most
`TEXT_BATCH_S` and written together. Everything else is written at once, after the pieces that came
before it. Readers see an event only after its transaction, in the order of its number.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from dataagent_core.config.limits import TEXT_BATCH_EVENTS_MAX, TEXT_BATCH_S
from dataagent_core.errors import ConflictError, StorageError, ValidationError
from dataagent_core.events import DoneEvent, Event, TextEvent, ThoughtEvent
from dataagent_core.session.log import EventLog, JournalRecord
from dataagent_core.session.run import Run


class RunRecorder:
    """Writes one run's events, in order, until `done`."""

    def __init__(self, log: EventLog, run: Run, publish: Callable[[Event], None]) -> None:
        self._log = log
        self._run = run
        self._publish = publish
        self._pending: list[Event] = []
        self._deferred: list[Event] = []
        self._writing = asyncio.Lock()
        self._flusher: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        # When pieces may be written again; until then they are gathered.
        self._next_batch_s = 0.0
        self.closed = False
        # The numbers of the last event written, and of the last piece of a text not yet whole.
        self.last_seq = 0
        self.last_piece_seq = 0

    async def emit(self, event: Event) -> None:
        """Write a piece of a stream soon, together with its neighbours."""
        self._refuse_if_over()
        self._pending.append(event)
        if len(self._pending) >= TEXT_BATCH_EVENTS_MAX:
            await self._write((), ())
        elif self._flusher is None:
            self._flusher = asyncio.create_task(self._flush_later())

    async def commit(self, *events: Event, journal: Sequence[JournalRecord] = ()) -> None:
        """Write what is pending, then these events and journal records, in one transaction."""
        self._refuse_if_over()
        await self._write(events, journal)

    def defer(self, events: Sequence[Event]) -> None:
        """Keep what comes after the words of the model call that is under way."""
        self._deferred.extend(events)

    def take_deferred(self) -> list[Event]:
        """Give what was kept, once."""
        deferred, self._deferred = self._deferred, []
        return deferred

    async def finish(self, done: DoneEvent, *before: Event) -> None:
        """Write the last events of the run and accept no more."""
        self._refuse_if_over()
        self.closed = True
        await self._write((*before, done), ())

    async def stop(self) -> None:
        """Write what is pending, then accept no more; the run itself stays open."""
        if not self.closed:
            self.closed = True
            await self._write((), ())

    async def _flush_later(self) -> None:
        # Also without a wait it is a task of its own: what comes in the same moment is one batch.
        await asyncio.sleep(max(0.0, self._next_batch_s - time.monotonic()))
        self._flusher = None
        try:
            await self._write((), ())
        except Exception as error:  # noqa: BLE001 (kept, and raised by the next call that can)
            self._failure = error

    async def _write(self, events: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        # Gathered before the first wait: what one call brings stays in one transaction, and
        # transactions follow one another in the order of the calls.
        pieces, self._pending = join_text_events(self._pending), []
        if pieces:
            self._next_batch_s = time.monotonic() + TEXT_BATCH_S
        if self._flusher is not None:
            self._flusher.cancel()
            self._flusher = None
        # Shielded: a cancelled caller must not leave events in the log that nobody was shown.
        await asyncio.shield(asyncio.ensure_future(self._transaction(pieces, events, journal)))

    async def _transaction(
        self, pieces: Sequence[Event], events: Sequence[Event], journal: Sequence[JournalRecord]
    ) -> None:
        async with self._writing:
            if self._failure is not None:
                raise self._failure
            if not pieces and not events and not journal:
                return
            try:
                await self._append([*pieces, *events], journal)
            except ValidationError:
                # An event the log refuses must not take the text before it along.
                if pieces:
                    await self._append(pieces, ())
                raise
            except StorageError as error:
                # What comes later must not be in the log while this is missing.
                self._failure = error
                raise

    async def _append(self, batch: Sequence[Event], journal: Sequence[JournalRecord]) -> None:
        for event in await self._log.append(self._run.session_id, self._run.run_id, batch, journal):
            self.last_seq = event.seq or 0
            if isinstance(event, TextEvent | ThoughtEvent) and not event.is_final:
                self.last_piece_seq = self.last_seq
            self._publish(event)

    def _refuse_if_over(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self.closed:
            raise ConflictError("the run is over; nothing more can be recorded.")


def join_text_events(events: Sequence[Event]) -> list[Event]:
    """Join neighbouring pieces of the same stream: a log of words, not of tokens."""
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
