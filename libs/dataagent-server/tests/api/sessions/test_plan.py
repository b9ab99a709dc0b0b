"""`GET` and `PATCH /sessions/{id}/plan`: a person sees and changes a plan while it is carried out."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from live_server import Caller, LiveServer, hear_until, open_live_server
from projected_log import add_plan, projected_log

from dataagent_core.config.limits.planning import PLAN_EDITS_MAX
from dataagent_core.events import Event, StepEndEvent, StepStartEvent, ThoughtEvent
from dataagent_core.planning import read_plan
from dataagent_server.api.models.sessions.plan import WorkPlanInfo
from dataagent_server.runs.run_rows import find_run
from tests.server.fixtures import MakeSettings
from tests.services.rows import Held

pytestmark = pytest.mark.every_database

AT_ONCE = 12


@pytest.fixture
async def live(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[LiveServer]:
    """The server on a database that a test chooses."""
    async with open_live_server(make_settings(database_url=database_url)) as running:
        yield running


async def append(live: LiveServer, caller: Caller, session_id: str, *events: Event) -> None:
    log = projected_log(live.services, caller.who.tenant_id)
    (run,) = await live.services.runs.service.runs(
        caller.who.tenant_id, session_id, only_open=False
    )
    await log.append(session_id, run.run_id, events)


async def planned(live: LiveServer, caller: Caller) -> str:
    """Make a session with a run that waits for a person, and has a plan of three steps."""
    chat = await live.chat(caller, "write it")
    await add_plan(live.services, caller.who.tenant_id, chat["session_id"], chat["run_id"])
    return chat["session_id"]


async def ask(
    live: LiveServer, caller: Caller, session_id: str, body: Any = None, status: int = 200
) -> Any:
    answer = await live.http.request(
        "GET" if body is None else "PATCH",
        f"/api/v1/sessions/{session_id}/plan",
        headers=caller.headers,
        **({} if body is None else {"json": body}),
    )
    assert answer.status_code == status, answer.text
    return answer.json()


def change(version: int, *edits: dict[str, Any]) -> dict[str, Any]:
    return {"version": version, "edits": list(edits)}


SKIP = {"op": "skip", "step_number": 3}


async def test_a_person_changes_what_has_not_begun_and_readers_see_it(live: LiveServer):
    ann = await live.person()
    session_id = await planned(live, ann)
    shown = await ask(live, ann, session_id)
    assert (shown["version"], shown["status"], shown["total_steps"]) == (1, "in_progress", 3)
    edits = change(
        1,
        {"op": "edit", "step_number": 2, "description": "Do 二", "assigned_agent": "code-reviewer"},
        {"op": "move", "step_number": 3, "before": 2},
        {"op": "add", "description": "Do 4", "dependencies": [3]},
        {"op": "skip", "step_number": 1},
    )
    async with live.socket(session_id, ann) as socket:
        changed = await ask(live, ann, session_id, edits)
        (*_, heard) = await hear_until(socket, "work_plan")
        while heard["data"]["version"] == 1:
            (*_, heard) = await hear_until(socket, "work_plan")
    assert (heard["data"]["change"], heard["data"]["by"]) == ("edited", ann.who.user_id)
    assert [step["step_number"] for step in heard["data"]["steps"]] == [1, 3, 2, 4]
    assert [(s["step_number"], s["status"]) for s in changed["steps"]] == [
        (1, "skipped"), (3, "pending"), (2, "pending"), (4, "pending"),
    ]  # fmt: skip
    assert (changed["steps"][2]["description"], changed["current_step_index"]) == ("Do 二", 1)
    assert changed["version"] == 2
    assert await ask(live, ann, session_id) == changed
    url = f"/api/v1/agent/conversations/{session_id}/plan"
    same = await live.http.get(url, headers=ann.headers, params={"plan_id": changed["run_id"]})
    assert same.json() == changed
    body = change(2, {"op": "skip", "step_number": 2}) | {"plan_id": changed["plan_id"]}
    again = await live.http.patch(url, headers=ann.headers, json=body)
    assert (again.status_code, again.json()["version"]) == (200, 3)


async def test_a_run_goes_on_with_what_a_person_made_of_its_plan(live: LiveServer):
    ann = await live.person()
    chat = await live.chat(ann, "carry out", planning={"mode": "always"})
    session_id = chat["session_id"]
    before = await ask(live, ann, session_id)
    assert [step["status"] for step in before["steps"]] == ["in_progress", "pending", "pending"]
    edits = change(
        before["version"],
        {"op": "edit", "step_number": 2, "description": "Do 2 again"},
        {"op": "skip", "step_number": 3},
        {"op": "add", "description": "Do 4"},
    )
    await ask(live, ann, session_id, edits)
    url = f"/api/v1/requests/{chat['events'][-1]['interrupt_id']}"
    await live.http.post(url, json={"decision": {"type": "approve"}}, headers=ann.headers)
    await live.reached(ann, session_id, "completed", "failed")
    after = await ask(live, ann, session_id)
    assert [(s["step_number"], s["description"], s["status"]) for s in after["steps"]] == [
        (1, "Do 1", "completed"), (2, "Do 2 again", "completed"), (3, "Do 3", "skipped"), (4, "Do 4", "completed"),
    ]  # fmt: skip
    assert (after["status"], after["current_step_index"]) == ("completed", 4)
    log = live.services.runs.stores_of(ann.who.tenant_id).log
    folded = await read_plan(log, session_id)
    assert folded is not None
    assert WorkPlanInfo.of(folded).model_dump(mode="json") == after


@pytest.mark.requirement("F21-3-conflict")
async def test_what_cannot_be_changed_is_a_conflict_that_says_what_is(live: LiveServer):
    ann = await live.person()
    session_id = await planned(live, ann)
    run_id = (await ask(live, ann, session_id))["run_id"]
    begun = StepStartEvent(step_number=1, plan_id=run_id)
    ended = StepEndEvent(step_number=2, plan_id=run_id)
    await append(live, ann, session_id, begun, StepStartEvent(step_number=2, plan_id=run_id), ended)
    for number, word in ((1, "in progress"), (2, "completed")):
        refused = await ask(
            live, ann, session_id, change(1, {"op": "skip", "step_number": number}), 409
        )
        assert f"step {number} is {word}" in refused["message"]
    changed = await ask(live, ann, session_id, change(1, SKIP))
    for body in (change(1, SKIP), change(2, SKIP) | {"plan_id": "another"}):
        late = await ask(live, ann, session_id, body, 409)
        assert (late["error_code"], late["details"]["plan"]) == ("CONFLICT", changed)
    await live.services.runs.service.cancel(ann.who, run_id)
    await live.reached(ann, session_id, "cancelled")
    over = await ask(live, ann, session_id)
    assert (over["status"], over["steps"][0]["status"]) == ("failed", "failed")
    refused = await ask(live, ann, session_id, change(2, {"op": "add", "description": "x"}), 409)
    assert "the plan is over" in refused["message"]


async def test_of_many_changes_at_once_one_makes_each_version(live: LiveServer):
    ann = await live.person()
    session_id = await planned(live, ann)
    run_id = (await ask(live, ann, session_id))["run_id"]
    tenant_id = ann.who.tenant_id
    run = await live.services.database.read(lambda c: find_run(c, tenant_id, run_id))
    assert run is not None
    # As its worker writes, which locks the run before the session.
    log = projected_log(live.services, tenant_id, Held(**{run_id: run.fence}))

    async def work() -> None:
        for _ in range(AT_ONCE):
            thought = ThoughtEvent(content="hm", level="work", is_final=True)
            begun = StepStartEvent(step_number=1, plan_id=run_id)
            await log.append(session_id, run_id, [thought, begun])

    for version in (1, 2):

        async def add(number: int, version: int = version) -> tuple[int, Any]:
            body = change(version, {"op": "add", "description": f"{version}.{number}"})
            url = f"/api/v1/sessions/{session_id}/plan"
            answer = await live.http.patch(url, json=body, headers=ann.headers)
            return answer.status_code, answer.json()

        working = asyncio.create_task(work())
        answers = await asyncio.gather(*(add(number) for number in range(AT_ONCE)))
        await working
        (won,) = (told for status, told in answers if status == 200)
        lost = [told for status, told in answers if status == 409]
        assert len(lost) == AT_ONCE - 1
        assert {told["details"]["plan"]["version"] for told in lost} == {version + 1}
        assert won["version"] == version + 1
    shown = await ask(live, ann, session_id)
    assert (shown["version"], len(shown["steps"])) == (3, 5)
    assert shown["steps"][0]["status"] == "in_progress"


async def test_a_session_without_a_plan_has_none(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    assert (await ask(live, ann, session_id, status=404))["error_code"] == "NOT_FOUND"
    assert (await ask(live, ann, session_id, change(1, SKIP), 404))["error_code"] == "NOT_FOUND"
    session_id = await planned(live, ann)
    url = f"/api/v1/sessions/{session_id}/plan?plan_id=other"
    assert (await live.http.get(url, headers=ann.headers)).status_code == 404
    await ask(live, ann, session_id, change(1, {"op": "skip", "step_number": 9}), 404)


async def test_a_fork_has_the_plans_of_its_runs_as_history(live: LiveServer):
    ann = await live.person()
    session_id = await planned(live, ann)
    run_id = (await ask(live, ann, session_id))["run_id"]
    await append(live, ann, session_id, StepStartEvent(step_number=1, plan_id=run_id))
    await ask(live, ann, session_id, change(1, SKIP))
    await live.services.runs.service.cancel(ann.who, run_id)
    await live.reached(ann, session_id, "cancelled")
    url = f"/api/v1/sessions/{session_id}/fork"
    made = (await live.http.post(url, json={}, headers=ann.headers)).json()["session"]
    old, new = [await ask(live, ann, one) for one in (session_id, made["session_id"])]
    assert new["plan_id"] == new["run_id"] != run_id
    same = {"plan_id", "run_id", "session_id", "updated_at"}
    assert {k: v for k, v in new.items() if k not in same} == {
        k: v for k, v in old.items() if k not in same
    }
    (row,) = await live.services.runs.service.executions(
        ann.who.tenant_id, made["session_id"], after=None, limit=2
    )
    assert row.progress.plan_steps == new["steps"]
    answer = await live.http.delete(f"/api/v1/sessions/{session_id}", headers=ann.headers)
    assert answer.status_code == 204
    assert await ask(live, ann, made["session_id"]) == new


HUGE = 10**30
HOSTILE: list[Any] = [
    {},
    [],
    None,
    {"version": 1},
    {"version": 1, "edits": []},
    {"version": 1, "edits": [None]},
    {"version": HUGE, "edits": [SKIP]},
    {"version": "1; DROP", "edits": [SKIP]},
    change(1, *[{"op": "add", "description": "x"}] * 30),
    change(1, *[{"op": "add", "description": "x"}] * (PLAN_EDITS_MAX + 1)),
    change(1, *[{"op": "add", "description": "x"}] * 200),
    change(1, {"op": "add", "description": "x" * 1_000_000}),
    change(1, {"op": "add", "description": ""}),
    change(1, {"op": "add", "description": " \n"}),
    change(1, {"op": "add", "description": "\ud800"}),
    change(1, {"op": "add", "description": "a\0b"}),
    change(1, {"op": "edit", "step_number": 2, "thought_prompt": "a\ud83d"}),
    change(1, {"op": "add", "description": "x", "dependencies": [HUGE]}),
    change(1, {"op": "add", "description": "x", "dependencies": [0] * 100_000}),
    change(1, {"op": "add", "description": "x", "before": -HUGE}),
    change(1, {"op": "edit", "step_number": 2}),
    change(1, {"op": "edit", "step_number": 2, "status": "completed"}),
    change(1, {"op": "edit", "step_number": 2, "assigned_agent": "nobody"}),
    change(1, {"op": "edit", "step_number": 2, "dependencies": [2]}),
    change(
        1,
        {"op": "edit", "step_number": 2, "dependencies": [3]},
        {"op": "edit", "step_number": 3, "dependencies": [2]},
    ),
    change(1, {"op": "move", "step_number": 2, "before": 2}),
    change(1, {"op": "drop", "step_number": 2}),
    change(1, {"op": "skip", "step_number": [[[]]]}),
    change(1, SKIP) | {"by": "somebody"},
]


async def test_a_hostile_change_is_refused_and_changes_nothing(live: LiveServer):
    ann = await live.person()
    session_id = await planned(live, ann)
    before = await ask(live, ann, session_id)
    for body in HOSTILE:
        answer = await live.http.patch(
            f"/api/v1/sessions/{session_id}/plan",
            # Escaped: half a character cannot be sent in another way.
            content=json.dumps(body),
            headers=ann.headers | {"content-type": "application/json"},
        )
        assert answer.status_code in {404, 409, 422}, (str(body)[:200], answer.text)
        assert len(answer.text) < 20_000
        assert await ask(live, ann, session_id) == before
    kept = change(1, {"op": "add", "description": "b \U0001f44b", "expected_output": "é" * 2_000})
    assert (await ask(live, ann, session_id, kept))["steps"][3]["description"] == "b \U0001f44b"


async def test_a_change_and_the_end_of_the_run_at_once_leave_no_open_plan(live: LiveServer):
    ann = await live.person()
    for number in range(3):
        session_id = await planned(live, ann)
        run_id = (await ask(live, ann, session_id))["run_id"]
        url = f"/api/v1/sessions/{session_id}/plan"
        edits = (
            live.http.patch(url, json=change(version, SKIP), headers=ann.headers)
            for version in (1, 2, 1)
        )
        path = f"/api/v1/runs/{run_id}/cancel"
        *changed, ended = await asyncio.gather(*edits, live.http.post(path, headers=ann.headers))
        assert ended.status_code == 200
        assert {one.status_code for one in changed} <= {200, 409}, number
        await live.reached(ann, session_id, "cancelled")
        shown = await ask(live, ann, session_id)
        assert shown["status"] == "failed"
        await ask(live, ann, session_id, change(shown["version"], SKIP), 409)
