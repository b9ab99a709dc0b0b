"""What every `EventLog` does with its tool-call journal."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.events import ToolResultEvent
from dataagent_core.ids import new_id
from dataagent_core.session import EventLog, Intent, JournalEntry, Outcome
from dataagent_core.testing.conformance.event_log import BAD_EVENT
from dataagent_core.testing.conformance.examples import shared_store_examples

INTENT = Intent(call_key="call", tool_name="tool", args_hash="hash", probe="note")
OUTCOME = Outcome(call_key="call", tool_name="tool", payload=b"result", receipt="receipt")
STARTED = JournalEntry(
    run_id="run", call_key="call", tool_name="tool", args_hash="hash", probe="note"
)
FINISHED = JournalEntry(
    run_id="run",
    call_key="call",
    tool_name="tool",
    args_hash="hash",
    probe="note",
    payload=b"result",
    receipt="receipt",
)


def intent(call_key: str) -> Intent:
    """Make the intent of a call."""
    return Intent(call_key=call_key, tool_name="tool", args_hash="hash")


class JournalConformance:
    """Needs the fixture `event_log`."""

    async def test_a_run_without_calls_has_an_empty_journal(self, event_log: EventLog) -> None:
        assert await event_log.journal("run") == []

    async def test_an_intent_has_no_outcome_until_one_is_written(self, event_log: EventLog) -> None:
        await event_log.append("s", "run", [], [INTENT])
        assert await event_log.journal("run") == [STARTED]
        await event_log.append("s", "run", [], [OUTCOME])
        assert await event_log.journal("run") == [FINISHED]

    async def test_intent_and_outcome_may_come_together(self, event_log: EventLog) -> None:
        await event_log.append("s", "run", [], [INTENT, OUTCOME])
        assert await event_log.journal("run") == [FINISHED]

    async def test_the_first_outcome_stays(self, event_log: EventLog) -> None:
        second = Outcome(call_key="call", tool_name="tool", payload=b"other", receipt="other")
        await event_log.append("s", "run", [], [INTENT, OUTCOME])
        await event_log.append("s", "run", [], [second])
        assert await event_log.journal("run") == [FINISHED]

    async def test_an_intent_after_the_outcome_does_not_erase_it(self, event_log: EventLog) -> None:
        other = Intent(call_key="call", tool_name="other", args_hash="other")
        await event_log.append("s", "run", [], [INTENT, OUTCOME])
        await event_log.append("s", "run", [], [INTENT, other])
        assert await event_log.journal("run") == [FINISHED]

    async def test_the_first_intent_stays(self, event_log: EventLog) -> None:
        other = Intent(call_key="call", tool_name="other", args_hash="other")
        foreign = Outcome(call_key="call", tool_name="other", payload=b"result", receipt="receipt")
        await event_log.append("s", "run", [], [INTENT, other, foreign])
        assert await event_log.journal("run") == [FINISHED]

    async def test_a_call_answered_without_running_has_an_outcome_and_no_arguments(
        self, event_log: EventLog
    ) -> None:
        await event_log.append("s", "run", [], [OUTCOME])
        (entry,) = await event_log.journal("run")
        assert (entry.payload, entry.receipt, entry.args_hash) == (b"result", "receipt", "")

    @shared_store_examples
    @given(payload=st.binary(), receipt=st.text())
    async def test_payload_and_receipt_are_read_back_equal(
        self, event_log: EventLog, payload: bytes, receipt: str
    ) -> None:
        run_id = new_id()
        outcome = Outcome(call_key="call", tool_name="tool", payload=payload, receipt=receipt)
        await event_log.append("s", run_id, [], [INTENT, outcome])
        (entry,) = await event_log.journal(run_id)
        assert (entry.payload, entry.receipt) == (payload, receipt)

    async def test_an_empty_payload_is_an_outcome_too(self, event_log: EventLog) -> None:
        empty = Outcome(call_key="call", tool_name="tool", payload=b"", receipt="")
        await event_log.append("s", "run", [], [INTENT, empty])
        await event_log.append("s", "run", [], [OUTCOME])
        (entry,) = await event_log.journal("run")
        assert (entry.payload, entry.receipt) == (b"", "")

    async def test_calls_stand_in_the_order_they_began(self, event_log: EventLog) -> None:
        for key in ("c", "a", "b"):
            await event_log.append("s", "run", [], [intent(key)])
        for key in ("b", "c"):
            done = Outcome(call_key=key, tool_name="tool", payload=b"", receipt="")
            await event_log.append("s", "run", [], [done])
        assert [entry.call_key for entry in await event_log.journal("run")] == ["c", "a", "b"]

    async def test_each_run_has_a_journal_of_its_own(self, event_log: EventLog) -> None:
        await event_log.append("s", "run", [], [INTENT, OUTCOME])
        await event_log.append("s", "run-2", [], [INTENT])
        assert await event_log.journal("run") == [FINISHED]
        (entry,) = await event_log.journal("run-2")
        assert (entry.run_id, entry.payload) == ("run-2", None)

    async def test_many_calls_journalled_at_once_are_all_there(self, event_log: EventLog) -> None:
        keys = [f"call-{n}" for n in range(50)]
        await asyncio.gather(*(event_log.append("s", "run", [], [intent(key)]) for key in keys))
        assert sorted(e.call_key for e in await event_log.journal("run")) == sorted(keys)

    async def test_an_outcome_and_its_event_appear_together(self, event_log: EventLog) -> None:
        await event_log.append("s", "run", [ToolResultEvent(tool_call_id="call")], [OUTCOME])
        (event,) = await event_log.read("s")
        (entry,) = await event_log.journal("run")
        assert isinstance(event, ToolResultEvent)
        assert (event.tool_call_id, entry.call_key) == ("call", "call")

    async def test_an_outcome_whose_event_cannot_be_stored_is_not_journalled(
        self, event_log: EventLog
    ) -> None:
        await event_log.append("s", "run", [], [INTENT])
        with pytest.raises(ValidationError):
            await event_log.append("s", "run", [BAD_EVENT], [OUTCOME])
        assert await event_log.journal("run") == [STARTED]

    async def test_deleting_a_session_deletes_its_journal_and_no_other(
        self, event_log: EventLog
    ) -> None:
        await event_log.append("s", "run", [], [INTENT, OUTCOME])
        await event_log.append("other", "run-2", [], [INTENT])
        await event_log.delete("s")
        assert await event_log.journal("run") == []
        assert [entry.call_key for entry in await event_log.journal("run-2")] == ["call"]
