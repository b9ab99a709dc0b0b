"""Readers see every event once and in order, whatever is in memory, told, or lost."""

import asyncio
import json
from contextlib import aclosing
from dataclasses import replace

import pytest
from eventually import eventually
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.events import Event, TextEvent, from_dict
from dataagent_core.events.codec import to_json
from dataagent_core.testing.strategies import events
from dataagent_server.common.ids import TenantId
from dataagent_server.sessions.live.event_line import EventLine, line_from, line_of
from dataagent_server.sessions.live.follow import follow
from dataagent_server.sessions.live.hub import Hub
from dataagent_server.sessions.live.session_buffer import SessionBuffer

TENANT = TenantId("t")


def event(seq: int, text: str = "x") -> Event:
    return TextEvent(content=text, seq=seq, event_id=f"e{seq}", session_id="s", run_id="r")


class Log:
    """Stands for the log: what was committed."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.reads = 0

    def write(self, count: int) -> list[Event]:
        new = [event(len(self.events) + n + 1) for n in range(count)]
        self.events += new
        return new

    async def read_lines(self, session: str, after: int, limit: int) -> list[tuple[int, str]]:
        self.reads += 1
        found = [(e.seq or 0, to_json(e)) for e in self.events if (e.seq or 0) > after]
        return found[:limit]


async def numbers(
    hub: Hub, log: Log, *, after: int = 0, upto: int, idle_s: float = 0.01
) -> list[int]:
    seen: list[int] = []
    reading = follow(hub, log.read_lines, TENANT, "s", after=after, idle_s=idle_s)
    async with asyncio.timeout(60), aclosing(reading):
        async for lines in reading:
            seen += [line.seq for line in lines]
            if seen and seen[-1] >= upto:
                return seen
    return seen


# What may happen after a write: this process says so, another tells us, or nobody does.
HEARD = st.sampled_from(["published", "told", "lost"])


@pytest.mark.requirement("S3-16")
@given(
    before=st.integers(0, 700),
    writes=st.lists(st.tuples(st.integers(1, 60), HEARD), max_size=12),
    after=st.integers(0, 300),
    readers=st.integers(1, 3),
)
async def test_s3_16_each_event_is_read_once_and_in_order(
    before: int, writes: list[tuple[int, str]], after: int, readers: int
) -> None:
    log, hub = Log(), Hub()
    hub.publish(TENANT, "s", log.write(before)[-100:])
    upto = before + sum(count for count, _ in writes)
    after = min(after, upto)

    async def write_all() -> None:
        for count, heard in writes:
            new = log.write(count)
            if heard == "published":
                hub.publish(TENANT, "s", new)
            elif heard == "told":
                hub.note_growth(TENANT, "s", new[-1].seq or 0)
            await asyncio.sleep(0)

    wanted = list(range(after + 1, upto + 1))
    if not wanted:
        return
    reading = [
        asyncio.create_task(numbers(hub, log, after=after, upto=upto)) for _ in range(readers)
    ]
    await write_all()
    for seen in await asyncio.gather(*reading):
        assert seen == wanted


async def test_a_reader_close_behind_does_not_ask_the_log() -> None:
    log, hub = Log(), Hub()
    hub.publish(TENANT, "s", log.write(10))
    reading = follow(hub, log.read_lines, TENANT, "s", after=0, idle_s=60)
    async with aclosing(reading):
        assert [line.seq for line in await anext(reading)] == list(range(1, 11))
        waiting = asyncio.ensure_future(anext(reading))
        await asyncio.sleep(0.01)
        asked = log.reads
        for _ in range(5):
            hub.publish(TENANT, "s", log.write(2))
            assert len(await waiting) == 2
            waiting = asyncio.ensure_future(anext(reading))
            await asyncio.sleep(0)
        assert log.reads == asked
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_what_nobody_reads_is_forgotten() -> None:
    hub = Hub()
    for number in range(3000):
        hub.publish(TENANT, f"s{number}", [event(1)])
    assert hub.buffered(TENANT, "s0", 0) is None
    assert hub.buffered(TENANT, "s2999", 0) is not None


async def test_a_session_of_another_tenant_is_another_session() -> None:
    hub = Hub()
    hub.publish(TENANT, "s", [event(1)])
    assert hub.buffered(TenantId("other"), "s", 0) is None


async def test_a_session_that_ends_ends_for_its_readers_and_leaves_nothing() -> None:
    log, hub = Log(), Hub()
    hub.publish(TENANT, "s", log.write(3))
    reading = follow(hub, log.read_lines, TENANT, "s", after=0, idle_s=60)
    async with asyncio.timeout(60), aclosing(reading):
        assert len(await anext(reading)) == 3
        waiting = asyncio.ensure_future(anext(reading, None))
        await asyncio.sleep(0)
        hub.end(TENANT, "s")
        hub.publish(TENANT, "s", [event(1, "another's")])
        assert await waiting is None
    assert [line.seq for line in hub.buffered(TENANT, "s", 0) or []] == [1]


@pytest.mark.requirement("S2-12.3-buffer")
@given(st.lists(st.integers(1, 40), min_size=1, max_size=40), st.integers(0, 45))
def test_a_buffer_never_hides_a_gap(seqs: list[int], after: int) -> None:
    buffer = SessionBuffer(8)
    for seq in seqs:
        buffer.add([line_of(event(seq))])
    found = buffer.after(after)
    if found:
        assert [line.seq for line in found] == list(range(after + 1, after + 1 + len(found)))


@pytest.mark.requirement("S0-27")
@given(events())
def test_s0_27_a_frame_says_what_the_log_says_of_any_event(said: Event) -> None:
    said = replace(said, seq=7)
    line = line_from(7, to_json(said))
    assert line.frame == line_of(said).frame
    frame = json.loads(line.frame)
    assert (frame["event_type"], frame["timestamp"]) == (said.event_type, said.timestamp)
    assert (frame["seq"], frame["run_id"]) == (7, said.run_id)
    told = {name: frame[name] for name in ("event_type", "timestamp", "seq", "run_id")}
    kept = {"session_id": said.session_id, "event_id": said.event_id}
    assert from_dict(frame["data"] | told | kept) == said


def test_half_a_character_does_not_break_a_frame() -> None:
    line: EventLine = line_from(1, to_json(event(1, "a\ud800b")))
    assert "\\ud800" in line.frame


async def test_what_memory_has_of_a_deleted_session_is_not_given_to_its_successor() -> None:
    log, hub = Log(), Hub()
    hub.publish(TENANT, "s", log.write(5))
    # Deleted by another process, and the id taken by somebody else.
    log.events = []
    reading = follow(hub, log.read_lines, TENANT, "s", after=0, idle_s=0.01)
    async with aclosing(reading):
        assert await anext(reading) == []
    assert hub.buffered(TENANT, "s", 0) is None


def test_a_buffer_holds_so_much_text_and_no_more() -> None:
    buffer = SessionBuffer()
    for seq in range(1, 51):
        buffer.add([line_of(event(seq, "x" * 20_000))])
    kept = buffer.after(49)
    assert kept is not None
    assert [line.seq for line in kept] == [50]
    assert buffer.after(0) is None


async def test_a_reader_that_is_stopped_while_it_is_told_stops() -> None:
    hub, log = Hub(), Log()
    reading = asyncio.create_task(numbers(hub, log, upto=1_000, idle_s=60))
    await eventually(lambda: bool(log.reads))
    # In one moment: something new, and the wish to read from elsewhere.
    hub.publish(TENANT, "s", log.write(1))
    reading.cancel()
    done, _ = await asyncio.wait([reading], timeout=60)
    assert done == {reading}
    assert reading.cancelled()
