"""Usage and budgets over REST: who sees what, who may set, and what happens at a limit."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from sqlalchemy import update

from dataagent_server.db.tables.usage import budget_counters
from tests.server.fixtures import MakeSettings

APPROVE = {"decision": {"type": "approve"}}


async def asked(live: LiveServer, who: Caller, method: str, path: str, **sent: Any) -> Any:
    answer = await live.http.request(method, f"/api/v1{path}", headers=who.headers, **sent)
    return answer.status_code, (answer.json() if answer.content else None)


async def usage(live: LiveServer, who: Caller, query: str = "") -> list[dict[str, Any]]:
    status, body = await asked(live, who, "GET", f"/usage?{query}")
    assert status == 200, body
    return body["usage"]


async def set_budget(live: LiveServer, who: Caller, **body: Any) -> int:
    status, _ = await asked(live, who, "PUT", "/budgets", json={"period": "day", **body})
    return status


def limiting(who: Caller, tokens_max: int) -> dict[str, Any]:
    return {"scope": "user", "scope_id": who.who.user_id, "tokens_max": tokens_max}


async def waiting_at_a_budget(live: LiveServer, ann: Caller) -> tuple[str, dict[str, Any]]:
    told = await live.chat(ann, "look")
    assert told["status"] == "waiting"
    return told["session_id"], told["events"][-1]


@pytest.mark.requirement("F7-9")
async def test_everybody_sees_their_own_use_and_admins_see_all(live: LiveServer) -> None:
    ann, bob = await live.person(), await live.person("bob")
    boss = await live.person("boss", "admin")
    first = await live.chat(ann, "look")
    await live.chat(bob, "hi")
    (row,) = await usage(live, ann, "by=user")
    assert (row["name"], row["calls"]) == (ann.who.user_id, 2)
    assert row["total_tokens"] == row["input_tokens"] + row["output_tokens"] > 0
    # Nobody knows the price of a scripted model.
    assert (row["cost"], row["known_cost"], row["unpriced_calls"]) == (None, 0.0, 2)
    (session,) = await usage(live, ann, "by=session")
    assert session["name"] == first["session_id"]
    (run,) = await usage(live, ann, "by=run")
    assert run["name"] == first["events"][0]["run_id"]
    assert first["events"][-1]["token_usage"]["total_tokens"] == run["total_tokens"]
    everybody = await usage(live, boss, "by=user")
    assert {r["name"]: r["calls"] for r in everybody} == {ann.who.user_id: 2, bob.who.user_id: 1}
    (day,) = await usage(live, boss, "by=day")
    assert day["calls"] == 3
    assert await usage(live, boss, "by=day&until=2001-01-01") == []
    status, _ = await asked(live, bob, "GET", f"/usage?by=run&user_id={ann.who.user_id}")
    assert status == 403
    assert await usage(live, bob, f"by=run&session_id={first['session_id']}") == []


@pytest.mark.requirement("F7-9")
async def test_use_is_added_up_by_model(live: LiveServer) -> None:
    ann, bob = await live.person(), await live.person("bob")
    boss = await live.person("boss", "admin")
    project = {"name": "P", "default_model": "demo:demo"}
    _, made = await asked(live, ann, "POST", "/projects", json=project)
    await live.chat(ann, "hi", project_id=made["project_id"])
    await live.chat(ann, "hi")
    await live.chat(bob, "hi")
    rows = {row["name"]: row for row in await usage(live, boss, "by=model")}
    (scripted,) = (name for name in rows if name.startswith("scripted:"))
    assert (len(rows), rows["demo:demo"]["calls"], rows[scripted]["calls"]) == (2, 1, 2)
    # Nobody knows the price of a scripted model.
    assert (rows[scripted]["cost"], rows[scripted]["unpriced_calls"]) == (None, 2)
    own = await usage(live, bob, "by=model")
    assert [(row["name"], row["calls"]) for row in own] == [(scripted, 1)]
    (only,) = await usage(live, ann, f"by=model&project_id={made['project_id']}")
    assert only["name"] == "demo:demo"
    (second,) = await usage(live, boss, "by=model&after=demo:demo")
    assert second["name"] == scripted


@pytest.mark.requirement("F7-9")
async def test_only_admins_set_budgets_and_everybody_sees_their_own(live: LiveServer) -> None:
    ann, bob = await live.person(), await live.person("bob")
    boss = await live.person("boss", "admin")
    assert await set_budget(live, ann, **limiting(ann, 5)) == 403
    assert await set_budget(live, boss, **limiting(ann, 1_000_000)) == 200
    tenant = {"scope": "tenant", "scope_id": boss.who.tenant_id, "cost_max": 2.5}
    assert await set_budget(live, boss, **tenant) == 200
    await live.chat(ann, "hi")
    _, seen = await asked(live, ann, "GET", "/budgets")
    (own,) = seen["budgets"]
    assert (own["scope"], own["tokens_max"], own["cost_max"]) == ("user", 1_000_000, None)
    assert own["used_tokens"] > 0
    assert (await asked(live, bob, "GET", "/budgets"))[1] == {"budgets": []}
    _, everything = await asked(live, boss, "GET", "/budgets")
    assert [(b["scope"], b["cost_max"]) for b in everything["budgets"]] == [
        ("tenant", 2.5),
        ("user", None),
    ]
    query = f"/budgets?scope=user&scope_id={ann.who.user_id}&period=day"
    assert (await asked(live, ann, "DELETE", query))[0] == 403
    assert (await asked(live, boss, "DELETE", query))[0] == 204
    assert (await asked(live, boss, "DELETE", query))[0] == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"scope": "run", "scope_id": "r", "tokens_max": 1},
        {"scope": "tenant", "scope_id": "x", "period": "run", "tokens_max": 1},
        {"scope": "user", "scope_id": "x", "tokens_max": -1},
        {"scope": "user", "scope_id": "x", "cost_max": "inf"},
        {"scope": "user", "scope_id": "x", "cost_max": "nan"},
        {"scope": "user", "scope_id": "x", "cost_max": 10**30},
        {"scope": "user", "scope_id": "x", "tokens_max": 10**30},
        {"scope": "user", "scope_id": "x", "tokens_max": True},
        {"scope": "user", "scope_id": "x", "cost_max": 1, "currency": "XXX"},
        {"scope": "user", "scope_id": "x", "cost_max": 1, "else": 1},
    ],
)
async def test_a_budget_that_cannot_be_is_refused(live: LiveServer, wrong: dict[str, Any]) -> None:
    assert await set_budget(live, await live.person("boss", "admin"), **wrong) in {400, 422}


@pytest.mark.requirement("F7-6")
async def test_a_budget_is_for_somebody_of_the_tenant(live: LiveServer) -> None:
    boss = await live.person("boss", "admin")
    elsewhere = await live.tenant("elsewhere")
    eve = await live.person("eve", "owner", elsewhere)
    for scope, scope_id in (
        ("user", eve.who.user_id),
        ("user", "nobody"),
        ("project", "none"),
        ("tenant", "elsewhere"),
    ):
        body = {"scope": scope, "scope_id": scope_id, "tokens_max": 1}
        assert await set_budget(live, boss, **body) == 404
    assert await set_budget(live, eve, scope="tenant", scope_id="elsewhere", tokens_max=0) == 200
    # What holds elsewhere holds nobody here.
    assert (await live.chat(boss, "hi"))["status"] == "done"
    assert (await asked(live, boss, "GET", "/budgets"))[1] == {"budgets": []}


@pytest.mark.requirement("F7-6")
async def test_a_run_waits_at_its_budget_for_somebody_who_may_raise_it(live: LiveServer) -> None:
    ann, boss = await live.person(), await live.person("boss", "admin")
    await set_budget(live, boss, **limiting(ann, 10))
    session_id, request = await waiting_at_a_budget(live, ann)
    assert request["kind"] == "budget"
    assert "your budget for this day" in request["context"]
    path = f"/requests/{request['interrupt_id']}"
    status, refused = await asked(live, ann, "POST", path, json=APPROVE)
    assert (status, refused["error_code"]) == (403, "PERMISSION_DENIED")
    # Two calls, so it asks twice; each yes is for this run alone.
    while (run := await live.reached(ann, session_id, "waiting_approval", "completed")) and (
        run.status != "completed"
    ):
        _, found = await asked(live, boss, "GET", f"/sessions/{session_id}/requests")
        for one in found["requests"]:
            status, body = await asked(
                live, boss, "POST", f"/requests/{one['interrupt_id']}", json=APPROVE
            )
            assert status == 200, body
    assert (await live.chat(ann, "hi"))["status"] == "waiting"


@pytest.mark.requirement("F7-6")
async def test_its_owner_may_end_a_run_at_its_budget(live: LiveServer) -> None:
    ann, boss = await live.person(), await live.person("boss", "admin")
    await set_budget(live, boss, **limiting(ann, 10))
    session_id, request = await waiting_at_a_budget(live, ann)
    path = f"/requests/{request['interrupt_id']}"
    decision = {"decision": {"type": "reject"}}
    assert (await asked(live, ann, "POST", path, json=decision))[0] == 200
    await live.reached(ann, session_id, "cancelled", "failed", "completed")
    _, events = await asked(live, ann, "GET", f"/sessions/{session_id}/events")
    done = events["events"][-1]
    assert done["reason"] == "budget"


@pytest.mark.requirement("F7-6")
async def test_an_always_raises_the_budget_itself(live: LiveServer) -> None:
    ann, boss = await live.person(), await live.person("boss", "admin")
    await set_budget(live, boss, **limiting(ann, 10))
    session_id, request = await waiting_at_a_budget(live, ann)
    always = {"decision": {"type": "approve", "scope": "always"}}
    path = f"/requests/{request['interrupt_id']}"
    assert (await asked(live, boss, "POST", path, json=always))[0] == 200
    await live.reached(ann, session_id, "completed", "waiting_approval")
    _, seen = await asked(live, ann, "GET", "/budgets")
    assert seen["budgets"][0]["tokens_max"] > 1_000


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("lifted", [False, True])
async def test_a_run_that_waits_goes_on_when_its_budget_is_raised_or_lifted(
    live: LiveServer, lifted: bool
) -> None:
    ann, boss = await live.person(), await live.person("boss", "admin")
    await set_budget(live, boss, **limiting(ann, 10))
    session_id, request = await waiting_at_a_budget(live, ann)
    # Not enough yet: it goes on waiting.
    await set_budget(live, boss, **limiting(ann, 11))
    _, found = await asked(live, boss, "GET", f"/sessions/{session_id}/requests")
    assert [one["interrupt_id"] for one in found["requests"]] == [request["interrupt_id"]]
    if lifted:
        query = f"/budgets?scope=user&scope_id={ann.who.user_id}&period=day"
        assert (await asked(live, boss, "DELETE", query))[0] == 204
    else:
        await set_budget(live, boss, **limiting(ann, 10_000_000))
    await live.reached(ann, session_id, "completed")
    _, events = await asked(live, ann, "GET", f"/sessions/{session_id}/events")
    (answer,) = [e for e in events["events"] if e["event_type"] == "hitl_answer"]
    assert (answer["by"], answer["decision"]["type"]) == (boss.who.user_id, "approve")
    assert events["events"][-1]["reason"] == "completed"


@pytest.mark.requirement("F7-6")
async def test_an_admin_finds_what_waits_for_them_and_others_only_their_own(
    live: LiveServer,
) -> None:
    ann, bob = await live.person(), await live.person("bob")
    boss = await live.person("boss", "admin")
    eve = await live.person("eve", "owner", await live.tenant("elsewhere"))
    await set_budget(live, boss, **limiting(ann, 10))
    session_id, request = await waiting_at_a_budget(live, ann)
    for who, seen in ((ann, 1), (boss, 1), (bob, 0), (eve, 0)):
        status, found = await asked(live, who, "GET", "/requests")
        assert status == 200
        assert [
            (one["session_id"], one["interrupt_id"], one["kind"]) for one in found["requests"]
        ] == [(session_id, request["interrupt_id"], "budget")] * seen


@pytest.mark.requirement("F7-6")
async def test_another_day_lets_a_run_go_on_that_waited(live: LiveServer) -> None:
    ann, boss = await live.person(), await live.person("boss", "admin")
    await set_budget(live, boss, **limiting(ann, 100_000))
    database = live.services.database
    counted = update(budget_counters).where(budget_counters.c.period == "day")
    await live.chat(ann, "hi")
    await database.write(lambda c: c.execute(counted.values(used_tokens=99_999)))
    session_id, _ = await waiting_at_a_budget(live, ann)
    # As if what was used had been used the day before.
    await database.write(lambda c: c.execute(counted.values(period_start="2001-01-01")))
    await live.services.runs.service.resume_after_budget(None, "budget")
    await live.reached(ann, session_id, "completed")


@pytest.mark.requirement("F7-9")
async def test_usage_is_read_page_by_page_and_adds_up_for_the_tenant(live: LiveServer) -> None:
    ann, bob = await live.person(), await live.person("bob")
    boss = await live.person("boss", "admin")
    for who in (ann, bob):
        await live.chat(who, "hi")
    status, first = await asked(live, boss, "GET", "/usage?by=user&limit=1")
    assert (status, len(first["usage"])) == (200, 1)
    assert first["next_after"] == first["usage"][0]["name"]
    _, rest = await asked(live, boss, "GET", f"/usage?by=user&after={first['next_after']}")
    assert rest["next_after"] is None
    _, last = await asked(live, boss, "GET", f"/usage?by=user&limit=1&after={first['next_after']}")
    assert (len(last["usage"]), last["next_after"]) == (1, None)
    names = {row["name"] for row in (*first["usage"], *rest["usage"])}
    assert names == {ann.who.user_id, bob.who.user_id}
    (whole,) = await usage(live, boss, "by=tenant")
    assert (whole["name"], whole["calls"]) == (boss.who.tenant_id, 2)
    (own,) = await usage(live, ann, "by=tenant")
    assert own["calls"] == 1


@pytest.mark.parametrize("query", ["since=2026-13-01", "until=2026-02-30", "by=secrets"])
async def test_a_day_that_is_none_is_refused(live: LiveServer, query: str) -> None:
    status, _ = await asked(live, await live.person(), "GET", f"/usage?{query}")
    assert status == 422


@pytest.mark.requirement("F7-6")
async def test_a_deleted_projects_budget_goes_with_it(live: LiveServer) -> None:
    boss = await live.person("boss", "admin")
    _, project = await asked(live, boss, "POST", "/projects", json={"name": "P"})
    body = {"scope": "project", "scope_id": project["project_id"], "tokens_max": 0}
    assert await set_budget(live, boss, **body) == 200
    told = await live.chat(boss, "hi", project_id=project["project_id"])
    assert told["status"] == "waiting"
    await live.services.runs.service.cancel(boss.who, told["events"][0]["run_id"])
    assert (await asked(live, boss, "DELETE", f"/projects/{project['project_id']}"))[0] == 204
    assert (await asked(live, boss, "GET", "/budgets"))[1] == {"budgets": []}


@pytest.mark.requirement("F7-6")
async def test_nobody_answers_in_time_and_the_run_ends_at_its_budget(
    make_settings: MakeSettings,
) -> None:
    async with open_live_server(make_settings(run_tokens_max="10", approval_timeout="1")) as live:
        ann = await live.person()
        told = await live.chat(ann, "hi")
        await live.reached(ann, told["session_id"], "cancelled", "failed", "completed")
        _, events = await asked(live, ann, "GET", f"/sessions/{told['session_id']}/events")
        last = events["events"][-1]
        assert last["reason"] == "budget"
