"""A sub-agent whose time is up: what it had begun ends in the log and the journal too."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import events_of, executor, resumed, settings
from subagent_scripts import called, ends_of, playing, results_of, specialist, task

from dataagent_core.engine.checkpoints.recovery import recover
from dataagent_core.errors import StorageError
from dataagent_core.session import Outcome, read_all
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog

ENDLESS = {"text": "x" * 1_000, "chunk_chars": 1, "chunk_delay_s": 0.1}
COMMAND = "echo began >> began && sleep 60"
SHELL = {"tool_calls": [called("shell", command=COMMAND)]}


def open_calls(events: list[Any]) -> list[str]:
    answered = {(e.subagent_id, e.tool_call_id) for e in events if e.event_type == "tool_result"}
    return [
        e.tool_name
        for e in events
        if e.event_type == "tool_call" and (e.subagent_id, e.tool_call_id) not in answered
    ]


async def test_what_a_sub_agent_delegated_ends_with_its_time(tmp_path: Path) -> None:
    used = {"usage": {"input_tokens": 100, "output_tokens": 7}}
    look = {"tool_calls": [called("ls", path="/")], **used}
    model = playing(
        task("NEST", to="boss"),
        task("QUICK", to="quick"),
        NEST=[{"tool_calls": [task("DEEP", to="middle")]}, {"text": "never"}],
        DEEP=[{"tool_calls": [task("LOW", to="hand")]}, {"text": "never"}],
        LOW=[look, SHELL, {"text": "never"}],
        QUICK=[{"text": "done", **used}],
    )
    agent = executor(
        model,
        tmp_path,
        subagents=tuple(map(specialist, ("boss", "middle", "hand", "quick"))),
        auto_approve=True,
        # The time of the one that delegated first is up first.
        chosen=settings(subagent_timeout_s=10, subagent_depth=3),
    )
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    assert open_calls(events) == []
    ends = ends_of(events)
    assert {name: end.phase for name, end in ends.items()} == {
        "boss": "failed",
        "middle": "failed",
        "hand": "failed",
        "quick": "finished",
    }
    # What it used and how long it took, for the statistics.
    assert ends["hand"].tokens["total_tokens"] >= 107
    assert ends["hand"].duration_ms > 0
    assert ends["hand"].parent_id == ends["middle"].subagent_id
    # Each ends before whoever gave it the task.
    order = [e.name for e in events if e.event_type == "subagent" and e.phase == "failed"]
    assert order == ["hand", "middle", "boss"]
    # Nothing before the report is void for a later attempt.
    report = results_of(events)[-1]
    seen = events[: events.index(report) + 1]
    assert recover(seen, [], events[0].run_id).discard_after == report.seq


async def test_only_the_work_of_the_one_whose_time_is_up_is_cut_off(tmp_path: Path) -> None:
    model = playing(
        task("NEST", to="boss"),
        NEST=[
            {"tool_calls": [task("FIRST", to="hand"), task("SECOND", to="hand")]},
            {"text": "never"},
        ],
        FIRST=[{"text": "one"}],
        SECOND=[ENDLESS],
    )
    agent = executor(
        model,
        tmp_path,
        subagents=tuple(map(specialist, ("boss", "hand"))),
        auto_approve=True,
        chosen=settings(subagent_timeout_s=6),
    )
    events = await events_of(agent)
    phases = {e.task: e.phase for e in events if e.event_type == "subagent"}
    assert phases == {"NEST": "failed", "FIRST": "finished", "SECOND": "failed"}
    assert open_calls(events) == []


async def test_a_call_that_the_time_cuts_off_has_a_result_and_an_outcome(tmp_path: Path) -> None:
    model = playing(task("WORK", to="boss"), WORK=[SHELL, {"text": "never"}])
    stores = Stores.in_memory()
    agent = executor(
        model,
        tmp_path,
        stores=stores,
        subagents=(specialist("boss"),),
        auto_approve=True,
        chosen=settings(subagent_timeout_s=6),
    )
    events = await events_of(agent)
    (result,) = results_of(events, "shell")
    (call,) = [e for e in events if e.event_type == "tool_call" and e.tool_name == "shell"]
    assert (result.status, result.subagent_id) == ("cancelled", call.subagent_id)
    assert result.tool_call_id == call.tool_call_id
    assert "the time of the sub-agent boss was up" in result.result
    assert result.duration_ms > 0
    journal = {one.tool_name: one for one in await stores.log.journal(events[0].run_id)}
    assert journal["shell"].payload is not None
    assert journal["shell"].receipt is not None
    assert events.index(result) < events.index(ends_of(events)["boss"])


class _DiesAtReport(MemoryEventLog):
    """Takes everything but the report of the sub-agent, until it is opened again."""

    dying = True

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        if self.dying and any(isinstance(r, Outcome) and r.tool_name == "task" for r in journal):
            raise StorageError("gone")
        return await super().append(session_id, run_id, events, journal)


async def test_a_resumed_run_does_not_begin_it_again(tmp_path: Path) -> None:
    log = _DiesAtReport()
    stores = replace(Stores.in_memory(), log=log)
    model = playing(task("WORK", to="boss"), WORK=[SHELL, {"text": "what I know"}])

    def build() -> Any:
        return executor(
            model,
            tmp_path,
            stores=stores,
            subagents=(specialist("boss"),),
            auto_approve=True,
            chosen=settings(subagent_timeout_s=6),
        )

    assert (await events_of(build()))[-1].event_type == "error"
    log.dying = False
    events = await resumed(build())
    assert events[-1].reason == "completed"
    assert (tmp_path / "began").read_text() == "began\n"
    # The sub-agent goes on from there, and reads what became of its call.
    assert any("shell was cancelled" in m.text for m in model.requests[-2])
    assert len(results_of(await read_all(log, "s"), "shell")) == 1
    assert ends_of(events)["boss"].phase == "finished"
