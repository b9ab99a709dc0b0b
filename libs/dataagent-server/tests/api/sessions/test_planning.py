"""How runs plan: of a session, by S2's columns, and of one message."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from live_server import LiveServer, hear_until, open_live_server, say
from sqlalchemy import select

from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.stores.session_planning import PlanningColumns, merge_planning
from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database

DEFAULTS = {
    "agent_mode": "react",
    "enable_workflow_learning": True,
    "max_concurrent_steps": 5,
    "planning_timeout_ms": 5_000,
}
CHOSEN = {
    "agent_mode": "staged",
    "enable_workflow_learning": False,
    "max_concurrent_steps": 2,
    "planning_timeout_ms": 600_000,
}


@pytest.fixture
async def live(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[LiveServer]:
    """The server on a database that a test chooses."""
    async with open_live_server(make_settings(database_url=database_url)) as running:
        yield running


async def planning_in(live: LiveServer, session_id: str) -> list[Any]:
    """Return how each message of a session is planned, as it is stored with its run."""
    query = select(runs.c.options).where(runs.c.session_id == session_id).order_by(runs.c.position)
    rows = await live.services.database.read(lambda c: c.execute(query).scalars().all())
    return [row.get("planning") for row in rows]


def chosen_in(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: shown[name] for name in DEFAULTS}


@pytest.mark.requirement("S2-13-conversations")
async def test_a_session_says_how_its_runs_plan(live: LiveServer):
    ann = await live.person()

    async def ask(method: str, path: str, body: Any = None, status: int = 200) -> Any:
        url = f"/api/v1/sessions{path}"
        answer = await live.http.request(method, url, json=body, headers=ann.headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    plain = await ask("POST", "", {}, 201)
    assert chosen_in(plain) == DEFAULTS
    made = await ask("POST", "", {**CHOSEN, "title": "Chosen"}, 201)
    assert chosen_in(made) == CHOSEN
    place = f"/{made['session_id']}"
    assert chosen_in(await ask("GET", place)) == CHOSEN
    changed = await ask("PATCH", place, {"max_concurrent_steps": 20, "agent_mode": "react"})
    expected = CHOSEN | {"max_concurrent_steps": 20, "agent_mode": "react"}
    assert (chosen_in(changed), changed["title"]) == (expected, "Chosen")
    listed = {one["session_id"]: chosen_in(one) for one in (await ask("GET", ""))["items"]}
    assert listed == {plain["session_id"]: DEFAULTS, made["session_id"]: expected}
    forked = await ask("POST", f"{place}/fork", {}, 201)
    assert chosen_in(forked["session"]) == expected
    for body in (
        {"agent_mode": "plan"},
        {"agent_mode": None},
        {"enable_workflow_learning": "sometimes"},
        {"max_concurrent_steps": 0},
        {"max_concurrent_steps": 21},
        {"max_concurrent_steps": 1.5},
        {"planning_timeout_ms": 99},
        {"planning_timeout_ms": 600_001},
        {"planning_timeout_ms": 10**30},
    ):
        await ask("PATCH", place, body, 422)
        await ask("POST", "", body, 422)
    assert chosen_in(await ask("GET", place)) == expected


@pytest.mark.requirement("F21-4-choice")
async def test_a_message_says_how_it_is_planned_above_its_session(live: LiveServer):
    ann = await live.person()
    plain = (await live.chat(ann, "hi"))["session_id"]
    await live.chat(ann, "hi", session_id=plain, planning={"mode": "never"})
    await live.chat(ann, "hi", session_id=plain, planning={})
    assert await planning_in(live, plain) == [None, {"mode": "never"}, None]
    chosen = await live.session(ann, agent_mode="staged", planning_timeout_ms=200)
    planning = {"loop": "react", "mode": "always", "max_concurrent_steps": 3}
    await live.chat(ann, "hi", session_id=chosen)
    body = {"message": "hi", "conversation_id": chosen, "planning": planning}
    url = "/api/v1/agent/chat"
    async with live.http.stream("POST", url, json=body, headers=ann.headers) as answer:
        assert answer.status_code == 200
        await answer.aread()
    async with live.socket(chosen, ann) as socket:
        await say(socket, "chat", message="hi", planning={"planning_timeout_ms": 100})
        await hear_until(socket, "done")
        await say(socket, "chat", message="hi", planning={"loop": "both"})
        (*_, refused) = await hear_until(socket, "error")
        assert refused["data"]["code"] == "VALIDATION_ERROR"
    assert await planning_in(live, chosen) == [
        {"loop": "staged", "planning_timeout_ms": 200},
        # Who watches a run can be asked.
        {**planning, "planning_timeout_ms": 200, "ask": True},
        {"loop": "staged", "planning_timeout_ms": 100, "ask": True},
    ]
    for planning in ({"loop": "plan"}, {"mode": "ask"}, {"max_concurrent_steps": 0}, {"steps": 1}):
        refused = await live.http.post(
            "/api/v1/chat", json={"message": "hi", "planning": planning}, headers=ann.headers
        )
        assert refused.status_code == 422, planning
    # The context is stored with the message itself.
    shown = await live.http.get(f"/api/v1/sessions/{chosen}/messages", headers=ann.headers)
    assert "staged" in shown.text


async def test_a_compaction_plans_nothing(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann, agent_mode="staged")
    await live.chat(ann, "hi", session_id=session_id)
    url = f"/api/v1/sessions/{session_id}/compact"
    assert (await live.http.post(url, headers=ann.headers)).status_code == 202
    assert await planning_in(live, session_id) == [{"loop": "staged"}, None]


def test_only_what_differs_from_the_defaults_is_passed_on():
    assert merge_planning(PlanningColumns(), {}) == {}
    chosen = PlanningColumns(agent_mode="staged", enable_workflow_learning=False)
    of_session = {"loop": "staged", "learn": False}
    assert merge_planning(chosen, {"mode": "auto"}) == {**of_session, "mode": "auto"}
    assert merge_planning(chosen, {"loop": "react"}) == {**of_session, "loop": "react"}
