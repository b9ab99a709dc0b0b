"""Tasks in the background: started, looked at, cancelled, and continued after a restart."""

import asyncio
from functools import partial
from pathlib import Path

from agents import Answering, echo, events_of, executor
from background_agents import (
    WORK,
    TaskAgent,
    agent_with,
    checking,
    id_in,
    play,
    read_ids,
    started,
    starting,
    until_over,
    until_quiet,
)
from subagent_scripts import called, results_of, specialist

from dataagent_core.engine.delegation.background_state import BackgroundState
from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
from dataagent_core.permissions.rules import Rule
from dataagent_core.session import change_mode, read_all, runs_of
from dataagent_core.session.stores.bundle import Stores

# The id, the title and the state of a task.
Told = asyncio.Queue[tuple[str, str, str]]


def runs_that_tell(told: Told, stores: Stores, user_id: str) -> LocalBackgroundRuns:
    def on_rest(task_id: str, title: str, state: BackgroundState) -> None:
        told.put_nowait((task_id, title, state.state))

    return LocalBackgroundRuns(stores, user_id, on_rest=on_rest)


async def test_a_task_goes_on_after_the_run_that_started_it_and_its_report_is_read_later(
    tmp_path: Path,
) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    agent = agent_with(agent, check=[checking(task_id), {"text": "ok"}])
    looked = await events_of(agent, "check")
    assert "(worker) is at work" in str(results_of(looked, "check_task")[0].result)
    agents.go_on.set()
    agent = agent_with(agent, wait=[checking(task_id, wait_s=30), {"text": "ok"}])
    waited = await events_of(agent, "wait")
    text = str(results_of(waited, "check_task")[0].result)
    assert "(worker) has finished.\nReport of the sub-agent worker:\nthe report" in text


async def test_whom_the_person_named_gets_one_task_in_the_background_or_now(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    agent = await agents.start(play(go=[starting("WORK hard"), {"text": "ok"}], WORK=WORK))
    events = await events_of(agent, "go @worker, in the background")
    tools = [one.tool_name for one in events if one.event_type == "tool_call"]
    assert tools == ["start_task"]
    assert [e.mode for e in events if e.event_type == "subagent"] == ["single", "background"]
    (task_id,) = await read_ids(agents)
    await until_over(agents, task_id)


async def test_a_task_costs_no_model_call_of_the_agent_itself(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    _, task_id = await started(agents)
    await until_over(agents, task_id)
    events = await read_all(agents.stores.log, task_id)
    steps = [e for e in events if e.event_type == "step_finish"]
    assert len(steps) == 2
    assert all(e.subagent_id for e in steps)


async def test_cancel_ends_it_and_nothing_else(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    cancelling = {"tool_calls": [called("cancel_task", task_id=task_id)]}
    events = await events_of(agent_with(agent, stop=[cancelling, {"text": "ok"}]), "stop")
    assert "is being cancelled" in str(results_of(events, "cancel_task")[0].result)
    assert (await until_over(agents, task_id)).reason == "user_cancelled"
    looked = await events_of(agent_with(agent, check=[checking(task_id), {"text": "ok"}]), "check")
    assert "was cancelled" in str(results_of(looked, "check_task")[0].result)


async def test_a_task_survives_the_process_and_no_call_runs_twice(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    two = [
        {"tool_calls": [called("echo", text="first")]},
        {"tool_calls": [called("slow", text="x")]},
        {"text": "the report"},
    ]
    agent = await agents.start(play(go=[starting("TWO"), {"text": "ok"}], TWO=two))
    task_id = id_in(await events_of(agent))
    await agents.began.wait()
    # The process ends: the run stays open.
    await agents.background.aclose()
    await agent.aclose()
    assert not (await runs_of(agents.stores.log, task_id))[0].done
    agents.go_on.set()
    again = await agents.start(play(check=[checking(task_id, wait_s=30), {"text": "ok"}], TWO=two))
    looked = await events_of(again, "check")
    assert "the report" in str(results_of(looked, "check_task")[0].result)
    calls = [
        e.tool_name
        for e in await read_all(agents.stores.log, task_id, types=("tool_result",))
        if e.event_type == "tool_result"
    ]
    assert calls.count("echo") == 1


async def test_a_call_under_way_is_not_interrupted_by_another_agent(tmp_path: Path) -> None:
    """As when the person chooses another model while a task is at work."""
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    other = executor(
        play(go=[starting("WORK hard"), {"text": "ok"}], WORK=[{"text": "of another model"}]),
        tmp_path,
        tools=[echo, agents.slow],
        stores=agents.stores,
        subagents=agents.subagents,
        background_runs=agents.background,
    )
    agents.background.attach(other)
    assert agents.background.works_with(agent)
    assert not agents.background.works_with(other)
    later_id = id_in([event async for event in other.execute("go", "s")])
    assert "of another model" in (await until_over(agents, later_id)).content
    agents.go_on.set()
    await agents.background.wait_idle(agent)
    assert not agents.background.works_with(agent)
    assert "the report" in (await until_over(agents, task_id)).content
    assert agents.runs == 1
    assert await read_all(agents.stores.log, task_id, types=("resumed",)) == []


async def test_a_rule_kept_since_the_agent_was_built_counts_for_later_tasks(tmp_path: Path) -> None:
    """Until another agent is built, from the files that hold it or do not."""
    agents = TaskAgent(tmp_path, specialist("worker"), handler=Answering())
    agent = await agents.start(play())
    write = {"tool_calls": [called("write_file", file_path="/a.txt", content="x")]}
    parts = {"go": [starting("WRITE"), {"text": "ok"}], "WRITE": [write, {"text": "written"}]}

    async def run_task() -> str:
        task_id = id_in(await events_of(agent_with(agent, **parts)))
        return (await until_quiet(agents, task_id)).state

    assert await run_task() == "waiting"
    agents.background.keep_rules([Rule("write_file", "**", "allow", "project")])
    assert await run_task() == "finished"
    agents.background.attach(agent)
    assert await run_task() == "waiting"


async def test_a_question_of_a_task_waits_for_the_person_and_is_reported(tmp_path: Path) -> None:
    careful = specialist("worker", rules=(Rule("slow", "*", "ask", "project"),))
    agents = TaskAgent(tmp_path, careful, handler=Answering())
    agent, task_id = await started(agents)
    looked = await events_of(
        agent_with(agent, check=[checking(task_id, wait_s=30), {"text": "ok"}]), "check"
    )
    text = str(results_of(looked, "check_task")[0].result)
    assert "waits for a person: approval of slow(text='x')" in text
    assert agents.runs == 0


async def test_the_owner_is_told_when_a_task_rests_but_not_when_it_is_suspended(
    tmp_path: Path,
) -> None:
    told: Told = asyncio.Queue()
    agents = TaskAgent(tmp_path, specialist("worker"), make_runs=partial(runs_that_tell, told))
    _, task_id = await started(agents)
    await agents.began.wait()
    assert await agents.background.aclose() == 1
    assert told.empty()
    agents.go_on.set()
    await agents.start(play(WORK=WORK))
    assert await agents.background.continue_tasks_of("s") == 1
    assert await asyncio.wait_for(told.get(), 20) == (task_id, "worker: WORK hard", "finished")
    assert await agents.background.aclose() == 0


async def test_the_owner_is_told_again_of_a_task_that_waits(tmp_path: Path) -> None:
    told: Told = asyncio.Queue()
    careful = specialist("worker", rules=(Rule("slow", "*", "ask", "project"),))
    agents = TaskAgent(
        tmp_path, careful, handler=Answering(), make_runs=partial(runs_that_tell, told)
    )
    _, task_id = await started(agents)
    waits = (task_id, "worker: WORK hard", "waiting")
    assert await asyncio.wait_for(told.get(), 20) == waits
    await agents.background.aclose()
    await agents.start(play(WORK=WORK))
    assert await agents.background.continue_tasks_of("s") == 0
    assert told.get_nowait() == waits


async def test_tasks_of_another_conversation_and_other_sessions_are_unknown(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    for asked in (task_id, "task-0", "s"):
        agent_with(agent, check=[checking(asked), {"text": "ok"}])
        looked = [e async for e in agent.execute("check", f"other-{asked}")]
        result = results_of(looked, "check_task")[0]
        assert result.status == "error"
        assert "has no background task" in str(result.result)
    await agents.background.aclose()


async def test_a_task_follows_the_mode_of_the_conversation(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    await change_mode(agents.stores.log, "s", "plan", "ann")
    _, task_id = await started(agents)
    await until_over(agents, task_id)
    assert agents.runs == 0
    events = await read_all(agents.stores.log, task_id, types=("tool_result", "start"))
    assert getattr(events[0], "mode", None) == "plan"
    assert any("plan mode" in str(getattr(e, "result", "")) for e in events)


async def test_there_is_a_limit_and_a_task_starts_no_other(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    await change_mode(agents.stores.log, "s", "auto", "ann")
    many = {
        "tool_calls": [
            called("start_task", description=f"WORK {n}", subagent_type="worker") for n in range(6)
        ]
    }
    agent = await agents.start(play(go=[many, {"text": "ok"}], WORK=WORK))
    results = results_of(await events_of(agent), "start_task")
    refused = [r for r in results if r.status == "error"]
    assert refused
    assert "which is the most" in str(refused[0].result)
    agents.go_on.set()
    for started_id in await read_ids(agents):
        await until_over(agents, started_id)
    nested = [starting("WORK"), {"text": "tried"}]
    deep = [starting("NEST", to="general-purpose"), {"text": "ok"}]
    events = await events_of(agent_with(agent, deep=deep, NEST=nested), "deep")
    task_id = id_in(events)
    await until_over(agents, task_id)
    found = await read_all(agents.stores.log, task_id, types=("tool_result",))
    assert "a background task itself" in str(getattr(found[0], "result", ""))
