"""A background task may do what its conversation may, and nothing that is not its own counts."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
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
from langchain_core.tools import tool
from made_skills import fixed, make_skill
from subagent_scripts import called, results_of, specialist, task

from dataagent_core.config.limits.subagents import BACKGROUND_TASKS_PER_RUN_MAX
from dataagent_core.engine.checkpoints.checkpoint_histories import CheckpointHistories
from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
from dataagent_core.errors import SessionBusyError
from dataagent_core.events import SubAgentEvent, ToolResultEvent
from dataagent_core.permissions import RunTerms
from dataagent_core.permissions.rules import Rule
from dataagent_core.runs import BackgroundTask, NewBackgroundRun
from dataagent_core.session import change_mode, read_all, runs_of
from dataagent_core.session.copies.fork import fork
from dataagent_core.session.log import NO_RUN


async def result_of(agent: Any, step: dict[str, Any], session_id: str = "s") -> Any:
    """Return the result of one call in a conversation."""
    name = step["tool_calls"][0]["name"]
    agent_with(agent, next=[step, {"text": "ok"}])
    return results_of(await events_of(agent, "next", session_id), name)[0]


def cancelling(task_id: str) -> dict[str, Any]:
    return {"tool_calls": [called("cancel_task", task_id=task_id)]}


async def test_a_task_whose_session_was_deleted_is_no_task_any_more(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    await change_mode(agents.stores.log, "s", "auto", "ann")
    many = [called("start_task", description=f"WORK {n}", subagent_type="worker") for n in range(5)]
    agent = await agents.start(play(go=[{"tool_calls": many}, {"text": "ok"}], WORK=WORK))
    await events_of(agent)
    ids = await read_ids(agents)
    assert len(ids) == 5
    for task_id in ids:
        await until_over(agents, task_id)
    for task_id in ids[1:]:
        await agents.stores.sessions.delete(task_id)
        await agents.stores.log.delete(task_id)
    listed = await result_of(agent, checking(""))
    assert listed.status == "success"
    assert ids[0] in str(listed.result)
    assert not any(gone in str(listed.result) for gone in ids[1:])
    assert (await result_of(agent, checking(ids[1]))).status == "error"
    assert (await result_of(agent, starting("WORK again"))).status == "success"


async def test_tasks_in_a_copied_or_imported_log_are_not_looked_at(tmp_path: Path) -> None:
    """An imported log may name any session as its task; a fork names the tasks of the original."""
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    await agents.background.aclose()
    await agents.stores.sessions.create("ann", "tester", session_id="s")
    await fork(
        agents.stores, CheckpointHistories(agents.stores.checkpoints), "s", new_session_id="copy"
    )
    forged = [
        SubAgentEvent(
            subagent_id=f"{n}", phase="assigned", name="worker", task="x", mode="background"
        )
        for n in range(5)
    ]
    await agents.stores.log.append("copy", NO_RUN, forged)
    listed = await result_of(agent, checking(""), "copy")
    assert "no background task" in str(listed.result)
    assert (await result_of(agent, starting("WORK"), "copy")).status == "success"
    assert not await read_all(agents.stores.log, task_id, types=("resumed",))
    await agents.background.aclose()


async def test_only_check_task_shows_a_report_because_it_taints(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    agent, task_id = await started(agents)
    await until_over(agents, task_id)
    cancelled = await result_of(agent, cancelling(task_id))
    assert "has finished" in str(cancelled.result)
    assert "the report" not in str(cancelled.result)


@pytest.mark.parametrize("name", ["worker", "general-purpose"])
async def test_a_rule_about_task_holds_for_start_task(tmp_path: Path, name: str) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    await change_mode(agents.stores.log, "s", "auto", "ann")
    agent = await agents.start(play(go=[starting("WORK", to=name), {"text": "ok"}], WORK=WORK))
    terms = RunTerms(kept_rules=[Rule("task", name, "deny", "person")])
    result = results_of(await events_of(agent, terms=terms), "start_task")[0]
    assert "denied" in str(result.result)
    assert not await read_ids(agents)


async def test_a_rule_that_asks_about_task_asks_about_start_task_in_auto_mode(
    tmp_path: Path,
) -> None:
    person = Answering({"type": "reject"})
    agents = TaskAgent(tmp_path, specialist("worker"), handler=person)
    await change_mode(agents.stores.log, "s", "auto", "ann")
    agent = await agents.start(play(go=[starting("WORK"), {"text": "ok"}], WORK=WORK))
    await events_of(agent, terms=RunTerms(kept_rules=[Rule("task", "worker", "ask", "person")]))
    assert [action["name"] for action in person.asked] == ["start_task"]


async def test_whom_the_person_forbids_gets_no_part_of_a_task(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    nested = [
        {"tool_calls": [called("task", description="WORK", subagent_type="worker")]},
        {"text": "tried"},
    ]
    start = [starting("NEST", to="general-purpose"), {"text": "ok"}]
    await change_mode(agents.stores.log, "s", "auto", "ann")
    agent = await agents.start(play(please=start, NEST=nested, WORK=WORK))
    events = await events_of(agent, "please do it without @worker")
    task_id = id_in(events)
    await until_over(agents, task_id)
    (refused,) = await read_all(agents.stores.log, task_id, types=("tool_result",))
    assert isinstance(refused, ToolResultEvent)
    assert "does not want 'worker'" in str(refused.result)
    assert agents.runs == 0


async def test_an_agent_without_background_runs_does_not_do_a_task_itself(tmp_path: Path) -> None:
    """As when a task is resumed by `dataagent run`: it stays the sub-agent's, with its limits."""
    reader = specialist("worker", allowed_tools=("read_file",))
    agents = TaskAgent(tmp_path, reader)
    agents.go_on.set()
    try_slow = {"tool_calls": [called("slow", text="x")]}
    agent = await agents.start(play(go=[starting("TRY"), {"text": "ok"}], TRY=[try_slow]))
    await agents.background.aclose()
    task_id = id_in(await events_of(agent))
    await agents.background.aclose()
    assert not (await runs_of(agents.stores.log, task_id))[0].done
    other = executor(
        play(TRY=[try_slow, {"text": "tried"}]),
        tmp_path,
        tools=[echo, agents.slow],
        stores=agents.stores,
        subagents=(reader,),
    )
    events: list[Any] = [event async for event in other.resume(task_id)]
    assert events[-1].content.endswith("tried")
    assert agents.runs == 0


async def test_a_task_in_the_background_is_no_way_around_an_active_skill(tmp_path: Path) -> None:
    folder = tmp_path / ".dataagent/skills/careful"
    folder.mkdir(parents=True)
    allowed = "allowed-tools: start_task read_file"
    (folder / "SKILL.md").write_text(f"---\nname: careful\ndescription: d\n{allowed}\n---\nc")
    agents = TaskAgent(tmp_path, specialist("worker"), handler=Answering())
    agents.go_on.set()
    load = {"tool_calls": [called("skill", name="careful")]}
    agent = await agents.start(play(go=[load, starting("SUB"), {"text": "ok"}], SUB=WORK))
    (refused,) = results_of(await events_of(agent), "start_task")
    assert "the active skill 'careful' limits the tools of this run" in str(refused.result)
    await agents.background.aclose()
    assert agents.runs == 0


async def test_a_general_sub_agent_of_a_tenant_is_not_replaced_by_the_agent(
    tmp_path: Path,
) -> None:
    agents = TaskAgent(tmp_path, specialist("general-purpose", allowed_tools=("read_file",)))
    agents.go_on.set()
    start = [starting("WORK", to="general-purpose"), {"text": "ok"}]
    agent = await agents.start(play(go=start, WORK=WORK))
    task_id = id_in(await events_of(agent))
    await until_over(agents, task_id)
    assert agents.runs == 0


async def test_a_task_proposes_no_plan_because_it_cannot_change_the_mode(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path)
    await change_mode(agents.stores.log, "s", "plan", "ann")
    propose = {"tool_calls": [called("propose_plan", plan="change all")]}
    start = [starting("PLAN", to="general-purpose"), {"text": "ok"}]
    agent = await agents.start(play(go=start, PLAN=[propose, {"text": "the plan"}]))
    task_id = id_in(await events_of(agent))
    assert (await until_over(agents, task_id)).content == "the plan"
    (refused,) = await read_all(agents.stores.log, task_id, types=("tool_result",))
    assert isinstance(refused, ToolResultEvent)
    assert "follows the mode of the conversation" in str(refused.result)


async def test_a_task_that_its_sub_agent_never_began_has_failed(tmp_path: Path) -> None:
    """As when the sub-agent was removed between the start and the work."""
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    await agents.background.aclose()
    await agent.aclose()
    agents.subagents = ()
    again = await agents.start(play(next=[{"text": "ok"}]))
    looked = await result_of(again, checking(task_id, wait_s=30))
    assert "has failed" in str(looked.result)
    assert "no sub-agent 'worker'" in str(looked.result)


async def test_a_task_of_the_agent_itself_may_finish_although_a_sub_agent_failed(
    tmp_path: Path,
) -> None:
    agents = TaskAgent(tmp_path, specialist("worker", max_iterations=1))
    delegating = [
        {"tool_calls": [called("task", description="WORK", subagent_type="worker")]},
        {"text": "done without it"},
    ]
    start = [starting("ALONE", to="general-purpose"), {"text": "ok"}]
    await change_mode(agents.stores.log, "s", "auto", "ann")
    agent = await agents.start(play(go=start, ALONE=delegating, WORK=WORK))
    task_id = id_in(await events_of(agent))
    await until_over(agents, task_id)
    looked = await result_of(agent, checking(task_id))
    assert "has finished.\ndone without it" in str(looked.result)


async def test_one_run_starts_a_limited_number_of_tasks(tmp_path: Path) -> None:
    """Each has the budget of a run, so a loop would have no budget at all."""
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()

    @tool
    async def settle(number: int) -> str:
        """Wait for the tasks."""
        for task_id in await read_ids(agents):
            await until_over(agents, task_id)
        return f"{number} are over"

    agents.tools.append(settle)
    await change_mode(agents.stores.log, "s", "auto", "ann")
    rounds: list[dict[str, Any]] = []
    for n in range(2):
        numbers = range(BACKGROUND_TASKS_PER_RUN_MAX // 2)
        calls = [starting(f"WORK {n} {number}")["tool_calls"][0] for number in numbers]
        rounds += [{"tool_calls": calls}, {"tool_calls": [called("settle", number=n)]}]
    rounds.append(starting("WORK once more"))
    agent = await agents.start(play(go=[*rounds, {"text": "ok"}], WORK=WORK))
    *begun, refused = results_of(await events_of(agent), "start_task")
    assert {result.status for result in begun} == {"success"}
    assert "which is the most" in str(refused.result)
    assert (await result_of(agent, starting("WORK more"))).status == "success"
    await agents.background.aclose()


async def test_an_empty_description_starts_nothing(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent = await agents.start(play(go=[{"text": "ok"}]))
    result = await result_of(agent, starting("  "))
    assert "`description`: it is empty; say what the sub-agent has to do" in str(result.result)
    assert not await read_ids(agents)
    assert not await agents.stores.sessions.list_by_user("ann")


async def test_a_start_that_a_crash_left_half_done_is_completed(tmp_path: Path) -> None:
    """The session's row was written and its metadata was not: the same call starts it again."""
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    agent, task_id = await started(agents)
    await until_over(agents, task_id)
    session = await agents.stores.sessions.get(task_id)
    assert session is not None
    await agents.stores.sessions.update(replace(session, metadata={}))
    assert await agents.background.find(task_id) is None
    task = BackgroundTask(parent_session_id="s", parent_run_id="r", subagent="worker")
    new = NewBackgroundRun(session_id=task_id, task=task, description="WORK", title="t")
    await agents.background.start(new)
    assert await agents.background.find(task_id) == new.task
    await agent.aclose()


async def test_a_cancel_counts_although_another_agent_takes_over(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agent, task_id = await started(agents)
    await agents.began.wait()
    await agents.background.cancel(task_id)
    agents.background.attach(agent)
    assert (await until_over(agents, task_id)).reason == "user_cancelled"
    assert agents.runs == 1


async def test_what_a_person_says_in_its_session_is_no_part_of_the_task(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"))
    agents.go_on.set()
    agent, task_id = await started(agents)
    await until_over(agents, task_id)
    agents.began.clear()
    agents.go_on.clear()
    agent_with(agent, more=[{"tool_calls": [called("slow", text="y")]}, {"text": "more"}])

    async def say() -> list[Any]:
        return [event async for event in agent.execute("more", task_id)]

    said = asyncio.create_task(say())
    await agents.began.wait()
    assert "has finished" in str((await result_of(agent, cancelling(task_id))).result)
    assert not await agents.background.continue_stopped(task_id)
    agents.go_on.set()
    assert (await said)[-1].reason == "completed"


class SlowStart(LocalBackgroundRuns):
    """Background runs whose start returns when the test says so."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.has_started, self.may_return = asyncio.Event(), asyncio.Event()

    async def start(self, new: NewBackgroundRun) -> None:
        await super().start(new)
        self.has_started.set()
        await self.may_return.wait()


async def test_a_cancelled_conversation_still_knows_the_task_that_it_was_starting(
    tmp_path: Path,
) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"), make_runs=SlowStart)
    agent = await agents.start(play(go=[starting("WORK"), {"text": "ok"}], WORK=WORK))
    runs, token = agents.background, asyncio.Event()
    assert isinstance(runs, SlowStart)

    async def run() -> list[Any]:
        return [event async for event in agent.execute("go", "s", cancellation_token=token)]

    running = asyncio.create_task(run())
    await runs.has_started.wait()
    token.set()
    await asyncio.wait([running], timeout=0.1)
    runs.may_return.set()
    assert (await running)[-1].reason == "user_cancelled"
    assert len(await read_ids(agents)) == 1
    await runs.aclose()


async def test_none_is_started_while_a_skill_limits_the_tools(tmp_path: Path) -> None:
    skill = make_skill("narrow", allowed_tools=("start_task", "read_file"))
    agents = TaskAgent(tmp_path, specialist("worker"), skills=fixed(skill))
    load = {"tool_calls": [called("skill", name="narrow")]}
    agent = await agents.start(play(go=[load, starting("WORK"), {"text": "ok"}], WORK=WORK))
    [refused] = results_of(await events_of(agent), "start_task")
    assert "the active skill 'narrow' limits the tools" in str(refused.result)
    assert await read_ids(agents) == []


async def test_a_sub_agent_starts_none(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"), specialist("boss"))
    go = [{"tool_calls": [task("BOSS", to="boss")]}, {"text": "ok"}]
    agent = await agents.start(play(go=go, BOSS=[starting("WORK"), {"text": "ok"}], WORK=WORK))
    [refused] = results_of(await events_of(agent), "start_task")
    assert "There is no tool 'start_task'" in str(refused.result)
    assert all(not one.startswith("task-") for one in await read_ids(agents))


async def test_cancel_ends_one_that_waits_for_a_person(tmp_path: Path) -> None:
    agents = TaskAgent(tmp_path, specialist("worker"), handler=Answering())
    write = {"tool_calls": [called("write_file", file_path="/x.txt", content="1")]}
    steps = {"go": [starting("WRITE it"), {"text": "ok"}], "WRITE": [write, {"text": "done"}]}
    agent = await agents.start(play(**steps))
    task_id = id_in(await events_of(agent))
    assert (await until_quiet(agents, task_id)).state == "waiting"
    assert (await result_of(agent, cancelling(task_id))).status == "success"
    assert (await until_quiet(agents, task_id)).state == "cancelled"
    assert not (tmp_path / "x.txt").exists()


async def test_a_task_that_another_process_works_on_is_not_said_to_be_cancelled(
    tmp_path: Path,
) -> None:
    held: set[str] = set()

    @contextmanager
    def hold(session_id: str) -> Generator[None]:
        if session_id in held:
            raise SessionBusyError(f"{session_id} is open in another process")
        yield

    agents = TaskAgent(
        tmp_path,
        specialist("worker"),
        make_runs=lambda stores, user: LocalBackgroundRuns(stores, user, hold=hold),
    )
    _, task_id = await started(agents)
    await agents.began.wait()
    await agents.background.aclose()
    held.add(task_id)
    result = await result_of(await agents.start(play()), cancelling(task_id))
    assert result.status == "error"
    assert "open in another process" in str(result.result)
