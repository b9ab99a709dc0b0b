"""What every `EventLog` does with events. Its journal has a suite of its own."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.errors import ValidationError
from dataagent_core.events import Event, TextEvent, ThoughtEvent, ToolCallEvent
from dataagent_core.ids import new_id
from dataagent_core.session import NO_RUN, EventLog, Intent, change_mode, mode_of, read_all
from dataagent_core.testing.conformance.examples import shared_store_examples
from dataagent_core.testing.strategies import events


def texts(*contents: str) -> list[Event]:
    """Make pieces of text."""
    return [TextEvent(content=content) for content in contents]


def seqs(found: Sequence[Event]) -> list[int]:
    """Read the numbers of events."""
    return [event.seq or 0 for event in found]


def list_up_to(last: int) -> list[int]:
    """Count as a log without gaps does."""
    return list(range(1, last + 1))


# JSON knows no sets: no store can take this event.
BAD_EVENT = ToolCallEvent(tool_args={"key": {1, 2}})  # pyright: ignore[reportArgumentType]


class EventLogConformance:
    """Needs the fixture `event_log`."""

    @shared_store_examples
    @given(
        drawn=st.lists(events(), min_size=1, max_size=4, unique_by=lambda e: e.event_id or id(e))
    )
    async def test_what_was_appended_is_read_back_equal(
        self, event_log: EventLog, drawn: list[Event]
    ) -> None:
        session_id, run_id = new_id(), new_id()
        stored = await event_log.append(session_id, run_id, drawn)
        assert stored == await event_log.read(session_id)
        assert stored == [
            replace(
                event,
                event_id=event.event_id or taken.event_id,
                session_id=session_id,
                run_id=run_id,
                seq=seq,
            )
            for seq, (event, taken) in enumerate(zip(drawn, stored, strict=True), start=1)
        ]
        assert all(event.event_id for event in stored)

    async def test_a_session_without_events_is_at_zero(self, event_log: EventLog) -> None:
        assert await event_log.last_seq("s") == 0
        assert await event_log.read("s") == []

    async def test_numbers_go_on_from_append_to_append(self, event_log: EventLog) -> None:
        first = await event_log.append("s", "run-1", texts("a", "b"))
        second = await event_log.append("s", "run-2", texts("c"))
        assert seqs([*first, *second]) == list_up_to(3)
        assert await event_log.last_seq("s") == len([*first, *second])

    async def test_a_sessions_own_events_stand_between_those_of_its_runs(
        self, event_log: EventLog
    ) -> None:
        await event_log.append("s", "run-1", texts("a"))
        changed = await change_mode(event_log, "s", "plan", "ada")
        await event_log.append("s", "run-1", texts("b"))
        assert [(e.seq, e.run_id) for e in await event_log.read("s")] == [
            (1, "run-1"),
            (2, NO_RUN),
            (3, "run-1"),
        ]
        assert await event_log.read("s", run_id=NO_RUN) == [changed]
        assert await mode_of(event_log, "s") == "plan"

    async def test_many_appends_to_one_session_at_once_leave_no_gap(
        self, event_log: EventLog
    ) -> None:
        appended = await asyncio.gather(
            *(event_log.append("s", f"run-{n}", texts(f"{n}a", f"{n}b")) for n in range(60))
        )
        read = await event_log.read("s")
        assert seqs(read) == list_up_to(120)
        # Each append's events stand together, and its caller knows their numbers.
        for stored in appended:
            first, second = seqs(stored)
            assert (read[first - 1], read[second - 1]) == tuple(stored)
            assert second == first + 1

    async def test_many_appends_to_several_sessions_at_once_number_each_by_itself(
        self, event_log: EventLog
    ) -> None:
        names = [f"session-{n}" for n in range(5)]
        await asyncio.gather(
            *(
                event_log.append(name, f"run-{n}", texts(str(n)))
                for n in range(20)
                for name in names
            )
        )
        for name in names:
            assert seqs(await event_log.read(name)) == list_up_to(20)
            assert await event_log.last_seq(name) == len(list_up_to(20))

    @pytest.mark.parametrize("place", [0, 1, 2])
    async def test_one_bad_event_keeps_out_the_events_and_the_journal_of_its_append(
        self, event_log: EventLog, place: int
    ) -> None:
        kept = await event_log.append("s", "run", texts("before"))
        batch = texts("one", "two")
        batch.insert(place, BAD_EVENT)
        intent = Intent(call_key="call", tool_name="tool", args_hash="hash")
        with pytest.raises(ValidationError, match="tool_call"):
            await event_log.append("s", "run", batch, [intent])
        assert await event_log.read("s") == kept
        assert await event_log.journal("run") == []
        assert seqs(await event_log.append("s", "run", texts("after"))) == [2]

    async def test_an_event_that_is_known_is_left_out_and_leaves_no_gap(
        self, event_log: EventLog
    ) -> None:
        fact = TextEvent(content="fact", event_id="fact")
        await event_log.append("s", "run", [fact])
        again = await event_log.append("s", "run", [*texts("a"), fact, *texts("b"), fact])
        assert [(e.seq, e.event_type) for e in again] == [(2, "text"), (3, "text")]
        assert [e.content for e in await event_log.read("s") if isinstance(e, TextEvent)] == [
            "fact",
            "a",
            "b",
        ]

    async def test_an_event_that_comes_twice_in_one_append_is_taken_once(
        self, event_log: EventLog
    ) -> None:
        fact = TextEvent(content="fact", event_id="fact")
        stored = await event_log.append("s", "run", [fact, fact, *texts("a")])
        assert seqs(stored) == list_up_to(2)
        assert await event_log.read("s") == stored

    async def test_one_event_appended_many_times_at_once_is_taken_once(
        self, event_log: EventLog
    ) -> None:
        fact = TextEvent(content="fact", event_id="fact")
        await asyncio.gather(*(event_log.append("s", "run", [fact]) for _ in range(20)))
        assert seqs(await event_log.read("s")) == [1]

    async def test_the_same_event_id_may_be_used_in_another_session(
        self, event_log: EventLog
    ) -> None:
        fact = TextEvent(content="fact", event_id="fact")
        for name in ("one", "two"):
            assert seqs(await event_log.append(name, "run", [fact])) == [1]

    async def test_appending_nothing_changes_nothing(self, event_log: EventLog) -> None:
        assert await event_log.append("s", "run", []) == []
        assert await event_log.last_seq("s") == 0

    @shared_store_examples
    @given(count=st.integers(0, 8), after=st.integers(-1, 10), limit=st.integers(0, 10))
    async def test_a_read_gives_what_comes_after_a_number_up_to_its_limit(
        self, event_log: EventLog, count: int, after: int, limit: int
    ) -> None:
        session_id = new_id()
        await event_log.append(session_id, "run", texts(*map(str, range(count))))
        expected = [seq for seq in list_up_to(count) if seq > after][:limit]
        assert seqs(await event_log.read(session_id, after=after, limit=limit)) == expected

    async def test_a_read_below_zero_is_refused(self, event_log: EventLog) -> None:
        with pytest.raises(ValidationError, match="limit"):
            await event_log.read("s", limit=-1)

    async def test_a_read_may_ask_for_one_run_and_for_some_types(self, event_log: EventLog) -> None:
        mixed = [*texts("a"), ThoughtEvent(content="b"), ToolCallEvent(tool_name="c")]
        await event_log.append("s", "run-1", mixed)
        await event_log.append("s", "run-2", mixed)
        assert seqs(await event_log.read("s", run_id="run-2")) == [4, 5, 6]
        assert seqs(await event_log.read("s", types=["text", "tool_call"])) == [1, 3, 4, 6]
        assert seqs(await event_log.read("s", run_id="run-2", types=["thought"])) == [5]
        assert seqs(await event_log.read("s", types=["text"], after=1, limit=1)) == [4]
        assert await event_log.read("s", types=[]) == []
        assert await event_log.read("s", run_id="run-3") == []

    async def test_reading_page_after_page_gives_everything_once(self, event_log: EventLog) -> None:
        last = EVENTS_PAGE_DEFAULT + 5
        await event_log.append("s", "run", texts(*map(str, range(last))))
        assert len(await event_log.read("s")) == EVENTS_PAGE_DEFAULT
        assert seqs(await read_all(event_log, "s")) == list_up_to(last)

    async def test_changing_what_was_read_changes_nothing_in_the_log(
        self, event_log: EventLog
    ) -> None:
        mine = ToolCallEvent(tool_args={"key": "appended"})
        (stored,) = await event_log.append("s", "run", [mine])
        mine.tool_args["key"] = "changed by the producer"
        for event in (stored, *await event_log.read("s")):
            assert isinstance(event, ToolCallEvent)
            event.tool_args["key"] = "changed by a reader"
        (again,) = await event_log.read("s")
        assert isinstance(again, ToolCallEvent)
        assert again.tool_args == {"key": "appended"}

    async def test_a_deleted_session_begins_again_at_one_and_leaves_the_others(
        self, event_log: EventLog
    ) -> None:
        fact = TextEvent(content="fact", event_id="fact")
        await event_log.append("s", "run", [fact, *texts("a")])
        other = await event_log.append("other", "run-2", texts("stays"))
        await event_log.delete("s")
        assert await event_log.read("s") == []
        assert await event_log.last_seq("s") == 0
        assert await event_log.read("other") == other
        assert seqs(await event_log.append("s", "run-3", [fact])) == [1]
