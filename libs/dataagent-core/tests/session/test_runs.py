"""The log tells which runs a session had and which is unfinished."""

from dataclasses import replace

from dataagent_core.events import DoneEvent, Event, RunStartedEvent, TextEvent
from dataagent_core.session import RunSummary, runs_of, summarize_runs
from dataagent_core.session.stores.memory import MemoryEventLog


def of_run(run_id: str, *events: Event) -> list[Event]:
    return [replace(event, run_id=run_id) for event in events]


def start(message_id: str) -> RunStartedEvent:
    return RunStartedEvent(message_id=message_id)


def test_no_events_are_no_runs():
    assert summarize_runs([]) == []


def test_runs_come_in_the_order_they_began_and_the_last_may_be_open():
    events = [
        *of_run("one", start("m1"), TextEvent(content="a"), DoneEvent()),
        *of_run("two", start("m2"), TextEvent(content="b")),
    ]
    assert summarize_runs(events) == [
        RunSummary(run_id="one", message_id="m1", done=True),
        RunSummary(run_id="two", message_id="m2", done=False),
    ]


def test_a_compaction_is_known_as_such():
    (run,) = summarize_runs(of_run("one", start("one:compact")))
    assert run.kind == "compaction"


def test_events_no_log_has_taken_belong_to_no_run():
    assert summarize_runs([start("m1"), DoneEvent()]) == []


def test_a_done_whose_start_is_not_among_the_events_is_passed_over():
    events = [*of_run("one", DoneEvent()), *of_run("two", start("m2"), DoneEvent())]
    assert summarize_runs(events) == [RunSummary(run_id="two", message_id="m2", done=True)]


async def test_a_sessions_runs_are_read_from_its_log():
    log = MemoryEventLog()
    await log.append("s", "one", [start("m1"), TextEvent(content="a"), DoneEvent()])
    await log.append("s", "two", [start("m2")])
    await log.append("other", "three", [start("m3")])
    assert [(run.run_id, run.done) for run in await runs_of(log, "s")] == [
        ("one", True),
        ("two", False),
    ]
