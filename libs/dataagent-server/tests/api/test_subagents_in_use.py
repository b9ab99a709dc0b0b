"""A run that waited goes on with the sub-agents it used, whatever became of them meanwhile."""

from typing import Any

import live_server
import pytest
from eventually import eventually
from live_server import Caller, LiveServer, open_live_server
from sqlalchemy import func, select

from dataagent_server.db.tables.subagents import run_subagents
from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database

SUBAGENT = {
    "trigger": {"description": "Keeps notes"},
    "system_prompt": "You keep notes.",
    "allowed_tools": ["write_file"],
}
BUILT_IN = "coder-agent"


def delegate(name: str, **more: Any) -> dict[str, Any]:
    task = {"description": "write it", "subagent_type": name, **more}
    return {
        "match": f"^ask {name}",
        "steps": [{"tool_calls": [{"name": "task", "args": task}]}, {"text": "asked"}],
    }


async def ask(live: LiveServer, who: Caller, method: str, path: str, **more: Any) -> Any:
    answer = await live.http.request(method, f"/api/v1{path}", headers=who.headers, **more)
    assert answer.status_code < 300, (path, answer.text)
    return answer.json() if answer.content else None


async def approve(live: LiveServer, who: Caller, session_id: str) -> list[dict[str, Any]]:
    """Approve what a run waits for; return its log when it waits again or is over."""
    log = await read_log(live, who, session_id)
    asked = [one for one in log if one["event_type"] == "hitl_request"]
    decision = {"decision": {"type": "approve"}}
    await ask(live, who, "POST", f"/requests/{asked[-1]['interrupt_id']}", json=decision)
    longer: list[dict[str, Any]] = []

    async def rests() -> bool:
        longer[:] = await read_log(live, who, session_id)
        again = [one for one in longer if one["event_type"] in {"hitl_request", "done"}]
        run = await live.run_of(who, session_id)
        return len(again) > len(asked) and run.status not in {"queued", "running"}

    await eventually(rests)
    return longer


async def read_log(live: LiveServer, who: Caller, session_id: str) -> list[dict[str, Any]]:
    return (await ask(live, who, "GET", f"/sessions/{session_id}/events?limit=500"))["events"]


def results_in(log: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["tool_name"], one["status"]) for one in log if one["event_type"] == "tool_result"]


async def count_copies(live: LiveServer, who: Caller) -> int:
    query = select(func.count()).where(run_subagents.c.tenant_id == who.who.tenant_id)
    return await live.services.database.read(lambda c: c.execute(query).scalar_one())


async def test_an_approved_call_runs_whatever_became_of_its_sub_agent(
    make_settings: MakeSettings, database_url: str, monkeypatch: pytest.MonkeyPatch
):
    names = ("deleted", "disabled", "narrowed", "renamed")
    scripts = [*map(delegate, (*names, BUILT_IN)), *live_server.SCRIPT["scripts"]]
    monkeypatch.setitem(live_server.SCRIPT, "scripts", scripts)
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person(role="admin")
        made = {BUILT_IN: BUILT_IN}
        for name in names:
            one = await ask(live, ann, "POST", "/subagents", json=SUBAGENT | {"name": name})
            made[name] = one["id"]
        waiting = {name: (await live.chat(ann, f"ask {name}"))["session_id"] for name in made}
        for session_id in waiting.values():
            log = await approve(live, ann, session_id)
            assert log[-1]["event_type"] == "hitl_request"
            assert log[-1]["subagent_id"] is not None
        assert await count_copies(live, ann) >= len(waiting)
        await ask(live, ann, "DELETE", f"/subagents/{made['deleted']}")
        for name in ("disabled", BUILT_IN):
            body = {"enabled": False}
            await ask(live, ann, "PATCH", f"/subagents/{made[name]}/enable", json=body)
        for name, change in (("narrowed", {"allowed_tools": ["ls"]}), ("renamed", {"name": "new"})):
            body = SUBAGENT | {"name": name} | change
            await ask(live, ann, "PUT", f"/subagents/{made[name]}", json=body)
        for name, session_id in waiting.items():
            log = await approve(live, ann, session_id)
            assert results_in(log) == [("write_file", "success"), ("task", "success")], name
        assert await count_copies(live, ann) == 0
        # The next runs have what there is.
        for name in ("deleted", "disabled", "renamed", BUILT_IN):
            again = (await live.chat(ann, f"ask {name}"))["events"]
            if again[-1]["event_type"] == "hitl_request":
                again = await approve(live, ann, again[-1]["session_id"])
            assert results_in(again) == [("task", "error")], name
        session_id = (await live.chat(ann, "ask narrowed"))["session_id"]
        assert ("write_file", "error") in results_in(await approve(live, ann, session_id))


async def test_sub_agents_stay_from_when_a_task_is_asked_for(
    make_settings: MakeSettings, database_url: str, monkeypatch: pytest.MonkeyPatch
):
    then = [{"description": "count them", "subagent_type": "later"}]
    chain = delegate("first", then=then)
    count = {"match": "^count", "steps": [{"text": "counted"}]}
    monkeypatch.setitem(
        live_server.SCRIPT, "scripts", [chain, count, *live_server.SCRIPT["scripts"]]
    )
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person(role="admin")
        made = [
            (await ask(live, ann, "POST", "/subagents", json=SUBAGENT | {"name": name}))["id"]
            for name in ("first", "later")
        ]
        waiting = await live.chat(ann, "ask first")
        # The task itself waits for a person.
        assert waiting["events"][-1]["action_requests"][0]["name"] == "task"
        for subagent_id in made:
            await ask(live, ann, "DELETE", f"/subagents/{subagent_id}")
        session_id = waiting["session_id"]
        assert (await approve(live, ann, session_id))[-1]["subagent_id"] is not None
        log = await approve(live, ann, session_id)
        assert results_in(log) == [("write_file", "success"), ("task", "success")]
        done = [one["name"] for one in log if one.get("phase") == "finished"]
        assert done == ["first", "later"]
        assert await count_copies(live, ann) == 0
