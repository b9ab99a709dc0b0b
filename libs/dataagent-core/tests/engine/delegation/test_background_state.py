"""How a background task stands, read from its log a bit at a time."""

from collections.abc import Sequence
from typing import Any

from dataagent_core.engine.delegation.background_state import StateReader, is_over
from dataagent_core.events import DoneEvent, Event, RunStartedEvent, ToolCallEvent
from dataagent_core.session import EventLog, Run, RunRecorder
from dataagent_core.session.stores.bundle import Stores

TASK = "task-1"


class CountingLog:
    """A log that counts the events it hands out."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.handed_out = 0

    async def read(self, *args: Any, **more: Any) -> Sequence[Event]:
        page = await self._log.read(*args, **more)
        self.handed_out += len(page)
        return page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


async def test_a_second_reading_reads_only_what_was_added() -> None:
    stores = Stores.in_memory()
    counting: Any = CountingLog(stores.log)
    reader = StateReader(counting, TASK)
    assert (await reader.read()).state == "queued"
    recorder = RunRecorder(
        stores.log, Run(run_id="r", session_id=TASK, message_id="r:m0"), lambda _: None
    )
    await recorder.commit(RunStartedEvent(event_id="start"))
    await recorder.commit(*(_call(number) for number in range(5)))
    assert (await reader.read()).tool_calls == 5
    assert counting.handed_out == 6
    await recorder.commit(_call(5))
    assert (await reader.read()).tool_calls == 6
    assert counting.handed_out == 7
    assert not await is_over(stores.log, TASK)
    await recorder.finish(DoneEvent(event_id="done", reason="completed", content="report"))
    state = await reader.read()
    assert (state.state, state.text, state.tool_calls) == ("finished", "report", 6)
    before = counting.handed_out
    assert await is_over(counting, TASK)
    # Start and end; not what it did.
    assert counting.handed_out == before + 2


def _call(number: int) -> ToolCallEvent:
    return ToolCallEvent(
        event_id=f"call {number}", tool_name="ls", tool_args={}, tool_call_id=f"c{number}"
    )
