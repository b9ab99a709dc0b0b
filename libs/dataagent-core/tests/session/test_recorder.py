"""A run's events reach the log in order, and readers only after the log has them."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest

from dataagent_core.config.limits import TEXT_BATCH_EVENTS_MAX
from dataagent_core.errors import ConflictError, StorageError, ValidationError
from dataagent_core.events import DoneEvent, Event, TextEvent, ThoughtEvent, ToolCallEvent
from dataagent_core.session import Intent, JournalRecord, Run, RunRecorder
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.testing.conformance.event_log import BAD_EVENT

RUN = Run(run_id="run", session_id="s", message_id="run:m0")
CALL = ToolCallEvent(tool_name="call")
WAIT_S = 90


class WatchedLog(MemoryEventLog):
    """A log whose disk can be slow, or full for a while; remembers each transaction it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.failures_left = 0
        self.asked = asyncio.Event()
        self.ready = asyncio.Event()
        self.ready.set()
        self.transactions: list[tuple[list[Event], list[JournalRecord]]] = []

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        self.asked.set()
        await self.ready.wait()
        if self.failures_left:
            self.failures_left -= 1
            raise StorageError("the disk is full")
        self.transactions.append((list(events), list(journal)))
        return await super().append(session_id, run_id, events, journal)


class Recording:
    """A recorder, the log under it, and what its readers were shown."""

    def __init__(self) -> None:
        self.log = WatchedLog()
        self.shown: asyncio.Queue[Event] = asyncio.Queue()
        self.recorder = RunRecorder(self.log, RUN, self.shown.put_nowait)

    async def next_shown(self) -> Event:
        async with asyncio.timeout(WAIT_S):
            return await self.shown.get()

    def all_shown(self) -> list[Event]:
        return [self.shown.get_nowait() for _ in range(self.shown.qsize())]

    async def in_log(self) -> list[Event]:
        return await self.log.read(RUN.session_id)


@pytest.fixture
async def recording() -> AsyncGenerator[Recording, None]:
    made = Recording()
    yield made
    made.log.ready.set()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*left, return_exceptions=True)


def in_words(events: Sequence[Event]) -> list[str]:
    return [e.content if isinstance(e, TextEvent | ThoughtEvent) else e.event_type for e in events]


async def asked(log: WatchedLog) -> None:
    async with asyncio.timeout(WAIT_S):
        await log.asked.wait()


async def test_pieces_are_joined_and_written_without_anyone_asking(recording: Recording):
    for piece in ("Hel", "lo ", "数据"):
        await recording.recorder.emit(TextEvent(content=piece))
    assert await recording.in_log() == []
    event = await recording.next_shown()
    assert in_words([event]) == ["Hello 数据"]
    assert await recording.in_log() == [event]


async def test_pieces_after_a_written_batch_are_written_too(recording: Recording):
    await recording.recorder.emit(TextEvent(content="one"))
    await recording.next_shown()
    await recording.recorder.emit(TextEvent(content="two"))
    assert in_words([await recording.next_shown()]) == ["two"]


@pytest.mark.requirement("F8-numbers")
async def test_the_first_piece_after_a_pause_is_written_at_once_and_the_next_are_gathered(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
):
    # Longer than any wait here: only what is not gathered can be shown.
    monkeypatch.setattr("dataagent_core.session.recorder.TEXT_BATCH_S", 10 * WAIT_S)
    await recording.recorder.emit(TextEvent(content="one"))
    assert in_words([await recording.next_shown()]) == ["one"]
    for piece in ("two ", "three"):
        await recording.recorder.emit(TextEvent(content=piece))
        await asyncio.sleep(0)
    assert recording.shown.empty()
    await recording.recorder.stop()
    assert in_words(recording.all_shown()) == ["two three"]


async def test_a_full_batch_is_written_at_once(recording: Recording):
    for n in range(TEXT_BATCH_EVENTS_MAX):
        assert recording.shown.empty()
        await recording.recorder.emit(TextEvent(content=f"{n} "))
    assert in_words(recording.all_shown()) == [
        "".join(f"{n} " for n in range(TEXT_BATCH_EVENTS_MAX))
    ]


async def test_a_commit_takes_the_pieces_before_it_into_its_transaction(recording: Recording):
    intent = Intent(call_key="call", tool_name="call", args_hash="hash")
    await recording.recorder.emit(TextEvent(content="a"))
    await recording.recorder.emit(TextEvent(content="b"))
    await recording.recorder.commit(CALL, journal=[intent])
    ((events, journal),) = recording.log.transactions
    assert in_words(events) == ["ab", "tool_call"]
    assert journal == [intent]
    assert recording.all_shown() == await recording.in_log()


async def test_what_comes_after_a_commit_stays_after_it(recording: Recording):
    recording.log.ready.clear()
    commit = asyncio.create_task(recording.recorder.commit(CALL))
    await asked(recording.log)
    await recording.recorder.emit(TextEvent(content="after"))
    recording.log.ready.set()
    await commit
    await recording.recorder.stop()
    assert in_words(await recording.in_log()) == ["tool_call", "after"]


async def test_nothing_is_shown_before_the_log_has_it(recording: Recording):
    recording.log.ready.clear()
    commit = asyncio.create_task(recording.recorder.commit(CALL))
    await asked(recording.log)
    assert recording.shown.empty()
    recording.log.ready.set()
    await commit
    assert in_words(recording.all_shown()) == ["tool_call"]


async def test_commits_made_at_once_keep_each_ones_events_and_journal_together(
    recording: Recording,
):
    intents = [Intent(call_key=str(n), tool_name="t", args_hash="") for n in range(10)]
    calls = [ToolCallEvent(tool_call_id=str(n)) for n in range(10)]
    await asyncio.gather(
        *(
            recording.recorder.commit(call, journal=[intent])
            for call, intent in zip(calls, intents, strict=True)
        )
    )
    assert recording.log.transactions == [
        ([call], [intent]) for call, intent in zip(calls, intents, strict=True)
    ]


async def test_a_cancelled_commit_is_still_written_and_shown(recording: Recording):
    recording.log.ready.clear()
    commit = asyncio.create_task(recording.recorder.commit(CALL))
    await asked(recording.log)
    commit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await commit
    recording.log.ready.set()
    await recording.recorder.finish(DoneEvent())
    assert in_words(await recording.in_log()) == ["tool_call", "done"]
    assert recording.all_shown() == await recording.in_log()


async def test_a_cancelled_commit_that_fails_is_told_to_the_next_call(recording: Recording):
    recording.log.ready.clear()
    commit = asyncio.create_task(recording.recorder.commit(CALL))
    await asked(recording.log)
    commit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await commit
    recording.log.failures_left = 1
    recording.log.ready.set()
    with pytest.raises(StorageError, match="full"):
        await recording.recorder.commit(CALL)


@pytest.mark.parametrize("call", ["emit", "commit", "finish", "stop"])
async def test_a_batch_that_could_not_be_written_is_told_to_the_next_call(
    recording: Recording, call: str
):
    recording.log.failures_left = 1
    await recording.recorder.emit(TextEvent(content="lost"))
    await asked(recording.log)
    next_calls = {
        "emit": lambda: recording.recorder.emit(TextEvent(content="next")),
        "commit": lambda: recording.recorder.commit(CALL),
        "finish": lambda: recording.recorder.finish(DoneEvent()),
        "stop": recording.recorder.stop,
    }
    with pytest.raises(StorageError, match="full"):
        await next_calls[call]()
    assert await recording.in_log() == []


async def test_what_waits_behind_a_failed_commit_is_not_written_without_it(recording: Recording):
    recording.log.ready.clear()
    first = asyncio.create_task(
        recording.recorder.commit(TextEvent(content="first", is_final=True))
    )
    await asked(recording.log)
    second = asyncio.create_task(recording.recorder.commit(CALL))
    recording.log.failures_left = 1
    recording.log.ready.set()
    results = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(result) for result in results] == [StorageError, StorageError]
    assert await recording.in_log() == []
    assert recording.shown.empty()


async def test_after_an_event_the_log_refuses_the_run_can_still_end(recording: Recording):
    with pytest.raises(ValidationError):
        await recording.recorder.commit(BAD_EVENT)
    await recording.recorder.finish(DoneEvent())
    assert in_words(recording.all_shown()) == ["done"]


async def test_done_is_the_last_event_of_a_run(recording: Recording):
    await recording.recorder.emit(TextEvent(content="a"))
    await recording.recorder.finish(DoneEvent(), CALL)
    for late in (
        recording.recorder.emit(TextEvent(content="late")),
        recording.recorder.commit(CALL),
        recording.recorder.finish(DoneEvent()),
    ):
        with pytest.raises(ConflictError, match="run is over"):
            await late
    await recording.recorder.stop()
    assert in_words(await recording.in_log()) == ["a", "tool_call", "done"]


async def test_a_stopped_run_keeps_its_pieces_and_stays_open(recording: Recording):
    await recording.recorder.emit(TextEvent(content="a"))
    await recording.recorder.stop()
    assert in_words(recording.all_shown()) == ["a"]
    with pytest.raises(ConflictError):
        await recording.recorder.commit(CALL)
    assert in_words(await recording.in_log()) == ["a"]
